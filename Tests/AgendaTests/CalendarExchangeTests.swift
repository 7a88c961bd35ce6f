import Chronology
import Foundation
import Identity
import IdentityTestSupport
import OpenData
import SeededRandom
import StorageTestSupport
import TestSupport
import Testing

@testable import Agenda

/// V89 and issue 32: what is exported is imported again as it was, whatever programs write.
@Suite("Exchange of calendars", .serialized)
struct CalendarExchangeTests {
    /// The components of an entry as bytes, without the file around them.
    private static func parts(_ entry: AgendaEntry) -> Set<[UInt8]> {
        Set(entry.calendar.entryComponents.map { ICalendar([$0]).bytes })
    }

    /// An entry with lines that this program does not understand, some folded within a character.
    private static func odd(_ number: Int, _ random: inout SeededRandom) -> String {
        let zone = ["", ";TZID=Europe/Rome", ";TZID=Own \(random.next() % 3)"].randomElement(
            using: &random
        )
        let day = 1 + Int(random.next() % 28)
        let hour = 10 + Int(random.next() % 10)
        let further = [
            "RRULE:FREQ=WEEKLY;COUNT=\(2 + random.next() % 5)", "X-ODD;A=\"b;c,d\";B=^n^':e\\,f\\;",
            "SUMMARY;LANGUAGE=it:Caffè e t\r\n è", "ATTENDEE;CN=\"Ada\":mailto:ada@example.com",
            "BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nACTION:DISPLAY\r\nX-\u{9}Y:\tz\r\nEND:VALARM",
            "this is no property", "DESCRIPTION:" + String(repeating: "lung\r\n\to", count: 9),
            "TRANSP:TRANSPARENT", "\r\nX-AFTER-BLANK:1",
        ].filter { _ in random.next() % 3 == 0 }
        let start = "DTSTART\(zone ?? ""):202612\(day < 10 ? "0" : "")\(day)T\(hour)0000"
        return
            (["BEGIN:VEVENT", "UID:odd-\(number)", start] + further + ["END:VEVENT", ""])
            .joined(separator: "\r\n")
    }

    @Test("import(export) keeps every entry byte for byte, and export(import) every file")
    func roundTrip() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            var random = SeededRandom(seed: 32)
            let agenda = city.agenda
            for round in 0..<20 {
                let (one, other) = (
                    try await city.person("one\(round)"), try await city.person("two\(round)")
                )
                let zones = (0..<3).map {
                    CalendarImportTests.zone("Own \($0)", "+0\(random.next() % 9)00")
                }
                var bytes = Sample.file("BEGIN:VCALENDAR\n\(zones.joined(separator: "\n"))")
                for number in 0..<30 { bytes += Array(Self.odd(number, &random).utf8) }
                // Wrong UTF-8 within a comment, and a fold within a character.
                bytes += Sample.file("BEGIN:VEVENT\nUID:raw\nDTSTART:20261201T090000Z").dropLast(2)
                bytes += Array("\r\nX-RAW:a".utf8) + [0xFF, 0xC3, 0x0D, 0x0A, 0x20, 0xA8]
                bytes += Array("\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
                let found = try CalendarImportTests.read(bytes)
                #expect(found.calendars.count == 31)
                _ = try await agenda.merge(found.calendars, of: one)
                let file = try await agenda.file(of: one).bytes
                let again = try CalendarImportTests.read(file)
                let merge = try await agenda.merge(again.calendars, of: other)
                #expect(merge.addedCount == 31)
                let before = try await agenda.entries(of: one).entries
                let after = try await agenda.entries(of: other).entries
                #expect(before.map(Self.parts) == after.map(Self.parts))
                #expect(before.map(\.times) == after.map(\.times))
                #expect(try await agenda.file(of: other).bytes == file)
            }
        }
    }

    /// All calendars among the real data, by path.
    private static let files: [String] = {
        let folder = RealData.url("ics")
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
        return (all ?? []).filter { $0.hasSuffix(".ics") }.sorted()
    }()

    @Test(
        "every calendar of other projects is imported, or refused by line, in bounded time",
        .enabled(if: !files.isEmpty, RealData.advice)
    )
    func real() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let agenda = city.agenda
            var (imported, refused, lines) = (0, 0, 0)
            for (number, path) in Self.files.enumerated() {
                let bytes = Array(try Data(contentsOf: RealData.url("ics/\(path)")))
                let start = ContinuousClock.now
                do {
                    let found = try CalendarImportTests.read(bytes)
                    // Not many register from the same network at a time.
                    let moment = TestCity.start.adding(seconds: Int64(number) * 86_400)
                    let owner = try await city.person("person\(number)", at: moment)
                    let merge = try await agenda.merge(found.calendars, of: owner)
                    #expect(merge.addedCount == found.calendars.count, "\(path)")
                    let count = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count
                    #expect(
                        found.omissions.allSatisfy { (1...count).contains($0.line) },
                        "\(path): \(found.omissions)"
                    )
                    // Nothing vanishes silently: what is not an entry is named.
                    if found.calendars.isEmpty, ICalendarItemCount.items(bytes) > 0 {
                        #expect(!found.omissions.isEmpty, "\(path)")
                    }
                    lines += found.omissions.count
                    imported += found.calendars.isEmpty ? 0 : 1
                    let again = try await agenda.merge(found.calendars, of: owner)
                    #expect(again.replacedCount == found.calendars.count, "\(path)")
                } catch let failure as CalendarImport.Failure {
                    guard case .unreadable = failure else {
                        Issue.record("\(path): \(failure)")
                        continue
                    }
                    refused += 1
                }
                let passed = ContinuousClock.now - start
                #expect(passed < .seconds(60), "\(path): \(passed)")
            }
            #expect(imported > 130 && refused < 30, "\(imported), \(refused), \(lines)")
        }
    }
}

/// How many events and tasks a file seems to have.
private enum ICalendarItemCount {
    static func items(_ bytes: [UInt8]) -> Int {
        let text = String(decoding: bytes, as: UTF8.self).uppercased()
        return text.split(whereSeparator: \.isNewline).count {
            $0.hasPrefix("BEGIN:VEVENT") || $0.hasPrefix("BEGIN:VTODO")
        }
    }
}
