package import Backups
package import FeedRegister
package import LiveFeeds
package import TaxiPages
package import WebCore

/// The console's home page and the pages for setting up and running the city.
package struct ConsolePages: ConsoleModule {
    /// The dependencies shared with the other taxi pages.
    package let environment: TaxiEnvironment
    /// Takes a backup before a critical change.
    package let safetyBackup: SafetyBackup
    /// The backups of the city's and the key database.
    package let backups: Backups
    /// The live feeds of the settings and of the console, with their state.
    package let feeds: LiveFeeds
    /// The feeds that staff added.
    package let feedRegister: FeedRegister
    /// The log levels, adjustable at run time.
    package let logLevels: LogLevels
    /// Whether a second server can stand by, which SQLite does not allow.
    package let allowsStandby: Bool
    /// The cache of recently viewed statistics.
    let statistics = StatisticsCache()

    /// Creates the console pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        safetyBackup: @escaping SafetyBackup,
        backups: Backups,
        feeds: LiveFeeds,
        feedRegister: FeedRegister,
        logLevels: LogLevels,
        allowsStandby: Bool
    ) {
        self.environment = environment
        self.safetyBackup = safetyBackup
        self.backups = backups
        self.feeds = feeds
        self.feedRegister = feedRegister
        self.logLevels = logLevels
        self.allowsStandby = allowsStandby
    }

    /// All pages and actions of this module.
    package var routes: [Route] {
        consoleHomeRoutes + consoleSearchRoutes + setUpRoutes + suspensionRoutes + policyRoutes
            + tariffRoutes
            + statisticsRoutes + backupRoutes + feedRoutes + loggingRoutes
    }
}
