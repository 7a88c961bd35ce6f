import Identity
package import OpenIDConnect
package import TaxiPages
package import WebCore

/// The pages of user accounts: registration, signing in, the profile, devices, data and deletion.
package struct AccountPages: TaxiPageModule {
    /// The services shared with other taxi pages.
    package let environment: TaxiEnvironment
    /// The public key with which browsers subscribe to Web Push.
    package let pushKey: String
    /// Whether browsers may subscribe with a push service on the server itself; only tests do.
    package let pushesToLoopback: Bool
    /// The providers with which people may sign in.
    package let providers: [IdentityProvider]
    /// Content that other features add to these pages.
    package let slots: AccountSlots
    /// Protects how far a browser is on its way through a provider.
    let seal: SignInSeal

    /// Creates the account pages of a site.
    package init(
        _ environment: TaxiEnvironment,
        pushKey: String,
        pushesToLoopback: Bool,
        providers: [IdentityProvider],
        slots: AccountSlots
    ) {
        self.environment = environment
        self.pushKey = pushKey
        self.pushesToLoopback = pushesToLoopback
        self.providers = providers
        self.slots = slots
        seal = SignInSeal(key: environment.web.accounts.secret.key(for: "sign-in"))
    }

    /// All routes of this module.
    package var routes: [Route] {
        registrationRoutes + logInRoutes + providerRoutes + passwordRoutes + accountRoutes
            + deletionRoutes
            + preferenceRoutes
    }
}
