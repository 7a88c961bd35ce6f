package import TaxiPages
import WebCore

/// The pages for drawing, checking, importing and publishing the city's zones.
package struct ZonePages: ConsoleModule {
    /// The dependencies shared with the other taxi pages.
    package let environment: TaxiEnvironment
    /// Takes a backup before a critical change.
    package let safetyBackup: SafetyBackup

    /// Creates the zone pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        safetyBackup: @escaping SafetyBackup
    ) {
        self.environment = environment
        self.safetyBackup = safetyBackup
    }
}
