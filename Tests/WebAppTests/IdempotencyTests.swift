import HTTPTypes
import Identity
import Storage
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import Backups
@testable import WebApp
@testable import WebCore

/// Issue 4, "idempotency keys"; ui.md 4.1, 6 and 7.
@Suite("Forms are done once", .serialized)
struct IdempotencyTests {
    @Test("every action is done once, or is named here with its reason")
    func table() async throws {
        try await withSite { site in
            let repeated = Site(site.installation).routes.filter { $0.idempotency.isRepeated }
            #expect(repeated.allSatisfy { $0.method == .post })
            #expect(
                Set(repeated.map(\.path)) == [
                    // These set or take away the session cookie.
                    "/login", "/login/code", "/logout", "/password/new", "/account/password",
                    "/account/delete", "/register/with",
                    // These must be carried out each time.
                    "/login/again", "/console/backups/check",
                    // These set the cookie of a guest or of an order.
                    "/taxi", "/taxi/places", "/taxi/point/{end}", "/taxi/code",
                    "/plan", "/plan/places", "/plan/point/{end}", "/plan/{trip}/order",
                    "/stops", "/stops/places", "/stops/point/{end}", "/stops/{stop}/plan",
                    "/reach", "/reach/places", "/reach/point/{end}",
                    "/ride/{request}/change", "/taxi/again",
                    "/calendar/vehicles/{vehicle}/point/{end}",
                    // Sets the cookie with the keys of the sandbox; calls it with a key of its own.
                    "/developers/sandbox", "/developers/try/{operation}",
                    // These state what should hold or holds now, so repeating them changes nothing.
                    "/drive/duty", "/drive/where", "/drive/positions", "/drive/offer/accept",
                    "/drive/ride/arrived", "/account/device/renewed",
                    // A report with the time of an earlier one is refused.
                    "/devices/report",
                    // Codes and refresh tokens work once by themselves; a second consent gives
                    // another code.
                    "/oauth/authorize", "/oauth/token", "/oauth/revoke", "/oauth/introspect",
                    // Gives a device another code each time; shows what a code is for now.
                    "/oauth/device_authorization", "/device",
                    // These change nothing.
                    "/console/suspension", "/console/policy/edit", "/console/policy/upload",
                    "/console/tariffs/change", "/console/operations/call", "/drive/way",
                    "/api/plan/many",
                ]
            )
        }
    }

    private static let person = [
        "name": "Ana", "surname": "Bruni", "email": "ana@example.org", "user_name": "ana",
        "password": "Passw0rdOne", "password_again": "Passw0rdOne", "consent": "2",
    ]

    /// The hidden fields of a page's form; of several with one name the last, which is the form's
    /// own where another form precedes it.
    private static func hidden(_ visitor: Visitor, _ page: String) async throws -> [String: String]
    {
        var fields: [String: String] = [:]
        for match in try await visitor.get(page).text.matches(
            of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/
        ) {
            fields[String(match.1)] = String(match.2)
        }
        return fields
    }

    /// Sends the same form several times at once, as an unsteady hand does.
    private static func together(
        _ site: ServedSite,
        _ visitor: Visitor,
        _ path: String,
        _ fields: [String: String]
    ) async throws -> [String] {
        let cookie = try #require(visitor.cookie("session"))
        return try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let other = site.visitor()
                    other.plant("session", cookie)
                    let answer = try await other.post(path, fields)
                    return "\(answer.status) \(answer.header("location") ?? "")"
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
    }

    @Test(
        "a registration that is sent four times at once makes one account, and one mail",
        arguments: TestEngine.allCases
    )
    func registration(engine: TestEngine) async throws {
        try await withSite(on: engine) { site in
            let visitor = site.visitor()
            let fields = try await Self.hidden(visitor, "/register").merging(Self.person) { $1 }
            #expect(fields["key"] != nil)
            let told = try await Self.together(site, visitor, "/register", fields)
            let again = "303 /register/done/confirmation"
            #expect(told == ["200 ", again, again, again])
            let rows = try await site.accounts.data.read { transaction in
                try transaction.rows("SELECT number FROM person").count
            }
            #expect(rows == 1)
            #expect(site.written(.alreadyRegistered) == nil)
            let page = try await visitor.get("/register/done/confirmation")
            #expect(page.text.contains("Check your e-mail"))
            #expect(try await visitor.get("/register/done/nothing").status == 404)
        }
    }

    @Test("a driver's entry that is sent four times at once enters one driver")
    func driver() async throws {
        try await withSite { site in
            try await site.started()
            let (visitor, _) = try await site.administrator()
            let page = "/console/drivers/new"
            let entry = [
                "name": "Dario", "surname": "Guida", "phone": "+39 333 1234567",
                "email": "dario@example.org", "language": "it", "taxi_code": "MI1234",
                "plate": "AB 123 CD", "seats": "6", "taxi_licence": "12345",
                "taxi_licence_expires": "2030-01-31", "driving_licence": "U1A23B456C",
                "driving_licence_expires": "2031-05-31",
            ]
            let fields = try await Self.hidden(visitor, page).merging(entry) { $1 }
            let told = try await Self.together(site, visitor, page, fields)
            #expect(Set(told).count == 1 && told[0].hasPrefix("303 /console/driver"), "\(told)")
            let rows = try await site.accounts.data.read { transaction in
                try transaction.rows("SELECT person FROM driver").count
            }
            #expect(rows == 1)
        }
    }

    @Test("an answer that got lost is given again: to the same session only, and unreadably kept")
    func lost() async throws {
        try await withSite { site in
            let ana = try await site.person("ana")
            let page = "/account/preferences"
            let fields = try await Self.hidden(ana, page)
                .merging(["quiet_from": "22:00", "quiet_until": "07:00"]) { $1 }
            let first = try await ana.post(page, fields)
            #expect(first.header("location") == page + "?notice=saved")
            let again = try await ana.post(page, fields)
            #expect(again.status == 303)
            #expect(again.header("location") == first.header("location"))
            // Another person who knows the key learns nothing from it.
            let eva = try await site.person("eva")
            let strange = try await Self.hidden(eva, page).merging(
                ["key": fields["key"] ?? "", "quiet_from": "22:00", "quiet_until": "x"]
            ) { $1 }
            #expect(try await eva.post(page, strange).status == 422)
            let kept = try await site.installation.database.read { transaction in
                try transaction.rows("SELECT answer FROM command_answer").map {
                    try $0.value("answer", as: [UInt8].self)
                }
            }
            #expect(!kept.isEmpty)
            for bytes in kept {
                #expect(!String(decoding: bytes, as: UTF8.self).contains("preferences"))
            }
        }
    }

    @Test("back, another value, and back again: each change holds, and errors use no key up")
    func back() async throws {
        try await withSite { site in
            let ana = try await site.person("ana")
            let page = "/account/preferences"
            let fields = try await Self.hidden(ana, page)
            for (hour, isGood) in [("22:00", true), ("x", false), ("23:00", true), ("22:00", true)]
            {
                let sent = fields.merging(["quiet_from": hour, "quiet_until": "07:00"]) { $1 }
                #expect(try await ana.post(page, sent).status == (isGood ? 303 : 422))
                guard isGood else { continue }
                #expect(try await ana.get(page).text.contains("value=\"\(hour)\""))
            }
        }
    }

    @Test("a key that is shown once is not shown again, and no second one is made (R5)")
    func secret() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let page = "/console/apps/new"
            let fields = try await Self.hidden(visitor, page).merging(
                ["name": "Bot", "contact": "bot@example.org", "scopes": "rides", "rate": "60"]
            ) { $1 }
            let scope = try await visitor.get(page).text
                .firstMatch(of: /name="scopes" value="([^"]*)"/).map { String($0.1) }
            let sent = fields.merging(["scopes": scope ?? ""]) { $1 }
            let first = try await visitor.post(page, sent)
            #expect(first.status == 200, "\(first.text)")
            let key = try #require(first.text.firstMatch(of: /<code>([0-9a-f]{64})<\/code>/)).1
            let again = try await visitor.post(page, sent)
            let place = try #require(again.header("location"))
            #expect(again.status == 303 && place.hasSuffix("?notice=shown"))
            let shown = try await visitor.get(place).text
            #expect(shown.contains("the key was shown once") && !shown.contains(key))
            #expect(try await site.accounts.applications().count == 1)
        }
    }

    @Test("programs send their key as a header, and may use it for one request only")
    func programs() async throws {
        try await withSite { site in
            let (visitor, _) = try await site.administrator()
            let page = "/console/backups/new"
            let token = try await Self.hidden(visitor, page)["token"] ?? ""
            let headers = ["idempotency-key": "program-0001"]
            for _ in 0..<2 {
                let answer = try await visitor.post(page, ["token": token], headers: headers)
                #expect(answer.status == 303)
            }
            #expect(site.installation.backups.folder.all.count == 1)
            let other = ["token": token, "reason": "b"]
            #expect(try await visitor.post(page, other, headers: headers).status == 400)
        }
    }
}
