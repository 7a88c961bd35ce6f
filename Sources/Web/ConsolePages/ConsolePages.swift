package import Backups
package import TaxiPages
package import WebCore

/// The console's home, and how a city is set up and run as a whole.
package struct ConsolePages: ConsoleModule {
    /// What it shares with the other pages about taxis.
    package let environment: TaxiEnvironment
    /// Takes a backup before something grave is changed.
    package let safetyBackup: SafetyBackup
    /// The backups of both databases.
    package let backups: Backups
    /// The levels of the log.
    package let logLevels: LogLevels
    /// Whether a second server can stand by: not on SQLite.
    package let allowsStandby: Bool
    /// The statistics that were looked at last.
    let statistics = StatisticsDesk()

    /// The pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        safetyBackup: @escaping SafetyBackup,
        backups: Backups,
        logLevels: LogLevels,
        allowsStandby: Bool
    ) {
        self.environment = environment
        self.safetyBackup = safetyBackup
        self.backups = backups
        self.logLevels = logLevels
        self.allowsStandby = allowsStandby
    }

    /// Its pages and actions.
    package var routes: [Route] {
        consoleHomeRoutes + setUpRoutes + suspensionRoutes + policyRoutes + tariffRoutes
            + statisticsRoutes + backupRoutes + loggingRoutes
    }
}
