/// What is written together: entries, and what follows from them.
package struct LogBatch: Sendable {
    /// How many entries one batch may have.
    package static let entriesLimit = 10_000
    /// How long one entry may be, in bytes.
    package static let entryLimit = 1 << 20
    /// How long the entries of a batch may be together, in bytes.
    package static let bytesLimit = 64 << 20
    /// How long an item's payload or an answer may be, in bytes.
    package static let payloadLimit = 1 << 18

    /// The entries, in order.
    package var entries: [[UInt8]]
    /// What is to be done outside once the entries are durable.
    package var effects: [Effect]
    /// What is answered to commands with idempotency keys.
    package var answers: [CommandAnswer]
    /// Further statements, for read models that must never lag behind.
    package var statements: [SQL]

    /// A batch.
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

    /// An item for the outbox, caused by an entry of the batch.
    package struct Effect: Sendable {
        /// The place of its entry in the batch, from 0.
        package var entry: Int
        /// What kind of receiver it is for.
        package var kind: String
        /// What the receiver gets.
        package var payload: [UInt8]
        /// How long after the commit it is due.
        package var delay: Duration

        /// An item.
        package init(entry: Int, kind: String, payload: [UInt8], delay: Duration = .zero) {
            self.entry = entry
            self.kind = kind
            self.payload = payload
            self.delay = delay
        }
    }

    /// Checks the limits before anything is written.
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
