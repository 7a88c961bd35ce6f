import Crypto
import Foundation
package import HTTPClient
package import LiveFeeds
package import Storage

/// The live feeds that staff add in the console.
package struct FeedRegister: Sendable {
    /// What is written in the same transaction as a change: its note in the audit trail.
    package typealias Noting = @Sendable (Transaction) throws -> Void

    /// How many feeds can be added.
    package static let limit = 50

    private let scope: NetworkScope
    private let database: Database
    private let key: SymmetricKey

    /// Creates the register.
    ///
    /// - Parameters:
    ///   - database: the city's database, with `Migration.feedRegister`.
    ///   - key: the key that seals addresses: 32 bytes.
    ///   - scope: the network addresses from which feeds may be fetched.
    package init(on database: Database, key: [UInt8], scope: NetworkScope) {
        precondition(key.count == 32, "the key of the register of feeds has 32 bytes")
        self.database = database
        self.key = SymmetricKey(data: key)
        self.scope = scope
    }

    /// Whether added feeds may have private and unencrypted addresses, as those of the settings
    /// may.
    package var allowsPrivateAddresses: Bool { scope == .anywhere }

    /// A feed as the register keeps it; nil if its name or address is malformed.
    package func source(
        name: String,
        kind: LiveFeedSource.Kind,
        url: String
    ) -> LiveFeedSource? {
        LiveFeedSource(
            name: name,
            kind: kind,
            url: url,
            isFromConfiguration: false,
            mayBePrivate: allowsPrivateAddresses
        )
    }

    // MARK: Reading

    /// All feeds in the order of their names.
    ///
    /// One that this version of the program cannot read, such as one of a later kind, is left out.
    package func all() async throws -> [AddedFeed] {
        let rows = try await database.read { transaction in
            try transaction.rows(
                "SELECT name, kind, sealed, is_stopped FROM live_feed ORDER BY name"
            )
            .map { row in
                (
                    name: try row.value("name", as: String.self),
                    kind: try row.value("kind", as: String.self),
                    sealed: try row.value("sealed", as: [UInt8].self),
                    isStopped: try row.value("is_stopped", as: Int64.self) == 1
                )
            }
        }
        return rows.compactMap { row in
            guard let kind = LiveFeedSource.Kind(rawValue: row.kind),
                let url = opened(row.sealed, of: row.name),
                let source = source(name: row.name, kind: kind, url: url)
            else { return nil }
            return AddedFeed(source, isStopped: row.isStopped)
        }
    }

    /// The feeds that are to be fetched.
    package func running() async throws -> [LiveFeedSource] {
        try await all().filter { !$0.isStopped }.map(\.source)
    }

    // MARK: Writing

    /// Adds a feed.
    ///
    /// - Throws: ``FeedRegisterFailure/nameTaken``, ``FeedRegisterFailure/full(limit:)``, any
    ///   database error.
    package func add(_ feed: AddedFeed, noting: @escaping Noting) async throws {
        let name = feed.source.name
        let sealed = try sealed(feed.source.url, of: name)
        try await database.write { transaction in
            guard try transaction.row("SELECT name FROM live_feed WHERE name = \(name)") == nil
            else { throw FeedRegisterFailure.nameTaken }
            let rows = try transaction.rows("SELECT name FROM live_feed")
            guard rows.count < Self.limit else { throw FeedRegisterFailure.full(limit: Self.limit) }
            try transaction.execute(
                """
                INSERT INTO live_feed (name, kind, sealed, is_stopped)
                VALUES (\(name), \(feed.source.kind.rawValue), \(sealed), \(feed.isStopped ? 1 : 0))
                """
            )
            try noting(transaction)
        }
    }

    /// Changes the feed of that name.
    ///
    /// - Throws: ``FeedRegisterFailure/noSuchFeed``, any database error.
    package func change(to feed: AddedFeed, noting: @escaping Noting) async throws {
        let name = feed.source.name
        let sealed = try sealed(feed.source.url, of: name)
        try await database.write { transaction in
            let count = try transaction.execute(
                """
                UPDATE live_feed SET kind = \(feed.source.kind.rawValue), sealed = \(sealed),
                is_stopped = \(feed.isStopped ? 1 : 0) WHERE name = \(name)
                """
            )
            guard count == 1 else { throw FeedRegisterFailure.noSuchFeed }
            try noting(transaction)
        }
    }

    /// Removes a feed.
    ///
    /// - Throws: ``FeedRegisterFailure/noSuchFeed``, any database error.
    package func remove(_ name: String, noting: @escaping Noting) async throws {
        try await database.write { transaction in
            let count = try transaction.execute("DELETE FROM live_feed WHERE name = \(name)")
            guard count == 1 else { throw FeedRegisterFailure.noSuchFeed }
            try noting(transaction)
        }
    }

    // MARK: Sealing

    private func sealed(_ url: String, of name: String) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(
            Array(url.utf8),
            using: key,
            authenticating: Array(name.utf8)
        )
        return Array(box.combined)
    }

    private func opened(_ sealed: [UInt8], of name: String) -> String? {
        guard let box = try? ChaChaPoly.SealedBox(combined: sealed),
            let bytes = try? ChaChaPoly.open(box, using: key, authenticating: Array(name.utf8))
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
