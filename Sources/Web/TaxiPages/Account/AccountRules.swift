package import Dispatching
package import Drivers
import Encoding
package import Identity
package import Taxi
import WebCore

/// The account rules of the policy in force (C13, C14, R13).
package struct AccountRules: Sendable {
    /// The accounts, with the fields that the policy requires from passengers.
    package let accounts: Accounts
    /// The drivers, with the policy's rule for taxis that several drivers share.
    package let drivers: DriverRegistry
    /// Whether drivers may register themselves.
    package let driversRegister: Bool
    /// Whether staff may enter drivers after the city has opened.
    package let cityEnters: Bool

    /// Derives the rules from a policy.
    package init(_ policy: Policy, _ accounts: Accounts) {
        // Name, surname, e-mail and password are always required: without them, nobody could sign
        // in or be contacted. If the policy does not ask for a user name, people sign in with their
        // e-mail address.
        let row = Policy.rows[Int(Policy.Key.passengerFields.rawValue)]
        let words = row.kind.text(of: policy[.passengerFields]).dropFirst().dropLast()
            .split(separator: ",").map { $0.trimmingBlanks() }
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
    /// Returns the account rules of the policy in force.
    ///
    /// The policy is read on each call, because another server may have changed it.
    package func accountRules() async throws -> AccountRules {
        AccountRules(try await taxi.policyInForce(), accounts)
    }

    /// Whether staff may enter drivers now (C13).
    ///
    /// Before the city opens they always may.
    package func mayEnterDrivers() async throws -> Bool {
        try await accountRules().cityEnters ? true : try await !isOpen()
    }
}

extension TaxiService {
    /// The drivers under the rules of the policy in force, for callers outside the site.
    package func ruledDrivers(_ accounts: Accounts) async throws -> DriverRegistry {
        AccountRules(try await policyInForce(), accounts).drivers
    }
}
