package import TaxiPages
package import WebCore

/// The register of people, drivers and taxis, which the staff keeps.
package struct RegisterPages: ConsoleModule {
    /// What it shares with the other pages about taxis.
    package let environment: TaxiEnvironment
    /// Takes a backup before something grave is changed.
    package let safetyBackup: SafetyBackup
    /// Tables that wait for their import to be confirmed.
    let uploads = Uploads()

    /// The pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        safetyBackup: @escaping SafetyBackup
    ) {
        self.environment = environment
        self.safetyBackup = safetyBackup
    }

    /// Its pages and actions.
    package var routes: [Route] {
        consoleDriverRoutes + consoleImportRoutes + consolePeopleRoutes + applicationRoutes
            + consoleFeedbackRoutes + paperRoutes
    }
}
