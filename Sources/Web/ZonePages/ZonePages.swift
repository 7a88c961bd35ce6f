package import TaxiPages
import WebCore

/// The city's zones: drawing, checking, importing and publishing them.
package struct ZonePages: ConsoleModule {
    /// What it shares with the other pages about taxis.
    package let environment: TaxiEnvironment
    /// Takes a backup before something grave is changed.
    package let safetyBackup: SafetyBackup

    /// The pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        safetyBackup: @escaping SafetyBackup
    ) {
        self.environment = environment
        self.safetyBackup = safetyBackup
    }
}
