package import Chronology
package import Identity
package import Storage
package import StorageTestSupport
import Testing

/// The city of a test: both databases, and a table in place of the mail queue.
package struct TestCity: Sendable {
    /// The moment at which most tests run.
    package static let start = Moment(milliseconds: 1_790_000_000_000)
    /// The network address of most requests.
    package static let home = ClientAddress("192.0.2.1")

    /// The fresh database of the test.
    package let place: TestDatabase
    private let keysAddress: String
    /// The city's database.
    package let data: Database
    /// The database of keys.
    package let keyDatabase: Database
    /// The accounts under test.
    package var accounts: Accounts
    private let records: [any PersonalRecords]
    private let erasing: [ErasureStep]

    /// Runs a test with an empty city.
    ///
    /// - Parameters:
    ///   - engine: the engine of its databases.
    ///   - settings: the account policy of the city.
    ///   - workers: the thread pool that hashes passwords.
    ///   - migrations: the tables of the city's database.
    ///   - records: what another module stores about people.
    ///   - erasing: what another module does in the transaction that erases a person.
    ///   - body: the test.
    /// - Throws: the errors of the test.
    package static func with(
        _ engine: TestEngine,
        settings: AccountSettings = AccountSettings(),
        workers: PasswordWorkers? = nil,
        migrations: [Migration] = Migration.accounts,
        records: [any PersonalRecords] = [],
        erasing: [ErasureStep] = [],
        _ body: @Sendable (TestCity) async throws -> Void
    ) async throws {
        try await withDatabase(on: engine) { place in
            let city = try await TestCity(
                place,
                settings,
                workers ?? .quick(),
                migrations,
                records,
                erasing
            )
            do {
                try await body(city)
            } catch {
                await city.close()
                throw error
            }
            await city.close()
        }
    }

    /// Makes an empty city in a fresh database, which ``close()`` ends.
    ///
    /// - Parameters:
    ///   - place: the database.
    ///   - settings: the account policy of the city.
    ///   - workers: the thread pool that hashes passwords.
    ///   - migrations: the tables of the city's database.
    ///   - records: what another module stores about people.
    ///   - erasing: what another module does in the transaction that erases a person.
    /// - Throws: any database error.
    package init(
        _ place: TestDatabase,
        _ settings: AccountSettings,
        _ workers: PasswordWorkers,
        _ migrations: [Migration] = Migration.accounts,
        _ records: [any PersonalRecords] = [],
        _ erasing: [ErasureStep] = []
    ) async throws {
        self.place = place
        self.records = records
        self.erasing = erasing
        data = try await place.open()
        try await data.migrate(
            (migrations + [.messageRequests] + Migration.applicationUse + Migration.grants
                + Migration.providers + Migration.deviceCodes).sorted { $0.name < $1.name }
        )
        try await data.write { transaction in
            try transaction.execute(
                """
                CREATE TABLE mail (
                    place \(.integer) NOT NULL PRIMARY KEY, person \(.integer) NOT NULL,
                    kind \(.text) NOT NULL, moment \(.integer) NOT NULL, sealed \(.bytes) NOT NULL
                ) \(.strict)
                """
            )
        }
        if let path = place.path {
            keysAddress = "sqlite:\(path).keys"
        } else {
            try await data.write { try $0.execute("CREATE SCHEMA keys") }
            keysAddress = place.address + "?options=-csearch_path%3Dkeys"
        }
        keyDatabase = try await Database.open(keysAddress)
        try await keyDatabase.migrate(Migration.keyStore)
        let secret = try #require(ServerSecret([UInt8](repeating: 7, count: 32)))
        accounts = Accounts(
            data: data,
            keys: KeyStore(on: keyDatabase, secret: secret),
            secret: secret,
            workers: workers,
            outgoing: Self.outgoing,
            settings: settings,
            records: records,
            erasing: [
                { person, transaction in
                    try transaction.execute("DELETE FROM mail WHERE person = \(person)")
                }
            ] + erasing
        )
    }

    private static let outgoing = Outgoing { message, transaction in
        let count = try transaction.count("SELECT count(*) AS count FROM mail")
        try transaction.execute(
            """
            INSERT INTO mail (place, person, kind, moment, sealed) VALUES (
                \(count + 1), \(message.person), \(message.kind.rawValue), \(message.moment),
                \(message.sealed)
            )
            """
        )
    }

    /// Closes the databases.
    package func close() async {
        keyDatabase.close()
        if place.path == nil {
            _ = try? await data.write { try $0.execute("DROP SCHEMA keys CASCADE") }
        }
        data.close()
    }

    /// Returns the decrypted mails so far, without those of erased people.
    package func mails() async throws -> [(kind: MessageKind, contents: MessageContents)] {
        let rows = try await data.read { try $0.rows("SELECT * FROM mail ORDER BY place") }
        var mails: [(kind: MessageKind, contents: MessageContents)] = []
        for row in rows {
            let message = OutgoingMessage(
                kind: MessageKind(rawValue: try row.value("kind")),
                person: try row.value("person"),
                moment: try row.moment("moment"),
                sealed: try row.value("sealed")
            )
            if let contents = try await accounts.open(message) {
                mails.append((message.kind, contents))
            }
        }
        return mails
    }

    /// Returns the token of the last mail of a kind.
    package func token(_ kind: MessageKind) async throws -> SecretToken {
        let mail = try #require(try await mails().last { $0.kind == kind })
        return try #require(SecretToken(mail.contents.facts["token"] ?? ""))
    }

    /// Counts the mails of a kind.
    package func count(_ kind: MessageKind) async throws -> Int {
        try await mails().count { $0.kind == kind }
    }

    /// Registers a passenger and confirms the registration.
    @discardableResult
    package func person(_ name: String, at now: Moment = start) async throws -> PersonNumber {
        try await accounts.register(.sample(name), from: Self.home, at: now)
        try await accounts.confirmRegistration(try await token(.confirmRegistration), at: now)
        return try await number(name)
    }

    /// Returns the number of a person by user name.
    package func number(_ name: String) async throws -> PersonNumber {
        let secret = accounts.secret
        let found = try await data.read { transaction in
            try PersonRecord.find(typed: name, secret, in: transaction)?.number
        }
        return try #require(found)
    }

    /// Logs a person in with the sample password.
    package func logIn(
        _ name: String,
        password: String = Registration.samplePassword,
        from address: ClientAddress = home,
        at now: Moment = start
    ) async throws -> SessionGrant {
        let form = LogInForm(name: name, password: password, address: address, device: "Firefox")
        let outcome = try await accounts.logIn(form, at: now)
        guard case .session(let grant) = outcome else {
            throw AccountFailure.wrongCredentials
        }
        return grant
    }

    /// Creates an administrator who is logged in.
    package func administrator(
        _ name: String = "admin",
        at now: Moment = start
    ) async throws -> Session {
        let number = try await accounts.createAdministrator(.sample(name), at: now)
        try await data.write { transaction in
            try transaction.execute("UPDATE person SET must_change = 0 WHERE number = \(number)")
        }
        return try await logIn(name, at: now).session
    }

    /// Provides the same city with separate connections, as on another server.
    package func withSecondServer(_ body: @Sendable (Accounts) async throws -> Void) async throws {
        let second = try await place.open()
        let secondKeys = try await Database.open(keysAddress)
        defer {
            second.close()
            secondKeys.close()
        }
        try await body(
            Accounts(
                data: second,
                keys: KeyStore(on: secondKeys, secret: accounts.secret),
                secret: accounts.secret,
                workers: accounts.workers,
                outgoing: accounts.outgoing,
                records: records,
                erasing: erasing
            )
        )
    }

    /// Counts the rows of a table.
    package func count(_ statement: SQL) async throws -> Int {
        try await data.read { try $0.count(statement) }
    }
}

extension Registration {
    /// The password of every sample.
    package static let samplePassword = "Correct7horse"

    /// Creates a valid registration form.
    package static func sample(_ name: String) -> Registration {
        Registration(
            userName: name,
            email: "\(name)@example.org",
            password: samplePassword,
            passwordAgain: samplePassword,
            name: "Nome\(name)",
            surname: "Cognome\(name)",
            address: "Via \(name) 1, Milano",
            phone: "333 1234567",
            consent: AccountSettings().consentVersion
        )
    }
}

extension AccountFailure {
    /// The problems of an `invalid` failure.
    package var problems: Set<FieldProblem> {
        if case .invalid(let problems) = self { Set(problems) } else { [] }
    }
}

/// Returns the failure of an operation; nil if it succeeded.
package func refusal(_ body: () async throws -> Void) async throws -> AccountFailure? {
    do {
        try await body()
        return nil
    } catch let failure as AccountFailure {
        return failure
    }
}

/// Returns the field problems of an operation; empty if there were none.
package func problems(_ body: () async throws -> Void) async throws -> Set<FieldProblem> {
    try await refusal(body)?.problems ?? []
}
