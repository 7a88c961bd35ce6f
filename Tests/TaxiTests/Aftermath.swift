import Audit
import Dispatching
import Storage
import Testing

@testable import Taxi

/// Checks the contents of a database after crashes against what the clients saw.
struct Aftermath {
    private let log: EventLog
    private let database: Database
    private let records: [LogRecord]
    private let entries: [Entry]
    private let label: Comment

    /// Checks the contents of a database after a crash.
    ///
    /// - Parameters:
    ///   - address: the address of the database.
    ///   - history: the observations of the clients in all runs.
    ///   - passengers: the passengers who must have been driven exactly once; empty if unknown.
    ///   - isDelivered: whether the last run ended after everything was delivered.
    ///   - label: a description of the faults.
    /// - Throws: errors of the database, or of a log that cannot be read.
    static func check(
        _ address: String,
        _ history: History,
        passengers: Range<UInt64> = 0..<0,
        isDelivered: Bool = true,
        _ label: Comment
    ) async throws {
        let database = try await Database.open(address)
        defer { database.close() }
        let found = try await Aftermath(database, label)
        #expect(history.violations() == [], label)
        found.checkAudit()
        try await found.checkReplay()
        try await found.checkAcknowledged(history)
        try await found.checkEffects(history, isDelivered: isDelivered)
        if !passengers.isEmpty { found.checkRides(of: passengers) }
    }

    /// Reads the log and verifies its chain (I23).
    private init(_ database: Database, _ label: Comment) async throws {
        self.database = database
        self.label = label
        log = EventLog("town", in: database)
        var records: [LogRecord] = []
        var head = try await log.genesis()
        while true {
            let page = try await log.records(after: head)
            guard let last = page.last else { break }
            records += page
            head = last.head
        }
        self.records = records
        entries = try records.map { try Entry(bytes: $0.entry) }
        let epochs = records.map(\.epoch)
        #expect(epochs == epochs.sorted(), "two wrote at a time: \(label.rawValue)")
    }

    /// Checks that a dispatcher may write such a log (I1 to I19).
    private func checkAudit() {
        var audit = Audit()
        for entry in entries { audit.add(entry) }
        #expect(audit.findings.violations == 0, "\(audit.findings.examples), \(label.rawValue)")
        #expect(audit.findings.doubleAssignments == 0, label)
        #expect(audit.findings.overtakings == 0, label)
    }

    /// Checks that replayed decisions, replayed events, and a continuation from any snapshot result
    /// in one state (I22).
    private func checkReplay() async throws {
        var decided = Dispatcher()
        var added = Dispatcher()
        var hashes = [added.stateHash]
        for (number, entry) in entries.enumerated() {
            do {
                try decided.repeatDecision(of: entry)
            } catch {
                Issue.record("entry \(number + 1): \(error): \(entry), \(label.rawValue)")
                return
            }
            try added.replay(entry)
            hashes.append(added.stateHash)
        }
        #expect(decided.stateHash == added.stateHash, label)
        var limit = Int64.max
        while true {
            let (snapshot, damaged) = try await SnapshotStore(of: log).newest(atOrBelow: limit)
            #expect(damaged.isEmpty, label)
            guard let snapshot else { break }
            let state = try Dispatcher(snapshot: snapshot.state)
            #expect(state.stateHash == hashes[Int(snapshot.head.sequence)], label)
            limit = snapshot.head.sequence - 1
        }
    }

    /// Checks that acknowledged commands are in the log as acknowledged (I21).
    private func checkAcknowledged(_ history: History) async throws {
        let rows = try await database.read { transaction in
            try transaction.rows("SELECT key, answer FROM command_answer WHERE caller = 'probe'")
        }
        var receipts: [String: DispatchService.Receipt] = [:]
        for row in rows {
            let receipt = try DispatchService.Receipt(bytes: try row.value("answer"))
            receipts[try row.value("key")] = receipt
            let isThere = entries.indices.contains(Int(receipt.sequence) - 1)
            #expect(isThere && entries[Int(receipt.sequence) - 1].events == receipt.events, label)
        }
        for (key, sequence) in history.acknowledged where sequence > 0 {
            #expect(receipts[key]?.sequence == sequence, "\(key), \(label.rawValue)")
        }
    }

    /// Checks that each effect was delivered or waits, and was applied once (I20).
    private func checkEffects(_ history: History, isDelivered: Bool) async throws {
        var expected: [String: [UInt8]] = [:]
        var parties = Parties(Dispatcher())
        for (record, entry) in zip(records, entries) {
            var ordinal = 0
            for event in entry.events {
                for notice in parties.notices(of: event) {
                    expected["\(record.sequence).\(ordinal)"] = notice.payload
                    ordinal += 1
                }
            }
        }
        let (applied, waiting) = try await database.read { transaction in
            (
                try transaction.rows("SELECT id, payload FROM delivered"),
                try transaction.rows("SELECT sequence, ordinal FROM outbox")
            )
        }
        var payloads: [String: [UInt8]] = [:]
        for row in applied { payloads[try row.value("id")] = try row.value("payload") }
        #expect(payloads.count == applied.count, "applied twice: \(label.rawValue)")
        if isDelivered {
            #expect(waiting.isEmpty, label)
            #expect(payloads == expected, label)
            #expect(history.received == Set(expected.keys), label)
        } else {
            let rest = try waiting.map { row in
                let sequence: Int64 = try row.value("sequence")
                let ordinal: Int64 = try row.value("ordinal")
                return "\(sequence).\(ordinal)"
            }
            #expect(Set(rest).union(payloads.keys) == Set(expected.keys), label)
        }
    }

    /// Checks that each of the passengers was driven once, and nobody else.
    private func checkRides(of passengers: Range<UInt64>) {
        var owners: [RequestNumber: UInt64] = [:]
        var driven: [UInt64] = []
        for event in entries.flatMap(\.events) {
            if case .request(.requested(let request, let form)) = event {
                owners[request] = form.passenger.rawValue
            }
            if case .request(.ended(let request, .completed, _)) = event,
                let passenger = owners[request]
            {
                driven.append(passenger)
            }
        }
        #expect(driven.sorted() == Array(passengers), label)
    }
}
