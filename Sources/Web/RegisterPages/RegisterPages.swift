package import TaxiPages
package import WebCore
package import Webhooks

/// The pages with which staff manage people, drivers and taxis.
package struct RegisterPages: ConsoleModule {
    /// The dependencies shared with the other taxi pages.
    package let environment: TaxiEnvironment
    /// Takes a backup before a critical change.
    package let safetyBackup: SafetyBackup
    /// The addresses to which applications are told what happens.
    let webhooks: WebhookRegister
    /// The uploaded tables whose import has not been confirmed yet.
    let uploads = Uploads()

    /// Creates the register pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        safetyBackup: @escaping SafetyBackup,
        webhooks: WebhookRegister
    ) {
        self.environment = environment
        self.safetyBackup = safetyBackup
        self.webhooks = webhooks
    }

    /// All pages and actions of this module.
    package var routes: [Route] {
        consoleDriverRoutes + consoleImportRoutes + consolePeopleRoutes + applicationRoutes
            + webhookRoutes + consoleFeedbackRoutes + paperRoutes
    }
}
