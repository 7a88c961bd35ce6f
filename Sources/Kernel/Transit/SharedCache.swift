/// Values that are computed when they are first needed, once for all threads, and shared by them.
///
/// There are two kinds of locks. The lock of the table is held only to find the slot of a key. Each
/// slot has a lock of its own, held while its value is made: a thread that needs the same value
/// waits for it instead of making it a second time, and threads that need other values pass. Making
/// a value is pure computation, so that nothing is resumed or cancelled under a lock (decision
/// 0028). A value may be made from values of other caches, never from another one of its own.
///
/// If there is no more room, the least recently used value is dropped. Threads that still use a
/// dropped value keep it alive.
final class SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The values by key.
    private struct Table: Sendable {
        var entries: [Key: Entry] = [:]
        var uses: Int64 = 0
        /// The keys whose values are not dropped.
        var reserved: Set<Key> = []
    }

    private struct Entry: Sendable {
        let slot: Guarded<Value?>
        var lastUse: Int64
    }

    /// The number of values that are kept besides the reserved ones.
    private let limit: Int
    private let table = Guarded(Table())

    /// A cache without values.
    ///
    /// - Parameter limit: how many values are kept besides the reserved ones; at least 1.
    init(limit: Int) {
        precondition(limit >= 1, "A cache without room makes every value anew.")
        self.limit = limit
    }

    /// The number of values that are kept or being computed.
    var count: Int { table.withLock { $0.entries.count } }

    /// The value of a key, computed by the first thread that needs it.
    func value(for key: Key, _ make: () -> Value) -> Value {
        slot(for: key).withLock { known in
            if let known { return known }
            let made = make()
            known = made
            return made
        }
    }

    /// Reserves room for keys, instead of the previously reserved ones: their values, once
    /// computed, stay until others are reserved.
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

    /// Drops the least recently used values until at most `limit` values that are not reserved are
    /// left.
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
