import Accounts
import ClockedServer
import Foundation
import Geo
import StorageTestSupport
import Taxi
import TestSupport
import Testing
import Zones

@testable import Web

@Suite("Zones on the console, on pages without scripts", .serialized)
struct ZonePagesTests {
    /// Two zones side by side: west and east of a line through the middle of Milan.
    private static func zones(_ middle: Double = 9.2, east: Double? = nil) -> String {
        func box(_ code: String, _ name: String, _ left: Double, _ right: Double) -> String {
            """
            {"type":"Feature","properties":{"code":"\(code)","name":"\(name)"},"geometry":\
            {"type":"Polygon","coordinates":[[[\(left),45.4],[\(right),45.4],[\(right),45.5],\
            [\(left),45.5],[\(left),45.4]]]}}
            """
        }
        return """
            {"type":"FeatureCollection","features":[\(box("W", "Brera", 9.1, middle)),\
            \(box("E", "Centro", east ?? middle, 9.3))]}
            """
    }

    /// Pastes zones into the import.
    private static func paste(_ text: String, _ visitor: Visitor) async throws -> Visitor.Answer {
        var form = try await visitor.form(on: "/console/zones/import")
        form["text"] = text
        return try await visitor.send(form, to: "/console/zones/import")
    }

    /// Publishes the draft.
    @discardableResult
    private static func publish(_ visitor: Visitor) async throws -> Visitor.Answer {
        var form = try await visitor.form(on: "/console/zones/publish")
        form["note"] = "as the council decided"
        return try await visitor.send(form, to: "/console/zones/publish")
    }

    private static let milan = "milan/comune/ds964_nil_wm.geojson"

    @Test(
        "R3, R7, R8: Milan's 88 zones are imported, one is corrected, and they come into force",
        .enabled(if: RealData.has(milan), RealData.advice)
    )
    func milanFlow() async throws {
        try await withSite { site in
            let visitor = try await site.administrator()
            let empty = try await visitor.get("/console/zones")
            #expect(empty.status == 200 && empty.text.contains("No zones are drawn yet"))
            let bytes = [UInt8](try Data(contentsOf: RealData.url(Self.milan)))
            let sent = try await visitor.upload(bytes, on: "/console/zones/import")
            #expect(sent.header("location") == "/console/zones?notice=imported", "\(sent.text)")
            let list = try await visitor.get("/console/zones?notice=imported")
            #expect(list.text.ranges(of: "/console/zones/draft/").count == 88)
            #expect(list.text.contains("PARCO DELLE ABBAZIE"))
            // The largest zone has 7,036 corners, of which some stand on a page.
            let large = try await visitor.get("/console/zones/draft/85?border=0&first=5000")
            #expect(large.text.ranges(of: "name=\"latitude\"").count == ZoneForm.stretch)
            #expect(large.text.utf8.count < 80_000)
            var form = try await visitor.form(on: "/console/zones/draft/85?first=5000")
            form["name"] = "Parco delle Abbazie"
            let saved = try await visitor.send(form, to: "/console/zones/draft/85")
            #expect(saved.status == 303)
            let plan = try await visitor.get("/console/zones/publish")
            #expect(plan.text.contains("(88)"))
            #expect(plan.text.contains("Borders less than a metre apart were joined"))
            #expect(try await Self.publish(visitor).status == 303)
            #expect(site.installation.taxi.zonesInForce?.count == 88)
            let after = try await visitor.get("/console/zones")
            #expect(after.text.contains("88 zones are in force"))
            #expect(after.text.contains(">Parco delle Abbazie</a>"))
            #expect(after.text.contains("Nobody is working on a draft"))
            let file = try await visitor.get("/console/zones/zones.geojson")
            #expect(file.header("content-disposition")?.contains("zones.geojson") == true)
            let again = try ZoneSet.read(Array(file.text.utf8), file: "")
            #expect(again.count == 88)
        }
    }

    @Test("a corner is changed, moved, inserted and removed through the table (WCAG 2.5.7)")
    func table() async throws {
        try await withSite { site in
            let visitor = try await site.administrator()
            #expect(try await Self.paste(Self.zones(), visitor).status == 303)
            let path = "/console/zones/draft/W"
            func corners() async throws -> [String] {
                let form = try await visitor.form(on: path)
                return zip(form.all("latitude"), form.all("longitude")).map { "\($0) \($1)" }
            }
            let square = ["45.4 9.1", "45.4 9.2", "45.5 9.2", "45.5 9.1"]
            #expect(try await corners() == square)
            var form = try await visitor.form(on: path)
            form.set("latitude", at: 1, to: "45,41")
            #expect(try await visitor.send(form, to: path).status == 303)
            #expect(try await corners() == ["45.4 9.1", "45.41 9.2", "45.5 9.2", "45.5 9.1"])
            form = try await visitor.form(on: path)
            form["do"] = "insert-3"
            let inserted = try await visitor.send(form, to: path)
            let place = try #require(inserted.header("location"))
            #expect(place.hasSuffix("#vertex-5"))
            #expect(try await corners().count == 5)
            #expect(try await corners()[4] == "45.45 9.1")
            form = try await visitor.form(on: path)
            form["do"] = "down-3"
            _ = try await visitor.send(form, to: path)
            #expect(try await corners()[4] == "45.5 9.1")
            form = try await visitor.form(on: path)
            form["do"] = "up-4"
            _ = try await visitor.send(form, to: path)
            form = try await visitor.form(on: path)
            form["do"] = "remove-4"
            _ = try await visitor.send(form, to: path)
            #expect(try await corners() == ["45.4 9.1", "45.41 9.2", "45.5 9.2", "45.5 9.1"])
            // What cannot be read comes back as it was typed, and nothing is saved.
            form = try await visitor.form(on: path)
            form.set("longitude", at: 2, to: "nine <b>")
            form["name"] = "Brera Nuova"
            let wrong = try await visitor.send(form, to: path)
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("value=\"nine &lt;b&gt;\""))
            #expect(wrong.text.contains("value=\"Brera Nuova\""))
            #expect(wrong.text.contains("Correct the marked rows"))
            #expect(try await visitor.form(on: path)["name"] == "Brera")
        }
    }

    @Test("parts and holes are added and removed, and a border of many corners is paged through")
    func borders() async throws {
        try await withSite { site in
            let visitor = try await site.administrator()
            _ = try await Self.paste(Self.zones(), visitor)
            let path = "/console/zones/draft/W"
            func send(_ action: String, _ pasted: String = "") async throws -> Visitor.Answer {
                var form = try await visitor.form(on: path)
                form["pasted"] = pasted
                form["do"] = action
                return try await visitor.send(form, to: path)
            }
            let hole = "45.42, 9.12\n45.42, 9.14\n45.44, 9.14\n45.44, 9.12"
            #expect(try await send("hole", hole).status == 303)
            let island = "45.3 9.1\n45.3 9.2\n45.35 9.2\n45.35 9.1\n45.3 9.1"
            #expect(try await send("part", island).status == 303)
            let shape = try await Self.draft(site).zones[0].area.polygons
            #expect(shape.map { $0.rings.count } == [2, 1])
            let shown = try await visitor.get(path + "?border=2")
            #expect(shown.text.contains("Border of part 2"))
            var form = try await visitor.form(on: path + "?border=1")
            form["do"] = "border"
            #expect(try await visitor.send(form, to: path).status == 303)
            form = try await visitor.form(on: path + "?border=1")
            form["do"] = "border"
            #expect(try await visitor.send(form, to: path).status == 303)
            #expect(try await Self.draft(site).zones[0].area.polygons.count == 1)
            #expect(try await send("border").status == 422)
            #expect(try await send("replace", "45.4 9.1\n45.4").status == 422)
            let round = (0..<100).map { step -> String in
                let angle = Double(step) / 50 * Double.pi
                return "\(45.45 + 0.03 * sin(angle)), \(9.15 + 0.03 * cos(angle))"
            }
            #expect(try await send("replace", round.joined(separator: "\n")).status == 303)
            form = try await visitor.form(on: path)
            #expect(form.all("latitude").count == 40)
            form.set("latitude", at: 39, to: "45.49")
            form["do"] = "show-0-40"
            let next = try await visitor.send(form, to: path)
            #expect(next.header("location")?.contains("first=40") == true)
            #expect(try await visitor.form(on: path)["latitude", 39] == "45.49")
            #expect(try await visitor.get(path + "?first=80").text.contains("81 to 100 of 100"))
        }
    }

    @Test("what overlaps whom is told by name, in both languages, and is not published (R3)")
    func overlap() async throws {
        try await withSite { site in
            let visitor = try await site.administrator()
            #expect(try await Self.paste(Self.zones(9.2, east: 9.19), visitor).status == 303)
            let page = try await visitor.get("/console/zones/publish")
            #expect(page.text.contains("These zones cannot be published yet"))
            #expect(page.text.contains("Brera (W) and Centro (E) overlap"))
            #expect(page.text.contains("href=\"/console/zones/draft/W\""))
            visitor.language = "it"
            let italian = try await visitor.get("/console/zones/publish")
            #expect(italian.text.contains("Brera (W) e Centro (E) si sovrappongono"))
            visitor.language = "en"
            let form = try await visitor.form(on: "/console/zones")
            let sent = try await visitor.send(form, to: "/console/zones/publish")
            #expect(sent.status == 303)
            #expect(site.installation.taxi.zonesInForce == nil)
            // Nothing of the work is lost.
            #expect(try await Self.draft(site).zones.count == 2)
        }
    }

    private static func draft(_ site: ServedSite) async throws -> ZoneDraft {
        try #require(try await site.installation.taxi.zoneDesk.work().draft)
    }

    @Test("R8: the backup comes first, and where it fails nothing changes")
    func backup() async throws {
        let backups = Backups()
        try await withSite(prepare: { $0.safetyBackup = backups.take }) { site in
            let visitor = try await site.administrator()
            _ = try await Self.paste(Self.zones(), visitor)
            backups.fails = true
            let refused = try await Self.publish(visitor)
            #expect(refused.status == 503)
            #expect(refused.text.contains("nothing was published: the disk is full"))
            #expect(refused.text.contains("value=\"as the council decided\""))
            #expect(site.installation.taxi.zonesInForce == nil)
            backups.fails = false
            #expect(try await Self.publish(visitor).status == 303)
            #expect(backups.reasons.count == 2)
            #expect(site.installation.taxi.zonesInForce?.count == 2)
            let entry = try #require(try await site.installation.accounts.audit(limit: 1).first)
            #expect(entry.note.act == "publish zones" && entry.note.object == "version 1")
        }
    }

    @Test("R8: publishing and rolling back ask for the password again; both can be undone")
    func rollBack() async throws {
        try await withSite { site in
            let visitor = try await site.administrator()
            _ = try await Self.paste(Self.zones(), visitor)
            try await Self.publish(visitor)
            _ = try await Self.paste(Self.zones(9.25), visitor)
            site.clock.advance(seconds: 601)
            for path in ["/console/zones/publish", "/console/zones/history/1"] {
                let asked = try await visitor.get(path)
                #expect(asked.header("location")?.hasPrefix("/login/again?next=") == true)
            }
            _ = try await visitor.submit(
                ["password": "Passw0rdTwo"],
                on: "/login/again?next=%2Fconsole%2Fzones%2Fpublish"
            )
            try await Self.publish(visitor)
            let history = try await visitor.get("/console/zones/history")
            #expect(history.text.contains("as the council decided"))
            #expect(history.text.contains("<td>clerk</td>"))
            let plan = try await visitor.get("/console/zones/history/1")
            #expect(plan.text.contains("Return to version 1"))
            #expect(plan.text.contains("<b>Redrawn</b> (2): Brera (W), Centro (E)"))
            let form = try await visitor.form(on: "/console/zones/history/1")
            #expect(try await visitor.send(form, to: "/console/zones/history/1").status == 303)
            let versions = try await site.installation.taxi.zoneDesk.versions()
            #expect(versions.map(\.number) == [3, 2, 1])
            #expect(versions[0].hash == versions[2].hash)
            let file = try await visitor.get("/console/zones/history/2/zones.geojson")
            #expect(file.text.contains("9.25"))
            #expect(try await visitor.get("/console/zones/history/99").status == 404)
            // The same form again would confirm what nobody has looked at.
            #expect(try await visitor.send(form, to: "/console/zones/history/2").status == 409)
        }
    }

    @Test("who edits what another has changed meanwhile sees it, and chooses (409, F20)")
    func conflict() async throws {
        try await withSite { site in
            let (anna, bruno) = (
                try await site.administrator("annab"), try await site.administrator("brunoc")
            )
            _ = try await Self.paste(Self.zones(), anna)
            let (west, east) = ("/console/zones/draft/W", "/console/zones/draft/E")
            var annas = try await anna.form(on: west)
            var brunos = try await bruno.form(on: west)
            let brunosEast = try await bruno.form(on: east)
            annas["name"] = "Brera & Porta Nuova"
            #expect(try await anna.send(annas, to: west).status == 303)
            brunos["name"] = "Isola"
            let refused = try await bruno.send(brunos, to: west)
            #expect(refused.status == 409)
            #expect(refused.text.contains("What annab changed"))
            #expect(refused.text.contains("Brera → Brera &amp; Porta Nuova (W)"))
            #expect(
                refused.text.contains("Save mine over it") && refused.text.contains("Take theirs")
            )
            #expect(try await Self.draft(site).zones[0].name == "Brera & Porta Nuova")
            // Knowingly over it; and meanwhile a third save is noticed again.
            let over = Sheet(refused.text)
            #expect(over["name"] == "Isola")
            #expect(try await bruno.send(over, to: west).status == 303)
            #expect(try await Self.draft(site).zones.map(\.name) == ["Isola", "Centro"])
            #expect(try await bruno.send(over, to: west).status == 409)
            // A page of another zone from before: the other zones stay as they are now.
            var late = brunosEast
            late.set("latitude", at: 0, to: "45.39")
            let again = Sheet(try await bruno.send(late, to: east).text)
            #expect(try await bruno.send(again, to: east).status == 303)
            let draft = try await Self.draft(site)
            #expect(draft.zones.map(\.name) == ["Isola", "Centro"])
            #expect(draft.zones[1].area.polygons[0].outline.points[0].latitude == 453_900_000)
            // And a file that would replace all of it.
            var file = try await anna.form(on: "/console/zones/import")
            file["text"] = Self.zones(9.21)
            _ = try await bruno.send(
                try await bruno.form(on: "/console/zones"),
                to: "/console/zones/undo"
            )
            let lost = try await anna.send(file, to: "/console/zones/import")
            #expect(lost.status == 409 && lost.text.contains("brunoc saved the draft"))
            #expect(
                try await anna.send(Sheet(lost.text), to: "/console/zones/import").status == 303
            )
        }
    }

    @Test(
        "a draft survives a restart of the server, and is undone and discarded",
        arguments: TestEngine.allCases
    )
    func restart(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { database in
            try await withTemporaryFolder { folder in
                try await withSite(in: folder, of: database) { site in
                    let visitor = try await site.administrator()
                    _ = try await Self.paste(Self.zones(9.2, east: 9.19), visitor)
                }
                try await withSite(in: folder, of: database) { site in
                    let visitor = try await site.logIn("clerk", "Passw0rdTwo")
                    let list = try await visitor.get("/console/zones")
                    #expect(list.text.contains("last saved by clerk"))
                    #expect(list.text.contains(">Brera</a>"))
                    var form = try await visitor.form(on: "/console/zones/draft/E")
                    form["do"] = "zone"
                    #expect(
                        try await visitor.send(form, to: "/console/zones/draft/E").status == 303
                    )
                    form = try await visitor.form(on: "/console/zones/draft/W")
                    form["do"] = "zone"
                    let last = try await visitor.send(form, to: "/console/zones/draft/W")
                    #expect(last.status == 422 && last.text.contains("this is the last"))
                    for (path, count) in [("undo", 2), ("discard", 0), ("undo", 2)] {
                        let page = try await visitor.form(on: "/console/zones")
                        _ = try await visitor.send(page, to: "/console/zones/\(path)")
                        let work = try await site.installation.taxi.zoneDesk.work()
                        #expect(work.draft?.zones.count ?? 0 == count)
                    }
                }
            }
        }
    }

    @Test("operators, drivers, passengers and guests get nowhere near (R9)")
    func roles() async throws {
        try await withSite { site in
            let administrator = try await site.administrator()
            _ = try await Self.paste(Self.zones(), administrator)
            let routes = Site(site.installation).consoleZoneRoutes
            #expect(routes.count == 17)
            let roles: [Set<Role>] = [[.traveller], [.serviceOperator], [.traveller, .driver]]
            for (number, roles) in roles.enumerated() {
                let visitor = try await site.person("someone\(number)", roles)
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

    @Test("hostile files are refused in words, and names with markup stay names")
    func hostile() async throws {
        try await withSite { site in
            let visitor = try await site.administrator()
            let deep = String(repeating: "[", count: 100_000)
            let ring = "[[9.1,45.4],[9.2,45.4],[9.2,45.5],[9.1,45.4]]"
            func feature(_ properties: String, _ ring: String = ring) -> String {
                """
                {"type":"Feature","properties":{\(properties)},"geometry":\
                {"type":"Polygon","coordinates":[\(ring)]}}
                """
            }
            func collection(_ features: String...) -> String {
                """
                {"type":"FeatureCollection","features":[\(features.joined(separator: ","))]}
                """
            }
            let bad: [(String, String)] = [
                ("", "Choose a file"), ("hello", "is not JSON"), (deep, "is not JSON"),
                ("{}", "lacks a member"), (collection(), "There are no zones"),
                (collection(feature("\"x\":1")), "to tell it from the others"),
                (
                    collection(feature("\"code\":1"), feature("\"code\":1")),
                    "have the same code, 1"
                ),
                (
                    collection(feature("\"code\":1", "[[9,45],[9,46]]")),
                    "a border of only 1 corners"
                ),
                (
                    collection(feature("\"code\":1", "[[9,95],[9,46],[8,1],[9,95]]")),
                    "no longitude and latitude"
                ),
                (
                    collection(
                        feature("\"code\":1"),
                        feature("\"code\":2", "[[-70,45],[-71,45],[-71,46],[-70,45]]")
                    ),
                    "too far from the other zones"
                ),
            ]
            for (text, words) in bad {
                let answer = try await Self.paste(text, visitor)
                #expect(answer.status == 422 && answer.text.contains(words), "\(words)")
            }
            let name = "<script>alert('x')</script> & \\\"sons\\\""
            let code = "a/b?c#<i>"
            let file = collection(feature("\"code\":\"\(code)\",\"name\":\"\(name)\""))
            #expect(try await Self.paste(file, visitor).status == 303)
            let list = try await visitor.get("/console/zones")
            #expect(!list.text.contains("<script>alert"))
            #expect(list.text.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; "))
            let path = "/console/zones/draft/a%2Fb%3Fc%23%3Ci%3E"
            #expect(list.text.contains("href=\"\(path)\""))
            var form = try await visitor.form(on: path)
            form["name"] = "Tame"
            #expect(try await visitor.send(form, to: path).status == 303)
            #expect(try await Self.draft(site).zones[0].name == "Tame")
            for path in [
                "/console/zones/draft/none", "/console/zones/history/0",
                "/console/zones/history/x/zones.geojson",
            ] {
                #expect(try await visitor.get(path).status == 404, "\(path)")
            }
            form["border"] = "7"
            #expect(try await visitor.send(form, to: path).status == 409)
            form = try await visitor.form(on: path)
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

    @Test("a file of 16 MiB is taken, a larger one is refused with the limit")
    func limit() async throws {
        try await withSite { site in
            let visitor = try await site.administrator()
            let zones = Self.zones()
            let blank = [UInt8](repeating: 0x20, count: (16 << 20) - zones.utf8.count)
            let sent = try await visitor.upload(
                Array(zones.utf8) + blank,
                on: "/console/zones/import"
            )
            #expect(sent.status == 303)
            let large = [UInt8](repeating: 0x20, count: 17 << 20)
            let refused = try await visitor.upload(large, on: "/console/zones/import")
            #expect(refused.status == 413)
        }
    }

    @Test("a zone is added from lines or GeoJSON, and cuts land out of its neighbour (R7)")
    func adds() async throws {
        try await withSite { site in
            let visitor = try await site.administrator()
            var form = try await visitor.form(on: "/console/zones/new")
            let wrong = try await visitor.send(form, to: "/console/zones/new")
            #expect(wrong.status == 422 && wrong.text.contains("href=\"#field-border\""))
            form["code"] = "W"
            form["name"] = "Brera"
            form["border"] = "45,4; 9,1\n45,4; 9,2\n45,5; 9,2\n45,5; 9,1"
            #expect(try await visitor.send(form, to: "/console/zones/new").status == 303)
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
            var west = try await visitor.form(on: "/console/zones/draft/W")
            for row in 0..<4 where west["latitude", row] == "45.5" {
                west.set("latitude", at: row, to: "45.45")
            }
            #expect(try await visitor.send(west, to: "/console/zones/draft/W").status == 303)
            #expect(try await Self.publish(visitor).status == 303)
            #expect(site.installation.taxi.zonesInForce?.zones.map(\.code) == ["W", "N"])
        }
    }
}
