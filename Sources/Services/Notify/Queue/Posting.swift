package import Chronology
package import Storage

/// A message to be queued.
package struct Posting: Sendable {
    /// The idempotency key: queueing the same id again has no effect.
    package let id: PostingId
    /// The recipient, by the name that the ``Directory`` understands.
    package let person: String
    package let kind: any NotificationKind
    /// What the ``Directory`` makes the ``Message`` of, sealed by the caller where it is personal.
    package let sealed: [UInt8]
    /// The earliest time of sending; nil for immediately.
    package let notBefore: Moment?
    /// The end of its usefulness; nil for the lifetime of its kind.
    package let usefulUntil: Moment?

    /// The largest sealed message, in bytes.
    package static let sizeLimit = 16 * 1_024

    /// Creates a message to be queued.
    package init(
        _ id: PostingId = .random(),
        to person: String,
        kind: any NotificationKind,
        sealed: [UInt8],
        notBefore: Moment? = nil,
        usefulUntil: Moment? = nil
    ) {
        self.id = id
        self.person = person
        self.kind = kind
        self.sealed = sealed
        self.notBefore = notBefore
        self.usefulUntil = usefulUntil
    }
}

extension Posting: Equatable {
    /// Whether both are the same message to the same person at the same time.
    package static func == (first: Posting, second: Posting) -> Bool {
        first.id == second.id && first.person == second.person
            && first.kind.rawValue == second.kind.rawValue && first.sealed == second.sealed
            && first.notBefore == second.notBefore && first.usefulUntil == second.usefulUntil
    }
}

/// The id of a message: 1 to 64 letters, digits, hyphens and points.
///
/// It becomes part of the Message-ID, so that receivers recognise duplicates.
package struct PostingId: Sendable, Hashable {
    package let text: String

    /// Creates an id from another one, for example of an outbox item; nil if it contains
    /// other characters.
    package init?(_ text: String) {
        let isSafe = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
        }
        guard (1...64).contains(text.utf8.count), isSafe else { return nil }
        self.text = text
    }

    private init(checked text: String) {
        self.text = text
    }

    /// Generates a unique id.
    package static func random() -> PostingId {
        let digits = Array("0123456789abcdefghijklmnopqrstuv")
        return PostingId(checked: String((0..<26).map { _ in digits[.random(in: 0..<32)] }))
    }
}

extension Transaction {
    /// Queues a message, which is sent if this transaction commits.
    ///
    /// - Parameters:
    ///   - posting: the message. It is ignored if its id is already known, or if its sealed form
    ///     exceeds ``Posting/sizeLimit``.
    ///   - now: the current time.
    /// - Returns: whether the message was added.
    /// - Throws: any `DatabaseFailure` of the engine.
    @discardableResult
    package func post(_ posting: Posting, at now: Moment) throws(DatabaseFailure) -> Bool {
        guard posting.sealed.count <= Posting.sizeLimit else { return false }
        let useful = posting.usefulUntil ?? now.adding(milliseconds: posting.kind.rules.lifetime)
        let due = max(now, posting.notBefore ?? now)
        let changed = try execute(
            """
            INSERT INTO notification (
                posting, channel, target, person, kind, state, sealed, due, useful, attempts,
                posted
            ) VALUES (
                \(posting.id.text), '', '', \(posting.person), \(posting.kind.rawValue), 'queued',
                \(posting.sealed), \(due.milliseconds), \(useful.milliseconds), 0,
                \(now.milliseconds)
            ) ON CONFLICT DO NOTHING
            """
        )
        precondition(changed <= 1, "A message was queued more than once.")
        if changed == 1 { try announce() }
        return changed == 1
    }

    /// Deletes a person's waiting messages, message history and push subscriptions, as part of the
    /// erasure of the person.
    ///
    /// - Throws: any `DatabaseFailure` of the engine.
    package func forgetNotifications(of person: String) throws(DatabaseFailure) {
        try execute([
            "DELETE FROM notification WHERE person = \(person)",
            "DELETE FROM push_subscription WHERE person = \(person)",
        ])
    }
}
