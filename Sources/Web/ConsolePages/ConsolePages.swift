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

    /// The pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        safetyBackup: @escaping SafetyBackup,
        backups: Backups,
        logLevels: LogLevels
    ) {
        self.environment = environment
        self.safetyBackup = safetyBackup
        self.backups = backups
        self.logLevels = logLevels
    }

    /// Its pages and actions.
    package var routes: [Route] {
        consoleHomeRoutes + setUpRoutes + suspensionRoutes + policyRoutes + tariffRoutes
            + statisticsRoutes + backupRoutes + loggingRoutes
    }
}
