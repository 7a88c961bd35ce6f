/// Values that are made when they are first needed, once for all threads, and shared by them.
///
/// There are two kinds of locks. The lock of the table is held only to find the slot of a key. Each
/// slot has a lock of its own, held while its value is made: a thread that needs the same value
/// waits for it instead of making it a second time, and threads that need other values pass. Making
/// a value is pure computation, so that nothing is resumed or cancelled under a lock (decision
/// 0028). A value may be made from values of other caches, never from another one of its own.
///
/// When there is no more room, the value that was used least recently makes room for the next.
/// Threads that still use a dropped value keep it alive.
final class SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The values by key.
    private struct Table: Sendable {
        var entries: [Key: Entry] = [:]
        var uses: Int64 = 0
        /// The keys that do not make room for others.
        var reserved: Set<Key> = []
    }

    private struct Entry: Sendable {
        let slot: Guarded<Value?>
        var lastUse: Int64
    }

    /// How many values are kept besides the reserved ones.
    private let limit: Int
    private let table = Guarded(Table())

    /// A cache without values.
    ///
    /// - Parameter limit: how many values are kept besides the reserved ones; at least 1.
    init(limit: Int) {
        precondition(limit >= 1, "A cache without room makes every value anew.")
        self.limit = limit
    }

    /// How many values are kept or being made.
    var count: Int { table.withLock { $0.entries.count } }

    /// The value of a key; made by the first thread that needs it.
    func value(for key: Key, _ make: () -> Value) -> Value {
        slot(for: key).withLock { known in
            if let known { return known }
            let made = make()
            known = made
            return made
        }
    }

    /// Reserves room for keys, in place of those for which it was reserved before: their values,
    /// once made, stay until others are reserved.
    func reserve(_ keys: Set<Key>) {
        table.withLock { table in
            table.reserved = keys
            Self.makeRoom(for: limit, &table)
        }
    }

    private func slot(for key: Key) -> Guarded<Value?> {
        table.withLock { table in
            table.uses += 1
            if let known = table.entries[key] {
                table.entries[key]?.lastUse = table.uses
                return known.slot
            }
            if !table.reserved.contains(key) { Self.makeRoom(for: limit - 1, &table) }
            let slot = Guarded<Value?>(nil)
            table.entries[key] = Entry(slot: slot, lastUse: table.uses)
            return slot
        }
    }

    /// Drops the values that were used least recently until at most so many that are not reserved
    /// are left.
    private static func makeRoom(for limit: Int, _ table: inout Table) {
        while true {
            var count = 0
            var oldest: (key: Key, lastUse: Int64)?
            for (key, entry) in table.entries where !table.reserved.contains(key) {
                count += 1
                // No two have the same last use, so the order of the dictionary does not matter.
                if entry.lastUse < oldest?.lastUse ?? .max { oldest = (key, entry.lastUse) }
            }
            guard count > limit, let oldest else { return }
            table.entries[oldest.key] = nil
        }
    }
}
