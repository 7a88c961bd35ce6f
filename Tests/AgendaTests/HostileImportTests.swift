import IdentityTestSupport
import OpenData
import StorageTestSupport
import TestSupport
import Testing

@testable import Agenda

/// Issue 32, "hostile calendars take bounded time and memory", where they are imported.
@Suite("Hostile calendars are imported in bounded time", .serialized)
struct HostileImportTests {
    /// Runs work that may take some seconds, and no more.
    private static func bounded(
        seconds: Int64 = 20,
        _ body: () async throws -> Void
    ) async rethrows {
        let start = ContinuousClock.now
        try await body()
        let passed = ContinuousClock.now - start
        #expect(passed < .seconds(Effort.isRelease ? seconds : 20 * seconds), "\(passed)")
    }

    private static func file(_ body: String) -> [UInt8] {
        Array("BEGIN:VCALENDAR\r\n\(body)END:VCALENDAR\r\n".utf8)
    }

    private static func event(_ uid: Int, _ lines: String) -> String {
        "BEGIN:VEVENT\r\nUID:\(uid)\r\n\(lines)\r\nEND:VEVENT\r\n"
    }

    @Test("too many bytes, entries and zones are refused as a whole")
    func limits() throws {
        let long = [UInt8](repeating: 0x20, count: CalendarImport.bytesLimit + 1)
        #expect(throws: CalendarImport.Failure.tooLarge) { try CalendarImportTests.read(long) }
        let start = "DTSTART:20261201T090000Z"
        let most = (0..<CalendarImport.entriesLimit).map { Self.event($0, start) }.joined()
        let found = try CalendarImportTests.read(Self.file(most))
        #expect(found.calendars.count == CalendarImport.entriesLimit)
        #expect(throws: CalendarImport.Failure.tooManyEntries) {
            try CalendarImportTests.read(Self.file(most + Self.event(-1, start)))
        }
        // Journeys do not count.
        let journeys = Self.file(most + Self.event(-1, "\(start)\r\nX-MARK:1"))
        #expect(try CalendarImportTests.read(journeys).calendars.count == 2_000)
        let zones = (0...CalendarImport.zonesLimit).map { number in
            CalendarImportTests.zone("Own \(number)").split(separator: "\n")
                .joined(separator: "\r\n") + "\r\n"
                + Self.event(number, "DTSTART;TZID=Own \(number):20261201T090000")
        }
        #expect(throws: CalendarImport.Failure.tooManyZones) {
            try CalendarImportTests.read(Self.file(zones.joined()))
        }
        let one = Self.event(1, "\(start)\r\nDESCRIPTION:\(String(repeating: "x", count: 70_000))")
        let large = try CalendarImportTests.read(Self.file(one + Self.event(2, start)))
        #expect(large.calendars.count == 1)
        #expect(large.omissions.map(\.reason) == [.tooLarge] && large.omissions[0].line == 2)
    }

    @Test("zones that each entry repeats do not make a small file large")
    func expanded() throws {
        let pad = String(repeating: "X-PAD:\(String(repeating: "x", count: 60))\r\n", count: 800)
        let zone = CalendarImportTests.zone("Own").split(separator: "\n").joined(separator: "\r\n")
            .replacing("TZID:Own", with: "TZID:Own\r\n\(pad.dropLast(2))")
        let events = (0..<2_000).map { Self.event($0, "DTSTART;TZID=Own:20261201T090000") }
        let bytes = Self.file(zone + "\r\n" + events.joined())
        #expect(bytes.count < 1 << 18)
        #expect(throws: CalendarImport.Failure.tooLarge) { try CalendarImportTests.read(bytes) }
    }

    @Test("rules that never end, or are counted to the end of time, are stored at once")
    func rules() async throws {
        let rules = [
            "FREQ=SECONDLY", "FREQ=SECONDLY;COUNT=999999", "FREQ=DAILY;COUNT=10000",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3",
            "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30;COUNT=9",
            "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=0,1,2,3,4,5;BYSETPOS=-1;COUNT=99999",
        ]
        let events = (0..<2_000).map {
            Self.event($0, "DTSTART:20261201T090000Z\r\nRRULE:\(rules[$0 % rules.count])")
        }
        try await TestCity.withAgendas(.sqlite) { city in
            let mario = try await city.person("mario")
            try await Self.bounded {
                let found = try CalendarImportTests.read(Self.file(events.joined()))
                #expect(found.calendars.count == 2_000)
                _ = try await city.agenda.merge(found.calendars, of: mario)
            }
            #expect(try await city.agenda.entries(of: mario).entries.count == 2_000)
        }
    }

    @Test("exceptions by the hundred thousand are too much for one entry")
    func exceptions() async throws {
        let all = (0..<100_000).map { "EXDATE:\(20_000_101 + $0)T090000Z\r\n" }.joined()
        let event = Self.event(1, "DTSTART:20261201T090000Z\r\nRRULE:FREQ=DAILY\r\n\(all)X:1")
        try await Self.bounded(seconds: 5) {
            let found = try CalendarImportTests.read(Self.file(event))
            #expect(found.calendars.isEmpty && found.omissions.map(\.reason) == [.tooLarge])
        }
        let many = (0..<30_000).map { _ in
            Self.event(1, "DTSTART:20261201T090000Z\r\nRECURRENCE-ID:20261201T090000Z")
        }
        try await Self.bounded(seconds: 5) {
            let found = try CalendarImportTests.read(Self.file(many.joined()))
            #expect(found.calendars.isEmpty && found.omissions.map(\.reason) == [.tooLarge])
        }
    }

    @Test("zones whose changes never come, or never end, are unknown")
    func zones() async throws {
        let observance = """
            BEGIN:STANDARD\r
            DTSTART:19700101T000000\r
            RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r
            RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30\r
            TZOFFSETFROM:+0100\r
            TZOFFSETTO:+0200\r
            END:STANDARD\r

            """
        let zones = (0..<20).map { number in
            let all = String(repeating: observance, count: 200)
            return "BEGIN:VTIMEZONE\r\nTZID:Own \(number)\r\n\(all)END:VTIMEZONE\r\n"
        }
        let events = (0..<20).map {
            Self.event($0, "DTSTART;TZID=Own \($0):20261201T090000")
        }
        try await Self.bounded(seconds: 10) {
            let found = try CalendarImportTests.read(Self.file((zones + events).joined()))
            #expect(found.calendars.isEmpty && found.omissions.count == 20)
        }
    }

    @Test("nesting, wrong UTF-8, zeros and noise are refused or kept, and end nothing")
    func noise() async throws {
        let deep = Self.file(String(repeating: "BEGIN:X\r\n", count: 10_000))
        #expect(throws: CalendarImport.Failure.self) { try CalendarImportTests.read(deep) }
        #expect(throws: CalendarImport.Failure.self) { try CalendarImportTests.read([]) }
        let start = Array("BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261201T090000Z\r\nSUMMARY:".utf8)
        let end = Array("\r\nEND:VEVENT\r\n".utf8)
        let wrong = start + [0xFF, 0xFE, 0x00, 0xC0, 0x80] + end
        let found = try CalendarImportTests.read(wrong)
        #expect(found.calendars.isEmpty && found.omissions.map(\.line) == [4])
        let raw = try CalendarImportTests.read(
            start + Array("x\r\nX-RAW:".utf8) + [0xFF, 0x00, 0x80] + end
        )
        try await TestCity.withAgendas(.sqlite) { city in
            let mario = try await city.person("mario")
            _ = try await city.agenda.merge(raw.calendars, of: mario)
            let bytes = try await city.agenda.file(of: mario).bytes
            #expect(bytes.split(separator: 0x0A).contains { $0.contains(0xFF) })
        }
    }
}
