import Agenda
import Foundation
import Identity
import Localization
import OpenData
import Storage
import TestClock
import Testing
import WebApp
import WebTestSupport

/// Issue 32, 5: "any calendar program can subscribe to a secret address and sees events and
/// journeys, read-only".
@Suite("Subscribing to a calendar", .serialized)
struct SubscriptionTests {
    @Test("the address is shown as long as it works, which ends when it is renewed or revoked")
    func life() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            let page = try await pia.get("/calendar/exchange")
            #expect(page.status == 200 && !page.text.contains("/calendar/feed/"))
            let first = try await town.makeAddress(pia)
            #expect(try await town.address(pia) == first)
            // Making it again, as with a double click, keeps it.
            #expect(try await town.makeAddress(pia) == first)
            let program = town.site.visitor()
            #expect(try await program.get(first).status == 200)
            #expect(program.cookie("session") == nil)
            var sent = try await pia.submit(
                [:],
                on: "/calendar/exchange",
                to: "/calendar/exchange/renew"
            )
            #expect(sent.header("location") == "/calendar/exchange?notice=renewed")
            let second = try await town.address(pia)
            #expect(second != first)
            #expect(try await program.get(first).status == 404)
            #expect(try await program.get(second).status == 200)
            sent = try await pia.submit(
                [:],
                on: "/calendar/exchange",
                to: "/calendar/exchange/revoke"
            )
            #expect(sent.header("location") == "/calendar/exchange?notice=revoked")
            #expect(try await program.get(second).status == 404)
            let after = try await pia.get("/calendar/exchange?notice=revoked")
            #expect(!after.text.contains("/calendar/feed/"))
            #expect(after.text.contains("The address no longer works."))
            // The calendar itself stays.
            try await town.fillDay(of: number)
            #expect(try await town.titles(of: number).count == 3)
        }
    }

    @Test("a program sees all entries byte for byte, the journeys, and tasks at their times")
    func content() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            try await town.fillDay(of: number)
            let path = try await town.makeAddress(pia)
            let answer = try await town.feed(path)
            #expect(answer.status == 200)
            #expect(answer.header("content-type") == "text/calendar; charset=utf-8")
            #expect(answer.header("cache-control") == "private, no-store")
            #expect(answer.header("referrer-policy") == "no-referrer")
            #expect(answer.header("set-cookie") == nil)
            for entry in try await town.agenda.entries(of: number).entries {
                let inner = entry.calendar.components.flatMap(\.components)
                for component in inner {
                    let bytes = ICalendar([component]).bytes
                    #expect(answer.text.contains(String(decoding: bytes, as: UTF8.self)))
                }
            }
            #expect(answer.text.contains("REFRESH-INTERVAL;VALUE=DURATION:PT30M\r\n"))
            #expect(answer.text.contains("X-WR-CALNAME:Viavai\r\n"))
            let calendar = try ICalendar(Array(answer.text.utf8))
            #expect(calendar.unreadable.isEmpty && calendar.components.count == 1)
            let added = calendar.components("VEVENT").filter {
                $0.property("X-VIAVAI-JOURNEY") != nil
            }
            let titles = try added.map { try $0.property("SUMMARY")?.text() ?? "" }
            #expect(
                titles == [
                    "Journey to Title a", "Journey to Errand", "Journey to Title b",
                    "Journey to Home", "Errand",
                ],
                "\(answer.text)"
            )
            for event in added {
                #expect(try event.property("TRANSP")?.text() == "OPAQUE")
                let related = try event.property("RELATED-TO")?.text() ?? ""
                #expect(["a", "b", "errand"].contains(related))
            }
            // A journey says how and where: a line for each leg, and one for the end.
            let words = try #require(try added[0].property("DESCRIPTION")?.text())
            #expect(words.contains(/^\d\d:\d\d .+: .+\n/), "\(words)")
            // Only the person's own page has the same journeys.
            let day = try await pia.get("/calendar")
            #expect(day.text.contains("Title a"))
        }
    }

    @Test("what has not changed is not sent again, and a change is")
    func unchanged() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            try await town.fillDay(of: number)
            let path = try await town.makeAddress(pia)
            let tag = try #require(try await town.feed(path).header("etag"))
            town.site.clock.advance(seconds: 60)
            let headers = ["if-none-match": tag]
            let same = try await town.feed(path, headers: headers)
            #expect(same.status == 304 && same.text.isEmpty && same.header("etag") == tag)
            let event = ExchangeTown.event("a", "1130", at: 1_900)
            try await town.agenda.add([ICalendar(ExchangeTown.file(event))], of: number)
            let changed = try await town.feed(path, headers: headers)
            #expect(changed.status == 200 && changed.header("etag") != tag)
            #expect(changed.text.contains("20270115T113000"))
        }
    }

    @Test("nobody without the address reads a calendar, and each address is of one person")
    func others() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            let (ugo, other) = try await town.person("ugo")
            try await town.fillDay(of: number)
            let path = try await town.makeAddress(pia)
            let his = try await town.makeAddress(ugo)
            #expect(path != his)
            let answer = try await town.site.visitor().get(his)
            #expect(answer.status == 200 && !answer.text.contains("BEGIN:VEVENT"))
            let wrong = [
                "/calendar/feed/\(String(repeating: "0", count: 40)).ics",
                path.replacing(".ics", with: ""), path.replacing(".ics", with: ".ICS"),
                path.dropLast(5) + "g.ics", path.replacing(".ics", with: "0.ics"),
                "/calendar/feed/.ics", "/calendar/feed/%00.ics", path.uppercased(),
            ]
            for path in wrong {
                let answer = try await town.site.visitor().get(path)
                #expect(answer.status == 404, "\(path)")
                #expect(!answer.text.contains("Title a"))
            }
            // It is read-only.
            #expect([404, 405].contains(try await ugo.post(path, [:]).status))
            #expect(try await ugo.get("/calendar/exchange").text.contains(path) == false)
            let export = try await ugo.get("/calendar/exchange/calendar.ics")
            #expect(export.status == 200 && !export.text.contains("Title a"))
            #expect(try await town.titles(of: other).isEmpty)
            #expect(try await town.site.visitor().get("/calendar/exchange").status == 303)
        }
    }

    @Test("it ends with the account, and while the account is suspended")
    func gone() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            let path = try await town.makeAddress(pia)
            let accounts = town.site.installation.accounts
            func suspend(_ isSuspended: Bool) async throws {
                try await accounts.data.write { transaction in
                    try transaction.execute(
                        """
                        UPDATE person SET suspended = \(isSuspended ? 1 : 0)
                        WHERE number = \(number)
                        """
                    )
                }
            }
            try await suspend(true)
            #expect(try await town.site.visitor().get(path).status == 404)
            try await suspend(false)
            #expect(try await town.site.visitor().get(path).status == 200)
            try await accounts.destroy([number], at: town.site.clock.now)
            #expect(try await town.site.visitor().get(path).status == 404)
        }
    }

    @Test("a database without the secret reveals no address")
    func stolen() async throws {
        try await ExchangeTown.open { town in
            let (pia, _) = try await town.person()
            let path = try await town.makeAddress(pia)
            let token = path.dropFirst("/calendar/feed/".count).dropLast(".ics".count)
            let bytes = stride(from: 0, to: token.count, by: 2).compactMap { place in
                UInt8(token.dropFirst(place).prefix(2), radix: 16)
            }
            let rows = try await town.site.installation.database.read { transaction in
                try transaction.rows("SELECT * FROM agenda")
            }
            #expect(rows.count == 1 && bytes.count == 20)
            for value in rows.flatMap(\.values) {
                if case .bytes(let stored) = value {
                    #expect(!stored.isEmpty && Data(stored).range(of: Data(bytes)) == nil)
                }
            }
        }
    }

    @Test("a program that asks without a pause is slowed down, and the others are not")
    func rate() async throws {
        try await ExchangeTown.open { town in
            let (pia, _) = try await town.person()
            let (ugo, _) = try await town.person("ugo")
            let (path, other) = (try await town.makeAddress(pia), try await town.makeAddress(ugo))
            var answers: [Int] = []
            for _ in 0..<12 { answers.append(try await town.site.visitor().get(path).status) }
            #expect(answers == Array(repeating: 200, count: 10) + [429, 429])
            #expect(try await town.site.visitor().get(other).status == 200)
            town.site.clock.advance(seconds: 2)
            #expect(try await town.site.visitor().get(path).status == 200)
        }
    }

    @Test("the texts of the feed are in the language of the account")
    func language() async throws {
        try await ExchangeTown.open { town in
            let (pia, number) = try await town.person()
            try await town.fillDay(of: number)
            let path = try await town.makeAddress(pia)
            var change = ProfileChange()
            change.language = .italian
            try await town.site.installation.accounts.change(
                change,
                of: number,
                at: town.site.clock.now
            )
            #expect(try await town.feed(path).text.contains("SUMMARY:Spostamento per Title a"))
        }
    }
}
