import Chronology
import Dispatching
import Identity
import Notify
import Storage
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import Drivers
@testable import RegisterPages
@testable import WebApp

/// taxi.md R97, R102, R104, R105, SB14; ui.md 4.8.
@Suite("A person's own choices and papers", .serialized)
struct PreferenceTests {
    @Test("channels and quiet hours are chosen, kept, shown again, and used when mail is sent")
    func preferences() async throws {
        try await withSite { site in
            let visitor = try await site.person("pia")
            let path = "/account/preferences"
            let wrong = try await visitor.submit(
                ["channel": "push", "quiet_from": "25:00", "quiet_until": "7:00"],
                on: path
            )
            #expect(wrong.status == 422 && wrong.text.contains("value=\"25:00\""))
            let saved = try await visitor.submit(
                [
                    "channel": "sms", "quiet_from": "22:30", "quiet_until": "7.05",
                    "kind-receipt": "mail push", "kind-taxi-found": "", "kind-offer": "usual",
                ],
                on: path
            )
            #expect(saved.header("location") == path + "?notice=saved")
            let session = try await site.session(of: visitor)
            let person = try #require(session.person)
            let kept = try await site.accounts.profile(of: person).preferences
            #expect(kept.channels == [.sms])
            #expect(kept.quiet == Preferences.Quiet(from: 22 * 60 + 30, until: 7 * 60 + 5))
            #expect(kept.choices == ["receipt": [.mail, .push], "taxi-found": []])
            let shown = try await visitor.get(path)
            #expect(
                shown.text.contains("value=\"22:30\"") && shown.text.contains("value=\"07:05\"")
            )
            #expect(shown.text.contains("<option value=\"mail push\" selected>"))
            #expect(!shown.text.contains("A ride is offered to you"), "she does not drive")
            let (_, admin) = try await site.administrator()
            try await site.accounts.setSuspension(
                "late",
                of: person,
                by: admin,
                at: site.clock.now
            )
            let home = try #require(Link("https://taxi.example.org"))
            let accountMessages = AccountMessages(home: home) { site.installation.accounts }
            let written = try #require(site.written(.suspended))
            let message = SealedMessage(
                person: "\(person.rawValue)",
                kind: "account-suspended",
                posted: written.moment,
                sealed: [written.kind.code] + written.sealed
            )
            guard case .found(let recipient, _) = try await accountMessages.resolve(message) else {
                Issue.record("nobody was found")
                return
            }
            #expect(recipient.allowed == [.sms])
            #expect(recipient.choices == ["receipt": [.mail, .push], "taxi-found": []])
            #expect(recipient.quiet == QuietHours(begin: 22 * 60 + 30, end: 7 * 60 + 5))
        }
    }

    @Test("what was consented to is shown, a newer text is asked for, and leaving is explained")
    func consent() async throws {
        try await withSite { site in
            let visitor = try await site.person("pia")
            let asked = try await visitor.get("/account/consent")
            #expect(asked.text.contains("I consent to the current text"))
            #expect(asked.text.contains("href=\"/account/delete\""))
            let stale = try await visitor.submit(["version": "0"], on: "/account/consent")
            #expect(stale.header("location") == "/account/consent")
            let given = try await visitor.submit([:], on: "/account/consent")
            #expect(given.header("location") == "/account/consent?notice=saved")
            let shown = try await visitor.get("/account/consent")
            #expect(shown.text.contains("You consented to version 2"))
            #expect(!shown.text.contains("I consent to the current text"))
        }
    }

    @Test("SB14: a driver sees the licences, proposes a renewed one, and the old one holds")
    func papers() async throws {
        try await withSite { site in
            let (_, admin) = try await site.administrator()
            let person = try await site.accounts.drivers.enter(
                .numbered(1, until: "2027-02-28"),
                invites: true,
                by: admin,
                at: site.clock.now
            )
            let driver = site.visitor()
            let token = try #require(try await site.message(.invitation)?.facts["token"])
            _ = try await driver.submit([:], on: "/password/new?token=\(token)")
            let chosen = try await driver.submit(
                ["password": "Passw0rdTwo", "password_again": "Passw0rdTwo"],
                on: "/account/password"
            )
            #expect(chosen.status == 303)
            let shown = try await driver.get("/account/papers")
            #expect(shown.text.contains("A licence expires on 28 Feb 2027."))
            var form = [
                "taxi_code": "T1000001", "plate": "FA001AA", "taxi_licence": "2",
                "taxi_licence_expires": "2020-02-28", "driving_licence": "MI1000001A",
                "driving_licence_expires": "2031-06-30", "seats": "4", "wheelchair": "no",
            ]
            let past = try await driver.submit(form, on: "/account/papers/new")
            #expect(past.status == 422 && past.text.contains("This day has passed."))
            form["taxi_licence_expires"] = "2032-02-28"
            let sent = try await driver.submit(form, on: "/account/papers/new")
            #expect(sent.header("location") == "/account/papers?notice=sent")
            let waiting = try await driver.get("/account/papers")
            #expect(waiting.text.contains("28 Feb 2027") && waiting.text.contains("28 Feb 2032"))
            let held = try await site.accounts.drivers.fleet().map(\.lastDay.iso8601)
            #expect(held == ["2027-02-28"])
            let stored = try #require(try await site.accounts.drivers.driver(person))
            try await site.accounts.drivers.decide(
                on: stored.papersToDecide,
                of: person,
                by: admin,
                at: site.clock.now
            )
            #expect(
                try await site.accounts.drivers.fleet().map(\.lastDay.iso8601) == ["2031-06-30"]
            )
        }
    }
}
