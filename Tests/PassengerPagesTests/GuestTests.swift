import Dispatching
import Identity
import Localization
import Storage
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md R40, C2, G9, R68; tested as an attacker on each endpoint.
@Suite("Guests", .serialized)
struct GuestTests {
    /// Requests a code, and reads it from the message.
    private static func code(
        _ town: RideTown,
        _ visitor: Visitor,
        _ contact: String
    ) async throws -> String {
        let sent = try await visitor.submit(["contact": contact], on: "/taxi/guest")
        #expect(sent.header("location") == "/taxi/code", "\(sent.text)")
        let message = try #require(try await town.site.message(.guestCode))
        return try #require(message.facts["code"])
    }

    @Test(
        "a guest proves a number or an address by a code, calls, follows and cancels (R40, G9)",
        arguments: TestEngine.allCases,
        ["+39 333 7654321", "Ana@Example.org"]
    )
    func proves(engine: TestEngine, contact: String) async throws {
        try await RideTown.open(.viavai, on: engine) { town in
            let guest = town.site.visitor()
            let check = try await town.fill(guest, ["from": RideTown.typed(500), "seats": "1"])
            #expect(check.text.contains("href=\"/taxi/guest\""))
            #expect(!check.text.contains("/taxi/request"))
            let code = try await Self.code(town, guest, contact)
            let message = try await town.site.message(.guestCode)
            #expect(message?.to == (contact.contains("@") ? "ana@example.org" : "+393337654321"))
            let old = guest.cookie("session")
            let proved = try await guest.submit(["code": code], on: "/taxi/code")
            #expect(proved.header("location") == "/taxi/check", "\(proved.text)")
            // An attacker who planted the old session secret gains nothing.
            #expect(guest.cookie("session") != old)
            let sent = try await town.confirm(guest)
            let path = try #require(sent.header("location"), "\(sent.text)")
            #expect(try await guest.get(path).text.contains("Asking the first taxi in line"))
            let thief = town.site.visitor()
            thief.plant("session", old ?? "")
            #expect(try await thief.get(path).status == 404)
            let done = try await guest.submit([:], on: path + "/cancel")
            #expect(done.header("location") == path)
            #expect(try await guest.get(path).text.contains("You have cancelled it"))
        }
    }

    @Test("R68: the same contact in another browser is the same guest, led to the ride")
    func sameContact() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let one = town.site.visitor()
            _ = try await town.fill(one, ["from": RideTown.typed(500), "seats": "1"])
            let first = try await Self.code(town, one, "333 7654321")
            _ = try await one.submit(["code": first], on: "/taxi/code")
            let path = try #require(try await town.confirm(one).header("location"))
            let two = town.site.visitor()
            let second = try await Self.code(town, two, "+39 333 76 54 321")
            let proved = try await two.submit(["code": second], on: "/taxi/code")
            #expect(proved.header("location") == path)
            #expect(try await two.get(path).status == 200)
            #expect(try await town.taxi.dispatch.read { $0.requestCount } == 1)
        }
    }

    @Test("a code is good five times, once, for fifteen minutes, in its own browser only")
    func codes() async throws {
        try await RideTown.open(.viavai) { town in
            let guest = town.site.visitor()
            #expect(try await guest.get("/taxi/code").header("location") == "/taxi/guest")
            let code = try await Self.code(town, guest, "ana@example.org")
            #expect(code.count == 8)
            let other = town.site.visitor()
            _ = try await other.submit(["contact": "ugo@example.org"], on: "/taxi/guest")
            let foreign = try await other.submit(["code": code], on: "/taxi/code")
            #expect(foreign.status == 422)
            let wrong = code == "00000000" ? "00000001" : "00000000"
            for _ in 0..<4 {
                let refused = try await guest.submit(["code": wrong], on: "/taxi/code")
                #expect(refused.status == 422)
                #expect(refused.text.contains("not the latest code that we sent"))
            }
            let spaced = "\(code.prefix(4)) \(code.suffix(4))"
            let proved = try await guest.submit(["code": spaced], on: "/taxi/code")
            #expect(proved.status == 303)
            let again = try await guest.get("/taxi/code")
            #expect(again.header("location") == "/taxi/guest")
            // After five wrong codes it is invalid, even for the right one.
            let unlucky = town.site.visitor()
            let lost = try await Self.code(town, unlucky, "eva@example.org")
            let miss = lost == "00000000" ? "00000001" : "00000000"
            let page = try await unlucky.get("/taxi/code")
            let form = try #require(
                FoundForm.all(in: page.text, on: "").first { $0.action == "/taxi/code" }
            )
            var fields = form.fields
            fields["code"] = miss
            for _ in 0..<5 { _ = try await unlucky.post(form.action, fields) }
            fields["code"] = lost
            let late = try await unlucky.post(form.action, fields)
            #expect(late.header("location") == "/taxi/guest")
            // It expires, too.
            let slow = town.site.visitor()
            let stale = try await Self.code(town, slow, "leo@example.org")
            let open = try await slow.get("/taxi/code")
            let last = try #require(
                FoundForm.all(in: open.text, on: "").first { $0.action == "/taxi/code" }
            )
            town.site.clock.advance(seconds: 900)
            var sent = last.fields
            sent["code"] = stale
            #expect(try await slow.post(last.action, sent).header("location") == "/taxi/guest")
        }
    }

    @Test("a contact gets three codes an hour, an address a hundred; nobody learns which is known")
    func rates() async throws {
        try await RideTown.open(.viavai) { town in
            func count() -> Int { town.site.count(.guestCode) }
            var pages: Set<String> = []
            for round in 1...5 {
                let guest = town.site.visitor()
                let sent = try await guest.submit(
                    ["contact": "ana@example.org"],
                    on: "/taxi/guest"
                )
                #expect(sent.header("location") == "/taxi/code")
                #expect(count() == min(round, 3))
                let page = try await guest.get("/taxi/code").text
                pages.insert(page.replacing(/value="[0-9a-f]{32,}"/, with: ""))
            }
            #expect(pages.count == 1)
            for number in 5..<100 {
                try await town.site.accounts.sendGuestCode(
                    to: "guest\(number)@example.org",
                    by: .email,
                    for: .random(),
                    language: .english,
                    from: ClientAddress("127.0.0.1"),
                    at: town.site.clock.now
                )
            }
            let guest = town.site.visitor()
            let refused = try await guest.submit(["contact": "x@example.org"], on: "/taxi/guest")
            #expect(refused.status == 422)
            #expect(refused.text.contains("Too many codes were requested from your network"))
            let before = count()
            town.site.clock.advance(seconds: 3_601)
            _ = try await guest.submit(["contact": "ana@example.org"], on: "/taxi/guest")
            #expect(count() == before + 1)
        }
    }

    @Test("who asks for more codes than there are may still enter the last one that came")
    func last() async throws {
        try await RideTown.open(.viavai) { town in
            let guest = town.site.visitor()
            _ = try await town.fill(guest, ["from": RideTown.typed(500), "seats": "1"])
            var code = ""
            for _ in 1...5 { code = try await Self.code(town, guest, "ana@example.org") }
            #expect(town.site.count(.guestCode) == 3)
            let proved = try await guest.submit(["code": code], on: "/taxi/code")
            #expect(proved.header("location") == "/taxi/check", "\(proved.text)")
        }
    }

    @Test("a contact that nobody proves is forgotten in an hour, but not while a code is awaited")
    func unproved() async throws {
        try await RideTown.open(.viavai) { town in
            let guest = town.site.visitor()
            _ = try await Self.code(town, guest, "ana@example.org")
            town.site.clock.advance(seconds: 3_500)
            let code = try await Self.code(town, guest, "ana@example.org")
            town.site.clock.advance(seconds: 200)
            let accounts = town.site.accounts
            #expect(try await accounts.sweep(at: town.site.clock.now).guests == 0)
            let proved = try await guest.submit(["code": code], on: "/taxi/code")
            #expect(proved.status == 303, "\(proved.text)")
            _ = try await Self.code(town, town.site.visitor(), "ugo@example.org")
            town.site.clock.advance(seconds: 3_600)
            let swept = try await accounts.sweep(at: town.site.clock.now)
            #expect(swept.guests == 1)
        }
    }

    @Test("a guest who may no longer confirm is led to a new proof, with the order kept (C2)")
    func rulesChanged() async throws {
        try await RideTown.open(.milanoA) { town in
            let guest = town.site.visitor()
            let shown = try await town.fill(
                guest,
                ["from": RideTown.typed(500), "to": RideTown.typed(900), "seats": "1"]
            )
            let form = try #require(
                FoundForm.all(in: shown.text, on: "").first { $0.action == "/taxi/request" }
            )
            _ = try await town.taxi.dispatch.give(.adopt(.viavai))
            let sent = try await guest.post(form.action, form.fields)
            #expect(sent.header("location") == "/taxi/check", "\(sent.text)")
            let check = try await guest.get("/taxi/check")
            #expect(check.text.contains("href=\"/taxi/guest\""))
            #expect(try await town.taxi.dispatch.read { $0.requestCount } == 0)
        }
    }

    @Test("what is no number and no address is asked again")
    func invalid() async throws {
        try await RideTown.open(.viavai) { town in
            let guest = town.site.visitor()
            for contact in ["", "ana", "ana@", "12", "+39 abc", "a\r\nb@example.org"] {
                let refused = try await guest.submit(["contact": contact], on: "/taxi/guest")
                #expect(refused.status == 422, "\(contact)")
                #expect(refused.text.contains("href=\"#field-contact\""), "\(contact)")
            }
        }
    }

    @Test("without a way to send codes guests are not served, and are told so (C2)")
    func unreachable() async throws {
        try await RideTown.open(.viavai) { town in
            var settings = Site(town.site.installation).environment.settings
            #expect(GuestWay(.viavai, settings) == .contact([.phone, .email]))
            settings.sendsTextMessages = false
            #expect(GuestWay(.viavai, settings) == .contact([.email]))
            let phone = try Policy.viavai.with(.guestContact, "phone")
            #expect(GuestWay(phone, settings) == .unreachable)
            settings.sendsMail = false
            #expect(GuestWay(.viavai, settings) == .unreachable)
            #expect(GuestWay(.milanoA, settings) == .session)
            #expect(GuestWay(.milanoB, settings) == .denied)
        }
    }

    @Test("a contact is nowhere in plain, and all of a guest is destroyed after two days")
    func destroyed() async throws {
        try await RideTown.open(.viavai) { town in
            let guest = town.site.visitor()
            _ = try await town.fill(guest, ["from": RideTown.typed(500), "seats": "1"])
            let code = try await Self.code(town, guest, "+39 333 7654321")
            _ = try await guest.submit(["code": code], on: "/taxi/code")
            let path = try #require(try await town.confirm(guest).header("location"))
            _ = try await guest.submit([:], on: path + "/cancel")
            let database = town.site.installation.database
            let found = try await database.read { transaction in
                let rows = try transaction.rows("SELECT number, contact FROM guest")
                return try rows.map { row in
                    (
                        try row.value("number", as: Int64.self),
                        try row.value("contact", as: [UInt8].self)
                    )
                }
            }
            let (number, sealed) = try #require(found.first)
            #expect(found.count == 1)
            #expect(!String(decoding: sealed, as: UTF8.self).contains("7654321"))
            let accounts = town.site.accounts
            let person = PersonNumber(rawValue: number)
            #expect(try await accounts.contact(ofGuest: person)?.text == "+393337654321")
            let taxi = town.taxi
            try await town.site.until("the history knows") {
                try await taxi.store.record(of: try RideTown.number(path))?.ended != nil
            }
            #expect(try await accounts.sweep(at: town.site.clock.now).guests == 0)
            town.site.clock.advance(seconds: 2 * 86_400)
            let swept = try await accounts.sweep(at: town.site.clock.now)
            #expect(swept.guests == 1)
            #expect(try await accounts.keys.key(of: person) == nil)
            let counts: [SQL] = [
                "SELECT count(*) AS count FROM guest",
                "SELECT count(*) AS count FROM guest_session",
                "SELECT count(*) AS count FROM guest_code",
                "SELECT count(*) AS count FROM ride_place",
            ]
            let left = try await database.read { transaction in
                try counts.map { try transaction.row($0)?.value("count", as: Int.self) ?? -1 }
            }
            #expect(left == [0, 0, 0, 0])
            #expect(try await guest.get(path).status == 404)
        }
    }

    @Test("where the browser alone says who a guest is, an address makes a hundred an hour (I30)")
    func flood() async throws {
        try await RideTown.open(.milanoA) { town in
            let guest = town.site.visitor()
            _ = try await town.fill(
                guest,
                ["from": RideTown.typed(500), "to": RideTown.typed(900), "seats": "1"]
            )
            for _ in 0..<100 {
                _ = try await town.site.accounts.beginGuest(
                    .random(),
                    language: .english,
                    from: ClientAddress("127.0.0.1"),
                    at: town.site.clock.now
                )
            }
            #expect(try await town.confirm(guest).status == 429)
            town.site.clock.advance(seconds: 3_601)
            _ = try await town.fill(
                guest,
                ["from": RideTown.typed(500), "to": RideTown.typed(900), "seats": "1"]
            )
            #expect(try await town.confirm(guest).status == 303)
        }
    }
}
