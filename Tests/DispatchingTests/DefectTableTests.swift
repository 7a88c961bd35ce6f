import Foundation
import Testing

/// The twelve defects of comparable systems (spec/taxi.md 3), each with the tests that detect it.
///
/// `DefectTests` reintroduces those with a ``Defect`` by a double, and `OutboxTests` number 4.
/// Numbers 5, 6, 7, 8 and 10 were also reintroduced by hand in Positions and Zones, and each of
/// their tests below then failed.
@Suite("The twelve defects, and what catches them")
struct DefectTableTests {
    /// A test: its folder and file under `Tests`, and the beginning of its name.
    struct Witness: Hashable {
        let file: String
        let test: String
    }

    /// A defect, its reintroduction, and the tests that then fail.
    struct Row {
        let number: Int
        let defect: String
        let doubles: [Defect]
        let witnesses: [Witness]

        init(_ number: Int, _ defect: String, _ doubles: [Defect], _ witnesses: (String, String)...)
        {
            self.number = number
            self.defect = defect
            self.doubles = doubles
            self.witnesses = witnesses.map { Witness(file: $0.0, test: $0.1) }
        }
    }

    private static let randomRuns = (
        "DispatchingTests/DefectTests", "random runs find each defect that the dispatcher could"
    )

    static let table = [
        Row(
            1,
            "queue order kept as seconds, ties broken by identifier",
            [.orderBySecond],
            randomRuns,
            ("DispatchingTests/EdgeTests", "queues are in the order of the log, also within one")
        ),
        Row(
            2,
            "check, then set, without one writer",
            [.checkThenSet],
            randomRuns,
            ("TaxiTests/DispatchServiceTests", "commands that come together share transactions")
        ),
        Row(
            3,
            "timers scheduled after the commit",
            [.timersLost, .timerWithoutEpoch],
            randomRuns,
            ("DispatchingTests/EdgeTests", "after a restart an open offer has its whole time"),
            ("TaxiTests/DispatchServiceTests", "after a restart open offers begin anew")
        ),
        Row(
            4,
            "notifications sent inside a retried transaction",
            [],
            ("TaxiTests/DispatchServiceTests", "notices are in the outbox with what caused them"),
            ("StorageTests/OutboxTests", "notices sent while a transaction is tried go out"),
            ("StorageTests/OutboxTests", "a receiver applies an item once"),
            ("TaxiTests/CrashTests", "kill -9 at any moment, again and again")
        ),
        Row(
            5,
            "a phone's clock in the future becomes the watermark",
            [],
            ("PositionsTests/PositionTrackerTests", "a phone an hour ahead, or a day behind")
        ),
        Row(
            6,
            "a report of one driver refreshes the whole queue",
            [.reportRefreshesAll],
            randomRuns,
            ("PositionsTests/PositionTrackerTests", "however often one driver reports, another")
        ),
        Row(
            7,
            "one bad position takes a taxi out of its queue",
            [],
            ("PositionsTests/PositionTrackerTests", "one bad fix evicts nobody"),
            ("PositionsTests/PositionTrackerTests", "trembling at a border changes nothing")
        ),
        Row(
            8,
            "empty or half-loaded zones evict everybody",
            [.emptyZones],
            randomRuns,
            ("DispatchingTests/DefectTests", "zones that are not there yet throw nobody out"),
            ("ZonesTests/ZoneReadingTests", "an empty file, other formats and other coordinate")
        ),
        Row(
            9,
            "a skip counted against a driver who was never notified",
            [.strikeUnseen],
            randomRuns,
            ("DispatchingTests/EdgeTests", "only offers that a device has shown are strikes")
        ),
        Row(
            10,
            "two overlapping zones, and the first that matches",
            [],
            ("ZonesTests/ZoneHealingTests", "a narrow overlap goes to one zone and is told"),
            ("ZonesTests/ZoneHealingTests", "a wide overlap is refused by name"),
            ("ZonesTests/ZonePartitionTests", "each place of healed zones, borders and corners")
        ),
        Row(
            11,
            "an accept button that outlives its offer",
            [.staleAccept, .answerBeforeTimer],
            randomRuns,
            ("DispatchingTests/EdgeTests", "an acceptance after the offer went to another is"),
            ("DispatchingTests/EdgeTests", "an acceptance counts before the deadline and not")
        ),
        Row(
            12,
            "book and cancel at different isolation levels",
            [.cancelOvertaken],
            randomRuns,
            ("DispatchingTests/EdgeTests", "the first of cancelling and accepting decides")
        ),
    ]

    @Test("each of the twelve has tests, and they are there")
    func complete() throws {
        #expect(Self.table.map(\.number) == Array(1...12))
        #expect(Set(Self.table.flatMap(\.doubles)) == Set(Defect.allCases))
        let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent()
        for row in Self.table {
            #expect(!row.witnesses.isEmpty)
            for witness in row.witnesses {
                let file = tests.appendingPathComponent(witness.file + ".swift")
                let text = try String(contentsOf: file, encoding: .utf8)
                // The name of a test is in quotes, whatever precedes it.
                let isThere = text.contains("\"" + witness.test)
                #expect(isThere, "defect \(row.number): \(witness)")
            }
        }
    }
}
