import Chronology
import SeededRandom
import Storage
import StorageTestSupport
import TestSupport
import Testing

@testable import Identity

/// taxi.md R1, R10; issue "imports 4,855 more from CSV with 20 defective lines, each reported".
@Suite("Importing drivers")
struct ImportTests {
    private let now = TestCity.start
    private let today = CivilDate(year: 2026, month: 9, day: 21) ?? CivilDate(daysSince1970: 0)
    private let header = DriverColumn.allCases.map(\.rawValue).joined(separator: ",")

    @Test(
        "of a sample each of the 20 defective lines is reported with its field and reason",
        arguments: TestEngine.allCases
    )
    func sample(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let text = SampleDrivers.csv(count: 200, seed: 1, today: today)
            #expect(text == SampleDrivers.csv(count: 200, seed: 1, today: today))
            #expect(text != SampleDrivers.csv(count: 200, seed: 2, today: today))
            let bytes = Array(text.utf8)
            let admin = try await city.administrator()
            let dry = try await city.accounts.importDrivers(
                bytes,
                .dryRun,
                invites: false,
                by: admin,
                at: now
            )
            #expect(dry.good == 200 && dry.entered == 0)
            #expect(dry.rejected.count == SampleDrivers.defects)
            #expect(dry.rejected.allSatisfy { $0.problems.count == 1 })
            let kinds = dry.rejected.flatMap(\.problems)
            #expect(kinds.count { if case .repeated(2) = $0.kind { true } else { false } } == 6)
            #expect(kinds.count { $0.kind == .missing } == 3)
            #expect(kinds.count { $0.kind == .expired } == 1)
            #expect(kinds.count { $0 == FieldProblem(.line, .badFormat) } == 2)
            #expect(kinds.count { $0.kind == .badFormat && $0.field != .line } == 8)
            #expect(try await city.accounts.people(with: .driver).isEmpty)
            let none = try await city.accounts.importDrivers(
                bytes,
                .allOrNothing,
                invites: false,
                by: admin,
                at: now
            )
            #expect(none.entered == 0)
            let done = try await city.accounts.importDrivers(
                bytes,
                .acceptGood,
                invites: false,
                by: admin,
                at: now
            )
            #expect(done.entered == 200 && done.rejected == dry.rejected)
            let drivers = try await city.accounts.people(with: .driver)
            #expect(drivers.count == 200)
            let driver = try #require(try await city.accounts.driver(drivers[0]))
            #expect(driver.verification == .verified)
            let again = try await city.accounts.importDrivers(
                bytes,
                .acceptGood,
                invites: false,
                by: admin,
                at: now
            )
            #expect(again.good == 0 && again.rejected.count == 220)
        }
    }

    @Test("4,855 drivers are imported at once, from the command line too")
    func many() async throws {
        try await TestCity.with(.sqlite) { city in
            let text = SampleDrivers.csv(count: 4_855, seed: 1, today: today)
            let report = try await city.accounts.importDrivers(
                Array(text.utf8),
                .acceptGood,
                invites: false,
                by: nil,
                at: now
            )
            #expect(report.entered == 4_855 && report.rejected.count == 20)
        }
    }

    @Test("invitations go out with the import, and only administrators import")
    func rights() async throws {
        try await TestCity.with(.sqlite) { city in
            let bytes = Array(SampleDrivers.csv(count: 3, seed: 1, today: today).utf8)
            try await city.person("mario")
            let mario = try await city.logIn("mario").session
            #expect(
                try await refusal {
                    _ = try await city.accounts.importDrivers(
                        bytes,
                        .dryRun,
                        invites: false,
                        by: mario,
                        at: now
                    )
                } == .notAllowed(needs: .administrator)
            )
            let admin = try await city.administrator()
            let late = now.adding(seconds: 600)
            #expect(
                try await refusal {
                    _ = try await city.accounts.importDrivers(
                        bytes,
                        .dryRun,
                        invites: false,
                        by: admin,
                        at: late
                    )
                } == .passwordNeeded
            )
            _ = try await city.accounts.importDrivers(
                bytes,
                .acceptGood,
                invites: true,
                by: admin,
                at: now
            )
            #expect(try await city.count(.invitation) == 3)
        }
    }

    @Test("tables are read as spreadsheets write them")
    func tables() throws {
        let quoted = try CSVTable(Array("A , b\r\n\"x, \"\"y\"\"\",2\r\n\r\n3,\"4\n5\"\n6,7".utf8))
        #expect(quoted.columns == ["a", "b"])
        #expect(quoted.rows.map(\.line) == [2, 4, 6])
        #expect(quoted.rows.map(\.fields) == [["x, \"y\"", "2"], ["3", "4\n5"], ["6", "7"]])
        let semicolons = try CSVTable([0xEF, 0xBB, 0xBF] + Array("a;b\n1;2".utf8))
        #expect(semicolons.columns == ["a", "b"])
        #expect(semicolons.rows.map(\.fields) == [["1", "2"]])
        let broken = try CSVTable(
            Array("a,b\n\"x,1\n2,\"y\"z\n".utf8) + [0xFF, 44, 49, 10, 51, 44]
        )
        #expect(broken.rows.map(\.fields) == [nil, nil, ["3", ""]])
        #expect(broken.rows.map(\.line) == [2, 4, 5])
        let open = try CSVTable(Array("a,b\n\"x,1\n2,3".utf8))
        #expect(open.rows.map(\.fields) == [nil, ["2", "3"]], "one line is lost, not the file")
        #expect(throws: BadTable.noColumns) { try CSVTable([]) }
        #expect(throws: BadTable.noColumns) { try CSVTable([0xFF]) }
        #expect(throws: BadTable.tooManyRows(most: CSVTable.mostRows)) {
            try CSVTable(Array(String(repeating: "1\n", count: CSVTable.mostRows + 2).utf8))
        }
    }

    @Test("columns that are missing, unknown or named twice are told")
    func columns() throws {
        let entries = { (text: String) in try DriverEntry.entries(CSVTable(Array(text.utf8))) }
        #expect(throws: BadTable.unknownColumns(["shoe", "plate"])) {
            try entries("\(header),shoe,plate\n")
        }
        #expect(throws: BadTable.missingColumns(["name"])) {
            try entries(String(header.dropFirst("name,".count)) + "\n")
        }
        let optional = header.replacing(",user_name,language", with: "")
        #expect(try entries(optional + "\n1,2\n").map { $0.entry == nil } == [true])
    }

    @Test("any bytes at all give a report or a refusal")
    func anyBytes() async throws {
        var random = SeededRandom(seed: 4_855)
        let signs = Array("\",;\n\rAa1@ .".utf8) + [0, 0xC3, 0xA8, 0xFF]
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                signs.randomElement(using: &random) ?? 0
            }
            guard let table = try? CSVTable(bytes) else { continue }
            let lines = table.rows.map(\.line)
            #expect(lines == lines.sorted() && Set(lines).count == lines.count, "\(bytes)")
        }
    }
}
