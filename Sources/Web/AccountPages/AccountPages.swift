package import Notify
package import TaxiPages
package import WebCore

/// Accounts: registration, signing in, the profile, devices, data and deletion.
package struct AccountPages: TaxiPageModule {
    /// What it shares with the other pages about taxis.
    package let environment: TaxiEnvironment
    /// The key with which browsers subscribe to notices.
    package let pushKey: String
    /// Which push services may be used.
    package let pushReach: PushService.Reach
    /// What other features add to its pages.
    package let slots: AccountSlots

    /// The pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        pushKey: String,
        pushReach: PushService.Reach,
        slots: AccountSlots
    ) {
        self.environment = environment
        self.pushKey = pushKey
        self.pushReach = pushReach
        self.slots = slots
    }

    /// Its pages and actions.
    package var routes: [Route] {
        registrationRoutes + logInRoutes + passwordRoutes + accountRoutes + deletionRoutes
            + preferenceRoutes
    }
}
