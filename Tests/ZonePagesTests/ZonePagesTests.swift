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
@testable import ZonePages

@Suite("Zones on the console, on pages without scripts", .serialized)
struct ZonePagesTests {
    private static let milan = "milan/comune/ds964_nil_wm.geojson"

    @Test(
        "R3, R7, R8: Milan's 88 zones are imported, one is corrected, and they come into force",
        .enabled(if: RealData.has(milan), RealData.advice)
    )
    func milanFlow() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            let empty = try await visitor.get("/console/zones")
            #expect(empty.status == 200 && empty.text.contains("No zones are drawn yet"))
            let bytes = [UInt8](try Data(contentsOf: RealData.url(Self.milan)))
            let sent = try await visitor.uploadZones(bytes, on: "/console/zones/import")
            #expect(sent.header("location") == "/console/zones?notice=imported", "\(sent.text)")
            let list = try await visitor.get("/console/zones?notice=imported")
            #expect(list.text.ranges(of: "/console/zones/draft/").count == 88)
            #expect(list.text.contains("PARCO DELLE ABBAZIE"))
            // The largest zone has 7,036 corners, of which a page shows only some.
            let large = try await visitor.get("/console/zones/draft/85?border=0&first=5000")
            #expect(large.text.ranges(of: "name=\"latitude\"").count == ZoneForm.stretch)
            #expect(large.text.utf8.count < 80_000)
            var form = try await visitor.sheet(on: "/console/zones/draft/85?first=5000")
            form["name"] = "Parco delle Abbazie"
            let saved = try await visitor.send(form, to: "/console/zones/draft/85")
            #expect(saved.status == 303)
            let plan = try await visitor.get("/console/zones/publish")
            #expect(plan.text.contains("(88)"))
            #expect(
                plan.text.contains("Borders of neighbours less than a metre apart that were joined")
            )
            #expect(try await ZoneDrawings.publish(visitor).status == 303)
            #expect(site.installation.taxi.zonesInForce?.count == 88)
            let after = try await visitor.get("/console/zones")
            #expect(after.text.contains("88 zones are in force"))
            #expect(after.text.contains("<b>Parco delle Abbazie</b>"))
            #expect(after.text.contains("No draft. Change a zone"))
            let file = try await visitor.get("/console/zones/zones.geojson")
            #expect(file.header("content-disposition")?.contains("zones.geojson") == true)
            let again = try ZoneSet.read(Array(file.text.utf8), file: "")
            #expect(again.count == 88)
        }
    }

    @Test("a corner is changed, moved, inserted and removed through the table (WCAG 2.5.7)")
    func table() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            #expect(try await ZoneDrawings.paste(ZoneDrawings.zones(), visitor).status == 303)
            let path = "/console/zones/draft/W"
            func corners() async throws -> [String] {
                let form = try await visitor.sheet(on: path)
                return zip(form.all("latitude"), form.all("longitude")).map { "\($0) \($1)" }
            }
            let square = ["45.4 9.1", "45.4 9.2", "45.5 9.2", "45.5 9.1"]
            #expect(try await corners() == square)
            var form = try await visitor.sheet(on: path)
            form.set("latitude", at: 1, to: "45,41")
            #expect(try await visitor.send(form, to: path).status == 303)
            #expect(try await corners() == ["45.4 9.1", "45.41 9.2", "45.5 9.2", "45.5 9.1"])
            form = try await visitor.sheet(on: path)
            form["do"] = "insert-3"
            let inserted = try await visitor.send(form, to: path)
            let place = try #require(inserted.header("location"))
            #expect(place.hasSuffix("#vertex-5"))
            #expect(try await corners().count == 5)
            #expect(try await corners()[4] == "45.45 9.1")
            form = try await visitor.sheet(on: path)
            form["do"] = "down-3"
            _ = try await visitor.send(form, to: path)
            #expect(try await corners()[4] == "45.5 9.1")
            form = try await visitor.sheet(on: path)
            form["do"] = "up-4"
            _ = try await visitor.send(form, to: path)
            form = try await visitor.sheet(on: path)
            form["do"] = "remove-4"
            _ = try await visitor.send(form, to: path)
            #expect(try await corners() == ["45.4 9.1", "45.41 9.2", "45.5 9.2", "45.5 9.1"])
            // Invalid input comes back as it was typed, and nothing is saved.
            form = try await visitor.sheet(on: path)
            form.set("longitude", at: 2, to: "nine <b>")
            form["name"] = "Brera Nuova"
            let wrong = try await visitor.send(form, to: path)
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("value=\"nine &lt;b&gt;\""))
            #expect(wrong.text.contains("value=\"Brera Nuova\""))
            #expect(wrong.text.contains("Correct the marked rows"))
            #expect(try await visitor.sheet(on: path)["name"] == "Brera")
        }
    }

    @Test("parts and holes are added and removed, and a border of many corners is paged through")
    func borders() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            _ = try await ZoneDrawings.paste(ZoneDrawings.zones(), visitor)
            let path = "/console/zones/draft/W"
            func send(_ action: String, _ pasted: String = "") async throws -> Visitor.Answer {
                var form = try await visitor.sheet(on: path)
                form["pasted"] = pasted
                form["do"] = action
                return try await visitor.send(form, to: path)
            }
            let hole = "45.42, 9.12\n45.42, 9.14\n45.44, 9.14\n45.44, 9.12"
            #expect(try await send("hole", hole).status == 303)
            let island = "45.3 9.1\n45.3 9.2\n45.35 9.2\n45.35 9.1\n45.3 9.1"
            #expect(try await send("part", island).status == 303)
            let shape = try await ZoneDrawings.draft(site).zones[0].area.polygons
            #expect(shape.map { $0.rings.count } == [2, 1])
            let shown = try await visitor.get(path + "?border=2")
            #expect(shown.text.contains("Border of part 2"))
            var form = try await visitor.sheet(on: path + "?border=1")
            form["do"] = "border"
            #expect(try await visitor.send(form, to: path).status == 303)
            form = try await visitor.sheet(on: path + "?border=1")
            form["do"] = "border"
            #expect(try await visitor.send(form, to: path).status == 303)
            #expect(try await ZoneDrawings.draft(site).zones[0].area.polygons.count == 1)
            #expect(try await send("border").status == 422)
            #expect(try await send("replace", "45.4 9.1\n45.4").status == 422)
            let round = (0..<100).map { step -> String in
                let angle = Double(step) / 50 * Double.pi
                return "\(45.45 + 0.03 * sin(angle)), \(9.15 + 0.03 * cos(angle))"
            }
            #expect(try await send("replace", round.joined(separator: "\n")).status == 303)
            form = try await visitor.sheet(on: path)
            #expect(form.all("latitude").count == 40)
            form.set("latitude", at: 39, to: "45.49")
            form["do"] = "show-0-40"
            let next = try await visitor.send(form, to: path)
            #expect(next.header("location")?.contains("first=40") == true)
            #expect(try await visitor.sheet(on: path)["latitude", 39] == "45.49")
            #expect(try await visitor.get(path + "?first=80").text.contains("81 to 100 of 100"))
        }
    }

    @Test("what overlaps whom is told by name, in both languages, and is not published (R3)")
    func overlap() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            #expect(
                try await ZoneDrawings.paste(ZoneDrawings.zones(9.2, east: 9.19), visitor).status
                    == 303
            )
            let page = try await visitor.get("/console/zones/publish")
            #expect(page.text.contains("These zones cannot be published yet"))
            #expect(page.text.contains("Brera (W) and Centro (E) overlap"))
            #expect(page.text.contains("href=\"/console/zones/draft/W\""))
            visitor.language = "it"
            let italian = try await visitor.get("/console/zones/publish")
            #expect(italian.text.contains("Brera (W) e Centro (E) si sovrappongono"))
            visitor.language = "en"
            let form = try await visitor.sheet(on: "/console/zones")
            let sent = try await visitor.send(form, to: "/console/zones/publish")
            #expect(sent.status == 303)
            #expect(site.installation.taxi.zonesInForce == nil)
            // The draft is preserved.
            #expect(try await ZoneDrawings.draft(site).zones.count == 2)
        }
    }

    @Test("the map fills the pages of zones, text comes first, problems are on it (issue 30, 4)")
    func mapFirst() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            _ = try await ZoneDrawings.paste(ZoneDrawings.zones(9.2, east: 9.19), visitor)
            for path in [
                "/console/zones", "/console/zones/draft/W", "/console/zones/new",
                "/console/zones/publish",
            ] {
                let page = try await visitor.get(path).text
                // The style sheet lifts the map of such a page above its sheet.
                #expect(page.contains("<body class=\"console"), "\(path)")
                let sheet = try #require(page.range(of: "<div class=\"sheet\">"), "\(path)")
                let map = try #require(page.range(of: "<div class=\"map-area\">"), "\(path)")
                #expect(sheet.lowerBound < map.lowerBound, "\(path)")
                #expect(
                    page.contains(/<div class="map-area">.*data-map="zones"/.dotMatchesNewlines())
                )
            }
            let editor = try await visitor.get("/console/zones/draft/W").text
            let folded = try #require(editor.firstMatch(of: /<details class="folded">/))
            let table = try #require(editor.range(of: "data-vertices"))
            #expect(folded.range.lowerBound < table.lowerBound)
            let dock = try #require(editor.range(of: "<div class=\"dock\">"))
            #expect(table.lowerBound < dock.lowerBound)
            let source = "/console/zones/draft.geojson"
            let check = try await visitor.get("/console/zones/publish").text
            #expect(check.contains("data-source=\"\(source)?problems=yes\""))
            let marked = try await visitor.get(source + "?problems=yes").text
            #expect(marked.contains("1. Brera (W) and Centro (E) overlap"))
            #expect(marked.contains("\"Point\"") && marked.contains("\"problem\""))
            #expect(!(try await visitor.get(source).text).contains("\"Point\""))
            let picture = try await visitor.get("/console/zones/map.svg?problems=yes")
            #expect(picture.status == 200)
            // Once the zones fit, nothing is marked.
            _ = try await ZoneDrawings.paste(ZoneDrawings.zones(), visitor)
            #expect(!(try await visitor.get(source + "?problems=yes").text).contains("\"Point\""))
        }
    }

    @Test("R8: the backup comes first, and where it fails nothing changes")
    func backup() async throws {
        let backups = RiggedBackups()
        try await withSite(prepare: { $0.safetyBackup = backups.take }) { site in
            let visitor = try await site.clerk()
            _ = try await ZoneDrawings.paste(ZoneDrawings.zones(), visitor)
            backups.fails = true
            let refused = try await ZoneDrawings.publish(visitor)
            #expect(refused.status == 503)
            #expect(refused.text.contains("nothing was published: the disk is full"))
            #expect(refused.text.contains("value=\"as the council decided\""))
            #expect(site.installation.taxi.zonesInForce == nil)
            backups.fails = false
            #expect(try await ZoneDrawings.publish(visitor).status == 303)
            #expect(backups.reasons.count == 2)
            #expect(site.installation.taxi.zonesInForce?.count == 2)
            let entry = try #require(try await site.installation.accounts.audit(limit: 1).first)
            #expect(entry.note.act == "publish zones" && entry.note.object == "version 1")
        }
    }

    @Test("R8: publishing and rolling back ask for the password again; both can be undone")
    func rollBack() async throws {
        try await withSite { site in
            let visitor = try await site.clerk()
            _ = try await ZoneDrawings.paste(ZoneDrawings.zones(), visitor)
            try await ZoneDrawings.publish(visitor)
            _ = try await ZoneDrawings.paste(ZoneDrawings.zones(9.25), visitor)
            site.clock.advance(seconds: 601)
            for path in ["/console/zones/publish", "/console/zones/history/1"] {
                let asked = try await visitor.get(path)
                #expect(asked.header("location")?.hasPrefix("/login/again?next=") == true)
            }
            _ = try await visitor.submit(
                ["password": "Passw0rdTwo"],
                on: "/login/again?next=%2Fconsole%2Fzones%2Fpublish"
            )
            try await ZoneDrawings.publish(visitor)
            let history = try await visitor.get("/console/zones/history")
            #expect(history.text.contains("as the council decided"))
            #expect(history.text.contains("<span>clerk</span>"))
            let plan = try await visitor.get("/console/zones/history/1")
            #expect(plan.text.contains("Return to version 1"))
            #expect(plan.text.contains("<b>Redrawn</b> (2): Brera (W), Centro (E)"))
            let form = try await visitor.sheet(on: "/console/zones/history/1")
            #expect(try await visitor.send(form, to: "/console/zones/history/1").status == 303)
            let versions = try await site.installation.taxi.zoneDrafts.versions()
            #expect(versions.map(\.number) == [3, 2, 1])
            #expect(versions[0].hash == versions[2].hash)
            let file = try await visitor.get("/console/zones/history/2/zones.geojson")
            #expect(file.text.contains("9.25"))
            #expect(try await visitor.get("/console/zones/history/99").status == 404)
            // Submitting the same form again would confirm something that nobody has reviewed.
            #expect(try await visitor.send(form, to: "/console/zones/history/2").status == 409)
        }
    }

    @Test("who edits what another has changed meanwhile sees it, and chooses (409, F20)")
    func conflict() async throws {
        try await withSite { site in
            let (anna, bruno) = (
                try await site.clerk("annab"), try await site.clerk("brunoc")
            )
            _ = try await ZoneDrawings.paste(ZoneDrawings.zones(), anna)
            let (west, east) = ("/console/zones/draft/W", "/console/zones/draft/E")
            var annas = try await anna.sheet(on: west)
            var brunos = try await bruno.sheet(on: west)
            let brunosEast = try await bruno.sheet(on: east)
            annas["name"] = "Brera & Porta Nuova"
            #expect(try await anna.send(annas, to: west).status == 303)
            brunos["name"] = "Isola"
            let refused = try await bruno.send(brunos, to: west)
            #expect(refused.status == 409)
            #expect(refused.text.contains("What annab changed"))
            #expect(refused.text.contains("Brera → Brera &amp; Porta Nuova (W)"))
            #expect(
                refused.text.contains("Overwrite with mine") && refused.text.contains("Keep theirs")
            )
            #expect(try await ZoneDrawings.draft(site).zones[0].name == "Brera & Porta Nuova")
            // Save over it deliberately; a third save in the meantime is detected again.
            var over = FormSheet(refused.text)
            #expect(over["name"] == "Isola")
            #expect(try await bruno.send(over, to: west).status == 303)
            #expect(try await ZoneDrawings.draft(site).zones.map(\.name) == ["Isola", "Centro"])
            over["key"] = "of-another-tab"
            #expect(try await bruno.send(over, to: west).status == 409)
            // An older page of another zone: the other zones stay as they are now.
            var late = brunosEast
            late.set("latitude", at: 0, to: "45.39")
            let again = FormSheet(try await bruno.send(late, to: east).text)
            #expect(try await bruno.send(again, to: east).status == 303)
            let draft = try await ZoneDrawings.draft(site)
            #expect(draft.zones.map(\.name) == ["Isola", "Centro"])
            #expect(draft.zones[1].area.polygons[0].outline.points[0].latitude == 453_900_000)
            // The same goes for a file that would replace all zones.
            var file = try await anna.sheet(on: "/console/zones/import")
            file["text"] = ZoneDrawings.zones(9.21)
            _ = try await bruno.send(
                try await bruno.sheet(on: "/console/zones"),
                to: "/console/zones/undo"
            )
            let lost = try await anna.send(file, to: "/console/zones/import")
            #expect(lost.status == 409 && lost.text.contains("brunoc saved the draft"))
            #expect(
                try await anna.send(FormSheet(lost.text), to: "/console/zones/import").status == 303
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
                    let visitor = try await site.clerk()
                    _ = try await ZoneDrawings.paste(ZoneDrawings.zones(9.2, east: 9.19), visitor)
                }
                try await withSite(in: folder, of: database) { site in
                    let visitor = try await site.enter("clerk", "Passw0rdTwo")
                    let list = try await visitor.get("/console/zones")
                    #expect(list.text.contains("last saved by clerk"))
                    #expect(list.text.contains("<b>Brera</b>"))
                    var form = try await visitor.sheet(on: "/console/zones/draft/E")
                    form["do"] = "zone"
                    #expect(
                        try await visitor.send(form, to: "/console/zones/draft/E").status == 303
                    )
                    form = try await visitor.sheet(on: "/console/zones/draft/W")
                    form["do"] = "zone"
                    let last = try await visitor.send(form, to: "/console/zones/draft/W")
                    #expect(last.status == 422 && last.text.contains("this is the last"))
                    for (path, count) in [("undo", 2), ("discard", 0), ("undo", 2)] {
                        let page = try await visitor.sheet(on: "/console/zones")
                        _ = try await visitor.send(page, to: "/console/zones/\(path)")
                        let work = try await site.installation.taxi.zoneDrafts.work()
                        #expect(work.draft?.zones.count ?? 0 == count)
                    }
                }
            }
        }
    }
}
