import Chronology
import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import OpenData

/// RFC 5545, 3.1, and RFC 6868: content lines, of which nothing is lost.
@Suite("iCalendar files that we read")
struct ICalendarReadingTests {
    /// A calendar with these lines within one event.
    private static func calendar(_ lines: String...) throws -> ICalendar {
        let all =
            ["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR", ""]
        return try ICalendar(Array(all.joined(separator: "\r\n").utf8))
    }

    private static func event(_ calendar: ICalendar) throws -> ICalendarComponent {
        try #require(calendar.components("VEVENT").first)
    }

    @Test("lines are unfolded by bytes, even within a character (3.1)")
    func folds() throws {
        var bytes = Array("BEGIN:VEVENT\r\nSUMMARY:per".utf8)
        bytes += [0xC3] + Array("\r\n ".utf8) + [0xB2] + Array("\r\n\t!\n x\nEND:VEVENT\n".utf8)
        let calendar = try ICalendar(bytes)
        #expect(try Self.event(calendar).property("SUMMARY")?.text() == "però!x")
        #expect(calendar.bytes == bytes)
    }

    @Test("names and parameters are read, whatever their case")
    func parameters() throws {
        let calendar = try Self.calendar(
            #"attendee;Cn="Rossi; Anna: \"#
                + #"";x-list=a,"b,c";MEMBER="mailto:x@y":mailto:anna@example.org"#
        )
        let property = try #require(try Self.event(calendar).property("ATTENDEE"))
        #expect(property.parameter("CN") == #"Rossi; Anna: \"#)
        #expect(property.parameters[1].values == ["a", "b,c"])
        #expect(property.value.elementsEqual("mailto:anna@example.org".utf8))
        #expect(property.line == 3)
    }

    @Test("circumflexes encode what a parameter cannot contain (RFC 6868)")
    func circumflexes() throws {
        let calendar = try Self.calendar("X-A;P=George ^'Babe^' Ruth^nat ^^home^x:v")
        let text = try Self.event(calendar).property("X-A")?.parameter("P")
        #expect(text == "George \"Babe\" Ruth\nat ^home^x")
        let written = ICalendarProperty(
            "X-A",
            [ICalendarParameter("P", text ?? "", "a;b")],
            value: "v"
        )
        var component = ICalendarComponent("VEVENT", [written])
        component.set(ICalendarProperty("SUMMARY", text: "s"))
        let read = try ICalendar(ICalendar([component]).bytes)
        #expect(try Self.event(read).property("X-A")?.parameters == written.parameters)
    }

    @Test("texts are read as they were written (3.3.11)")
    func texts() throws {
        let calendar = try Self.calendar(
            #"DESCRIPTION:a\, b\; c\\ d\ne\Nf C:\temp"#,
            #"CATEGORIES:work,one\,two"#
        )
        let event = try Self.event(calendar)
        #expect(try event.property("DESCRIPTION")?.text() == "a, b; c\\ d\ne\nf C:\\temp")
        #expect(try event.property("CATEGORIES")?.texts() == ["work", "one,two"])
    }

    @Test("a change writes that line anew and leaves all other bytes")
    func changes() throws {
        let calendar = try Self.calendar(
            "SUMMARY:old",
            "X-UNKNOWN;A=\"b\":c",
            " folded",
            "",
            "BEGIN:VALARM",
            "X-ODD:1",
            "TRIGGER:-PT15M",
            "END:VALARM"
        )
        var event = try Self.event(calendar)
        event.set(
            ICalendarProperty("SUMMARY", text: "new, and long " + String(repeating: "x", count: 80))
        )
        event.set(ICalendarProperty("STATUS", value: "CONFIRMED"))
        let text = String(decoding: ICalendar([event]).bytes, as: UTF8.self)
        let fold = String(repeating: "x", count: 52)
        #expect(
            text
                == """
                BEGIN:VEVENT
                SUMMARY:new\\, and long \(fold)
                 \(String(repeating: "x", count: 28))
                X-UNKNOWN;A="b":c
                 folded
                STATUS:CONFIRMED

                BEGIN:VALARM
                X-ODD:1
                TRIGGER:-PT15M
                END:VALARM
                END:VEVENT

                """.replacing("\n", with: "\r\n")
        )
    }

    @Test(
        "files are refused by line with the reason",
        arguments: [
            ("", 1, "has no component"), ("hello", 1, "has no component"),
            ("BEGIN:VCALENDAR\nEND:VEVENT\n", 2, "the end of a component"),
            ("END:VCALENDAR\n", 1, "the end of a component"),
            ("\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\n", 2, "VCALENDAR begins"),
        ]
    )
    func refusals(text: String, line: Int, reason: String) throws {
        let failure = #expect(throws: ICalendarFailure.self) { try ICalendar(Array(text.utf8)) }
        #expect(failure?.line == line)
        #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
    }

    @Test("lines that are no properties stay, and are named")
    func unreadable() throws {
        let calendar = try Self.calendar("no colon", "X;A:1", "X;A=\"b:1", ":v", "SUMMARY:s")
        #expect(calendar.unreadable.map(\.line) == [3, 4, 5, 6])
        #expect(String(decoding: calendar.bytes, as: UTF8.self).contains("\r\nX;A=\"b:1\r\n"))
        #expect(try Self.event(calendar).property("SUMMARY")?.text() == "s")
    }

    @Test("text that is not UTF-8 survives, and is refused where it is read")
    func badText() throws {
        let bytes =
            Array("BEGIN:VEVENT\nUID:1\nDTSTART:20260101\nSUMMARY:".utf8) + [0xE9, 0xFF]
            + Array("\nEND:VEVENT".utf8)
        let calendar = try ICalendar(bytes)
        #expect(calendar.bytes == bytes)
        var zones = ICalendarZones(calendar)
        let failures = calendar.series(&zones).failures
        #expect(failures == [ICalendarFailure(line: 4, problem: .notUTF8("SUMMARY"))])
    }

    private static let isThere = RealData.has("ics/holidays/ItalianHolidays.ics")

    @Test(
        "every real calendar is written as it was read, or refused by line",
        .enabled(if: isThere, RealData.advice)
    )
    func realCalendars() throws {
        let walk = try #require(
            FileManager.default.enumerator(atPath: RealData.url("ics").path)
        )
        var read = 0
        var refused: [String] = []
        var series = 0
        for case let name as String in walk where name.hasSuffix(".ics") {
            let bytes = Array(try Data(contentsOf: RealData.url("ics/" + name)))
            let calendar: ICalendar
            do {
                calendar = try ICalendar(bytes)
            } catch {
                #expect(error.line > 0)
                refused.append("\(name): \(error)")
                continue
            }
            #expect(calendar.bytes == bytes, "\(name)")
            read += 1
            var zones = ICalendarZones(calendar)
            let (all, failures) = calendar.series(&zones)
            series += all.count
            #expect(failures.allSatisfy { $0.line > 0 && !$0.description.isEmpty })
            let span = Instant(seconds: 0)..<Instant(seconds: 2_000_000_000)
            for one in all {
                _ = one.set?.occurrences(in: span, observer: .utc, limit: 100)
                try Self.writeAnew(one.item)
            }
        }
        #expect(read > 200)
        #expect(series > 1_000)
        #expect(refused.count < 30, "\(refused.joined(separator: "\n"))")
    }

    /// Content that was read and is written anew keeps its meaning.
    private static func writeAnew(_ item: ICalendarItem) throws {
        let properties = item.component.properties.map {
            ICalendarProperty(
                $0.name,
                $0.parameters,
                value: String(decoding: $0.value, as: UTF8.self)
            )
        }
        var component = ICalendarComponent(item.component.name, properties)
        component.entries += item.component.components.map { .component($0) }
        let read = try ICalendar(ICalendar([component]).bytes)
        let again = try ICalendarItem(try #require(read.components.first))
        #expect(again.start == item.start)
        #expect(again.end == item.end)
        #expect(again.rules == item.rules)
        #expect(again.summary == item.summary)
        #expect(again.description == item.description)
        #expect(again.categories == item.categories)
        #expect(again.relations == item.relations)
    }
}
