import Chronology
package import Storage

/// The operations on people, sessions, drivers and applications.
///
/// Each operation takes the current time as an argument; none reads a clock. It makes its changes
/// in one transaction of the city's database, together with the messages that announce them.
package struct Accounts: Sendable {
    /// The city's database, whose schema has `Migration.accounts`.
    package let data: Database
    /// The keys under which personal data is sealed.
    package let keys: KeyStore
    /// The account policy of the city.
    package private(set) var settings: AccountSettings
    let secret: ServerSecret
    /// The thread pool that hashes passwords.
    package let workers: PasswordWorkers
    let early: EarlyAttempts
    let outgoing: Outgoing
    let erasing: [ErasureStep]
    let leaving: [LeavingStep]

    /// Creates the accounts of an installation.
    ///
    /// - Parameters:
    ///   - data: the city's database.
    ///   - keys: the key store, made with the same secret.
    ///   - secret: the installation's secret.
    ///   - workers: the thread pool that hashes passwords; one per server.
    ///   - outgoing: the queue of messages to people.
    ///   - settings: the account policy of the city.
    ///   - erasing: what other modules do in the transaction that erases a person.
    ///   - leaving: what other modules do before a person is erased.
    package init(
        data: Database,
        keys: KeyStore,
        secret: ServerSecret,
        workers: PasswordWorkers,
        outgoing: Outgoing,
        settings: AccountSettings = AccountSettings(),
        erasing: [ErasureStep] = [],
        leaving: [LeavingStep] = []
    ) {
        self.data = data
        self.keys = keys
        self.secret = secret
        self.workers = workers
        early = EarlyAttempts(in: data)
        self.outgoing = outgoing
        self.settings = settings
        self.erasing = erasing
        self.leaving = leaving
    }

    /// Returns the same accounts with other required passenger fields (C14) and another rule on
    /// taxis shared in shifts (R13).
    package func requiring(_ fields: Set<FormField>, sharesTaxis: Bool) -> Accounts {
        var accounts = self
        accounts.settings.required = fields
        accounts.settings.taxisAreShared = sharesTaxis
        return accounts
    }

    /// Returns the key of a person who is known to exist.
    ///
    /// - Throws: `noSuchPerson` if the key was destroyed.
    func key(of person: PersonNumber) async throws -> PersonKey {
        guard let key = try await keys.key(of: person) else {
            throw AccountFailure.noSuchPerson
        }
        return key
    }

    /// Discards keys that were created for rows which a failed transaction did not write.
    ///
    /// If the outcome of the transaction is unknown, the keys stay: a surplus key is harmless,
    /// while a missing key would make a person's data unreadable.
    func giveUp(_ people: [PersonNumber], after error: any Error) async {
        if case DatabaseFailure.outcomeUnknown = error { return }
        try? await keys.discard(people)
    }
}
