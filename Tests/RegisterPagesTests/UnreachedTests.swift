import Chronology
import Identity
import Storage
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 4: what operators must see of undelivered messages, on pages and as metrics.
@Suite("Whom messages do not reach", .serialized)
struct UnreachedTests {
    /// Records the outcome of a mail.
    private static func settle(
        _ posting: String,
        _ state: String,
        to person: PersonNumber,
        _ site: ServedSite
    ) async throws {
        let now = site.clock.now.milliseconds
        try await site.installation.database.write { transaction in
            _ = try transaction.execute(
                """
                INSERT INTO notification (
                    posting, channel, target, person, kind, state, due, useful, attempts, posted,
                    settled, answer
                ) VALUES (
                    \(posting), 'mail', '', \(String(person.rawValue)), 'invitation', \(state),
                    \(now), \(now), 1, \(now), \(now), '550 no such mailbox'
                )
                """
            )
        }
    }

    @Test("an invitation that came back is seen in the console until a mail arrives (issue 4)")
    func bounced() async throws {
        try await withSite { site in
            let (ada, _) = try await site.administrator()
            let pia = try await site.session(of: try await site.person("pia")).person
            let person = try #require(pia)
            let told = "mail or text message did not reach: 1."
            let before = try await ada.get("/console").text
            #expect(!before.contains("mail or text message did not reach"))
            // A guest has no account whose address could be corrected.
            try await Self.settle("p0", "bounced", to: .random(), site)
            let unknown = try await ada.get("/console").text
            #expect(!unknown.contains("mail or text message did not reach"))
            try await Self.settle("p1", "bounced", to: person, site)
            let home = try await ada.get("/console").text
            #expect(home.contains(told))
            let people = try await ada.get("/console/people").text
            #expect(people.contains("Not reached by the last message"))
            #expect(people.contains("/console/person/\(person.rawValue)"))
            ada.language = "it"
            let page = try await ada.get("/console/person/\(person.rawValue)").text
            #expect(page.contains("ultima e-mail non è arrivata; controlla"))
            #expect(page.contains("550 no such mailbox"))
            ada.language = "en"
            site.clock.advance(seconds: 60)
            try await Self.settle("p2", "sent", to: person, site)
            let after = try await ada.get("/console").text
            #expect(!after.contains(told))
            let calm = try await ada.get("/console/person/\(person.rawValue)").text
            #expect(!calm.contains("550 no such mailbox"))
        }
    }

    @Test("what waits, what failed and what the taxis do is among the figures (issue 4)")
    func figures() async throws {
        try await withSite { site in
            let (ada, session) = try await site.administrator()
            try await Self.settle("p1", "given-up", to: try #require(session.person), site)
            let figures = try await ada.get("/metrics").text
            for line in [
                "viavai_messages{channel=\"mail\",state=\"given-up\"} 1",
                "viavai_messages{channel=\"sms\",state=\"waiting\"} 0",
                "viavai_password_jobs_waiting 0", "viavai_requests{phase=\"offered\"} 0",
                "viavai_taxis{status=\"available\"} 0",
            ] { #expect(figures.contains(line), "\(line)") }
        }
    }
}
