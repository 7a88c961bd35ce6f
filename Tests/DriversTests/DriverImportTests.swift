import Chronology
import Identity
import IdentityTestSupport
import SeededRandom
import StorageTestSupport
import Testing

@testable import Drivers

/// taxi.md R1, R10; issue "imports 4,855 more from CSV with 20 defective lines, each reported".
@Suite("Importing drivers")
struct DriverImportTests {
    private let now = TestCity.start
    private let today = CivilDate(year: 2026, month: 9, day: 21) ?? CivilDate(daysSince1970: 0)
    private let header = DriverColumn.allCases.map(\.rawValue).joined(separator: ",")

    @Test(
        "of a sample each of the 20 defective lines is reported with its field and reason",
        arguments: TestEngine.allCases
    )
    func sample(engine: TestEngine) async throws {
        try await TestCity.withDrivers(engine) { city in
            let text = SampleDrivers.csv(count: 200, seed: 1, today: today)
            #expect(text == SampleDrivers.csv(count: 200, seed: 1, today: today))
            #expect(text != SampleDrivers.csv(count: 200, seed: 2, today: today))
            let bytes = Array(text.utf8)
            let admin = try await city.administrator()
            let dry = try await city.accounts.drivers.importTable(
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
            let none = try await city.accounts.drivers.importTable(
                bytes,
                .allOrNothing,
                invites: false,
                by: admin,
                at: now
            )
            #expect(none.entered == 0)
            let done = try await city.accounts.drivers.importTable(
                bytes,
                .acceptGood,
                invites: false,
                by: admin,
                at: now
            )
            #expect(done.entered == 200 && done.rejected == dry.rejected)
            let drivers = try await city.accounts.people(with: .driver)
            #expect(drivers.count == 200)
            let driver = try #require(try await city.accounts.drivers.driver(drivers[0]))
            #expect(driver.verification == .verified)
            let again = try await city.accounts.drivers.importTable(
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
        try await TestCity.withDrivers(.sqlite) { city in
            let text = SampleDrivers.csv(count: 4_855, seed: 1, today: today)
            let report = try await city.accounts.drivers.importTable(
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
        try await TestCity.withDrivers(.sqlite) { city in
            let bytes = Array(SampleDrivers.csv(count: 3, seed: 1, today: today).utf8)
            try await city.person("mario")
            let mario = try await city.logIn("mario").session
            #expect(
                try await refusal {
                    _ = try await city.accounts.drivers.importTable(
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
                    _ = try await city.accounts.drivers.importTable(
                        bytes,
                        .dryRun,
                        invites: false,
                        by: admin,
                        at: late
                    )
                } == .passwordNeeded
            )
            _ = try await city.accounts.drivers.importTable(
                bytes,
                .acceptGood,
                invites: true,
                by: admin,
                at: now
            )
            #expect(try await city.count(.invitation) == 3)
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
}
