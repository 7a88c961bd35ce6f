package import Dispatching
package import Drivers
package import Identity
package import Taxi
import WebCore

/// What the policy in force says of accounts (C13, C14, R13).
package struct AccountRules: Sendable {
    /// The accounts, with the fields that passengers must give.
    package let accounts: Accounts
    /// The drivers, with the rule on taxis that are shared in shifts.
    package let drivers: DriverRegistry
    /// Whether drivers may register themselves.
    package let driversRegister: Bool
    /// Whether the city enters drivers, once it is open.
    package let cityEnters: Bool

    /// What a policy says of accounts.
    package init(_ policy: Policy, _ accounts: Accounts) {
        // Name, surname, e-mail and password are asked for in any case: nobody could sign in or be
        // answered without them. A city whose policy does not ask for a user name has people sign
        // in by e-mail.
        let row = Policy.rows[Int(Policy.Key.passengerFields.rawValue)]
        let words = row.kind.text(of: policy[.passengerFields]).dropFirst().dropLast()
            .split(separator: ",").map(\.trimmed)
        var required: Set<FormField> = []
        if words.contains("mobile") { required.insert(.phone) }
        if words.contains("username") { required.insert(.userName) }
        if words.contains("address") { required.insert(.address) }
        self.accounts = accounts.requiring(required)
        var settings = DriverSettings()
        settings.taxisAreShared = policy.sharedTaxis
        drivers = DriverRegistry(self.accounts, settings: settings)
        driversRegister = policy.onboarding != .admin
        cityEnters = policy.onboarding != .selfVerified
    }
}

extension TaxiPageModule {
    /// What the policy in force says of accounts, read anew: another server may have changed it.
    package func accountRules() async throws -> AccountRules {
        AccountRules(try await taxi.policyInForce(), accounts)
    }

    /// Whether the city may enter drivers now (C13): what it begins with it always enters.
    package func mayEnterDrivers() async throws -> Bool {
        try await accountRules().cityEnters ? true : try await !isOpen()
    }
}

extension TaxiService {
    /// The drivers as the policy in force has them, for who asks from outside the site.
    package func ruledDrivers(_ accounts: Accounts) async throws -> DriverRegistry {
        AccountRules(try await policyInForce(), accounts).drivers
    }
}
