import Chronology
import CityData
import Geo
import Testing
import TripPlanning
import WebTestSupport

@testable import TravelPages

/// Issue 31, 4: the area that can be reached within a time.
@Suite("How far can I get?", .serialized)
struct ReachPagesTests {
    private static let form = [
        "from": RideTown.typed(120), "when": "leave", "date": "2027-01-15", "time": "09:55",
        "minutes": "30", "by": "transit",
    ]

    /// Asks for the area reachable from the west end; returns the path of the answer.
    private static func ask(
        _ visitor: Visitor,
        _ fields: [String: String] = [:]
    ) async throws -> String {
        let sent = try await visitor.submit(form.merging(fields) { $1 }, on: "/reach")
        let path = try #require(sent.header("location"), "\(sent.text)")
        #expect(sent.status == 303 && path.hasPrefix("/reach/"))
        return path
    }

    /// The square kilometres in the heading of an answer.
    private static func area(_ page: String) throws -> Double {
        let heading = page.firstMatch(of: /<h1>Within \d+ min: ([\d.]+) km²<\/h1>/)
        return try #require(heading.flatMap { Double($0.1) }, "\(page)")
    }

    @Test("R130: the area in words, drawn as GeoJSON and as a picture; no address says where")
    func answer() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let path = try await Self.ask(visitor)
            #expect(!path.contains("45.4") && !path.contains("9.1"))
            let page = try await visitor.get(path)
            #expect(page.status == 200)
            #expect(page.header("x-robots-tag") == "noindex, nofollow")
            #expect(try Self.area(page.text) > 0)
            #expect(page.text.contains("leaving Friday 15 January, 09:55"))
            let asking = try #require(page.text.firstRange(of: "Another place or time"))
            let times = try #require(page.text.firstRange(of: "class=\"segment\" href="))
            #expect(asking.lowerBound < times.lowerBound)
            #expect(page.text.contains("The farthest stops") && page.text.contains("East"))
            #expect(page.text.contains(/href="\/stops\/[^"]+"><span><b>Lungo/))
            #expect(page.text.contains("data-source=\"\(path)/area.json\""))
            let area = try await visitor.get("\(path)/area.json")
            #expect(area.status == 200 && area.text.contains("\"MultiPolygon\""))
            let picture = try await visitor.get("\(path)/map.svg")
            #expect(picture.status == 200 && picture.text.contains("class=\"y\""))
            #expect(try await visitor.get(String(path.dropLast(2))).status == 404)
            let other = town.site.visitor()
            other.language = "it"
            let italian = try await other.get(path).text
            #expect(italian.contains("Le fermate più lontane"))
            #expect(italian.contains("In 30 min: "))
        }
    }

    @Test("a line leads farther than one's feet, and each length of time is a link")
    func choices() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            // In a quarter of an hour one catches the metro at ten, or walks half of the street.
            let ride = try await visitor.get(try await Self.ask(visitor, ["minutes": "15"])).text
            let onFoot = ["minutes": "15", "by": "walk"]
            let walk = try await visitor.get(try await Self.ask(visitor, onFoot)).text
            #expect(try Self.area(ride) > Self.area(walk))
            let links = ride.matches(of: /class="segment" href="(\/reach\/[^"]+)"/)
            #expect(links.count == 4)
            var areas: [Double] = []
            for link in links {
                areas.append(try Self.area(try await visitor.get(String(link.1)).text))
            }
            #expect(areas == areas.sorted() && (areas.first ?? 0) < (areas.last ?? 0))
            // The form comes filled in with what was asked.
            #expect(walk.contains(/value="walk" checked/))
        }
    }

    @Test("an empty field is explained; the map and several places lead on")
    func form() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let empty = try await visitor.submit(["from": ""], on: "/reach")
            #expect(empty.status == 422 && empty.text.contains("Enter where you start."))
            let late = try await visitor.submit(
                Self.form.merging(["time": "x"]) { $1 },
                on: "/reach"
            )
            #expect(late.status == 422)
            let map = try await visitor.submit(["from": "", "point": "from"], on: "/reach")
            #expect(map.header("location") == "/reach/point/from")
            #expect(try await visitor.get("/reach/point/from").text.contains("Start here"))
            let several = try await visitor.submit(["from": "lungo"], on: "/reach")
            #expect(several.header("location") == "/reach/places")
            let chosen = try await visitor.submit(["from": "0"], on: "/reach/places")
            let path = try #require(chosen.header("location"))
            #expect(try await visitor.get(path).status == 200)
            #expect(try await visitor.get("/reach/map.svg").status == 200)
        }
    }

    @Test("the planner, a trip and a stop lead there")
    func links() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            #expect(try await visitor.get("/plan").text.contains("href=\"/reach\""))
            let answer = try await TravelTown.ask(visitor)
            let page = try await visitor.get(answer).text
            let trip = try #require(TravelTown.trips(on: page, of: answer).first)
            let steps = try await visitor.get(trip).text
            let stop = try #require(steps.firstMatch(of: /href="(\/stops\/[^"]+)">Lungo/))
            for text in [steps, try await visitor.get(String(stop.1)).text] {
                let chip = /class="chip" href="(\/reach\/[^"]+)"/
                let link = try #require(text.firstMatch(of: chip))
                #expect(try Self.area(try await visitor.get(String(link.1)).text) > 0)
            }
        }
    }

    @Test("R4: it works before the city opens; without a city file, it says so")
    func beforeOpening() async throws {
        try await TravelTown.open(isOpen: false) { town in
            try await town.site.started()
            let visitor = town.site.visitor()
            #expect(try await visitor.get(try await Self.ask(visitor)).status == 200)
        }
        try await withSite { site in
            let page = try await site.visitor().get("/reach")
            #expect(page.status == 200)
            #expect(page.text.contains("There are no timetables here yet"))
        }
    }

    @Test("a sealed question opens again as what it was, and as nothing else")
    func seal() throws {
        let seal = TripSeal(key: Array(repeating: 7, count: 32))
        let question = ReachQuestion(
            from: ResolvedPlace(
                name: "Via Dante 7",
                kind: .address,
                coordinate: Coordinate(latitude: 454_640_000, longitude: -91_900_000)
            ),
            time: Instant(seconds: 1_800_000_000),
            minutes: 45,
            transit: 5,
            wheelchair: true
        )
        let sealed = seal.seal(question)
        #expect(seal.openReach(sealed) == question)
        #expect(seal.open(sealed) == nil && seal.openPlace(sealed) == nil)
        #expect(seal.openReach(seal.seal(question.from)) == nil)
        #expect(seal.openReach("") == nil)
    }
}
