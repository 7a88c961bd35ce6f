import Chronology
import Crypto
import Encoding
package import HTTPClient
package import Identity
package import Storage

/// The endpoints of applications, and the queue of messages to them.
///
/// A message is written in the transaction of its cause, once for each endpoint that wants it, and
/// is sent until it is acknowledged.
package struct WebhookRegister: Sendable {
    /// What is written in the same transaction as a change: its note in the audit trail.
    package typealias Noting = @Sendable (Transaction) throws -> Void
    /// Makes of a change what its method returns, and may keep it in the same transaction; it may
    /// run more than once.
    package typealias Answering<Change, Answer> = @Sendable (Change, Transaction) throws -> Answer

    /// How many endpoints an application may have.
    package static let endpointLimit = 10
    /// How long messages are signed with a replaced secret too, in seconds.
    package static let formerSeconds: Int64 = 86_400

    /// The network addresses to which messages may be sent: the public ones, or any for a test and
    /// for programs in the city's own network.
    package let scope: NetworkScope
    /// How many days messages are kept after they are settled.
    package let keptDays: Int
    let accounts: Accounts
    let database: Database
    private let sealingKey: SymmetricKey
    private let idKey: SymmetricKey

    /// Creates the register.
    ///
    /// - Parameters:
    ///   - accounts: the applications, and what people let them do.
    ///   - key: the key that seals addresses and secrets: 32 bytes.
    ///   - scope: the network addresses to which messages may be sent.
    ///   - keptDays: how many days messages are kept after they are settled.
    package init(_ accounts: Accounts, key: [UInt8], scope: NetworkScope, keptDays: Int = 30) {
        precondition(key.count == 32, "The key of the register of webhooks has 32 bytes.")
        self.accounts = accounts
        self.scope = scope
        self.keptDays = keptDays
        database = accounts.data
        sealingKey = Self.key("sealing", from: key)
        idKey = Self.key("ids", from: key)
    }

    private static func key(_ purpose: String, from key: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key),
            info: Array("viavai webhooks: \(purpose)".utf8),
            outputByteCount: 32
        )
    }

    // MARK: Reading

    /// The endpoints of an application, in the order in which they were made.
    package func endpoints(of application: Int64) async throws -> [WebhookEndpoint] {
        let rows = try await database.read { transaction in
            try transaction.rows(
                """
                SELECT * FROM webhook_endpoint WHERE application = \(application)
                ORDER BY made, number
                """
            )
        }
        return try rows.map(endpoint)
    }

    /// An endpoint of an application.
    ///
    /// - Throws: ``WebhookProblem/unknown`` for any other number, any database error.
    package func endpoint(_ number: Int64, of application: Int64) async throws -> WebhookEndpoint {
        let row = try await database.read(isBrief: true) { transaction in
            try Self.row(number, of: application, in: transaction)
        }
        return try endpoint(row)
    }

    /// An endpoint of an application, as a transaction sees it.
    ///
    /// - Throws: as ``endpoint(_:of:)``.
    package func endpoint(
        _ number: Int64,
        of application: Int64,
        in transaction: Transaction
    ) throws -> WebhookEndpoint {
        try endpoint(Self.row(number, of: application, in: transaction))
    }

    static func row(
        _ number: Int64,
        of application: Int64,
        in transaction: Transaction
    ) throws -> Row {
        let row = try transaction.row(
            """
            SELECT * FROM webhook_endpoint
            WHERE number = \(number) AND application = \(application)
            """
        )
        guard let row else { throw WebhookProblem.unknown }
        return row
    }

    private func endpoint(_ row: Row) throws -> WebhookEndpoint {
        let number: Int64 = try row.value("number")
        let kinds: String = try row.value("kinds")
        let state: WebhookEndpoint.State =
            if let shut = try row.optionalMoment("shut") {
                .shut(at: shut)
            } else if let failing = try row.optionalMoment("failing") {
                .failing(since: failing)
            } else {
                .working
            }
        return WebhookEndpoint(
            number: number,
            application: try row.value("application"),
            address: try address(sealed: try row.value("sealed"), of: number),
            kinds: Set(kinds.split(separator: " ").compactMap { .init(rawValue: String($0)) }),
            state: state,
            made: try row.moment("made"),
            formerEnds: try row.optionalMoment("former_ends")
        )
    }

    // MARK: Sealing

    func address(sealed: [UInt8], of number: Int64) throws -> String {
        String(decoding: try opened(sealed, "address \(number)"), as: UTF8.self)
    }

    func secret(sealed: [UInt8], of number: Int64) throws -> WebhookSecret? {
        WebhookSecret(String(decoding: try opened(sealed, "secret \(number)"), as: UTF8.self))
    }

    func sealed(address: String, of number: Int64) throws -> [UInt8] {
        try sealed(address, "address \(number)")
    }

    func sealed(_ secret: WebhookSecret, of number: Int64) throws -> [UInt8] {
        try sealed(secret.text, "secret \(number)")
    }

    private func sealed(_ text: String, _ place: String) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(
            Array(text.utf8),
            using: sealingKey,
            authenticating: Array(place.utf8)
        )
        return Array(box.combined)
    }

    private func opened(_ sealed: [UInt8], _ place: String) throws -> [UInt8] {
        let box = try ChaChaPoly.SealedBox(combined: sealed)
        return Array(
            try ChaChaPoly.open(box, using: sealingKey, authenticating: Array(place.utf8))
        )
    }

    /// The id of a message: always the same for a cause and an endpoint, and it says nothing about
    /// either.
    func id(of cause: String, to endpoint: Int64) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(endpoint) \(cause)".utf8),
            using: idKey
        )
        return "msg_" + Array(code.prefix(16)).hex
    }
}
