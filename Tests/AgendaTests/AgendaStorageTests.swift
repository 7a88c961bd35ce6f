import Chronology
import Geo
import Identity
import IdentityTestSupport
import OpenData
import Storage
import StorageTestSupport
import Testing

@testable import Agenda

/// V12, V19, V30, V31, V91: calendars in the database.
@Suite("Stored calendars")
struct AgendaStorageTests {
    @Test(
        "entries are added, read, changed and deleted (V19, V30, V31)",
        arguments: TestEngine.allCases
    )
    func life(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            #expect(try await agenda.version(of: mario) == 0)
            #expect(try await agenda.entries(of: mario).entries.isEmpty)
            #expect(try await agenda.add([], of: mario).isEmpty)
            let calendars = try [Sample.event("a", "A"), Sample.event("b", "B")]
            let numbers = try await agenda.add(calendars, of: mario)
            let all = try await agenda.entries(of: mario)
            #expect(all.titles == ["A", "B"] && all.entries.map(\.number) == numbers)
            #expect(all.entries.map(\.calendar.bytes) == calendars.map(\.bytes))
            #expect(try await agenda.version(of: mario) == 2 && all.version == 2)
            let first = try await agenda.entry(numbers[0], of: mario)
            #expect(first == all.entries[0])
            try await agenda.change(first, to: try first.retitled("C").calendar, of: mario)
            let changed = try await agenda.entries(of: mario)
            #expect(changed.titles == ["C", "B"] && changed.version == 3)
            #expect(changed.entries.map(\.number) == numbers)
            try await agenda.remove(numbers[1], of: mario)
            #expect(try await agenda.entries(of: mario).titles == ["C"])
            #expect(try await agenda.version(of: mario) == 4)
            try await agenda.remove(numbers[1], of: mario)
            #expect(try await agenda.version(of: mario) == 4, "nothing changed")
            // No number is used twice, so that an old page never names a new entry.
            let next = try await agenda.add([Sample.event("b", "D")], of: mario)
            #expect(!numbers.contains(next[0]))
        }
    }

    @Test(
        "an identifier added again takes the place of the old entry",
        arguments: TestEngine.allCases
    )
    func again(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            let old = try await agenda.add([Sample.event("a", "A"), Sample.event("b")], of: mario)
            let later = "DTSTART:20301201T090000Z"
            let new = try await agenda.add(
                [Sample.event("c"), Sample.event("a", "New", later), Sample.event("c", "Twice")],
                of: mario
            )
            #expect(new[1] == old[0] && new[0] == new[2])
            #expect(try await agenda.entries(of: mario).titles == ["New", "Dentist", "Twice"])
            #expect(try await agenda.version(of: mario) == 5)
            // It is found at its new time, and not at the old one.
            let span = Sample.span("2030-12-01T00:00", "2030-12-02T00:00")
            #expect(try await agenda.entries(of: mario, in: span).titles == ["New"])
            let before = Sample.span("2026-12-01T00:00", "2026-12-02T00:00")
            #expect(try await agenda.entries(of: mario, in: before).titles == ["Dentist", "Twice"])
            // The same identifier is another entry in another calendar.
            let luigi = try await city.person("luigi")
            try await agenda.add([Sample.event("a", "Luigi's")], of: luigi)
            #expect(try await agenda.entries(of: luigi).titles == ["Luigi's"])
            #expect(try await agenda.entries(of: mario).titles == ["New", "Dentist", "Twice"])
        }
    }

    @Test(
        "of two changes of the same entry the later one is refused",
        arguments: TestEngine.allCases
    )
    func meanwhile(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            let number = try await agenda.add([Sample.event("a")], of: mario)[0]
            let read = try await agenda.entry(number, of: mario)
            try await agenda.change(read, to: try read.retitled("One").calendar, of: mario)
            let version = try await agenda.version(of: mario)
            #expect(
                try await failure {
                    try await agenda.change(read, to: try read.retitled("Two").calendar, of: mario)
                } == .changedMeanwhile
            )
            #expect(try await agenda.entries(of: mario).titles == ["One"])
            #expect(try await agenda.version(of: mario) == version)
            let now = try await agenda.entry(number, of: mario)
            #expect(
                try await failure {
                    try await agenda.change(now, to: try Sample.event("other"), of: mario)
                } == .notOneEntry
            )
            try await agenda.remove(number, of: mario)
            #expect(
                try await failure {
                    try await agenda.change(now, to: now.calendar, of: mario)
                } == .noSuchEntry
            )
        }
    }

    @Test("several entries change or go together, or none does", arguments: TestEngine.allCases)
    func together(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.add(
                [Sample.event("a", "A"), Sample.event("b", "B"), Sample.event("c", "C")],
                of: mario
            )
            let all = try await agenda.entries(of: mario).entries
            let changes = [
                AgendaChange(all[0], to: try all[0].retitled("New").calendar),
                AgendaChange(all[1], to: nil),
            ]
            try await agenda.change(changes, of: mario)
            #expect(try await agenda.entries(of: mario).titles == ["New", "C"])
            let version = try await agenda.version(of: mario)
            // The first could be made, and the second is of what has gone.
            let late = [AgendaChange(all[2], to: nil), AgendaChange(all[1], to: nil)]
            #expect(
                try await failure { try await agenda.change(late, of: mario) } == .noSuchEntry
            )
            #expect(try await agenda.entries(of: mario).titles == ["New", "C"])
            #expect(try await agenda.version(of: mario) == version)
        }
    }

    @Test("nobody reads, changes or deletes what is another's", arguments: TestEngine.allCases)
    func others(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let agenda = city.agenda
            let (mario, luigi) = (try await city.person("mario"), try await city.person("luigi"))
            let number = try await agenda.add([Sample.event("a", "Mario's")], of: mario)[0]
            let entry = try await agenda.entry(number, of: mario)
            #expect(
                try await failure { _ = try await agenda.entry(number, of: luigi) } == .noSuchEntry
            )
            #expect(
                try await failure {
                    try await agenda.change(entry, to: entry.calendar, of: luigi)
                } == .noSuchEntry
            )
            try await agenda.remove(number, of: luigi)
            #expect(try await agenda.entries(of: luigi).entries.isEmpty)
            #expect(try await agenda.file(of: luigi).components("VEVENT").isEmpty)
            #expect(try await agenda.entries(of: mario).titles == ["Mario's"])
        }
    }

    @Test("two servers lose neither an entry nor a version", arguments: TestEngine.allCases)
    func servers(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let mario = try await city.person("mario")
            try await city.withSecondServer { second in
                let agendas = [city.agenda, Agenda(second, zone: Sample.rome)]
                let numbers = try await withThrowingTaskGroup(of: [EntryNumber].self) { group in
                    for number in 0..<24 {
                        group.addTask {
                            try await agendas[number % 2].add(
                                [Sample.event("\(number)"), Sample.event("\(number)b")],
                                of: mario
                            )
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                #expect(Set(numbers).count == 48)
                #expect(numbers.map(\.rawValue).max() == 48)
                let all = try await agendas[1].entries(of: mario)
                #expect(all.version == 48 && Set(all.entries.map(\.number)) == Set(numbers))
                // One of many changes of what all have read is made.
                let entry = all.entries[0]
                let failures = try await withThrowingTaskGroup(of: AgendaFailure?.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            try await failure {
                                try await agendas[number % 2].change(
                                    entry,
                                    to: try entry.retitled("\(number)").calendar,
                                    of: mario
                                )
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(failures.count { $0 == nil } == 1)
                #expect(failures.count { $0 == .changedMeanwhile } == 7)
                #expect(try await city.agenda.version(of: mario) == 49)
            }
        }
    }

    @Test(
        "settings are stored, and are the usual ones until then (V55, V73)",
        arguments: TestEngine.allCases
    )
    func settings(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            #expect(try await agenda.settings(of: mario) == TravelSettings())
            var settings = TravelSettings()
            settings.base = SettingsPlace(
                "Home, \"sweet\" home",
                at: TravelSettingsTests.place
            )
            settings.means = [.bicycle, .taxi]
            settings.walkMetres = 800
            settings.leastWaitMinutes = 0
            settings.mostWaitMinutes = 60
            try await agenda.keep(settings, of: mario)
            #expect(try await agenda.settings(of: mario) == settings)
            // Plans depend on them, so the calendar has another version.
            #expect(try await agenda.version(of: mario) == 1)
            try await agenda.add([Sample.event("a")], of: mario)
            #expect(try await agenda.settings(of: mario) == settings)
            settings.walkMetres = nil
            settings.base = nil
            try await agenda.keep(settings, of: mario)
            #expect(try await agenda.settings(of: mario) == settings)
            #expect(try await agenda.entries(of: mario).titles == ["Dentist"])
        }
    }

    @Test(
        "a calendar is erased with its owner, and no other (R103)",
        arguments: TestEngine.allCases
    )
    func erasure(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let agenda = city.agenda
            let (mario, luigi) = (try await city.person("mario"), try await city.person("luigi"))
            for person in [mario, luigi] {
                try await agenda.add([Sample.event("a"), Sample.event("b")], of: person)
                try await agenda.keep(TravelSettings(), of: person)
            }
            let session = try await city.logIn("mario").session
            try await city.accounts.eraseAccount(
                by: session,
                hasProceeded: true,
                at: TestCity.start
            )
            let rows: [SQL] = [
                "SELECT count(*) AS count FROM agenda WHERE person = \(mario)",
                "SELECT count(*) AS count FROM agenda_entry WHERE person = \(mario)",
            ]
            for row in rows { #expect(try await city.count(row) == 0) }
            #expect(try await agenda.entries(of: luigi).titles == ["Dentist", "Dentist"])
            #expect(try await agenda.version(of: luigi) == 3)
            // Nothing is written for a person who is gone.
            await #expect(throws: AccountFailure.noSuchPerson) {
                try await agenda.add([Sample.event("c")], of: mario)
            }
            await #expect(throws: AccountFailure.noSuchPerson) {
                try await agenda.entries(of: mario)
            }
            for row in rows { #expect(try await city.count(row) == 0) }
        }
    }

    @Test("what is too large, unreadable or not one entry is refused, and nothing of it is stored")
    func refused() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            func refusal(_ calendar: ICalendar) async throws -> AgendaFailure? {
                try await failure {
                    try await agenda.add([Sample.event("good"), calendar], of: mario)
                }
            }
            func note(_ count: Int) throws -> ICalendar {
                let text = String(repeating: "x", count: count)
                return try Sample.event("a", "A", "DTSTART:20261201T090000Z\nX-NOTE:\(text)")
            }
            let frame = try note(0).bytes.count
            #expect(try await refusal(note(AgendaEntry.bytesLimit - frame + 1)) == .tooLarge)
            // The line that the person finds in the imported file.
            let wrong = try Sample.event("a", "A", "DTSTART:20261201T090000Z\nDURATION:soon")
            #expect(
                try await refusal(wrong)
                    == .unreadable(ICalendarFailure(line: 7, problem: .badValue("DURATION")))
            )
            let zone = try Sample.event("a", "A", "DTSTART;TZID=Atlantis:20261201T090000")
            #expect(
                try await refusal(zone)
                    == .unreadable(ICalendarFailure(line: 3, problem: .unknownZone("Atlantis")))
            )
            let event = "BEGIN:VEVENT\nUID:1\nDTSTART:20261201T090000Z\nEND:VEVENT\n"
            let two = try Sample.calendar(event + event.replacing("UID:1", with: "UID:2"))
            #expect(try await refusal(two) == .notOneEntry)
            #expect(try await refusal(Sample.calendar("X-NONE:1")) == .notOneEntry)
            #expect(try await agenda.entries(of: mario).entries.isEmpty)
            #expect(try await agenda.version(of: mario) == 0)
            #expect(try await refusal(note(AgendaEntry.bytesLimit - frame)) == nil)
            #expect(try await agenda.entries(of: mario).titles == ["Dentist", "A"])
        }
    }

    @Test("a calendar has at most so many entries", arguments: TestEngine.allCases)
    func many(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            let number = try await agenda.add([Sample.event("a")], of: mario)[0]
            let limit = Agenda.entriesLimit
            try await city.data.write(within: .seconds(300)) { transaction in
                let row = try transaction.row("SELECT sealed FROM agenda_entry")
                let sealed: [UInt8] = try #require(try row?.value("sealed"))
                let rows = (2...limit).map { number -> SQL in
                    let digest = (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 3 * 8)) }
                    return """
                        INSERT INTO agenda_entry (person, number, revision, uid_key, sealed)
                        VALUES (\(mario), \(number), \(number), \(digest), \(sealed))
                        """
                }
                for start in stride(from: 0, to: rows.count, by: 500) {
                    try transaction.execute(Array(rows[start..<min(start + 500, rows.count)]))
                }
                try transaction.execute("UPDATE agenda SET version = \(limit)")
            }
            #expect(
                try await failure { try await agenda.add([Sample.event("b")], of: mario) }
                    == .tooManyEntries(limit: limit)
            )
            #expect(try await agenda.version(of: mario) == Int64(limit))
            // What is there already may be imported again.
            #expect(try await agenda.add([Sample.event("a", "New")], of: mario) == [number])
            #expect(try await agenda.entry(number, of: mario).item?.summary == "New")
        }
    }

    /// RFC 5545, 3.1: a line may be folded within a character; some programs still do.
    @Test("an entry is stored byte for byte, whatever its encoding", arguments: TestEngine.allCases)
    func bytes(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            let frame = try Sample.event("a", "Caf@@", "DTSTART:20261201T090000Z\nX-OLD:##").bytes
            let folded: [UInt8] = [0xC3, 0x0D, 0x0A, 0x20, 0xA9]
            let latin: [UInt8] = [0xE9, 0xFF]
            let bytes = frame.split(separator: UInt8(ascii: "@"), maxSplits: 1)
            let rest = bytes[1].dropFirst().split(separator: UInt8(ascii: "#"), maxSplits: 1)
            let file = Array(bytes[0] + folded + rest[0] + latin + rest[1].dropFirst())
            let number = try await agenda.add([ICalendar(file)], of: mario)[0]
            let entry = try await agenda.entry(number, of: mario)
            #expect(entry.calendar.bytes == file)
            #expect(entry.item?.summary == "Café")
        }
    }
}

/// V73: how people travel.
@Suite("Settings of travel")
struct TravelSettingsTests {
    static let place = Coordinate(latitude: 454_642_700, longitude: 91_900_000)

    @Test("what an earlier version did not store is as by default")
    func earlier() throws {
        var expected = TravelSettings()
        #expect(try TravelSettings(json: "{}") == expected)
        expected.means = [.car]
        // Nobody has these means without having chosen them.
        expected.statesMeans = true
        #expect(try TravelSettings(json: #"{"means":["car"],"later":1}"#) == expected)
        #expect(try TravelSettings(json: expected.json) == expected)
        #expect(throws: (any Error).self) { try TravelSettings(json: #"{"means":7}"#) }
    }
}
