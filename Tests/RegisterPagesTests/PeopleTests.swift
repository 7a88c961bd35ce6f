import Chronology
import Dispatching
import Drivers
import Identity
import Storage
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// taxi.md R9; issue 4: people and roles, audit log of every administrative act.
@Suite("People, roles and the log of acts", .serialized)
struct PeopleTests {
    @Test("an administrator finds a person, gives a role, and the person has it")
    func roles() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let pia = try await site.person("pia")
            #expect(try await pia.get("/console/drivers").status == 403)
            let found = try await visitor.get("/console/people?find=pia%40example.org")
            let page = try #require(found.header("location"))
            let shown = try await visitor.get(page)
            #expect(shown.text.contains("Pia Verdi"))
            let saved = try await visitor.submit(
                ["role": "operator"],
                on: page,
                to: page + "/roles"
            )
            #expect(saved.header("location") == page + "?notice=saved")
            // The old session has ended; the next one has exactly the new rights.
            #expect(try await pia.get("/console/drivers").status == 303)
            let again = try await site.signedIn("pia")
            #expect(try await again.get("/console/drivers").status == 200)
            #expect(try await again.get("/console/people").status == 403)
            let listed = try await visitor.get("/console/people")
            #expect(listed.text.contains("Verdi Pia") && listed.text.contains("Operator"))
            let nobody = try await visitor.get("/console/people?find=%3Ci%3E")
            #expect(nobody.text.contains("Nobody has this") && !nobody.text.contains("<i>"))
        }
    }

    @Test("issue 34: pages of applications lead to what they can do, and show how often they call")
    func applications() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let said = "<a href=\"/developers\">What applications can do"
            let empty = try await visitor.get("/console/apps").text
            #expect(empty.contains(said) && empty.contains("No applications yet"))
            let made = try await visitor.submit(
                [
                    "name": "Hotel desk", "contact": "office@example.org",
                    "scopes": "rides.call", "rate": "60",
                ],
                on: "/console/apps/new"
            )
            #expect(made.text.contains("<p class=\"key\">"), "\(made.text)")
            #expect(made.text.contains(said))
            let listed = try await visitor.get("/console/apps").text
            #expect(listed.contains(said) && listed.contains("Hotel desk"))
            let link = try #require(listed.firstMatch(of: /href="(\/console\/apps\/[0-9]+)"/)?.1)
            let before = try await visitor.get(String(link)).text
            #expect(before.contains("0, none refused or failed"), "\(before)")
            let key = try #require(made.text.firstMatch(of: /<code>([0-9a-f]{64})</)?.1)
            let headers = ["authorization": "Bearer \(key)"]
            #expect(try await visitor.get("/api/fleet", headers: headers).status == 403)
            let after = try await visitor.get(String(link)).text
            #expect(after.contains("1, of which 1 refused or failed"), "\(after)")
            // What is stored only a minute later counts at once.
            #expect(try await visitor.get("/api/fleet", headers: headers).status == 403)
            let again = try await visitor.get(String(link)).text
            #expect(again.contains("2, of which 2 refused or failed"), "\(again)")
        }
    }

    @Test("the last administrator stays one, and an unknown role is none")
    func last() async throws {
        try await withSite { site in
            let (visitor, session) = try await site.administrator()
            let page = "/console/person/\(try #require(session.person).rawValue)"
            let refused = try await visitor.submit(
                ["role": "driver"],
                on: page,
                to: page + "/roles"
            )
            #expect(refused.status == 422)
            #expect(refused.text.contains("You are the only administrator."))
            let suspended = try await visitor.submit(["reason": "tired"], on: page + "/suspend")
            #expect(suspended.status == 422)
            #expect(try await visitor.get("/console/people").status == 200)
        }
    }

    @Test("a suspended person is out at once and reads the reason; it can be lifted")
    func suspends() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let pia = try await site.person("pia")
            let number = try #require(try await site.session(of: pia).person)
            let page = "/console/person/\(number.rawValue)"
            let done = try await visitor.submit(["reason": "No-shows"], on: page + "/suspend")
            #expect(done.header("location") == page + "?notice=suspended")
            #expect(try await pia.get("/account").status == 303)
            let refused = try await pia.submit(
                ["name": "pia", "password": ServedSite.password],
                on: "/login"
            )
            #expect(refused.text.contains("No-shows"))
            _ = try await visitor.submit([:], on: page, to: page + "/resume")
            _ = try await site.signedIn("pia")
        }
    }

    @Test("acts are listed, filtered by kind and person, and a changed entry is noticed")
    func audit() async throws {
        try await withSite { site in
            let (visitor, admin) = try await site.administrator()
            let person = try await site.accounts.drivers.enter(
                .numbered(1),
                invites: false,
                by: admin,
                at: site.clock.now
            )
            try await site.accounts.setSuspension(
                "<em>late</em>",
                of: person,
                by: admin,
                at: site.clock.now
            )
            let all = try await visitor.get("/console/audit")
            #expect(all.text.contains("The log is intact"))
            #expect(all.text.contains("<form class=\"range\""))
            #expect(all.text.contains("Entered drivers") && all.text.contains("Ada Bianchi"))
            #expect(all.text.contains("&lt;em&gt;late&lt;/em&gt;"))
            let rows = /<th scope="row">([^<]*)<\/th>/
            let some = try await visitor.get("/console/audit?act=suspend&person=admin")
            #expect(some.text.matches(of: rows).map { String($0.1) } == ["Suspended"])
            let none = try await visitor.get("/console/audit?person=nobody")
            #expect(none.text.contains("No actions of this kind."))
            try await site.accounts.data.write { transaction in
                try transaction.execute("UPDATE audit SET act = 'resume' WHERE act = 'suspend'")
            }
            let broken = try await visitor.get("/console/audit")
            #expect(broken.text.contains("is not what was written"))
        }
    }

    @Test("many acts come page by page")
    func pages() async throws {
        try await withSite { site in
            let (visitor, admin) = try await site.administrator()
            let person = try await site.accounts.drivers.enter(
                .numbered(1),
                invites: false,
                by: admin,
                at: site.clock.now
            )
            for step in 0..<60 {
                try await site.accounts.setSuspension(
                    step.isMultiple(of: 2) ? "late \(step)" : nil,
                    of: person,
                    by: admin,
                    at: site.clock.now
                )
            }
            let first = try await visitor.get("/console/audit?person=\(person.rawValue)")
            let next = try #require(first.text.firstMatch(of: /href="([^"]*)" rel="next"/)).1
            let second = try await visitor.get(String(next).replacing("&amp;", with: "&"))
            let rows = /<th scope="row">/
            #expect(first.text.matches(of: rows).count == 50)
            #expect(second.text.matches(of: rows).count == 10)
        }
    }
}
