import Foundation
import Identity
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Drivers

/// Issue 30, 2: a passenger recognises the taxi by its make and colour as well as by its plate.
@Suite("Make and colour of taxis")
struct VehicleLookTests {
    private let now = TestCity.start

    private static func described(
        _ number: Int,
        _ make: String,
        _ colour: String
    ) -> DriverEntry {
        var entry = DriverEntry.sample(number)
        (entry.papers.make, entry.papers.colour) = (make, colour)
        return entry
    }

    @Test(
        "papers state make and colour, which everybody sees with the plate",
        arguments: TestEngine.allCases
    )
    func signs(engine: TestEngine) async throws {
        try await TestCity.withDrivers(engine) { city in
            let drivers = city.accounts.drivers
            let admin = try await city.administrator()
            let entry = Self.described(1, "  Toyota Corolla ", "Bianca")
            let person = try await drivers.enter(entry, invites: false, by: admin, at: now)
            let driver = try #require(try await drivers.driver(person))
            #expect(driver.papers.make == "Toyota Corolla" && driver.papers.colour == "white")
            let look = VehicleLook(make: "Toyota Corolla", colour: .white)
            #expect(try await drivers.signs(of: driver.taxi)?.look == look)
            #expect(try await drivers.taxiNames(of: [driver.taxi])[driver.taxi]?.look == look)
            // The database alone does not tell what the car looks like.
            let stored: [UInt8] = try #require(
                try await city.data.read { try $0.row("SELECT make FROM taxi")?.value("make") }
            )
            #expect(!String(decoding: stored, as: UTF8.self).contains("Toyota"))
            // Another car, of which the papers say less.
            var papers = driver.papers
            (papers.make, papers.colour) = ("", "grey")
            try await drivers.update(person, ProfileChange(), papers, by: admin, at: now)
            #expect(try await drivers.signs(of: driver.taxi)?.look == VehicleLook(colour: .grey))
            #expect(try await drivers.driver(person)?.papers == papers)
            papers.colour = ""
            try await drivers.update(person, ProfileChange(), papers, by: admin, at: now)
            #expect(try await drivers.signs(of: driver.taxi)?.look == VehicleLook())
        }
    }

    @Test("what is no colour, too long or leads elsewhere is refused by its field")
    func refuses() async throws {
        try await TestCity.withDrivers(.sqlite) { city in
            let admin = try await city.administrator()
            func refused(_ make: String, _ colour: String) async throws -> Set<FieldProblem> {
                try await problems {
                    try await city.accounts.drivers.enter(
                        Self.described(1, make, colour),
                        invites: false,
                        by: admin,
                        at: now
                    )
                }
            }
            #expect(try await refused("", "pink") == [FieldProblem(.colour, .badFormat)])
            let long = String(repeating: "a", count: VehicleLook.makeLimit + 1)
            let tooLong = FieldProblem.Kind.tooLong(most: VehicleLook.makeLimit)
            #expect(try await refused(long, "") == [FieldProblem(.make, tooLong)])
            #expect(
                try await refused("www.example.org", "white")
                    == [FieldProblem(.make, .webAddress)]
            )
            #expect(
                try await refused("Fiat\nTipo", "white") == [FieldProblem(.make, .badFormat)]
            )
        }
    }

    @Test("a table states them in optional columns, in English or in Italian")
    func table() async throws {
        try await TestCity.withDrivers(.sqlite) { city in
            let drivers = city.accounts.drivers
            let header =
                "name,surname,email,mobile,taxi_code,plate,taxi_licence,taxi_licence_expires,"
                + "driving_licence,driving_licence_expires"
            func line(_ number: Int) -> String {
                "Dario,Guida,driver\(number)@example.org,333000000\(number),T0000\(number),"
                    + "FA00\(number)AA,\(number),2030-01-31,MI000000\(number)A,2030-06-30"
            }
            func enter(_ text: String) async throws -> ImportReport {
                try await drivers.importTable(
                    Array(text.utf8),
                    .acceptGood,
                    invites: false,
                    by: nil,
                    at: now
                )
            }
            let old = try await enter("\(header)\n\(line(1))\n")
            #expect(old.entered == 1, "\(old.rejected)")
            let new = try await enter(
                """
                \(header),make,colour
                \(line(2)),Fiat Tipo,GRIGIA
                \(line(3)),,yellow
                \(line(4)),Skoda Octavia,mauve

                """
            )
            #expect(new.entered == 2)
            #expect(new.rejected.map(\.line) == [4])
            #expect(new.rejected.flatMap(\.problems) == [FieldProblem(.colour, .badFormat)])
            var looks: Set<VehicleLook> = []
            for driver in try await drivers.list(at: now) {
                looks.insert(try #require(try await drivers.signs(of: driver.taxi)).look)
            }
            #expect(
                looks == [
                    VehicleLook(), VehicleLook(make: "Fiat Tipo", colour: .grey),
                    VehicleLook(colour: .yellow),
                ]
            )
        }
    }

    @Test("papers that were proposed before papers stated make and colour are still read")
    func oldPapers() throws {
        let text = """
            {"taxiCode":"T1","plate":"FA001AA","taxiLicence":"1","taxiLicenceExpires":"2027-01-31",
            "drivingLicence":"MI0000001A","drivingLicenceExpires":"2030-06-30","seats":"4",
            "wheelchair":"no"}
            """
        let papers = try JSONDecoder().decode(DriverPapers.self, from: Data(text.utf8))
        #expect(papers.plate == "FA001AA" && papers.make.isEmpty && papers.colour.isEmpty)
        let again = try JSONDecoder().decode(
            DriverPapers.self,
            from: JSONEncoder().encode(DriverEntry.sample(1).papers)
        )
        #expect(again == DriverEntry.sample(1).papers)
    }

    @Test("taxis of before have neither, and get them with their next papers")
    func migrates() async throws {
        try await TestCity.withDrivers(.sqlite) { city in
            let drivers = city.accounts.drivers
            let admin = try await city.administrator()
            let person = try await drivers.enter(.sample(1), invites: false, by: admin, at: now)
            let driver = try #require(try await drivers.driver(person))
            let stored = try await city.data.read { transaction in
                try transaction.count(
                    "SELECT count(*) AS count FROM taxi WHERE make IS NULL AND colour IS NULL"
                )
            }
            #expect(stored == 1)
            #expect(driver.papers == .sample(1))
            try await drivers.proposePapers(
                Self.described(1, "Fiat Tipo", "white").papers,
                of: person,
                at: now
            )
            #expect(try await drivers.signs(of: driver.taxi)?.look == VehicleLook())
            let proposed = try #require(try await drivers.driver(person)?.proposed)
            try await drivers.decide(on: proposed, of: person, by: admin, at: now)
            let look = VehicleLook(make: "Fiat Tipo", colour: .white)
            #expect(try await drivers.signs(of: driver.taxi)?.look == look)
        }
    }
}
