import Foundation
import Identity
import Notify
import Storage
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Issue 4, "Web Push"; ui.md 1, 4.1 and 8: notifications on devices.
@Suite("Notices on devices", .serialized)
struct DeviceTests {
    private static let page = "/account/preferences"

    @discardableResult
    private static func subscribe(
        _ visitor: Visitor,
        _ endpoint: String
    ) async throws -> Visitor.Answer {
        let fields = DeviceSamples.keys.merging(["endpoint": endpoint]) { $1 }
        return try await visitor.submit(fields, on: page, to: "/account/device")
    }

    private static func endpoints(_ site: ServedSite) async throws -> Set<String> {
        let owners = try await site.installation.database.read { transaction in
            try transaction.rows("SELECT person FROM push_subscription").map {
                try $0.value("person", as: String.self)
            }
        }
        var found: Set<String> = []
        for owner in Set(owners) {
            found.formUnion(try await site.browsers.subscriptions(of: owner).map(\.endpoint))
        }
        #expect(found.count == owners.count, "each can be opened under its owner's key")
        return found
    }

    @Test("a browser is subscribed, listed and removed, without scripts too")
    func subscribed() async throws {
        try await withSite(hasTaxis: false) { site in
            let ana = try await site.person("ana")
            let before = try await ana.get(Self.page).text
            let key = try #require(before.firstMatch(of: /data-key="([A-Za-z0-9_\-]{87})"/)).1
            #expect(site.installation.pushIdentity.publicKey == key)
            #expect(before.contains("No device shows notifications yet"))
            let done = try await Self.subscribe(ana, "https://push.example/a")
            #expect(done.header("location") == Self.page + "?notice=device")
            let after = try await ana.get(Self.page).text
            #expect(after.contains("(this one)"))
            #expect(!after.contains("id=\"push-form\""))
            // Another browser of the same person does not mistake the subscription for its own.
            let other = try await site.signedIn("ana")
            try await Self.subscribe(other, "https://push.example/b")
            let both = try await ana.get(Self.page).text
            #expect(both.ranges(of: "name=\"device\"").count == 2)
            #expect(both.ranges(of: "(this one)").count == 1)
            // Nobody can remove another person's subscription.
            let eva = try await site.person("eva")
            for match in both.matches(of: /name="device" value="([^"]*)"/) {
                let fields = ["device": String(match.1)]
                let path = "/account/device/remove"
                _ = try await eva.submit(fields, on: Self.page, to: path)
                #expect(try await Self.endpoints(site).count == 2)
            }
            let id = try #require(both.firstMatch(of: /name="device" value="([^"]*)"/)).1
            let removed = try await ana.submit(
                ["device": String(id)],
                on: Self.page,
                to: "/account/device/remove"
            )
            #expect(removed.header("location") == Self.page + "?notice=device-gone")
            #expect(try await Self.endpoints(site).count == 1)
            #expect(!(try await ana.get(Self.page).text.contains("value=\"\(id)\"")))
        }
    }

    @Test(
        "no endpoint is taken that is not a machine of the public Internet (SSRF)",
        arguments: [
            "", "http://push.example/", "https://", "https://127.0.0.1/", "https://[::1]/",
            "https://localhost/", "https://localhost:8080/", "https://10.0.0.1/", "https://127.1/",
            "https://2130706433/", "https://0x7f.0x1/", "https://0x7f000001/", "https://intranet/",
            "https://printer.local/", "https://metadata.google.internal/", "ftp://push.example/",
            "https://a@push.example/", "https://push.example\\@127.0.0.1/", "javascript:alert(1)",
            "https://169.254.169.254/latest/meta-data/", "http://127.0.0.1:9/", "https://.example/",
            "https://push.example./", "file:///etc/passwd", "https://[::ffff:127.0.0.1]/",
        ]
    )
    func refused(endpoint: String) async throws {
        try await withSite(hasTaxis: false) { site in
            let ana = try await site.person("ana")
            #expect(try await Self.subscribe(ana, endpoint).status == 422)
            #expect(try await Self.endpoints(site).isEmpty)
        }
    }

    @Test("keys that are none, and addresses that are too long, are refused")
    func malformed() async throws {
        try await withSite(hasTaxis: false) { site in
            let ana = try await site.person("ana")
            let long = "https://push.example/" + String(repeating: "x", count: 1_024)
            #expect(try await Self.subscribe(ana, long).status == 422)
            for name in ["p256dh", "auth"] {
                for value in ["", "AAAA", "\u{0}", String(repeating: "A", count: 87), "é"] {
                    var fields = DeviceSamples.keys
                    fields["endpoint"] = "https://push.example/a"
                    fields[name] = value
                    let answer = try await ana.submit(
                        fields,
                        on: Self.page,
                        to: "/account/device"
                    )
                    #expect([400, 422].contains(answer.status))
                }
            }
            #expect(try await Self.endpoints(site).isEmpty)
        }
    }

    /// What happens to a person's sessions, and whose browsers stay subscribed.
    enum Turn: String, CaseIterable {
        case logOut, endOne, endOthers, newPassword, logInAgain, otherPerson, deleted

        var kept: Set<String> {
            switch self {
            case .logOut, .otherPerson: ["https://push.example/other"]
            case .endOne, .endOthers, .newPassword: ["https://push.example/here"]
            case .logInAgain: ["https://push.example/here", "https://push.example/other"]
            case .deleted: []
            }
        }
    }

    @Test(
        "a browser is forgotten with its session, and kept when that is renewed",
        arguments: Turn.allCases
    )
    func ends(turn: Turn) async throws {
        try await withSite { site in
            try await site.started()
            let here = try await site.person("ana")
            let other = try await site.signedIn("ana")
            _ = try await site.person("eva")
            try await Self.subscribe(here, "https://push.example/here")
            try await Self.subscribe(other, "https://push.example/other")
            func end(_ session: String) async throws {
                let path = "/account/sessions/end"
                let fields = ["session": session]
                _ = try await here.submit(fields, on: "/account/sessions", to: path)
            }
            func logIn(_ name: String) async throws {
                let fields = ["name": name, "password": ServedSite.password]
                #expect(try await here.submit(fields, on: "/login").status == 303)
            }
            switch turn {
            case .logOut: _ = try await here.submit([:], on: "/account", to: "/logout")
            case .endOne: try await end("\(try await site.session(of: other).number)")
            case .endOthers: try await end("others")
            case .newPassword:
                let new = [
                    "old_password": ServedSite.password, "password": "Passw0rdTwo",
                    "password_again": "Passw0rdTwo",
                ]
                #expect(try await here.submit(new, on: "/account/password").status == 303)
            case .logInAgain: try await logIn("ana")
            case .otherPerson: try await logIn("eva")
            case .deleted: _ = try await here.submit(["proceed": "yes"], on: "/account/delete")
            }
            #expect(try await Self.endpoints(site) == turn.kept)
            guard turn == .newPassword || turn == .logInAgain else { return }
            #expect(try await here.get(Self.page).text.contains("(this one)"))
        }
    }

    @Test("a browser whose push service gave it another address says so without a page")
    func renewed() async throws {
        try await withSite(hasTaxis: false) { site in
            let ana = try await site.person("ana")
            let other = try await site.signedIn("ana")
            let path = "/account/device/renewed"
            func renew(
                _ visitor: Visitor,
                _ endpoint: String,
                from old: String = ""
            ) async throws -> Int {
                let answer = try await visitor.get("/account/device.json")
                let fields = try JSONDecoder().decode(
                    [String: String].self,
                    from: Data(answer.text.utf8)
                )
                #expect(fields["key"] == site.installation.pushIdentity.publicKey)
                let subscription = DeviceSamples.keys.merging(["endpoint": endpoint]) { $1 }
                let more = ["token": fields["token"] ?? "", "old": old]
                return try await visitor.post(path, subscription.merging(more) { $1 }).status
            }
            // Renewing does not create a subscription that was never requested.
            #expect(try await renew(ana, "https://push.example/never") == 204)
            #expect(try await Self.endpoints(site).isEmpty)
            try await Self.subscribe(ana, "https://push.example/a")
            try await Self.subscribe(other, "https://push.example/b")
            for _ in 0..<2 {
                #expect(try await renew(ana, "https://push.example/c") == 204)
                let both: Set = ["https://push.example/b", "https://push.example/c"]
                #expect(try await Self.endpoints(site) == both)
            }
            #expect(try await renew(ana, "https://127.0.0.1/") == 400)
            #expect(try await Self.endpoints(site).count == 2)
            // The session need not be the one in which the browser subscribed; nobody can take over
            // another person's browser that way.
            let later = try await site.signedIn("ana")
            let eva = try await site.person("eva")
            let old = "https://push.example/c"
            #expect(try await renew(eva, "https://push.example/e", from: old) == 204)
            #expect(try await renew(later, "https://push.example/f", from: old) == 204)
            let both: Set = ["https://push.example/b", "https://push.example/f"]
            #expect(try await Self.endpoints(site) == both)
            // Nor does a browser return after its owner has removed it.
            let page = try await other.get(Self.page).text
            for match in page.matches(of: /name="device" value="([^"]*)"/) {
                let fields = ["device": String(match.1)]
                _ = try await other.submit(fields, on: Self.page, to: "/account/device/remove")
            }
            #expect(try await renew(later, "https://push.example/d", from: old) == 204)
            #expect(try await Self.endpoints(site).isEmpty)
            let nobody = site.visitor()
            let headers = ["accept": "application/json"]
            #expect(try await nobody.get("/account/device.json", headers: headers).status == 401)
        }
    }

    @Test("the key stays the same for an installation, and is another for each")
    func identity() async throws {
        try await withTemporaryFolder { folder in
            try await withDatabase(on: .sqlite) { database in
                nonisolated(unsafe) var keys: [String] = []
                for _ in 0..<2 {
                    try await withSite(in: folder, of: database, hasTaxis: false) { site in
                        keys.append(site.installation.pushIdentity.publicKey)
                    }
                }
                #expect(keys[0] == keys[1])
                try await withSite(hasTaxis: false) { site in
                    #expect(site.installation.pushIdentity.publicKey != keys[0])
                }
            }
        }
    }
}
