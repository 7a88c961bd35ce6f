import Agenda
import Foundation
import HTTPTypes
import Identity
import OpenData
import Testing
import WebTestSupport

@testable import CalendarPages
@testable import WebCore

/// Issue 32, 5: "calendars are imported from files and addresses"; V89, V91.
@Suite("Importing and exporting calendars", .serialized)
struct ExchangeTests {
    /// The counts on the page after an import, by label.
    private static func counts(_ page: String) -> [String: Int] {
        var counts: [String: Int] = [:]
        for match in page.matches(
            of: /<b>([^<]*)<\/b>(?: <small>[^<]*<\/small>)?<\/span> <span class="end"><b>(\d+)/
        ) {
            counts[String(match.1)] = Int(match.2)
        }
        return counts
    }

    @Test("a file is imported: the page says what is new, replaced and left out, line by line")
    func file() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            let first = ExchangeTown.event("a", "1100", at: 1_900)
            var answer = try await pia.importFile(ExchangeTown.file(first))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(Self.counts(answer.text) == ["Added": 1, "Replaced": 0])
            let more = """
                \(first.replacing("Title a", with: "New"))
                \(ExchangeTown.event("b", "1500", at: 100))
                BEGIN:VEVENT
                UID:j
                DTSTART:20270115T100000Z
                X-VIAVAI-JOURNEY:20270115
                END:VEVENT
                BEGIN:VEVENT
                UID:c
                DTSTART;TZID=<script>alert(1)</script>:20270115T100000
                END:VEVENT
                BEGIN:VEVENT
                UID:d
                DTSTART:soon
                END:VEVENT
                """
            answer = try await pia.importFile(ExchangeTown.file(more))
            #expect(
                Self.counts(answer.text) == [
                    "Added": 1, "Replaced": 1, "Journeys planned by Viavai, left out": 1,
                    "Lines that we couldn&#39;t use": 2,
                ],
                "\(answer.text)"
            )
            #expect(answer.text.contains("Line 26: The time zone &lt;script&gt;"))
            #expect(answer.text.contains("Line 32: The value of DTSTART is wrong."))
            #expect(try await town.titles(of: number) == ["New", "Title b"])
            // The page of the list has them.
            #expect(try await pia.get("/calendar/list").text.contains("Title b"))
        }
    }

    @Test("what is no calendar is refused beside its field, and nothing is stored")
    func refused() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            let good = ExchangeTown.event("a", "1100", at: 1_900)
            let cut = ExchangeTown.file(good).dropLast("END:VCALENDAR\r\n".utf8.count)
            let many = (0...CalendarImport.entriesLimit).map {
                "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20270115T100000Z\nEND:VEVENT"
            }
            let cases: [([UInt8], String)] = [
                (Array("hello".utf8), "This is not a calendar file, which begins with"),
                (Array(cut), "The calendar is damaged. Line 1: VCALENDAR begins here"),
                (ExchangeTown.file(many.joined(separator: "\n")), "more than 2000 events"),
                ([], "Choose a file or enter an address."),
            ]
            for (bytes, words) in cases {
                let answer = try await pia.importFile(bytes)
                #expect(answer.status == 422 && answer.text.contains(words), "\(words)")
                #expect(answer.text.contains("id=\"field-file-error\""))
            }
            let large = [UInt8](repeating: 0x41, count: CalendarImport.bytesLimit + (1 << 17))
            #expect(try await pia.importFile(large).status == 413)
            let nothing = try await pia.importFile(ExchangeTown.file("X-NAME:Empty"))
            #expect(nothing.status == 200 && nothing.text.contains("The calendar has no events."))
            #expect(try await town.titles(of: number).isEmpty)
        }
    }

    @Test("a calendar that has no room stays as it was")
    func full() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            func event(_ number: Int) -> String {
                "BEGIN:VEVENT\nUID:\(number)\nDTSTART:20270115T100000Z\nEND:VEVENT"
            }
            let most = Agenda.entriesLimit - 1
            let all = try (0..<most).map { try ICalendar(ExchangeTown.file(event($0))) }
            try await town.agenda.add(all, of: number)
            let two = ExchangeTown.file("\(event(-1))\n\(event(-2))")
            let answer = try await pia.importFile(two)
            #expect(answer.status == 422 && answer.text.contains("Nothing was imported."))
            #expect(try await town.agenda.entries(of: number).entries.count == most)
        }
    }

    @Test("what is exported is imported again as it was")
    func export() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            let (ugo, other) = try await town.person("ugo")
            try await town.fillDay(of: number)
            let file = try await pia.get("/calendar/exchange/calendar.ics")
            #expect(file.status == 200)
            #expect(file.header("content-type") == "text/calendar; charset=utf-8")
            #expect(file.header("content-disposition") == "attachment; filename=\"calendar.ics\"")
            #expect(!file.text.contains("X-VIAVAI-JOURNEY"))
            let answer = try await ugo.importFile(Array(file.text.utf8))
            #expect(Self.counts(answer.text)["Added"] == 3)
            #expect(try await ugo.get("/calendar/exchange/calendar.ics").text == file.text)
            // So is what a program sees that subscribes, without the journeys.
            let feed = try await town.feed(try await town.makeAddress(pia))
            let again = try await ugo.importFile(Array(feed.text.utf8))
            #expect(Self.counts(again.text)["Replaced"] == 3)
            #expect(Self.counts(again.text)["Journeys planned by Viavai, left out"] == 5)
            #expect(try await town.titles(of: other) == ["Title a", "Title b", "Errand"])
        }
    }

    @Test("a calendar is imported from an address, once, and through a few redirections")
    func address() async throws {
        try await ExchangeTown.open(importsFromHere: true) { town in
            let (pia, number) = try await town.person()
            let file = ExchangeTown.file(ExchangeTown.event("a", "1100", at: 1_900))
            let large = [UInt8](repeating: 0x41, count: CalendarImport.bytesLimit + 1)
            func leading(_ path: StaticString, _ name: StaticString, to target: String) -> Route {
                .get(path, as: name, for: .anonymous) { _ in
                    Response(.found, headers: [.location: target])
                }
            }
            let routes: [Route] = [
                .get("/calendar/test/one.ics", as: "test.one", for: .anonymous) { _ in
                    Response(type: "text/calendar", bytes: file)
                },
                .get("/calendar/test/large.ics", as: "test.large", for: .anonymous) { _ in
                    Response(type: "text/calendar", bytes: large)
                },
                .get("/calendar/test/page", as: "test.page", for: .anonymous) { _ in
                    .text("<html>Sign in</html>")
                },
                leading("/calendar/test/moved", "test.moved", to: "one.ics"),
                leading("/calendar/test/loop", "test.loop", to: "/calendar/test/loop"),
                leading("/calendar/test/away", "test.away", to: "file:///etc/passwd"),
                leading("/calendar/test/inside", "test.inside", to: "http://10.0.0.1/a.ics"),
            ]
            // The test goes on only after the closure has ended.
            nonisolated(unsafe) let visitor = pia
            try await town.site.withFurtherRoutes(routes) { base, _ in
                let pia = visitor
                for path in ["one.ics", "moved"] {
                    let answer = try await pia.importCalendar(from: "\(base)/calendar/test/\(path)")
                    #expect(answer.status == 200, "\(path): \(answer.text)")
                }
                #expect(try await town.titles(of: number) == ["Title a"])
                let refused = [
                    ("large.ics", "too large"), ("page", "not a calendar file"),
                    ("loop", "redirects us too often"), ("away", "We can&#39;t reach"),
                    ("inside", "We can&#39;t reach"), ("none", "(status 404)"),
                ]
                for (path, words) in refused {
                    let answer = try await pia.importCalendar(from: "\(base)/calendar/test/\(path)")
                    #expect(answer.status == 422 && answer.text.contains(words), "\(path)")
                    #expect(answer.text.contains("id=\"field-address-error\""), "\(path)")
                }
            }
            let both = try await pia.submit(
                ["address": "https://calendars.example/a.ics"],
                on: "/calendar/exchange"
            )
            // No such host: what was typed stays in the form.
            #expect(both.status == 422 && both.text.contains("calendars.example/a.ics"))
        }
    }

    @Test("addresses are of https or webcal, have a host, and neither user nor fragment")
    func spelling() {
        func url(_ text: String, allowsPlain: Bool = false) -> String? {
            CalendarAddress(text, allowsPlain: allowsPlain)?.url
        }
        #expect(url("https://a.example/b?c=d#e") == "https://a.example/b?c=d")
        #expect(url("WebCal://a.example/b") == "https://a.example/b")
        #expect(url("webcals://a.example:8443") == "https://a.example:8443")
        #expect(url("http://a.example", allowsPlain: true) == "http://a.example")
        for wrong in [
            "", "a.example", "http://a.example", "ftp://a.example", "file:///etc/passwd",
            "https:a.example", "https:///b", "https://:443/", "https://u:p@a.example/",
            "https://u@a.example", "https://a.example/a b", "https://a.example\\b",
            "https://è.example", "https://a.example/\n", "gopher://a.example", "webcal:a",
            "https://\(String(repeating: "a", count: 2_000))",
        ] {
            #expect(url(wrong) == nil, "\(wrong)")
        }
        let base = CalendarAddress("https://a.example/b/c", allowsPlain: false)
        func next(_ location: String) -> String? {
            base?.following(location, allowsPlain: false)?.url
        }
        #expect(next("d.ics") == "https://a.example/b/d.ics")
        #expect(next("/d") == "https://a.example/d")
        #expect(next("//b.example/d") == "https://b.example/d")
        #expect(next("webcal://b.example/d") == "https://b.example/d")
        #expect(next("http://a.example/d") == nil)
        #expect(next("https://u@a.example/d") == nil)
    }
}
