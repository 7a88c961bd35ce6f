import Chronology
import OpenData
import Testing

@testable import Agenda

/// V25 to V28 and 1.12 (a, c): what may take place at the same time.
@Suite("Rules of conflicts")
struct ConflictRulesTests {
    /// An event from 10 to 11 with these lines.
    private static func event(
        _ lines: String,
        at start: String = "2026-12-01T10:00",
        until end: String = "2026-12-01T11:00"
    ) throws -> AgendaOccurrence {
        let times = [("DTSTART", start), ("DTEND", end)].map { name, time in
            let local = ICalendarTime.zoned(Sample.time(time), zone: "Europe/Rome")
            let property = local.property(name)
            return "\(name);TZID=Europe/Rome:\(String(decoding: property.value, as: UTF8.self))"
        }
        let entry = try Sample.entry(times.joined(separator: "\n"), lines)
        return try #require(entry.occurrences().first)
    }

    private static let kinds = [
        "exclusive": "", "overlappable": "X-TRAVLENDAR-EXCLUSIVITY:OVERLAPPABLE",
        "transfer": "X-TRAVLENDAR-EXCLUSIVITY:TRANSFER",
    ]

    /// Two events at once: their kinds, whether both have places, and which rules allow them.
    static let pairs: [(one: String, other: String, areLocated: Bool, allowed: String)] = [
        ("exclusive", "exclusive", false, "s3"),
        ("exclusive", "exclusive", true, ""),
        ("exclusive", "transfer", false, "s3"),
        ("exclusive", "transfer", true, ""),
        ("transfer", "transfer", false, "s3"),
        ("transfer", "transfer", true, ""),
        ("overlappable", "exclusive", false, "usual s3 s4"),
        ("overlappable", "exclusive", true, "s4"),
        ("overlappable", "transfer", false, "usual s3 s4"),
        ("overlappable", "transfer", true, "s4"),
        ("overlappable", "overlappable", false, "usual s3 s4"),
        ("overlappable", "overlappable", true, "s4"),
    ]

    static let profiles: [(name: String, rules: ConflictRules)] = [
        ("usual", .usual), ("s2", .s2), ("s3", .s3), ("s4", .s4),
    ]

    @Test("each profile allows the overlaps of its document", arguments: pairs.indices)
    func table(index: Int) throws {
        let (one, other, areLocated, allowed) = Self.pairs[index]
        let lines = try [one, other].map { try #require(Self.kinds[$0]) }
        let here = try Self.event(lines[0] + (areLocated ? "\nLOCATION:Via Roma" : ""))
        // If not both have places, one still may.
        for place in areLocated ? ["\nGEO:45.4;9.2"] : ["", "\nLOCATION:Via Po"] {
            let there = try Self.event(lines[1] + place)
            for (name, rules) in Self.profiles {
                let isAllowed = allowed.split(separator: " ").contains { $0 == name }
                #expect(rules.mayOverlap(here, there) == isAllowed, "\(name)")
                #expect(rules.conflict(here, there) != isAllowed, "\(name)")
                #expect(rules.conflict(there, here) != isAllowed, "\(name), the other way round")
            }
        }
    }

    @Test("a conflict is refused, and under S2 its owner is warned (1.12, c)")
    func policies() {
        #expect(Self.profiles.map(\.rules.policy) == [.reject, .warn, .reject, .reject])
    }

    @Test("the settings name each profile, and only S2 binds journeys to the window (A8)")
    func named() {
        let named = ConflictRules.Profile.allCases.map { ($0.rawValue, $0.rules) }
        #expect(named.map(\.0) == Self.profiles.map(\.name))
        #expect(named.map(\.1) == Self.profiles.map(\.rules))
        #expect(named.filter(\.1.departsWithinWindows).map(\.0) == ["s2"])
    }

    @Test("what begins when another ends is no conflict")
    func adjacent() throws {
        let first = try Self.event("LOCATION:A")
        let next = try Self.event(
            "LOCATION:B",
            at: "2026-12-01T11:00",
            until: "2026-12-01T12:00"
        )
        let across = try Self.event(
            "LOCATION:C",
            at: "2026-12-01T10:59",
            until: "2026-12-01T11:01"
        )
        let moment = try Self.event(
            "LOCATION:D",
            at: "2026-12-01T10:30",
            until: "2026-12-01T10:30"
        )
        for (name, rules) in Self.profiles {
            #expect(!rules.conflict(first, next) && !rules.conflict(next, first), "\(name)")
            #expect(!rules.conflict(first, moment) && !rules.conflict(moment, first), "\(name)")
        }
        #expect(ConflictRules.usual.conflict(first, across))
        #expect(ConflictRules.usual.conflict(across, next))
    }

    @Test(
        "whole days, and what is cancelled or leaves its owner free, are in nobody's way",
        arguments: ["STATUS:CANCELLED", "TRANSP:TRANSPARENT", "DTSTART;VALUE=DATE:20261201"]
    )
    func free(line: String) throws {
        let busy = try Self.event("LOCATION:A")
        let other: AgendaOccurrence
        if line.hasPrefix("DTSTART") {
            let entry = try Sample.entry(line, "LOCATION:B")
            other = try #require(entry.occurrences().first)
            #expect(other.span.overlaps(busy.span))
        } else {
            other = try Self.event("LOCATION:B\n\(line)")
        }
        for (name, rules) in Self.profiles {
            #expect(!rules.conflict(busy, other) && !rules.conflict(other, busy), "\(name)")
        }
    }

    @Test("a task that the program places is in nobody's way (V23)")
    func flexible() throws {
        let details = EntryDetails(
            title: "Lunch",
            timing: .flexible(
                from: Sample.time("2026-12-01T09:00"),
                until: Sample.time("2026-12-01T12:00"),
                minutes: 30,
                leastMinutes: 30
            )
        )
        let entry = try Sample.stored(
            details.calendar(uid: "2", zone: Sample.rome, at: Sample.now)
        )
        let task = try #require(entry.occurrences().first)
        for (name, rules) in Self.profiles {
            #expect(!rules.conflict(try Self.event("LOCATION:A"), task), "\(name)")
        }
    }

    @Test("a place on the web is no place")
    func online() throws {
        let office = try Self.event("LOCATION:Via Roma 1")
        let kind = "X-TRAVLENDAR-EXCLUSIVITY:OVERLAPPABLE\n"
        let meeting = try Self.event("\(kind)LOCATION:https://meet.example.com/abc")
        let blank = try Self.event("\(kind)LOCATION: ")
        #expect(!meeting.isLocated && !blank.isLocated)
        #expect(!ConflictRules.usual.conflict(office, meeting))
        #expect(!ConflictRules.s3.conflict(office, meeting))
        let place = "BEGIN:VLOCATION\nUID:p\nLOCATION-TYPE:pharmacy\nEND:VLOCATION"
        #expect(try Self.event("\(kind)\(place)").isLocated)
    }

    @Test("all pairs are found, by the candidates, up to a limit")
    func listed() throws {
        let candidates = try [
            Self.event("SUMMARY:a"),
            Self.event("SUMMARY:b", at: "2026-12-02T10:00", until: "2026-12-02T11:00"),
        ]
        let others = try [
            Self.event("SUMMARY:c", at: "2026-12-01T10:30", until: "2026-12-01T12:00"),
            Self.event("SUMMARY:d", at: "2026-12-01T08:00", until: "2026-12-02T12:00"),
        ]
        func found(_ limit: Int) -> [String] {
            ConflictRules.usual.conflicts(of: candidates, with: others, limit: limit).map {
                ($0.candidate.item.summary ?? "") + ($0.other.item.summary ?? "")
            }
        }
        #expect(found(10) == ["ac", "ad", "bd"])
        #expect(found(2) == ["ac", "ad"])
        #expect(ConflictRules.s3.conflicts(of: candidates, with: others, limit: 10).isEmpty)
    }
}
