import Foundation
import Geo
import HTTPTypes
import Identity
import StorageTestSupport
import Taxi
import TestClock
import TestSupport
import Testing
import WebTestSupport
import Zones

@testable import WebApp
@testable import WebCore
@testable import ZonePages

@Suite("Files of zones, and who may send them", .serialized)
struct ZoneFilesTests {
    @Test("operators, drivers, passengers and guests get nowhere near (R9)")
    func roles() async throws {
        try await withSite { site in
            let administrator = try await site.clerk()
            _ = try await ZoneDrawings.paste(ZoneDrawings.zones(), administrator)
            let routes = Site(site.installation).features.zones.routes
            #expect(routes.count == 18)
            let roles: [Set<Role>] = [[.traveller], [.serviceOperator], [.traveller, .driver]]
            for (number, roles) in roles.enumerated() {
                let visitor = try await site.somebody("someone\(number)", roles)
                for route in routes {
                    let path = route.path.replacing("{code}", with: "W")
                        .replacing("{number}", with: "1")
                    let answer =
                        route.method == .get
                        ? try await visitor.get(path)
                        : try await visitor.submit([:], on: "/account/edit", to: path)
                    #expect(answer.status == 403, "\(route.method) \(path) as \(roles)")
                }
            }
            let guest = site.visitor()
            for route in routes where route.method == .get {
                let answer = try await guest.get(route.path)
                #expect(answer.header("location")?.hasPrefix("/login?") == true)
            }
        }
    }

    private static func feature(
        _ properties: String,
        _ ring: String = "[[9.1,45.4],[9.2,45.4],[9.2,45.5],[9.1,45.4]]"
    ) -> String {
        """
        {"type":"Feature","properties":{\(properties)},"geometry":\
        {"type":"Polygon","coordinates":[\(ring)]}}
        """
    }

    private static func collection(_ features: String...) -> String {
        """
        {"type":"FeatureCollection","features":[\(features.joined(separator: ","))]}
        """
    }

    /// Files that cannot become zones, and the message for each.
    private static let bad: [(String, String)] = [
        ("", "Choose a file"), ("hello", "is not JSON"),
        (String(repeating: "[", count: 100_000), "is not JSON"),
        ("{}", "lacks a member"), (collection(), "There are no zones"),
        (collection(feature("\"x\":1.5")), "that identifies it"),
        (
            collection(feature("\"code\":1"), feature("\"code\":1")),
            "have the same code, 1"
        ),
        (collection(feature("\"code\":1", "[[9,45],[9,46]]")), "a border of only 1 corner"),
        (
            collection(feature("\"code\":1", "[[9,95],[9,46],[8,1],[9,95]]")),
            "not a longitude and a latitude"
        ),
        (
            collection(
                feature("\"code\":1"),
                feature("\"code\":2", "[[-70,45],[-71,45],[-71,46],[-70,45]]")
            ),
            "too far from the other zones"
        ),
    ]

    @Test("hostile files are refused in words, and nothing of them is stored")
    func hostileFiles() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            for (text, words) in Self.bad {
                let answer = try await ZoneDrawings.paste(text, visitor)
                #expect(answer.status == 422 && answer.text.contains(words), "\(words)")
            }
            #expect(try await site.installation.taxi.zoneDrafts.work().revision == 0)
        }
    }

    @Test("any file's identifying property is guessed and shown, and can be named instead")
    func guessedProperty() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            let file = Self.collection(
                Self.feature("\"Distrito\":\"Norte\",\"geo_id\":17")
            )
            #expect(try await ZoneDrawings.paste(file, visitor).status == 303)
            let list = try await visitor.get("/console/zones?notice=imported")
            #expect(list.text.contains("The property “geo_id” of the file identifies each zone"))
            #expect(try await ZoneDrawings.draft(site).zones[0].code == "17")
            var form = try await visitor.sheet(on: "/console/zones/import")
            form["text"] = file
            form["code_property"] = "Distrito"
            let named = try await visitor.send(form, to: "/console/zones/import")
            #expect(named.header("location") == "/console/zones?notice=imported")
            let again = try await visitor.get("/console/zones?notice=imported")
            #expect(again.text.contains("The property “Distrito” of the file"))
            #expect(try await ZoneDrawings.draft(site).zones[0].code == "Norte")
        }
    }

    @Test("beside the imported draft another property is chosen without sending the file again")
    func chosenProperty() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            let east = "[[9.3,45.4],[9.4,45.4],[9.4,45.5],[9.3,45.4]]"
            let file = Self.collection(
                Self.feature("\"Distrito\":\"Norte\",\"geo_id\":17,\"Ciudad\":\"Ávila\""),
                Self.feature("\"Distrito\":\"Sur\",\"geo_id\":18,\"Ciudad\":\"Ávila\"", east)
            )
            #expect(try await ZoneDrawings.paste(file, visitor).status == 303)
            let path = "/console/zones?notice=imported"
            let list = try await visitor.get(path).text
            #expect(list.contains("<option value=\"geo_id\" selected>geo_id</option>"))
            #expect(list.contains("<option value=\"Distrito\">Distrito</option>"))
            let named = try await visitor.submit(
                ["code_property": "Distrito", "name_property": "geo_id"],
                on: path,
                to: "/console/zones/import"
            )
            #expect(named.header("location") == path, "\(named.text)")
            let zones = try await ZoneDrawings.draft(site).zones
            #expect(zones.map(\.code) == ["Norte", "Sur"])
            #expect(zones.map(\.name) == ["17", "18"])
            // A property that tells no zones apart is refused, and the draft stays.
            let same = try await visitor.submit(
                ["code_property": "Ciudad", "name_property": "Distrito"],
                on: path,
                to: "/console/zones/import"
            )
            #expect(same.status == 422)
            #expect(same.text.contains("Distrito, geo_id, Ciudad"), "\(same.text)")
            #expect(same.text.contains("name=\"again\""))
            #expect(try await ZoneDrawings.draft(site).zones.map(\.code) == ["Norte", "Sur"])
            // The draft can still be read by another one.
            let back = try await visitor.submit(
                ["code_property": "geo_id", "name_property": "Distrito"],
                on: path,
                to: "/console/zones/import"
            )
            #expect(back.status == 303)
            #expect(try await ZoneDrawings.draft(site).zones.map(\.code) == ["17", "18"])
        }
    }

    @Test("names and codes with markup stay names and codes, and forged forms break nothing")
    func hostileNames() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            let name = "<script>alert('x')</script> & \\\"sons\\\""
            let code = "a/b?c#<i>"
            let file = Self.collection(
                Self.feature("\"code\":\"\(code)\",\"name\":\"\(name)\"")
            )
            #expect(try await ZoneDrawings.paste(file, visitor).status == 303)
            let list = try await visitor.get("/console/zones")
            #expect(!list.text.contains("<script>alert"))
            #expect(list.text.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; "))
            let path = "/console/zones/draft/a%2Fb%3Fc%23%3Ci%3E"
            #expect(list.text.contains("href=\"\(path)\""))
            var form = try await visitor.sheet(on: path)
            form["name"] = "Tame"
            #expect(try await visitor.send(form, to: path).status == 303)
            #expect(try await ZoneDrawings.draft(site).zones[0].name == "Tame")
            for path in [
                "/console/zones/draft/none", "/console/zones/history/0",
                "/console/zones/history/x/zones.geojson",
            ] {
                #expect(try await visitor.get(path).status == 404, "\(path)")
            }
            form["border"] = "7"
            #expect(try await visitor.send(form, to: path).status == 409)
            form = try await visitor.sheet(on: path)
            for (field, value) in [
                ("border", "7"), ("border", "-1"), ("first", "9223372036854775807"),
                ("count", "9223372036854775807"), ("do", "up-x"), ("revision", "x"),
            ] {
                var broken = form
                broken[field] = value
                #expect(try await visitor.send(broken, to: path).status == 400, "\(field)=\(value)")
            }
        }
    }

    @Test("who must give the password again comes back to the form that was sent, and only ours")
    func comesBack() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            site.clock.advance(seconds: 601)
            let path = "/console/zones/publish"
            for (referrer, next) in [
                ("\(site.base)\(path)?x=1", "%2Fconsole%2Fzones%2Fpublish"),
                ("https://evil.example\(path)", "%2Fdashboard"), ("x", "%2Fdashboard"),
                ("\(site.base)//evil.example", "%2F%2Fevil.example"),
            ] {
                let answer = try await visitor.post(path, [:], headers: ["referer": referrer])
                #expect(answer.header("location") == "/login/again?next=\(next)")
            }
            // Nobody is redirected to another server, whatever the browser sends.
            let away = try await visitor.submit(
                ["password": "Passw0rdTwo"],
                on: "/login/again?next=%2F%2Fevil.example"
            )
            #expect(away.header("location") == "/dashboard")
        }
    }

    @Test("a file of 16 MiB is taken, a larger one is refused with the limit")
    func limit() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            let zones = ZoneDrawings.zones()
            let blank = [UInt8](repeating: 0x20, count: (16 << 20) - zones.utf8.count)
            let sent = try await visitor.uploadZones(
                Array(zones.utf8) + blank,
                on: "/console/zones/import"
            )
            #expect(sent.status == 303)
            let large = [UInt8](repeating: 0x20, count: 17 << 20)
            let refused = try await visitor.uploadZones(large, on: "/console/zones/import")
            #expect(refused.status == 413)
        }
    }

    @Test("a zone is added from lines or GeoJSON, and cuts land out of its neighbour (R7)")
    func adds() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            var form = try await visitor.sheet(on: "/console/zones/new")
            let wrong = try await visitor.send(form, to: "/console/zones/new")
            #expect(wrong.status == 422 && wrong.text.contains("href=\"#field-border\""))
            form["code"] = "W"
            form["name"] = "Brera"
            form["border"] = "45,4; 9,1\n45,4; 9,2\n45,5; 9,2\n45,5; 9,1"
            #expect(try await visitor.send(form, to: "/console/zones/new").status == 303)
            form["key"] = "of-another-tab"
            let taken = try await visitor.send(form, to: "/console/zones/new")
            #expect(taken.status == 422 && taken.text.contains("Another zone has this code"))
            form["code"] = "N"
            form["name"] = "Nord"
            form["border"] = """
                {"type":"Polygon","coordinates":[[[9.1,45.45],[9.2,45.45],[9.2,45.5],[9.1,45.5],\
                [9.1,45.45]]]}
                """
            #expect(try await visitor.send(form, to: "/console/zones/new").status == 303)
            let unfit = try await visitor.get("/console/zones/publish")
            #expect(unfit.text.contains("Brera (W) and Nord (N) overlap"))
            var west = try await visitor.sheet(on: "/console/zones/draft/W")
            for row in 0..<4 where west["latitude", row] == "45.5" {
                west.set("latitude", at: row, to: "45.45")
            }
            #expect(try await visitor.send(west, to: "/console/zones/draft/W").status == 303)
            #expect(try await ZoneDrawings.publish(visitor).status == 303)
            #expect(site.installation.taxi.zonesInForce?.zones.map(\.code) == ["W", "N"])
        }
    }
}
