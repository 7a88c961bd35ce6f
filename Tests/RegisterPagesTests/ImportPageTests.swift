import Chronology
import Dispatching
import Drivers
import Foundation
import Identity
import Storage
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md R8, R10; issue 4: "imports 4,855 more from CSV with 20 defective lines, each reported".
@Suite("Importing tables on the console", .serialized)
struct ImportPageTests {
    private static func sample(_ count: Int, _ site: ServedSite, defects: Int = 20) -> [UInt8] {
        let today = site.accounts.settings.today(site.clock.now)
        return Array(
            SampleDrivers.csv(count: count, seed: 1, defects: defects, today: today).utf8
        )
    }

    /// Confirms the import that the page of a checked table offers.
    private static func confirm(
        _ mode: String,
        on page: String,
        _ visitor: Visitor
    ) async throws -> Visitor.Answer {
        try await visitor.submit(["mode": mode], on: page)
    }

    @Test("4,855 drivers are tried without effect, 20 lines reported, the others entered")
    func many() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, _) = try await site.administrator()
            let sent = try await visitor.upload(
                Self.sample(4_855, site),
                on: "/console/import/drivers"
            )
            let page = try #require(sent.header("location"))
            let tried = try await visitor.get(page)
            #expect(tried.text.contains("4855 lines are in order, 20 are not."))
            #expect(tried.text.matches(of: /<th scope="row">\d+<\/th>/).count == 20)
            #expect(tried.text.contains("Line 2 has the same value."))
            #expect(try await site.accounts.drivers.fleet().isEmpty)
            let all = try await Self.confirm("all", on: page, visitor)
            #expect(all.status == 200 && all.text.contains("Nothing is entered yet"))
            let done = try await Self.confirm("good", on: page, visitor)
            #expect(done.header("location") == "/console/drivers?entered=4855")
            let listed = try await visitor.get("/console/drivers?entered=4855")
            #expect(listed.text.contains("4855 lines were entered."))
            let taxis = try await site.installation.taxi.dispatch.read { $0.taxis.count }
            #expect(taxis == 4_855)
            #expect(try await site.installation.fleet.reconcile() == Fleet.Report())
            #expect(try await visitor.get(page).header("location")?.hasSuffix("gone") == true)
        }
    }

    @Test("a table is kept for its sender alone, for half an hour")
    func kept() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let (other, _) = try await site.administrator("eve")
            let sent = try await visitor.upload(
                Self.sample(3, site, defects: 0),
                on: "/console/import/drivers"
            )
            let page = try #require(sent.header("location"))
            #expect(try await visitor.get(page).text.contains("Enter all 3 lines"))
            let elsewhere = try await other.get(page)
            #expect(elsewhere.header("location") == "/console/import/drivers?notice=gone")
            site.clock.advance(seconds: 1_801)
            let again = try await site.signedIn("admin")
            #expect(try await again.get(page).status == 303)
        }
    }

    @Test("files with formulas, markup, endless lines, other columns and no text harm nobody")
    func hostile() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let header = "name,surname,email,phone,language\n"
            let formula = header + "=cmd|' /C calc'!A0,<b>Rossi</b>,a@example.org,,\n"
            let sent = try await visitor.upload(
                Array(formula.utf8),
                on: "/console/import/passengers"
            )
            let page = try #require(sent.header("location"))
            _ = try await Self.confirm("all", on: page, visitor)
            let person = try #require(try await site.accounts.findPerson("a@example.org"))
            let shown = try await visitor.get("/console/person/\(person.rawValue)")
            #expect(shown.text.contains("&lt;b&gt;Rossi&lt;/b&gt;"))
            #expect(!shown.text.contains("<b>Rossi"))
            let long = header + String(repeating: "x", count: 2_000_000) + ",R,b@example.org,,\n"
            let tried = try await visitor.upload(
                Array(long.utf8),
                on: "/console/import/passengers"
            )
            let report = try await visitor.get(try #require(tried.header("location")))
            #expect(report.text.contains("Write at most 80 characters."))
            #expect(report.text.utf8.count < 20_000)
            let columns = "<script>alert(1)</script>,surname\n1,2\n"
            let unknown = try await visitor.upload(
                Array(columns.utf8),
                on: "/console/import/passengers"
            )
            let refused = try await visitor.get(try #require(unknown.header("location")))
            #expect(refused.status == 422 && refused.text.contains("&lt;script&gt;"))
            #expect(!refused.text.contains("<script>alert"))
            for bytes in [[], [0xFF, 0xFE, 0x00], Array("\"".utf8)] as [[UInt8]] {
                let answer = try await visitor.upload(bytes, on: "/console/import/drivers")
                #expect([422, 303].contains(answer.status))
            }
            let large = [UInt8](repeating: 44, count: 17 * 1_024 * 1_024)
            let tooLarge = try? await visitor.upload(large, on: "/console/import/drivers")
            #expect(tooLarge == nil || tooLarge?.status == 413)
        }
    }

    @Test("R10: passengers get accounts whose invitation lets them choose a password")
    func passengers() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let text = """
                email;name;surname;phone;language
                anna@example.org;Anna;Rossi;+39 333 1234567;it
                ANNA@example.org;Anna;Rossi;;it
                ;Carlo;Bianchi;;
                bruno@example.org;Bruno;Conti;12;fr

                """
            let sent = try await visitor.upload(
                Array(text.utf8),
                on: "/console/import/passengers"
            )
            let page = try #require(sent.header("location"))
            let tried = try await visitor.get(page)
            #expect(tried.text.contains("1 line is in order, 3 are not."))
            #expect(tried.text.contains("Line 2 has the same value."))
            let done = try await visitor.submit(["mode": "good", "invite": "yes"], on: page)
            #expect(done.header("location") == "/console/import?entered=1")
            let mail = try #require(try await site.message(.invitation))
            #expect(mail.to == "anna@example.org" && mail.language == "it")
            let anna = site.visitor()
            let token = try #require(mail.facts["token"])
            let begun = try await anna.submit([:], on: "/password/new?token=\(token)")
            #expect(begun.header("location") == "/account/password")
            let acts = try await site.accounts.audit(of: "enter passengers")
            #expect(acts.map(\.note.object) == ["1 passengers"])
        }
    }

    @Test("the empty table has the columns that the import reads")
    func template() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let text = try await visitor.get("/console/import/drivers/template.csv").text
            let names = DriverColumn.allCases.map(\.rawValue).joined(separator: ",")
            #expect(text == names + "\r\n")
            #expect(try await visitor.get("/console/import/nothing").status == 404)
        }
    }
}
