import Chronology
package import Storage

extension Accounts {
    /// Counts a request by which somebody may make the server write to an address of their choice.
    ///
    /// All such requests count together: registrations, forgotten passwords, repeated
    /// confirmations, codes for guests, and changes of an e-mail address or user name. They count
    /// before anything is looked up, whatever their result, so that a refusal reveals nothing and
    /// user names cannot be tried one after another.
    ///
    /// - Throws: `tooManyFromNetwork` if this address or its network has made too many.
    func countMessageRequest(from address: ClientAddress, at now: Moment) async throws {
        let group = secret.digest(address.group, of: .address)
        let network = secret.digest(address.network, of: .address)
        let since = now.adding(seconds: -settings.messageWindow)
        let id = Int64.random(in: 1..<(1 << 53))
        try await data.write { transaction in
            let fromAddress = try transaction.count(
                """
                SELECT count(*) AS count FROM message_request
                WHERE address = \(group) AND made > \(since) AND made <= \(now)
                """
            )
            let fromNetwork = try transaction.count(
                """
                SELECT count(*) AS count FROM message_request
                WHERE network = \(network) AND made > \(since) AND made <= \(now)
                """
            )
            guard fromAddress < settings.messagesPerAddress,
                fromNetwork < settings.messagesPerNetwork
            else { throw AccountFailure.tooManyFromNetwork }
            try transaction.execute(
                """
                INSERT INTO message_request (id, address, network, made)
                VALUES (\(id), \(group), \(network), \(now))
                """
            )
        }
    }
}

extension Migration {
    /// The table of ``Accounts/countMessageRequest(from:at:)``, which replaces the count of
    /// guests' codes; it is younger than the tables of other modules.
    package static let messageRequests = Migration(
        "0160-create-message-requests",
        [
            """
            CREATE TABLE message_request (
                id \(.integer) NOT NULL PRIMARY KEY,
                address \(.bytes) NOT NULL CHECK (length(address) = 32),
                network \(.bytes) NOT NULL CHECK (length(network) = 32),
                made \(.integer) NOT NULL
            ) \(.strict)
            """,
            "CREATE INDEX message_request_address ON message_request (address, made)",
            "CREATE INDEX message_request_network ON message_request (network, made)",
            "DROP INDEX guest_code_address",
            "ALTER TABLE guest_code DROP COLUMN address",
        ]
    )
}
