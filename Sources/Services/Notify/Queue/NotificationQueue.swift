package import Chronology
package import Storage

/// The messages that wait, and for some days what became of the others.
///
/// A row is handed out at least once: who takes it holds it for a while, and where it is not
/// settled by then, because the program died, it is handed out again. The number of attempts
/// fences: who comes too late settles nothing.
package struct NotificationQueue: Sendable {
    /// How many rows of a lane are handed out at once at most: few enough that the carriers have
    /// tried all of them within ``hold``, however slow the other side is.
    package static let claimLimit = 32
    /// For how many milliseconds a row is kept from others.
    static let hold: Int64 = 6 * 60_000

    let database: Database

    /// The queue of a database.
    package init(in database: Database) {
        self.database = database
    }

    /// Where a message, or its part for one channel, stands.
    package enum State: String, Sendable {
        /// It waits, for the first time or again.
        case queued
        /// A worker has it.
        case sending
        /// Its parts stand in rows of their own.
        case routed
        /// The other side has accepted it.
        case sent
        /// The other side has refused it for good.
        case bounced
        /// It was tried as often, or as long, as makes sense.
        case givenUp = "given-up"
        /// There was nobody to send it to: the person is erased or wants no such message.
        case dropped
    }

    /// Rows that are worked on one after another: a slow mail server must not keep a push waiting.
    package enum Lane: Sendable, Hashable, CaseIterable {
        case mail
        case sms
        case push
        /// Messages whose channels are not chosen yet; the last, so that a round over all lanes
        /// leaves their parts to the next.
        case routing

        var channel: Channel? {
            switch self {
            case .mail: .mail
            case .sms: .sms
            case .push: .push
            case .routing: nil
            }
        }

        var column: String { channel?.rawValue ?? "" }
    }

    /// A way that a message goes: a channel, and which browser for push.
    struct Part: Sendable, Hashable {
        let channel: Channel
        var target = ""
    }

    /// A row that was handed out.
    struct Claim: Sendable {
        let posting: String
        /// Nil where the channels are not chosen yet.
        let channel: Channel?
        /// Which browser, for push.
        let target: String
        let person: String
        let kind: Kind
        let sealed: [UInt8]
        let useful: Moment
        let posted: Moment
        /// The how manieth time it is handed out, from 1.
        let attempt: Int64
    }

    /// Takes due rows of one lane, earliest first.
    func claim(_ lane: Lane, at now: Moment) async throws -> [Claim] {
        try await database.write { transaction in
            let due = try transaction.rows(
                """
                SELECT posting, channel, target, person, kind, sealed, useful, posted, attempts
                FROM notification
                WHERE state IN ('queued', 'sending') AND channel = \(lane.column)
                    AND due <= \(now.milliseconds)
                ORDER BY due, posting, target LIMIT \(Self.claimLimit) \(.skipLocked)
                """
            )
            // Left by another version of the program: nobody here can send it.
            for row in due where Kind(rawValue: try row.value("kind")) == nil {
                try transaction.execute(
                    """
                    UPDATE notification SET state = 'dropped', sealed = NULL,
                        settled = \(now.milliseconds), answer = 'of an unknown kind'
                    WHERE posting = \(try row.value("posting", as: String.self))
                        AND state IN ('queued', 'sending')
                    """
                )
            }
            let claims = try due.compactMap(Self.claim)
            try transaction.execute(
                claims.map { claim in
                    """
                    UPDATE notification SET state = 'sending', attempts = attempts + 1,
                        due = \(now.adding(milliseconds: Self.hold).milliseconds)
                    WHERE \(Self.place(claim))
                    """
                }
            )
            return claims
        }
    }

    /// Writes down that a row is over, and destroys what was sealed in it.
    ///
    /// What could not be brought to a browser takes another way, unless it reached another or waits
    /// there. The answer is what the other side said, without personal data.
    func settle(
        _ claim: Claim,
        as state: State,
        answer: String? = nil,
        at now: Moment
    ) async throws {
        try await database.write { transaction in
            guard try Self.settle(claim, as: state, answer: answer, at: now, in: transaction),
                claim.channel == .push, [.bounced, .givenUp, .dropped].contains(state)
            else { return }
            try Self.routeAnew(claim, at: now, in: transaction)
        }
    }

    /// Lets a row wait; where it was tried, that counts.
    func postpone(
        _ claim: Claim,
        until due: Moment,
        answer: String?,
        isAttempt: Bool
    ) async throws {
        try await database.write { transaction in
            _ = try transaction.execute(
                """
                UPDATE notification SET state = 'queued', due = \(due.milliseconds),
                    answer = \(answer), attempts = attempts - \(isAttempt ? 0 : 1)
                WHERE \(Self.held(claim))
                """
            )
        }
    }

    /// Replaces a message by its parts, one for each channel and browser.
    ///
    /// A part that exists already, since the message was routed before, stays as it is.
    func route(_ claim: Claim, to parts: [Part], at now: Moment) async throws {
        try await database.write { transaction in
            guard try Self.settle(claim, as: .routed, at: now, in: transaction) else { return }
            try transaction.execute(
                parts.map { part in
                    """
                    INSERT INTO notification (
                        posting, channel, target, person, kind, state, sealed, due, useful,
                        attempts, posted
                    ) VALUES (
                        \(claim.posting), \(part.channel.rawValue), \(part.target),
                        \(claim.person), \(claim.kind.rawValue), 'queued', \(claim.sealed),
                        \(now.milliseconds), \(claim.useful.milliseconds), 0,
                        \(claim.posted.milliseconds)
                    ) ON CONFLICT DO NOTHING
                    """
                }
            )
            try transaction.announce()
        }
    }

    /// The parts that a message has already.
    func parts(of claim: Claim) async throws -> Set<Part> {
        try await database.read { transaction in
            let rows = try transaction.rows(
                """
                SELECT channel, target FROM notification
                WHERE posting = \(claim.posting) AND channel <> ''
                """
            )
            return Set(
                try rows.compactMap { row in
                    let target: String = try row.value("target")
                    return Channel(rawValue: try row.value("channel")).map {
                        Part(channel: $0, target: target)
                    }
                }
            )
        }
    }

    /// Settles the part for a browser that is gone, and forgets the browser.
    func browserIsGone(_ claim: Claim, at now: Moment) async throws {
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM push_subscription WHERE id = \(claim.target)"
            )
            let answer = "the browser is no longer subscribed"
            guard
                try Self.settle(claim, as: .bounced, answer: answer, at: now, in: transaction)
            else { return }
            try Self.routeAnew(claim, at: now, in: transaction)
        }
    }

    /// Routes a message anew whose part failed, as long as it is of use and where no other part
    /// was sent or waits.
    private static func routeAnew(
        _ claim: Claim,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        guard now < claim.useful else { return }
        let others = try transaction.row(
            """
            SELECT 1 AS one FROM notification WHERE posting = \(claim.posting)
                AND channel <> '' AND state IN ('queued', 'sending', 'sent')
            """
        )
        guard others == nil else { return }
        try transaction.execute(
            """
            UPDATE notification SET state = 'queued', sealed = \(claim.sealed),
                due = \(now.milliseconds), settled = NULL
            WHERE posting = \(claim.posting) AND channel = '' AND state = 'routed'
            """
        )
        try transaction.announce()
    }

    /// When the earliest row of each lane is due; lanes where none waits are left out.
    package func nextDue() async throws -> [Lane: Moment] {
        try await database.read { transaction in
            let rows = try transaction.rows(
                """
                SELECT channel, MIN(due) AS due FROM notification
                WHERE state IN ('queued', 'sending') GROUP BY channel
                """
            )
            var found: [Lane: Moment] = [:]
            for row in rows {
                let column: String = try row.value("channel")
                guard let lane = Lane.allCases.first(where: { $0.column == column }) else {
                    continue
                }
                found[lane] = Moment(milliseconds: try row.value("due"))
            }
            return found
        }
    }

    /// Forgets what was settled before a moment.
    ///
    /// - Returns: how many rows were removed.
    @discardableResult
    package func purge(settledBefore moment: Moment) async throws -> Int {
        // A message goes with the last of its parts, so that it is never posted a second time
        // while one of them waits.
        try await database.write { transaction in
            try transaction.execute(
                """
                DELETE FROM notification WHERE settled < \(moment.milliseconds) AND NOT EXISTS (
                    SELECT 1 FROM notification AS other
                    WHERE other.posting = notification.posting
                        AND (other.settled IS NULL OR other.settled >= \(moment.milliseconds))
                )
                """
            )
        }
    }

    private static func settle(
        _ claim: Claim,
        as state: State,
        answer: String? = nil,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        try transaction.execute(
            """
            UPDATE notification SET state = \(state.rawValue), sealed = NULL,
                settled = \(now.milliseconds), answer = \(answer)
            WHERE \(Self.held(claim))
            """
        ) > 0
    }

    private static func place(_ claim: Claim) -> SQL {
        let channel = claim.channel?.rawValue ?? ""
        return """
            posting = \(claim.posting) AND channel = \(channel) AND target = \(claim.target)
            """
    }

    private static func held(_ claim: Claim) -> SQL {
        "\(place(claim)) AND state = 'sending' AND attempts = \(claim.attempt)"
    }

    private static func claim(_ row: Row) throws -> Claim? {
        guard let kind = Kind(rawValue: try row.value("kind")) else { return nil }
        return Claim(
            posting: try row.value("posting"),
            channel: Channel(rawValue: try row.value("channel")),
            target: try row.value("target"),
            person: try row.value("person"),
            kind: kind,
            sealed: try row.value("sealed"),
            useful: Moment(milliseconds: try row.value("useful")),
            posted: Moment(milliseconds: try row.value("posted")),
            attempt: try row.value("attempts", as: Int64.self) + 1
        )
    }
}

/// What keeps this room from its work.
package enum NotifyFailure: Error, Sendable, Equatable {
    /// A setting cannot be used, with the reason.
    case badSetting(String)
    /// A key is not what it should be.
    case badKey
}
