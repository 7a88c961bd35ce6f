import Testing
import WebTestSupport

/// V84; issue 31, 2: stops with their departures, and lines.
@Suite("Stops and lines", .serialized)
struct StopPagesTests {
    /// Asks for the stops near the west end; returns the path of the answer.
    private static func ask(_ visitor: Visitor) async throws -> String {
        let sent = try await visitor.submit(["from": RideTown.typed(120)], on: "/stops")
        let path = try #require(sent.header("location"), "\(sent.text)")
        #expect(sent.status == 303 && path.hasPrefix("/stops/near/"))
        return path
    }

    /// The path of the first stop of an answer.
    private static func stop(_ visitor: Visitor) async throws -> String {
        let page = try await visitor.get(try await ask(visitor)).text
        return String(try #require(page.firstMatch(of: /class="option" href="([^"]*)"/)).1)
    }

    @Test("R130: the stops near a place, the nearest first; no address says where")
    func near() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let path = try await Self.ask(visitor)
            #expect(!path.contains("45.4") && !path.contains("9.1"))
            let page = try await visitor.get(path)
            #expect(page.status == 200)
            #expect(page.header("x-robots-tag") == "noindex, nofollow")
            let names = page.text.matches(of: /class="option"[^>]*><span><b>([^<]*)</)
            #expect(names.map { String($0.1) } == ["Lungo Ovest", "Lungo Centro"])
            #expect(page.text.contains("57") && page.text.contains("M1"))
            #expect(page.text.contains("m away"))
            #expect(try await visitor.get("\(path)/map.svg").status == 200)
            #expect(try await visitor.get(String(path.dropLast(2))).status == 404)
            let other = town.site.visitor()
            other.language = "it"
            #expect(try await other.get(path).text.contains("Fermate vicino a"))
        }
    }

    @Test("an empty field is explained; the map, several places and saved places lead on")
    func form() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let empty = try await visitor.submit(["from": ""], on: "/stops")
            #expect(empty.status == 422)
            #expect(empty.text.contains("Enter a place, or use your location."))
            let map = try await visitor.submit(["from": "", "point": "from"], on: "/stops")
            #expect(map.header("location") == "/stops/point/from")
            #expect(try await visitor.get("/stops/point/from").text.contains("Stops near here"))
            let taken = try await visitor.submit(
                ["latitude": "45.464", "longitude": "9.2"],
                on: "/stops/point/from"
            )
            #expect(taken.header("location") == "/stops")
            let several = try await visitor.submit(["from": "lungo"], on: "/stops")
            #expect(several.header("location") == "/stops/places")
            let chosen = try await visitor.submit(["from": "0"], on: "/stops/places")
            #expect(chosen.header("location")?.hasPrefix("/stops/near/") == true)
        }
    }

    @Test("a stop has its departures by line and direction, at any day and time")
    func departures() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let path = try await Self.stop(visitor)
            let page = try await visitor.get("\(path)?date=2027-01-15&time=10:00")
            #expect(page.status == 200)
            #expect(page.text.contains("<h1>Lungo Ovest</h1>"))
            #expect(page.text.contains("Departures from Friday 15 January, 10:00"))
            #expect(page.text.contains("to Est"))
            #expect(page.text.contains("<b>10:00</b>") && page.text.contains("<b>10:15</b>"))
            // What leads on points away from its word.
            #expect(page.text.contains("<span>Later</span> <svg"))
            #expect(page.text.contains("later departures"))
            #expect(page.text.contains("Wheelchair access unknown"))
            for name in ["Earlier", "Later"] {
                #expect(page.text.contains("<span>\(name)</span>"), "\(name)")
            }
            // At night, those of the next morning.
            let night = try await visitor.get("\(path)?date=2027-01-15&time=23:30").text
            #expect(night.contains("05:00 the next day"))
            let never = try await visitor.get("\(path)?date=2031-01-15&time=10:00").text
            #expect(never.contains("No departures"))
            // A value that no page offers is ignored.
            #expect(try await visitor.get("\(path)?date=x&time=y").status == 200)
            #expect(try await visitor.get("\(path)/map.svg").status == 200)
            #expect(try await visitor.get("/stops/none").status == 404)
        }
    }

    @Test("from a stop the planner's form is filled in, at either end")
    func plan() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let path = try await Self.stop(visitor)
            for end in ["from", "to"] {
                let sent = try await visitor.submit(["end": end], on: path, to: "\(path)/plan")
                #expect(sent.header("location") == "/plan")
                let form = try await visitor.get("/plan").text
                let pattern = try Regex("id=\"field-\(end)\"[^>]*value=\"Lungo Ovest\"")
                #expect(form.contains(pattern), "\(end)")
            }
        }
    }

    @Test("lines stand by mode with a filter; each has its stops in both directions")
    func lines() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let page = try await visitor.get("/lines").text
            let groups = page.matches(of: /<h2>(Metro|Buses)\b/).map { String($0.1) }
            #expect(groups == ["Metro", "Buses"])
            #expect(page.contains("class=\"button plain\" href=\"/plan\""))
            // The stops of the metro stand along its own colour.
            let metro = page.firstMatch(of: /class="capsule metro own[^"]*" href="([^"]+)"/)
            let stops = try await visitor.get(String(try #require(metro).1)).text
            #expect(stops.contains("<li><svg class=\"tint\""))
            let one = try await visitor.get("/lines?q=57").text
            #expect(one.contains("class=\"button plain\" href=\"/lines\""))
            #expect(one.contains("<b>57</b>") && !one.contains("<b>M1</b>"))
            #expect(try await visitor.get("/lines?q=nothing").text.contains("No such line"))
            let path = String(
                try #require(one.firstMatch(of: /href="(\/lines\/[^"]+)"/)).1
            )
            let line = try await visitor.get(path)
            #expect(line.status == 200)
            #expect(
                line.text.contains("<h2>To Est</h2>") && line.text.contains("<h2>To Ovest</h2>")
            )
            #expect(line.text.contains("First 05:00 · last 22:50 · about every 10 min"))
            #expect(line.text.contains(/href="\/stops\/[^"]+">Lungo Centro</))
            #expect(line.text.contains("data-kind=\"bus\""))
            #expect(try await visitor.get("\(path)/map.svg").status == 200)
            #expect(try await visitor.get("/lines/none").status == 404)
        }
    }

    @Test("the steps of a trip lead to the stops")
    func steps() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let answer = try await TravelTown.ask(visitor)
            let page = try await visitor.get(answer).text
            let trip = try #require(TravelTown.trips(on: page, of: answer).first)
            let steps = try await visitor.get(trip).text
            let link = try #require(steps.firstMatch(of: /href="(\/stops\/[^"]+)">Lungo/))
            #expect(try await visitor.get(String(link.1)).status == 200)
        }
    }

    @Test("R4: stops and lines are there before the city opens; without a city file, it says so")
    func beforeOpening() async throws {
        try await TravelTown.open(isOpen: false) { town in
            try await town.site.started()
            let visitor = town.site.visitor()
            #expect(try await visitor.get(try await Self.stop(visitor)).status == 200)
            #expect(try await visitor.get("/lines").status == 200)
        }
        try await withSite { site in
            let visitor = site.visitor()
            for path in ["/stops", "/lines"] {
                let page = try await visitor.get(path)
                #expect(page.status == 200)
                #expect(page.text.contains("There are no timetables here yet"), "\(path)")
            }
        }
    }
}
