import Chronology
import Dispatching
import Drivers
import Identity
import Storage
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md R1, R2, R6, R8, R104; ui.md 4.6: drivers on the console's pages.
@Suite("Drivers on the console", .serialized)
struct DriverConsoleTests {
    static let form = [
        "name": "Dario", "surname": "Guida", "phone": "+39 333 1234567",
        "email": "dario@example.org", "language": "it", "taxi_code": "MI1234",
        "plate": "AB 123 CD", "seats": "6", "wheelchair": "yes", "taxi_licence": "12345",
        "taxi_licence_expires": "2030-01-31", "driving_licence": "U1A23B456C",
        "driving_licence_expires": "2031-05-31", "invite": "yes",
    ]

    /// The cells of a row that shows what changes.
    static func change(_ now: String, _ then: String) -> String {
        "<td data-label=\"Now\"><span>\(now)</span></td>"
            + "<td data-label=\"Then\"><span>\(then)</span></td>"
    }

    /// The path of a driver's page.
    private static func page(_ person: PersonNumber) -> String {
        "/console/driver/\(person.rawValue)"
    }

    private static func enter(
        _ number: Int,
        _ admin: Session,
        _ site: ServedSite
    ) async throws
        -> PersonNumber
    {
        try await site.accounts.drivers.enter(
            .numbered(number),
            invites: false,
            by: admin,
            at: site.clock.now
        )
    }

    @Test("R1: a driver is entered by the form, invited, and known to the dispatcher")
    func enters() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, _) = try await site.administrator()
            var wrong = Self.form
            wrong["plate"] = "<script>"
            wrong["seats"] = "10"
            wrong["phone"] = ""
            let refused = try await visitor.submit(wrong, on: "/console/drivers/new")
            #expect(refused.status == 422)
            for field in ["plate", "seats", "phone"] {
                #expect(refused.text.contains("href=\"#field-\(field)\""), "\(field)")
            }
            #expect(refused.text.contains("value=\"&lt;script&gt;\""))
            let entered = try await visitor.submit(Self.form, on: "/console/drivers/new")
            let place = try #require(entered.header("location"))
            #expect(place.hasSuffix("?notice=entered"))
            let shown = try await visitor.get(place)
            #expect(shown.text.contains("AB123CD") && shown.text.contains("dario@<wbr>example.org"))
            #expect(try await site.message(.invitation)?.to == "dario@example.org")
            let taxis = try await site.installation.taxi.dispatch.read { $0.taxis }
            #expect(taxis.map(\.capacity) == [Capacity(seats: 6, wheelchair: true)])
            #expect(!taxis[0].code.contains("MI1234"))
            let twice = try await visitor.submit(Self.form, on: "/console/drivers/new")
            #expect(twice.status == 422)
            #expect(twice.text.contains("Someone else already uses this."))
        }
    }

    @Test("drivers are found by code, plate, licence, phone, mail and name, and filtered")
    func finds() async throws {
        try await withSite { site in
            let (visitor, admin) = try await site.administrator()
            let empty = try await visitor.get("/console/drivers")
            #expect(empty.text.contains("There are no drivers yet"))
            _ = try await visitor.submit(Self.form, on: "/console/drivers/new")
            let other = try await Self.enter(1, admin, site)
            for text in [
                "mi-1234", "ab123cd", "12345", "U1A23B456C", "3331234567", "dario@example.org",
                "dario+guida", "GUIDA+dar",
            ] {
                let found = try await visitor.get("/console/drivers?find=\(text)")
                #expect(found.text.contains("AB123CD"), "\(text)")
            }
            let nobody = try await visitor.get("/console/drivers?find=%3Cb%3E")
            #expect(nobody.text.contains("No driver was found") && !nobody.text.contains("<b>"))
            try await site.accounts.setSuspension(
                "late",
                of: other,
                by: admin,
                at: site.clock.now
            )
            let suspended = try await visitor.get("/console/drivers?show=suspended")
            #expect(suspended.text.contains("Guida 1") && !suspended.text.contains("AB123CD"))
            let expired = try await visitor.get("/console/drivers?show=expired")
            #expect(expired.text.contains("There are none at the moment."))
            // Issue 30: a licence that ends soon is marked before it has ended.
            #expect(!suspended.text.contains("<span class=\"badge live\">"))
            // Six years on, both licences have expired, and no notice has been sent yet.
            site.clock.advance(seconds: 6 * 366 * 86_400)
            let later = try await site.signedIn("admin")
            let ended = try await later.get("/console/drivers?show=expired")
            #expect(ended.text.contains("AB123CD") && ended.text.contains("Guida 1"))
            #expect(ended.text.contains("<span class=\"badge bad\">"))
            #expect(ended.text.contains("data-label=\"Licences valid until\""), "cards on phones")
        }
    }

    @Test("lists of many drivers come page by page, each driver once")
    func pages() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let text = SampleDrivers.csv(
                count: 120,
                seed: 1,
                defects: 0,
                today: site.accounts.settings.today(site.clock.now)
            )
            _ = try await site.accounts.drivers.importTable(
                Array(text.utf8),
                .allOrNothing,
                invites: false,
                by: nil,
                at: site.clock.now
            )
            var path = "/console/drivers?show=verified"
            var seen: [String] = []
            for _ in 0..<3 {
                let page = try await visitor.get(path)
                seen += page.text.matches(of: /\/console\/driver\/(\d+)/).map { String($0.1) }
                guard let next = page.text.firstMatch(of: /href="([^"]*)" rel="next"/) else {
                    break
                }
                path = String(next.1).replacing("&amp;", with: "&")
            }
            #expect(seen.count == 120 && Set(seen).count == 120)
        }
    }

    @Test("R95, SB14: what a driver proposes is seen beside what holds, verified or refused")
    func verifies() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, admin) = try await site.administrator()
            let person = try await Self.enter(1, admin, site)
            let page = Self.page(person)
            func propose(_ plate: String) async throws {
                var papers = try #require(try await site.accounts.drivers.driver(person)).papers
                papers.plate = plate
                try await site.accounts.drivers.proposePapers(
                    papers,
                    of: person,
                    at: site.clock.now
                )
            }
            try await propose("FB111BB")
            let shown = try await visitor.get(page)
            #expect(shown.text.contains("FA001AA") && shown.text.contains("FB111BB"))
            #expect(shown.text.contains("(changed)"))
            // If the driver submits changes during the review, the administrator has not seen them.
            let digest = try #require(
                shown.text.firstMatch(of: /name="papers" value="([^"]*)"/)
            ).1
            try await propose("FC222CC")
            let late = try await visitor.submit(
                ["papers": String(digest)],
                on: page,
                to: page + "/verify"
            )
            #expect(late.status == 409)
            let noReason = try await visitor.submit(["reason": " "], on: page + "/refuse")
            #expect(noReason.status == 422)
            let refused = try await visitor.submit(
                ["reason": "The photograph is unreadable."],
                on: page + "/refuse"
            )
            #expect(refused.header("location") == page + "?notice=refused")
            #expect(
                try await site.message(.driverRefused)?.facts["reason"]
                    == "The photograph is unreadable."
            )
            try await propose("FD333DD")
            let verified = try await visitor.submit([:], on: page, to: page + "/verify")
            #expect(verified.header("location") == page + "?notice=verified")
            #expect(try await site.accounts.drivers.driver(person)?.papers.plate == "FD333DD")
            let history = try await visitor.get(page)
            #expect(history.text.contains("Did not accept papers"))
            #expect(history.text.contains("The photograph is unreadable."))
        }
    }

    @Test("a suspended driver is out at once, taxi and account, until the suspension ends")
    func suspends() async throws {
        try await withSite { site in
            let dispatch = site.installation.taxi.dispatch
            try await dispatch.started()
            let (visitor, admin) = try await site.administrator()
            let person = try await Self.enter(1, admin, site)
            let page = Self.page(person)
            #expect(try await visitor.submit([:], on: page + "/suspend").status == 422)
            let done = try await visitor.submit(
                ["reason": "Complaints <3>"],
                on: page + "/suspend"
            )
            #expect(done.header("location") == page + "?notice=suspended")
            #expect(try await visitor.get(page).text.contains("Complaints &lt;3&gt;"))
            #expect(try await dispatch.read { $0.taxis.allSatisfy(\.isRemoved) })
            let back = try await visitor.submit([:], on: page, to: page + "/resume")
            #expect(back.header("location") == page + "?notice=resumed")
            #expect(try await dispatch.read { $0.taxis.count { !$0.isRemoved } } == 1)
            let invited = try await visitor.submit([:], on: page, to: page + "/invite")
            #expect(invited.header("location") == page + "?notice=invited")
        }
    }

    @Test("R8: where no backup can be taken, no driver is entered and it is said why")
    func noBackup() async throws {
        try await withSite(["backups.folder": "/proc/viavai-backups"]) { site in
            let (visitor, _) = try await site.administrator()
            let refused = try await visitor.submit(Self.form, on: "/console/drivers/new")
            #expect(refused.status == 503)
            #expect(refused.text.contains("No backup could be taken"))
            #expect(try await site.accounts.drivers.fleet().isEmpty)
        }
    }

    @Test("R6: a driver is changed and removed")
    func changes() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, admin) = try await site.administrator()
            let person = try await Self.enter(1, admin, site)
            let page = Self.page(person)
            var form = Self.form
            form["surname"] = "Nuovo"
            form["seats"] = "8"
            let shown = try await visitor.submit(form, on: page + "/edit")
            #expect(shown.text.contains(Self.change("Guida 1", "Nuovo")), "\(shown.text)")
            #expect(!shown.text.contains("<span>Dario</span>"), "what stays is not in the table")
            #expect(try await site.accounts.drivers.driver(person)?.surname == "Guida 1")
            let saved = try await visitor.change(form, on: page)
            #expect(saved.header("location") == page + "?notice=saved", "\(saved.text)")
            let driver = try #require(try await site.accounts.drivers.driver(person))
            #expect(driver.surname == "Nuovo" && driver.papers.plate == "AB123CD")
            #expect(driver.mobile == "+393331234567" && driver.verification == .verified)
            let unsure = try await visitor.submit([:], on: page + "/remove")
            #expect(unsure.status == 422)
            let gone = try await visitor.submit(["proceed": "yes"], on: page + "/remove")
            #expect(gone.header("location") == "/console/drivers?notice=removed")
            #expect(try await visitor.get(page).status == 404)
            #expect(try await site.accounts.drivers.fleet().isEmpty)
        }
    }

    @Test("R2, R6: what is wrong with the person, the papers and the number is told at once")
    func allFaults() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, admin) = try await site.administrator()
            let page = Self.page(try await Self.enter(1, admin, site))
            let other = try await Self.enter(2, admin, site)
            let mobile = try #require(try await site.accounts.drivers.driver(other)?.mobile)
            var wrong = Self.form
            (wrong["surname"], wrong["plate"], wrong["phone"]) = ("", "<script>", "")
            let told = try await visitor.submit(wrong, on: page + "/edit")
            #expect(told.status == 422)
            for field in ["surname", "plate", "phone"] {
                #expect(told.text.contains("href=\"#field-\(field)\""), "\(field)")
            }
            var taken = Self.form
            taken["phone"] = mobile
            let refused = try await visitor.submit(taken, on: page + "/edit")
            #expect(refused.status == 422)
            #expect(refused.text.contains("Someone else already uses this."), "\(refused.text)")
        }
    }

    @Test("R6, R8: the last change of a driver is taken back, and taken back again")
    func takesBack() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, admin) = try await site.administrator()
            let person = try await Self.enter(1, admin, site)
            let page = Self.page(person)
            let before = try #require(try await site.accounts.drivers.driver(person))
            #expect(try await !visitor.get(page).text.contains("?former=yes"))
            _ = try await visitor.change(Self.form, on: page)
            #expect(try await visitor.get(page).text.contains("\(page)/edit?former=yes"))
            for isBack in [true, false] {
                var form = try await visitor.sheet(on: page + "/edit?former=yes")
                #expect(form["plate"] == (isBack ? before.papers.plate : "AB123CD"))
                form["wheelchair"] = isBack ? "no" : "yes"
                let shown = try await visitor.send(form, to: page + "/edit")
                let saved = try await visitor.send(FormSheet(shown.text), to: page + "/edit")
                #expect(saved.header("location") == page + "?notice=saved", "\(saved.text)")
                let now = try #require(try await site.accounts.drivers.driver(person))
                #expect((now.papers == before.papers && now.mobile == before.mobile) == isBack)
            }
            let nothing = try await visitor.submit(Self.form, on: page + "/edit")
            #expect(nothing.text.contains("Nothing would change."), "\(nothing.text)")
        }
    }

    @Test("what changed since it was looked at is shown again before it is overwritten")
    func changedMeanwhile() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, admin) = try await site.administrator()
            let person = try await Self.enter(1, admin, site)
            let page = Self.page(person)
            let shown = try await visitor.submit(Self.form, on: page + "/edit")
            var other = Self.form
            other["surname"] = "Altro"
            _ = try await visitor.change(other, on: page)
            let again = try await visitor.send(FormSheet(shown.text), to: page + "/edit")
            #expect(again.text.contains(Self.change("Altro", "Guida")), "\(again.text)")
            #expect(try await site.accounts.drivers.driver(person)?.surname == "Altro")
        }
    }

    @Test("a driver with a ride is named as such and not removed")
    func riding() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, admin) = try await site.administrator()
            let person = try await Self.enter(1, admin, site)
            try await site.installation.fleet.reconcile()
            _ = try await FleetSamples.accept(site)
            let page = Self.page(person)
            #expect(try await visitor.get(page).text.contains("On a ride"))
            let asked = try await visitor.get(page + "/remove")
            #expect(asked.text.contains("This taxi is on a ride"))
            let token = try await visitor.get(page).text.firstMatch(
                of: /name="token" value="([^"]*)"/
            )
            let forced = try await visitor.post(
                page + "/remove",
                ["proceed": "yes", "token": String(try #require(token).1)]
            )
            #expect(forced.text.contains("This taxi is on a ride"))
            #expect(try await site.accounts.drivers.driver(person) != nil)
        }
    }

    @Test("neither the log of the taxis nor pages of others tell codes, plates or names")
    func sealed() async throws {
        try await withSite { site in
            try await site.started()
            let (_, admin) = try await site.administrator()
            let person = try await Self.enter(1, admin, site)
            try await site.installation.fleet.reconcile()
            _ = try await FleetSamples.accept(site)
            let entries = try await site.installation.database.read { transaction in
                try transaction.rows("SELECT entry FROM log_record").map { row in
                    String(decoding: try row.value("entry", as: [UInt8].self), as: UTF8.self)
                }
            }
            #expect(!entries.isEmpty)
            let secrets = ["T1000001", "FA001AA", "Guida", "Dario", "1000001", "driver1@"]
            for secret in secrets {
                #expect(!entries.contains { $0.contains(secret) }, "\(secret)")
            }
            let traveller = try await site.person("pia")
            for path in ["", "/edit", "/remove", "/suspend", "/refuse"] {
                let answer = try await traveller.get(Self.page(person) + path)
                #expect(answer.status == 403)
                #expect(!secrets.contains { answer.text.contains($0) })
            }
            #expect(try await traveller.get("/account/papers").status == 404)
        }
    }
}
