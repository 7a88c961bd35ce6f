import Storage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Appends to a log and reports what is durable, for tests that kill the process.
///
/// Usage: `StorageProbe ADDRESS ROUNDS`. It prints `begun SEQUENCE` with the end of the log at the
/// start, then `done SEQUENCE` for each batch that was acknowledged. The exit code is 3 if the
/// database failed; the failure is printed.
@main
struct StorageProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let rounds = Int(arguments[2]) else { exit(2) }
        do {
            try await run(arguments[1], rounds: rounds)
        } catch {
            say("failed \(error)")
            exit(3)
        }
    }

    private static func run(_ address: String, rounds: Int) async throws {
        let database = try await Database.open(address)
        try await database.migrate(Migration.storage)
        let log = EventLog("probe", in: database)
        try await log.found()
        let lease = try await Lease.acquire("probe", by: "probe", for: .seconds(5), in: database)
        // Read only now: a previous writer's last append may have completed just before the lease
        // was granted.
        var head = try await log.head()
        say("begun \(head.sequence)")
        for round in 0..<rounds {
            head = try await log.append(batch(after: head), after: head, under: lease)
            say("done \(head.sequence)")
            if round % 3 == 2 {
                let outbox = Outbox(of: log)
                try await outbox.complete(outbox.claim(1, for: .zero).map(\.id))
                let state = Array("state \(head.sequence)".utf8)
                try await SnapshotStore(of: log).save(Snapshot(head: head, state: state))
                say("kept \(head.sequence)")
            }
        }
        database.close()
        say("ended")
    }

    /// A batch of three numbered entries, an item for the first, and an answer.
    private static func batch(after head: LogHead) -> LogBatch {
        let numbers = head.sequence + 1...head.sequence + 3
        let entries = numbers.map { number in
            Array("entry \(number)".utf8) + Array(repeating: UInt8(ascii: "."), count: 700)
        }
        let key = "key \(numbers.upperBound)"
        return LogBatch(
            entries: entries,
            effects: [LogBatch.Effect(entry: 0, kind: "push", payload: entries[0])],
            answers: [
                CommandAnswer(caller: "c", key: key, request: Array(key.utf8), answer: entries[2])
            ]
        )
    }

    /// Writes a line that has left the process before the function returns.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
    }
}
