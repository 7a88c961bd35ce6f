package import Chronology
package import Storage

/// A message that is to be sent, as its caller hands it over.
package struct Posting: Sendable, Equatable {
    /// Which message; posting the same again changes nothing.
    package let id: PostingId
    /// Whom it is for: a name that only the ``Directory`` understands.
    package let person: String
    /// What kind of message it is.
    package let kind: Kind
    /// The encoded ``Message``, sealed by the caller under the person's key.
    package let sealed: [UInt8]
    /// From when on it may be sent; nil for at once.
    package let notBefore: Moment?
    /// Until when it is of use; nil for as long as its kind is.
    package let usefulUntil: Moment?

    /// The largest sealed message.
    package static let sizeLimit = 16 * 1_024

    /// A posting.
    package init(
        _ id: PostingId = .random(),
        to person: String,
        kind: Kind,
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

/// Which message: 1 to 64 letters, digits, hyphens and points.
///
/// It becomes part of the Message-ID, so receivers know a message that comes twice.
package struct PostingId: Sendable, Hashable {
    /// The text.
    package let text: String

    /// An id that is made from another one, for example of an outbox item; nil where it holds
    /// anything else.
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

    /// An id that nobody has used.
    package static func random() -> PostingId {
        let digits = Array("0123456789abcdefghijklmnopqrstuv")
        return PostingId(checked: String((0..<26).map { _ in digits[.random(in: 0..<32)] }))
    }
}

extension Transaction {
    /// Puts a message into the queue: it will be sent if this transaction is committed.
    ///
    /// - Parameters:
    ///   - posting: the message; one whose id is known already is left as it is. Of a sealed
    ///     message over ``Posting/sizeLimit`` nothing is stored, and false is given.
    ///   - now: the moment it is.
    /// - Returns: whether it is in the queue for the first time.
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
        if changed > 0 { try announce() }
        return changed > 0
    }

    /// Forgets what waits for a person, what is known of earlier messages, and the browsers that
    /// the person subscribed: part of erasing the person.
    ///
    /// - Throws: any `DatabaseFailure` of the engine.
    package func forgetNotifications(of person: String) throws(DatabaseFailure) {
        try execute([
            "DELETE FROM notification WHERE person = \(person)",
            "DELETE FROM push_subscription WHERE person = \(person)",
        ])
    }
}
