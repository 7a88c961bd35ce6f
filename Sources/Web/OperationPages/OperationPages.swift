package import TaxiPages
import WebCore

/// The pages on which operators monitor and manage requests, queues and taxis.
package struct OperationPages: ConsoleModule {
    /// The services shared with other taxi pages.
    package let environment: TaxiEnvironment
    /// Takes a backup before a critical change.
    package let safetyBackup: SafetyBackup

    /// Creates the operation pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        safetyBackup: @escaping SafetyBackup
    ) {
        self.environment = environment
        self.safetyBackup = safetyBackup
    }
}
