/// Entries and their effects, written in one transaction.
package struct LogBatch: Sendable {
    /// The most entries of one batch.
    package static let entriesLimit = 10_000
    /// The largest entry, in bytes.
    package static let entryLimit = 1 << 20
    /// The total size of the entries of a batch, in bytes.
    package static let bytesLimit = 64 << 20
    /// The largest payload of an item, or answer, in bytes.
    package static let payloadLimit = 1 << 18

    package var entries: [[UInt8]]
    /// The items for the outbox.
    package var effects: [Effect]
    /// The answers to commands with idempotency keys.
    package var answers: [CommandAnswer]
    /// Further statements, for read models that must not lag behind.
    package var statements: [SQL]

    /// Creates a batch from its parts.
    package init(
        entries: [[UInt8]],
        effects: [Effect] = [],
        answers: [CommandAnswer] = [],
        statements: [SQL] = []
    ) {
        self.entries = entries
        self.effects = effects
        self.answers = answers
        self.statements = statements
    }

    /// An item for the outbox that an entry of the batch causes.
    package struct Effect: Sendable {
        /// The index of its entry in the batch.
        package var entry: Int
        /// The type of its receiver.
        package var kind: String
        /// The content for the receiver.
        package var payload: [UInt8]
        /// The delay from the commit to the first delivery.
        package var delay: Duration

        /// Creates an item for the outbox.
        package init(entry: Int, kind: String, payload: [UInt8], delay: Duration = .zero) {
            self.entry = entry
            self.kind = kind
            self.payload = payload
            self.delay = delay
        }
    }

    /// Checks the size limits.
    func check() throws(LogFailure) {
        try Self.check("entries", entries.count, limit: Self.entriesLimit)
        try Self.check("effects", effects.count, limit: Self.entriesLimit)
        try Self.check("answers", answers.count, limit: Self.entriesLimit)
        for entry in entries { try Self.check("entry", entry.count, limit: Self.entryLimit) }
        let bytes = entries.reduce(0) { $0 + $1.count }
        try Self.check("batch", bytes, limit: Self.bytesLimit)
        for effect in effects {
            try Self.check("payload", effect.payload.count, limit: Self.payloadLimit)
            guard entries.indices.contains(effect.entry) else { throw .noSuchEntry(effect.entry) }
        }
        for answer in answers {
            try Self.check("answer", answer.answer.count, limit: Self.payloadLimit)
        }
    }

    private static func check(_ what: String, _ size: Int, limit: Int) throws(LogFailure) {
        guard size <= limit else { throw .tooLarge(what: what, size: size, limit: limit) }
    }
}
