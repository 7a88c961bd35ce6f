import Chronology
package import Storage

/// The operations on people, sessions and applications.
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
    /// The secret from which the digests of identifiers are computed.
    package let secret: ServerSecret
    /// The thread pool that hashes passwords.
    package let workers: PasswordWorkers
    let early: EarlyAttempts
    /// The queue of messages to people.
    package let outgoing: Outgoing
    let records: [any PersonalRecords]
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
    ///   - records: what other modules store under the keys of people, or under keys of their own.
    ///   - erasing: what other modules do in the transaction that erases a person.
    ///   - leaving: what other modules do before a person is erased.
    package init(
        data: Database,
        keys: KeyStore,
        secret: ServerSecret,
        workers: PasswordWorkers,
        outgoing: Outgoing,
        settings: AccountSettings = AccountSettings(),
        records: [any PersonalRecords] = [],
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
        self.records = records
        self.erasing = erasing
        self.leaving = leaving
    }

    /// Returns the same accounts with other required passenger fields (C14).
    package func requiring(_ fields: Set<FormField>) -> Accounts {
        var accounts = self
        accounts.settings.required = fields
        return accounts
    }

    /// Returns the key of a person who is known to exist.
    ///
    /// - Throws: `noSuchPerson` if the key was destroyed.
    package func key(of person: PersonNumber) async throws -> PersonKey {
        guard let key = try await keys.key(of: person) else {
            throw AccountFailure.noSuchPerson
        }
        return key
    }

    /// Discards keys that were created for rows which a failed transaction did not write.
    ///
    /// If the outcome of the transaction is unknown, the keys stay: a surplus key is harmless,
    /// while a missing key would make a person's data unreadable.
    package func giveUp(_ people: [PersonNumber], after error: any Error) async {
        if case DatabaseFailure.outcomeUnknown = error { return }
        try? await keys.discard(people)
    }
}
