import Chronology
package import Storage

/// People and what they may do: the operations of this room on its databases.
///
/// Every operation is told the moment; none reads a clock. What it changes it changes in one
/// transaction of the city's database, with the messages that tell people of it.
package struct Accounts: Sendable {
    /// The city's database, whose schema has `Migration.accounts`.
    package let data: Database
    /// The keys under which personal data is sealed.
    package let keys: KeyStore
    /// What the city decides.
    package private(set) var settings: AccountSettings
    let secret: ServerSecret
    /// Where passwords are hashed.
    package let workers: PasswordWorkers
    let early: EarlyAttempts
    let outgoing: Outgoing
    let erasing: [ErasureStep]
    let leaving: [LeavingStep]

    /// The accounts of an installation.
    ///
    /// - Parameters:
    ///   - data: the city's database.
    ///   - keys: the key store, made with the same secret.
    ///   - secret: the secret of the installation.
    ///   - workers: where passwords are hashed; one for the whole server.
    ///   - outgoing: where messages to people go.
    ///   - settings: what the city decides.
    ///   - erasing: what other rooms do when a person is erased.
    ///   - leaving: what other rooms do before that.
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

    /// The same accounts where passengers must give other fields (C14), and taxis may be shared by
    /// shifts or not (R13).
    package func requiring(_ fields: Set<FormField>, sharesTaxis: Bool) -> Accounts {
        var accounts = self
        accounts.settings.required = fields
        accounts.settings.taxisAreShared = sharesTaxis
        return accounts
    }

    /// The key of a person who is known to exist.
    ///
    /// - Throws: `noSuchPerson` where the key was destroyed.
    func key(of person: PersonNumber) async throws -> PersonKey {
        guard let key = try await keys.key(of: person) else {
            throw AccountFailure.noSuchPerson
        }
        return key
    }

    /// Gives up keys that were made for rows which a failed transaction did not write.
    ///
    /// Where nobody knows whether it wrote them, the keys stay: one too many harms nobody, one too
    /// few would lose a person.
    func giveUp(_ people: [PersonNumber], after error: any Error) async {
        if case DatabaseFailure.outcomeUnknown = error { return }
        try? await keys.discard(people)
    }
}
