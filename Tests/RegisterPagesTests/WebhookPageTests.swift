import Identity
import Logging
import Taxi
import TestClock
import Testing
import WebTestSupport
import Webhooks

@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 34, point 3: the office sees what applications were told, and sends it again.
@Suite("The pages of webhooks", .serialized)
struct WebhookPageTests {
    private static func application(_ admin: Visitor, _ site: ServedSite) async throws -> Int64 {
        let form = [
            "name": "Hotel", "contact": "desk@hotel.example", "rate": "60", "redirects": "",
            "scopes": "rides.call",
        ]
        _ = try await admin.submit(form, on: "/console/apps/new")
        return try #require(try await site.accounts.applications().first?.number)
    }

    /// Sends what is due to a receiver that answers so.
    private static func send(_ site: ServedSite, _ answer: WebhookAnswer) async throws {
        let clock = site.clock
        let worker = WebhookWorker(
            site.installation.webhooks,
            clock: WebhookWorker.Clock(now: { clock.now }, sleep: { _ in })
        ) { _ in answer }
        _ = try await worker.round()
    }

    @Test(
        "a webhook is added, its secret shown once, and each attempt can be seen",
        arguments: [
            "en", "it",
        ]
    )
    func life(language: String) async throws {
        try await withSite(CityStaff.limits) { site in
            let admin = try await CityStaff.administrator(site)
            let number = try await Self.application(admin, site)
            let home = "/console/apps/\(number)"
            let new = home + "/webhook-new"
            for (form, field) in [
                (["address": "http://h.example/", "events": "ride.found"], "address"),
                (["address": "nonsense", "events": "ride.found"], "address"),
                (["address": "https://h.example/"], "events"),
            ] {
                let wrong = try await admin.submit(form, on: new)
                #expect(wrong.status == 422 && wrong.text.contains("href=\"#field-\(field)"))
            }
            let made = try await admin.submit(
                ["address": "https://h.example/hook?key=planted", "events": "ride.found"],
                on: new
            )
            let secret = try #require(made.text.firstMatch(of: /<code>(whsec_[^<]+)<\/code>/)).1
            #expect(WebhookSecret(String(secret)) != nil && made.status == 200)
            #expect(made.header("cache-control") == "no-store")
            let webhooks = site.installation.webhooks
            let webhook = try #require(try await webhooks.endpoints(of: number).first?.number)
            let page = home + "/webhooks/\(webhook)"
            admin.language = language
            let list = try await admin.get(home).text
            #expect(list.contains("https://h.example") && list.contains(page))
            let tested = try await admin.submit([:], on: page, to: page + "/test")
            #expect(tested.header("location") == page + "?notice=tested")
            try await Self.send(site, .status(503))
            let failing = try await admin.get(page).text
            let isEnglish = language == "en"
            #expect(failing.contains(isEnglish ? "Failing" : "Non risponde"))
            #expect(failing.contains(isEnglish ? "answered 503" : "risposta 503"))
            let id = try #require(
                try await webhooks.deliveries(to: webhook, of: number, limit: 1).first?.id
            )
            let again = try await admin.submit(["message": id], on: page, to: page + "/send")
            #expect(again.header("location") == page + "?notice=sent")
            try await Self.send(site, .status(200))
            let works = try await admin.get(page).text
            #expect(works.contains(isEnglish ? "Working" : "Funziona"))
            #expect(works.contains(isEnglish ? "answered 200" : "risposta 200"))
            #expect(works.contains(isEnglish ? "answered 503" : "risposta 503"), "every attempt")
            // The time of an attempt stands there once, to the second.
            #expect(works.contains(/[0-9]{4}, <time [^>]*>[0-9]{2}:[0-9]{2}:[0-9]{2}<\/time>:/))
            for text in [list, failing, works, try await admin.get(page + "/edit").text] {
                #expect(!text.contains("planted") && !text.contains(secret))
            }
        }
    }

    @Test("a webhook that was shut is opened again, and one message is sent again (R107)")
    func shut() async throws {
        try await withSite(CityStaff.limits) { site in
            let admin = try await CityStaff.administrator(site)
            let number = try await Self.application(admin, site)
            let webhooks = site.installation.webhooks
            let form = WebhookForm(address: "https://h.example/", kinds: [.rideFound])
            let webhook = try await webhooks.add(form, to: number, at: site.clock.now).number
            let page = "/console/apps/\(number)/webhooks/\(webhook)"
            _ = try await admin.submit([:], on: page, to: page + "/test")
            let sheet = try await admin.get(page).text
            try await Self.send(site, .status(410))
            let shut = try await admin.get(page).text
            #expect(shut.contains("Nothing has been sent since") && shut.contains("Enable again"))
            #expect(!shut.contains("Send again"), "nothing can be sent")
            #expect(sheet.contains("Send a test"))
            let opened = try await admin.submit([:], on: page, to: page + "/open")
            #expect(opened.header("location") == page + "?notice=opened")
            #expect(try await admin.get(page).text.contains("Send again"))
            let removed = try await admin.submit([:], on: page + "/remove")
            #expect(
                removed.header("location") == "/console/apps/\(number)?notice=webhook-removed"
            )
            #expect(try await admin.get(page).status == 404)
            for path in ["/console/apps/\(number)/webhooks/x", "/console/apps/1/webhooks/1"] {
                #expect(try await admin.get(path).status == 404, "\(path)")
            }
        }
    }

    @Test("administrators get a mail about a webhook that was shut, once")
    func mail() async throws {
        try await withSite(CityStaff.limits, hasTaxis: false) { site in
            let admin = try await CityStaff.administrator(site)
            let number = try await Self.application(admin, site)
            let webhooks = site.installation.webhooks
            let form = WebhookForm(address: "https://h.example/?k=planted", kinds: [.rideFound])
            let webhook = try await webhooks.add(form, to: number, at: site.clock.now).number
            _ = try await webhooks.sendTest(to: webhook, of: number, at: site.clock.now)
            try await Self.send(site, .status(410))
            let logger = LogLevels(.critical, parts: [:]).logger(
                "mail",
                clock: site.clock.clock.now
            )
            let post = WebhookPost(site.installation, logger: logger)
            for _ in 0..<2 { try await post.tellOfShut() }
            #expect(site.count(.webhookShut) == 1)
            let mail = try #require(try await site.message(.webhookShut))
            #expect(mail.facts["application"] == "Hotel")
            #expect(mail.facts["host"] == "https://h.example", "no more of the address")
        }
    }
}
