import Chronology
import Foundation
import Geo
import Identity
import IdentityTestSupport
import OpenData
import Storage
import StorageTestSupport
import Testing

@testable import Agenda

/// V12: what a calendar says is sealed under its owner's key.
@Suite("Secrecy of calendars")
struct AgendaSecrecyTests {
    private static let words = [
        "Zwetschgendatschi", "Fumarole", "Ripa di Porta Ticinese", "uid-4711", "Sottoripa",
        "454512345", "45.4512345", "VCALENDAR", "FREQ=WEEKLY", "ATTENDEE", "ada@example.com",
        "X-TRAVLENDAR",
    ]

    /// Writes, changes and deletes entries and settings that contain the words.
    private static func act(_ city: TestCity) async throws {
        let (agenda, mario) = (city.agenda, try await city.person("mario"))
        let position = Coordinate(latitude: 454_512_345, longitude: 91_234_567)
        var details = EntryDetails(
            title: "Zwetschgendatschi",
            timing: Sample.fixed("2026-12-01T09:00", "2026-12-01T10:00")
        )
        details.notes = "Fumarole"
        details.place = EntryPlace("Ripa di Porta Ticinese", at: position)
        details.repetition.frequency = .weekly
        details.exclusivity = .overlappable
        let calendar = details.calendar(uid: "uid-4711", zone: Sample.rome, at: Sample.now)
        let number = try await agenda.add([calendar], of: mario)[0]
        let entry = try await agenda.entry(number, of: mario)
        try await agenda.change(entry, to: try entry.retitled("Fumarole").calendar, of: mario)
        let lines = "DTSTART:20261201T090000Z\nATTENDEE:mailto:ada@example.com"
        let other = try await agenda.add([Sample.event("uid-4711b", "Fumarole", lines)], of: mario)
        try await agenda.remove(other[0], of: mario)
        var settings = TravelSettings()
        settings.base = SettingsPlace("Sottoripa", at: position)
        try await agenda.keep(settings, of: mario)
        #expect(try await agenda.settings(of: mario) == settings)
    }

    private static func expectNone(in bytes: Data, _ place: String) {
        for word in words {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is in \(place)")
        }
    }

    @Test("no file of SQLite has a word of a calendar")
    func files() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            try await Self.act(city)
            let path = try #require(city.place.path)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            var size = 0
            for file in files {
                let bytes = try Data(contentsOf: folder.appendingPathComponent(file))
                size += bytes.count
                Self.expectNone(in: bytes, file)
            }
            #expect(size > 10_000, "the files were not found")
        }
    }

    @Test("no column has a word of a calendar", arguments: TestEngine.allCases)
    func columns(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            try await Self.act(city)
            let rows = try await city.data.read { transaction in
                try transaction.rows(["SELECT * FROM agenda", "SELECT * FROM agenda_entry"])
                    .flatMap { $0 }
            }
            #expect(rows.count == 2)
            for (column, value) in rows.flatMap({ zip($0.columns, $0.values) }) {
                switch value {
                case .text(let text): Self.expectNone(in: Data(text.utf8), column)
                case .bytes(let bytes): Self.expectNone(in: Data(bytes), column)
                case .integer(let number): Self.expectNone(in: Data("\(number)".utf8), column)
                default: continue
                }
            }
        }
    }

    @Test("the digests of an identifier differ from person to person")
    func digests() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            for name in ["mario", "luigi"] {
                let person = try await city.person(name)
                try await city.agenda.add([Sample.event("shared@example.com")], of: person)
            }
            let digests = try await city.data.read { transaction in
                try transaction.rows("SELECT uid_key FROM agenda_entry").map {
                    try $0.value("uid_key", as: [UInt8].self)
                }
            }
            #expect(digests.count == 2 && digests[0] != digests[1])
        }
    }

    @Test("an entry that is moved to another person's calendar cannot be read")
    func bound() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (mario, luigi) = (try await city.person("mario"), try await city.person("luigi"))
            try await city.agenda.add([Sample.event("a")], of: mario)
            try await city.agenda.keep(TravelSettings(), of: luigi)
            try await city.data.write { transaction in
                try transaction.execute("UPDATE agenda_entry SET person = \(luigi)")
            }
            await #expect(throws: AccountFailure.sealBroken) {
                try await city.agenda.entries(of: luigi)
            }
        }
    }
}
