package import Notify
package import TaxiPages
package import WebCore

/// The pages of user accounts: registration, signing in, the profile, devices, data and deletion.
package struct AccountPages: TaxiPageModule {
    /// The services shared with other taxi pages.
    package let environment: TaxiEnvironment
    /// The public key with which browsers subscribe to Web Push.
    package let pushKey: String
    /// The push services that the server may use.
    package let pushReach: PushService.Reach
    /// Content that other features add to these pages.
    package let slots: AccountSlots

    /// Creates the account pages of a site.
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

    /// All routes of this module.
    package var routes: [Route] {
        registrationRoutes + logInRoutes + passwordRoutes + accountRoutes + deletionRoutes
            + preferenceRoutes
    }
}
