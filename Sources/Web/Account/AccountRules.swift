import Accounts
import Dispatching
import Taxi

/// What the policy in force says of accounts (C13, C14).
struct AccountRules: Sendable {
    /// The accounts, with the fields that passengers must give.
    let accounts: Accounts
    /// Whether drivers may register themselves.
    let driversRegister: Bool

    /// What a policy says of accounts.
    init(_ policy: Policy, _ accounts: Accounts) {
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
        driversRegister = policy[.onboarding] != 0
    }
}

extension Site {
    /// What the policy in force says of accounts, read anew: another server may have changed it.
    func accountRules() async throws -> AccountRules {
        AccountRules(try await taxi.policyInForce(), accounts)
    }
}
