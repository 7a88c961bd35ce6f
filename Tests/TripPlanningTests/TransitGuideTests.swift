import Chronology
import Geo
import Testing
import Transit
import TripPlanning

/// V84; issue 31, 2: stops with their departures, lines with their routes.
@Suite("Stops and lines of a city")
struct TransitGuideTests {
    private let town: TripTown
    private let guide: TransitGuide

    init() throws {
        town = try TripTown()
        guide = TransitGuide(town.city)
    }

    /// The stop with a name, the nearest to its place.
    private func stop(_ longitude: Int32) throws -> StopPlace {
        let place = Coordinate(latitude: 450_000_500, longitude: longitude)
        let found = guide.stops(near: place, withinMetres: 1_000, limit: 5, language: "en")
        return try #require(found.first?.stop)
    }

    @Test("the stops near a place are those with departures, the nearest first")
    func near() throws {
        let west = Coordinate(latitude: 450_000_500, longitude: 90_000_000)
        let found = guide.stops(near: west, withinMetres: 10_000, limit: 5, language: "en")
        // Nothing leaves the east end.
        #expect(found.map(\.stop.name) == ["Ovest", "Mezzo"])
        #expect(found.map(\.metres) == found.map(\.metres).sorted())
        #expect(found.first?.stop.lines.map(\.name) == ["2", "1"])
        let one = guide.stops(near: west, withinMetres: 10_000, limit: 1, language: "en")
        #expect(one.map(\.stop.name) == ["Ovest"])
        #expect(guide.stops(near: west, withinMetres: 100, limit: 5, language: "en").count == 1)
    }

    @Test("departures are grouped by line and direction, with platforms")
    func board() throws {
        let start = try town.time("08:00")
        let boards = guide.board(
            of: try stop(90_000_000),
            in: start..<start.adding(seconds: 7_200),
            language: "en"
        )
        #expect(boards.map(\.line.name) == ["2", "1"])
        #expect(boards.map(\.headsign) == ["Mezzo", "Est"])
        let times = try ["08:04", "08:34"].map { try town.time($0) }
        #expect(boards.first?.departures.map(\.time) == times)
        let middle = guide.board(
            of: try stop(90_381_000),
            in: start..<start.adding(seconds: 7_200),
            language: "en"
        )
        #expect(middle.map(\.line.name) == ["3"])
        #expect(middle.first?.departures.map(\.platform) == ["4", "4"])
    }

    @Test("a key names a stop and a line, whatever the language; another names nothing")
    func keys() throws {
        let stop = try stop(90_000_000)
        #expect(guide.stop(stop.key, language: "it") == stop)
        #expect(guide.key(of: try #require(stop.stops.first)) == stop.key)
        #expect(guide.stop("none", language: "en") == nil)
        for line in guide.lines(language: "en") {
            #expect(guide.line(line.id, language: "en") == line)
            #expect(!line.id.contains("/"))
        }
        #expect(guide.line("none", language: "en") == nil)
    }

    @Test("lines stand by mode and number; each has its stops, departures and way")
    func lines() throws {
        let lines = guide.lines(language: "en")
        #expect(lines.map(\.name) == ["2", "3", "1"])
        let day = try #require(CivilDate(iso8601: "2014-10-20"))
        let directions = guide.directions(of: lines[0], on: day, language: "en")
        #expect(directions.count == 1)
        #expect(directions.first?.stops.map(\.name) == ["Ovest", "Mezzo"])
        #expect(directions.first?.departures.count == 2)
        #expect(directions.first?.headwaySeconds == nil)
        #expect(directions.first?.geometry.count == 2)
        let late = try #require(CivilDate(iso8601: "2015-10-20"))
        let never = guide.directions(of: lines[0], on: late, language: "en")
        #expect(never.first?.departures.isEmpty == true)
    }
}
