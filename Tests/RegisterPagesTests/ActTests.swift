import Chronology
import Dispatching
import Drivers
import Fares
import HTTPTypes
import Identity
import Localization
import Storage
import StorageTestSupport
import Taxi
import TestClock
import TestSupport
import Testing
import WebTestSupport
import Webhooks

@testable import RegisterPages
@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 4, "audit log of every administrative act": no act without its entry, and no entry without
/// its act.
@Suite("Acts and the log of acts", .serialized)
struct ActTests {
    /// The audit entry that each POST of the console writes.
    private static let acts: [String: AuditAct] = [
        "/console/drivers/new": .enterDrivers,
        "/console/driver/{person}/edit": .changeDriver,
        "/console/driver/{person}/verify": .verifyDriver,
        "/console/driver/{person}/refuse": .refuseDriver,
        "/console/driver/{person}/suspend": .suspend,
        "/console/driver/{person}/resume": .resume,
        "/console/driver/{person}/invite": .inviteDriver,
        "/console/driver/{person}/remove": .removeDriver,
        "/console/person/{person}/roles": .setRoles,
        "/console/person/{person}/suspend": .suspend,
        "/console/person/{person}/resume": .resume,
        "/console/import/{kind}/file/{upload}": .enterPassengers,
        "/console/policy/adopt": .adoptPolicy,
        "/console/tariffs/adopt": .changeTariffs,
        "/console/setup/confirm": .openService,
        "/console/suspension/begin": .suspendService,
        "/console/suspension/end": .resumeService,
        "/console/zones/import": .importZones,
        "/console/zones/discard": .discardZoneDraft,
        "/console/zones/publish": .publishZones,
        "/console/zones/history/{number}": .rollBackZones,
        "/console/apps/new": .registerApplication,
        "/console/apps/{number}/edit": .changeApplication,
        "/console/apps/{number}/key": .rotateApplicationKey,
        "/console/apps/{number}/revoke": .revokeApplication,
        "/console/apps/{number}/webhook-new": .addWebhook,
        "/console/apps/{number}/webhooks/{webhook}/edit": .changeWebhook,
        "/console/apps/{number}/webhooks/{webhook}/secret": .replaceWebhookSecret,
        "/console/apps/{number}/webhooks/{webhook}/open": .openWebhook,
        "/console/apps/{number}/webhooks/{webhook}/test": .sendWebhook,
        "/console/apps/{number}/webhooks/{webhook}/send": .sendWebhook,
        "/console/apps/{number}/webhooks/{webhook}/remove": .removeWebhook,
        "/console/logging": .setLogLevels,
        "/console/backups/new": .makeBackup,
    ]

    /// Acts whose audit entries are checked by tests of their own.
    private static let elsewhere = Set(OperatorActSamples.acts.keys).union([
        "/console/feedback", "/console/feeds/new", "/console/feed/{feed}",
        "/console/feed/{feed}/stop", "/console/feed/{feed}/start", "/console/feed/{feed}/remove",
    ])

    /// POSTs that are not administrative acts, and why.
    private static let noActs: [String: String] = [
        "/console/import/{kind}": "keeps a file for its sender until it is confirmed",
        "/console/policy/edit": "shows what would change",
        "/console/policy/upload": "shows what would change",
        "/console/tariffs/change": "shows what would change",
        "/console/suspension": "shows what would happen",
        "/console/zones/new": "the draft, which holds for nobody until it is published",
        "/console/zones/draft/{code}": "the draft, which holds for nobody until it is published",
        "/console/zones/undo": "the draft, which holds for nobody until it is published",
        "/console/backups/check": "reads a backup",
        "/console/operations/call": "shows what would be asked for",
        "/console/setup/mail": "sends a mail to the administrator who asks for it",
    ]

    @Test("every POST of the console is an act with its entry, or is named with the reason")
    func routes() async throws {
        try await withSite(CityStaff.limits, hasTaxis: false) { site in
            let staff: Set<Access> = [.staff, .administrator, .graveAdministrator]
            let posts = Site(site.installation).routes
                .filter { $0.method == .post && staff.contains($0.access) }.map(\.path)
            let all = Set(Self.acts.keys).union(Self.elsewhere)
            #expect(Set(posts) == all.union(Self.noActs.keys))
        }
    }

    @Test("each act of the table, done on its page, has its entry at once")
    func table() async throws {
        try await withSite(CityStaff.limits) { site in
            let admin = try await CityStaff.administrator(site)
            var done: [String] = []
            /// Performs an act and checks its audit entry.
            func act(
                _ route: String,
                _ body: () async throws -> Visitor.Answer
            ) async throws {
                let before = try await site.accounts.audit(limit: 1).first?.sequence ?? 0
                let answer = try await body()
                #expect([200, 303].contains(answer.status), "\(route): \(answer.text)")
                let new = try await site.accounts.audit(limit: 50)
                    .filter { $0.sequence > before }
                let expected = try #require(Self.acts[route])
                #expect(new.contains { $0.note.act == expected.rawValue }, "\(route)")
                #expect(new.allSatisfy { $0.note.actor != nil }, "\(route)")
                done.append(route)
            }
            try await city(admin, act)
            try await people(admin, site, act)
            try await applications(admin, site, act)
            #expect(Set(done) == Set(Self.acts.keys))
            #expect(try await site.accounts.firstAlteredAct() == nil)
        }
    }

    private typealias Doing = (String, () async throws -> Visitor.Answer) async throws -> Void

    private func city(_ admin: Visitor, _ act: Doing) async throws {
        try await act("/console/zones/import") {
            try await ZoneDrawings.paste(ZoneDrawings.zones(), admin)
        }
        try await act("/console/zones/discard") {
            try await admin.send(
                try await admin.sheet(on: "/console/zones"),
                to: "/console/zones/discard"
            )
        }
        _ = try await ZoneDrawings.paste(ZoneDrawings.zones(), admin)
        try await act("/console/zones/publish") { try await ZoneDrawings.publish(admin) }
        _ = try await ZoneDrawings.paste(ZoneDrawings.zones(9.21), admin)
        try await ZoneDrawings.publish(admin)
        try await act("/console/zones/history/{number}") {
            try await admin.send(
                try await admin.sheet(on: "/console/zones/history/1"),
                to: "/console/zones/history/1"
            )
        }
        try await act("/console/policy/adopt") {
            try await admin.submit(
                [:],
                on: "/console/policy/compare?preset=viavai",
                to: "/console/policy/adopt"
            )
        }
        try await act("/console/tariffs/adopt") {
            try await admin.submit(
                ["tariff": TariffBook.example],
                on: "/console/tariffs/change",
                to: "/console/tariffs/adopt"
            )
        }
        try await act("/console/logging") {
            try await admin.submit(["standard": "info"], on: "/console/logging")
        }
        try await act("/console/backups/new") {
            try await admin.submit([:], on: "/console/backups/new")
        }
    }

    private func people(_ admin: Visitor, _ site: ServedSite, _ act: Doing) async throws {
        let entry = DriverEntry.numbered(1)
        let form = [
            "name": entry.name, "surname": entry.surname, "email": entry.email,
            "phone": entry.mobile, "taxi_code": entry.papers.taxiCode,
            "plate": entry.papers.plate, "taxi_licence": entry.papers.taxiLicence,
            "taxi_licence_expires": entry.papers.taxiLicenceExpires,
            "driving_licence": entry.papers.drivingLicence,
            "driving_licence_expires": entry.papers.drivingLicenceExpires,
            "seats": "4", "wheelchair": "no",
        ]
        try await act("/console/drivers/new") {
            try await admin.submit(form, on: "/console/drivers/new")
        }
        try await act("/console/setup/confirm") {
            try await admin.submit([:], on: "/console/setup/confirm")
        }
        let driver = try #require(try await site.accounts.findPerson(entry.email))
        let page = "/console/driver/\(driver.rawValue)"
        try await act("/console/driver/{person}/edit") {
            var other = form
            other["surname"] = "Nuovo"
            return try await admin.change(other, on: page)
        }
        for (last, route) in [
            ("/refuse", "/console/driver/{person}/refuse"),
            ("/suspend", "/console/driver/{person}/suspend"),
        ] {
            try await act(route) { try await admin.submit(["reason": "why"], on: page + last) }
        }
        for last in ["resume", "invite", "verify"] {
            try await act("/console/driver/{person}/\(last)") {
                try await admin.submit([:], on: page, to: "\(page)/\(last)")
            }
        }
        try await act("/console/driver/{person}/remove") {
            try await admin.submit(["proceed": "yes"], on: page + "/remove")
        }
        _ = try await site.person("pia")
        let pia = try #require(try await site.accounts.findPerson("pia"))
        let person = "/console/person/\(pia.rawValue)"
        try await act("/console/person/{person}/suspend") {
            try await admin.submit(["reason": "why"], on: person + "/suspend")
        }
        try await act("/console/person/{person}/resume") {
            try await admin.submit([:], on: person, to: person + "/resume")
        }
        try await act("/console/person/{person}/roles") {
            try await admin.submit(["role": "operator"], on: person, to: person + "/roles")
        }
        try await act("/console/suspension/begin") {
            try await admin.submit(
                ["reason_en": "Snow"],
                on: "/console/suspension",
                to: "/console/suspension/begin"
            )
        }
        try await act("/console/suspension/end") {
            try await admin.submit([:], on: "/console/suspension", to: "/console/suspension/end")
        }
    }

    private func applications(_ admin: Visitor, _ site: ServedSite, _ act: Doing) async throws {
        let form = [
            "name": "Rides", "contact": "office@rides.example.org", "rate": "60",
            "redirects": "https://rides.example.org/back", "scopes": "rides.call",
        ]
        try await act("/console/apps/new") { try await admin.submit(form, on: "/console/apps/new") }
        let number = try #require(try await site.accounts.applications().first?.number)
        try await act("/console/apps/{number}/edit") {
            try await admin.submit(form, on: "/console/apps/\(number)/edit")
        }
        try await webhooks(of: number, admin, site, act)
        for last in ["key", "revoke"] {
            try await act("/console/apps/{number}/\(last)") {
                try await admin.submit([:], on: "/console/apps/\(number)/\(last)")
            }
        }
        try await act("/console/import/{kind}/file/{upload}") {
            let text = "email,name,surname\nlea@example.org,Lea,Verdi\n"
            let sent = try await admin.upload(Array(text.utf8), on: "/console/import/passengers")
            let page = try #require(sent.header("location"))
            return try await admin.submit(["mode": "good"], on: page)
        }
    }

    private func webhooks(
        of number: Int64,
        _ admin: Visitor,
        _ site: ServedSite,
        _ act: Doing
    ) async throws {
        let form = ["address": "https://rides.example.org/hook", "events": "ride.found"]
        let new = "/console/apps/\(number)/webhook-new"
        try await act("/console/apps/{number}/webhook-new") {
            try await admin.submit(form, on: new)
        }
        let webhooks = site.installation.webhooks
        let webhook = try #require(try await webhooks.endpoints(of: number).first?.number)
        let page = "/console/apps/\(number)/webhooks/\(webhook)"
        let route = "/console/apps/{number}/webhooks/{webhook}"
        try await act(route + "/edit") { try await admin.submit(form, on: page + "/edit") }
        try await act(route + "/secret") { try await admin.submit([:], on: page + "/secret") }
        for last in ["/test", "/open"] {
            try await act(route + last) { try await admin.submit([:], on: page, to: page + last) }
        }
        let sent = try await webhooks.deliveries(to: webhook, of: number, limit: 1)
        try await act(route + "/send") {
            try await admin.submit(
                ["message": sent.first?.id ?? ""],
                on: page,
                to: page + "/send"
            )
        }
        try await act(route + "/remove") { try await admin.submit([:], on: page + "/remove") }
    }

    @Test(
        "killed right after an act, its entry is there at the next look; a refused act has none",
        arguments: TestEngine.allCases
    )
    func killed(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { database in
            try await withTemporaryFolder { folder in
                try await withSite(in: folder, of: database) { site in
                    let (_, admin) = try await site.administrator()
                    let taxi = site.installation.taxi
                    try await site.started()
                    func noting(_ act: AuditAct, _ object: String = "") throws -> SQL {
                        try site.accounts.noting(act, object: object, by: admin, at: site.clock.now)
                    }
                    let adopted = try noting(.adoptPolicy)
                    _ = try await taxi.adopt(
                        .milanoA,
                        by: nil,
                        note: "",
                        replacing: Policy.viavai.hash,
                        with: [adopted]
                    )
                    // Two transactions of one act make one entry.
                    let tariffs = try noting(.changeTariffs)
                    for _ in 0..<2 {
                        let text = TariffBook.example
                        try await taxi.adoptTariffs(text, by: nil, note: "", with: [tariffs])
                    }
                    let refused = try noting(.openService)
                    await #expect(throws: Refusal.nothingSetUp) {
                        try await taxi.dispatch.give(.completeSetup) { _ in [refused] }
                    }
                    // If the entry cannot be written, the act is rolled back too.
                    let broken: SQL = "INSERT INTO audit_waiting (number) VALUES (1)"
                    await #expect(throws: (any Error).self) {
                        try await taxi.adoptTariffs(
                            TariffBook.example,
                            by: nil,
                            note: "",
                            with: [broken]
                        )
                    }
                    #expect(try await taxi.adoptedTariffs().count == 2)
                    let waiting = try await site.installation.database.read { transaction in
                        try transaction.rows("SELECT act FROM audit_waiting WHERE settled = 0")
                    }
                    #expect(waiting.count == 2)
                }
                try await withSite(in: folder, of: database) { site in
                    let acts = try await site.accounts.audit().map(\.note.act)
                    #expect(
                        Set(acts) == ["adopt policy", "change tariffs", "create administrator"]
                    )
                    #expect(acts.count == 3)
                    try await site.accounts.settleActs()
                    #expect(try await site.accounts.audit().count == 3)
                    #expect(try await site.accounts.firstAlteredAct() == nil)
                }
            }
        }
    }

    @Test(
        "every act has words in both languages, and no raw code is shown",
        arguments: AuditAct.allCases
    )
    func words(act: AuditAct) {
        let label = act.label
        #expect(label.in(.english) != act.rawValue)
        #expect(label.in(.italian) != act.rawValue)
        #expect(label.in(.english) != label.in(.italian))
        #expect(AuditTexts.act(act.rawValue).in(.italian) == label.in(.italian))
    }
}
