import Audit
import Dispatching

@testable import Storage
@testable import Taxi

/// What is durable in a simulation, read after each commit, and everything that contradicts it.
final class Truth {
    private(set) var complaints: [String] = []
    /// The entries of the log, in order.
    private(set) var entries: [Entry] = []
    private(set) var dispatcher = Dispatcher()
    /// The receipts that clients have received, by idempotency key.
    private(set) var receipts: [String: DispatchService.Receipt] = [:]
    /// The number of events in all entries that clients know of.
    private(set) var acknowledgedEvents: Int64 = 0
    /// The commands that clients know to be allowed only once by the rules.
    var onceOnly: Set<Dispatching.Command> = []
    private var audit = Audit()
    private var head = LogHead.genesis(log: "town", founding: [])
    private var epoch: Int64 = 0
    private var writers: [Int64: Int] = [:]
    /// The entry of each of those commands.
    private var done: [Dispatching.Command: Int64] = [:]
    /// The hash of the state after each number of events.
    private var states: [Int64: UInt64] = [0: Dispatcher().stateHash]
    /// The number of events up to each entry.
    private var counts: [Int64] = [0]

    func complain(_ what: String) { complaints.append(what) }

    /// The number of servers that have written so far.
    var writerCount: Int { Set(writers.values).count }

    /// Reads what a commit has added to the log.
    func look(_ session: SQLiteSession, _ process: Int) {
        do {
            try read(session, process)
        } catch {
            complain("the log cannot be read: \(error)")
        }
        session.rollback()
    }

    private func read(_ session: SQLiteSession, _ process: Int) throws {
        try session.begin(.reading, deadline: .now + .seconds(60))
        let tables = try session.run(["SELECT 1 AS one FROM sqlite_master WHERE name = 'log'"])
        guard !tables[0].rows.isEmpty else { return }
        let found = try session.run([
            "SELECT sequence FROM log WHERE name = 'town'",
            """
            SELECT sequence, epoch, hash, entry FROM log_record
            WHERE sequence >= \(head.sequence) ORDER BY sequence
            """,
            "SELECT epoch FROM lease WHERE name = 'town'",
        ])
        guard let end = found[0].rows.first else { return }
        var rows = found[1].rows[...]
        if head.sequence > 0 {
            guard let known = rows.popFirst(), try known.value("hash") == head.hash else {
                return complain("the log no longer contains entry \(head.sequence)")
            }
        }
        let holder: Int64 = try found[2].rows.first?.value("epoch") ?? 0
        for row in rows {
            if try row.value("epoch") != holder {
                complain("server \(process) wrote while another held the lease")
            }
            try add(row, by: process)
        }
        if try end.value("sequence") != head.sequence {
            complain("the head of the log is not its last entry")
        }
    }

    private func add(_ row: Storage.Row, by process: Int) throws {
        let bytes: [UInt8] = try row.value("entry")
        let epoch: Int64 = try row.value("epoch")
        head = head.adding(bytes)
        if try row.value("sequence") != head.sequence || row.value("hash") != head.hash {
            complain("entry \(head.sequence) does not follow the one before it")
        }
        if epoch < self.epoch { complain("epoch \(epoch) wrote after epoch \(self.epoch)") }
        self.epoch = epoch
        if let other = writers[epoch], other != process {
            complain("servers \(other) and \(process) both wrote in epoch \(epoch)")
        }
        writers[epoch] = process
        let entry = try Entry(bytes: bytes)
        var copy = dispatcher
        do { try copy.repeatDecision(of: entry) } catch {
            complain("entry \(head.sequence) was decided on another state: \(error)")
        }
        try dispatcher.replay(entry)
        entries.append(entry)
        audit.add(entry)
        if audit.findings.violations > 0 {
            complain("the audit: \(audit.findings.examples.first ?? "")")
        }
        states[dispatcher.sequence] = dispatcher.stateHash
        counts.append(dispatcher.sequence)
        guard case .command(let command) = entry.input, onceOnly.contains(command) else { return }
        if let other = done[command] {
            complain("entries \(other) and \(head.sequence) both do \(command)")
        }
        done[command] = head.sequence
    }

    // MARK: What others know

    /// A client has received a receipt.
    func acknowledged(_ key: String, _ receipt: DispatchService.Receipt) {
        // A command without effect has no entry, and may have an effect when repeated.
        if let other = receipts[key], other.sequence > 0, other != receipt {
            complain("\(key) was entry \(other.sequence), and later \(receipt.sequence)")
        }
        receipts[key] = receipt
        guard receipt.sequence > 0 else { return }
        guard receipt.sequence <= entries.count else {
            return complain("\(key) was acknowledged as entry \(receipt.sequence), which is absent")
        }
        if entries[Int(receipt.sequence) - 1].events != receipt.events {
            complain("\(key) was acknowledged with other events than those of its entry")
        }
        acknowledgedEvents = max(acknowledgedEvents, counts[Int(receipt.sequence)])
    }

    /// A client was told that the rules forbid a command.
    func refused(_ command: Dispatching.Command, _ key: String, _ refusal: Refusal) {
        if let sequence = done[command] {
            complain("\(key) is entry \(sequence), and was then refused: \(refusal)")
        }
    }

    /// A server has published an entry to a follower.
    func published(_ published: DispatchService.Published, by process: Int) {
        let index = Int(published.sequence) - 1
        guard entries.indices.contains(index), entries[index] == published.entry else {
            return complain("server \(process) published another entry \(published.sequence)")
        }
    }

    /// A client has read the state, which must contain at least a number of events.
    func wasRead(_ events: Int64, _ hash: UInt64, least: Int64, from process: Int) {
        if states[events] != hash { complain("server \(process) showed a state that never was") }
        if events < least {
            complain("server \(process) showed \(events) events, after \(least) were acknowledged")
        }
    }

    /// A reader of the log has received some entries.
    func followed(_ records: [LogRecord]) {
        for record in records {
            let index = Int(record.sequence) - 1
            guard entries.indices.contains(index), entries[index].bytes == record.entry else {
                return complain("a follower read another entry \(record.sequence)")
            }
        }
    }
}
