import Chronology
import Testing

@testable import OpenData

/// RFC 5545: what a calendar program imports.
@Suite("iCalendar files that we write")
struct ICalendarWriterTests {
    private static let event = ICalendarEvent(
        identifier: "a@example.org",
        written: Instant(seconds: 1_795_765_320),
        start: Instant(seconds: 1_795_765_320),
        end: Instant(seconds: 1_795_767_480),
        summary: "To the station"
    )

    private static func text(_ event: ICalendarEvent) -> String {
        let bytes = ICalendarWriter.file([event], product: "-//Viavai//Trips//EN")
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("times are in UTC, and each line ends with CR and LF (3.1, 3.3.5)")
    func plain() {
        let expected = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Viavai//Trips//EN", "BEGIN:VEVENT",
            "UID:a@example.org", "DTSTAMP:20261127T074200Z", "DTSTART:20261127T074200Z",
            "DTEND:20261127T081800Z", "SUMMARY:To the station", "END:VEVENT", "END:VCALENDAR", "",
        ]
        #expect(Self.text(Self.event) == expected.joined(separator: "\r\n"))
    }

    @Test("special characters are escaped, other control characters left out (3.3.11)")
    func escaping() {
        var event = Self.event
        event.location = "Via Dante, 7; \\ bell\u{7}"
        event.description = "first\nsecond"
        let text = Self.text(event)
        #expect(text.contains("\r\nLOCATION:Via Dante\\, 7\\; \\\\ bell\r\n"))
        #expect(text.contains("\r\nDESCRIPTION:first\\nsecond\r\n"))
    }

    @Test("lines have at most 75 bytes, and no character is divided (3.1)")
    func folding() {
        var event = Self.event
        event.summary = String(repeating: "però €🚋 ", count: 40)
        let bytes = ICalendarWriter.file([event], product: "p")
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(!text.contains("\u{FFFD}"))
        let unfolded = text.replacing("\r\n ", with: "")
        #expect(unfolded.contains("SUMMARY:\(event.summary)"))
    }
}
