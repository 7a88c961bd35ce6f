import Chronology
import CityData
import Columns
import Geo
import Journeys
import TestSupport
import Testing

@testable import TripPlanning

/// Issue 31, 5: a place belongs to the city that covers it, and a trip between two is refused.
@Suite("Two cities at once")
struct TwoCitiesTests {
    private let town: TripTown
    private let cities: OpenedCities

    init() throws {
        town = try TripTown()
        let other = try TripTown(line: "7", north: 1, street: "Via Corta", feedName: "other")
        cities = OpenedCities(
            try [(town, "town"), (other, "other")].map { town, name in
                let file = try town.writer.opened()
                return OpenedCity(
                    CityFile.Identified(path: "/srv/\(name).city", file: file, identity: nil),
                    workers: 1
                )
            }
        )
    }

    private func place(_ longitude: Int32, north: Int32 = 0) -> ResolvedPlace {
        TripTown.place("a place \(north)", longitude, north: north)
    }

    private func question(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        _ modes: TripModes = TripModes()
    ) throws -> TripQuestion {
        TripQuestion(from: from, to: to, time: try town.time("08:04"), modes: modes)
    }

    @Test("a place belongs to the city that covers it, and a trip is planned there")
    func covers() async throws {
        #expect(cities.places.cities(covering: place(90_000_000)) == [0])
        #expect(cities.places.cities(covering: place(90_000_000, north: 1)) == [1])
        #expect(cities.places.cities(covering: place(95_000_000)).isEmpty)
        for north in [0, 1] as [Int32] {
            let asked = try question(
                place(90_000_000, north: north),
                place(90_761_000, north: north),
                .all
            )
            let answer = try await cities.answer(asked)
            let lines = answer.options.flatMap(\.steps).compactMap { $0.ride?.lineName }
            #expect(lines.contains(north == 0 ? "1" : "7"))
            #expect(!lines.contains(north == 0 ? "7" : "1"))
            // Taxis drive in the first city only.
            #expect(answer.options.contains { $0.kind == .taxi } == (north == 0))
        }
    }

    @Test("a trip between both is refused with the names of the cities, also as JSON")
    func refuses() async throws {
        let asked = try question(place(90_000_000), place(90_761_000, north: 1))
        let failure = TripFailure.betweenCities(from: "town", to: "other")
        await #expect(throws: failure) { try await cities.answer(asked) }
        let json = try #require(try TripJSON(zone: .utc).text(failure, of: asked))
        #expect(json.contains("\"error\" : \"betweenCities\""))
        #expect(json.contains("\"city\" : \"town\"") && json.contains("\"city\" : \"other\""))
        #expect(try TripJSON(zone: .utc).text(.noWay, of: asked) == nil)
        let far = try question(place(90_000_000), place(95_000_000))
        await #expect(throws: TripFailure.outside("a place 0")) { try await cities.answer(far) }
    }

    @Test("a reachable area is found in the city of the place, and nowhere outside all cities")
    func reach() async throws {
        let time = try town.time("08:04")
        for north in [0, 1] as [Int32] {
            let place = place(90_000_000, north: north)
            let answer = try await cities.reach(ReachQuestion(from: place, time: time))
            let bounds = try #require(answer.area.bounds)
            #expect(bounds.contains(try #require(place.coordinate)))
            #expect(answer.question.from.city == Int(north) && answer.stopCount > 0)
        }
        guard case .found(let west) = cities.places.find("stop:other/W", .takesBest) else {
            Issue.record("the feed tells the stops apart")
            return
        }
        let answer = try await cities.reach(ReachQuestion(from: west, time: time))
        #expect(answer.question.from == west)
        await #expect(throws: TripFailure.outside("a place 0")) {
            try await cities.reach(ReachQuestion(from: place(95_000_000), time: time))
        }
        await #expect(throws: TripFailure.noWay) {
            try await OpenedCities().reach(ReachQuestion(from: west, time: time))
        }
    }

    @Test("places are found, and suggested, in both cities; the better name wins")
    func finds() throws {
        guard case .found(let lunga) = cities.places.find("Via Lunga", .takesBest),
            case .found(let corta) = cities.places.find("Via Corta", .asks)
        else {
            Issue.record("a street of each city is found")
            return
        }
        #expect(lunga.name.contains("Lunga") && lunga.city == 0)
        #expect(corta.name.contains("Corta") && corta.city == 1)
        let suggested = cities.places.suggestions("via")
        #expect(Set(suggested.map(\.city)) == [0, 1])
        #expect(suggested.first?.city == 0)
        #expect(cities.places.find("Piazza Mai Vista", .asks) == .nothing)
        let point = Coordinate(latitude: 460_000_500, longitude: 90_000_000)
        guard case .found(let measured) = cities.places.find(point.text, .asks) else {
            Issue.record("coordinates are a place")
            return
        }
        #expect(measured.city == 1)
    }

    @Test("a stop belongs to its city: its number means another stop elsewhere")
    func stops() async throws {
        // Both feeds have a stop W.
        guard case .several(let both) = cities.places.find("stop:W", .takesBest) else {
            Issue.record("an identifier of two cities is not taken by chance")
            return
        }
        #expect(both.map(\.city) == [0, 1])
        // Also where one of them is called like its identifier.
        let other = try TripTown(north: 1, feedName: "other", east: "Porta")
        let places = CityPlaces([town, other].map { ($0.city, PlaceResolver(city: $0.city)) })
        for id in ["E", "M"] {
            guard case .several(let same) = places.find("stop:\(id)", .takesBest) else {
                Issue.record("the stop \(id) is not taken by the first letter of its name")
                continue
            }
            #expect(same.map(\.city) == [0, 1])
        }
        guard case .found(let west) = cities.places.find("stop:other/W", .takesBest),
            case .found(let east) = cities.places.find("stop:other/E", .takesBest)
        else {
            Issue.record("the feed tells the stops apart")
            return
        }
        #expect(west.city == 1 && !west.stops.isEmpty)
        let answer = try await cities.answer(try question(west, east))
        #expect(answer.options.flatMap(\.steps).contains { $0.ride?.lineName == "7" })
        await #expect(throws: TripFailure.betweenCities(from: "other", to: "town")) {
            try await cities.answer(try question(west, place(90_761_000)))
        }
    }

    @Test("stops and lines of both cities have pages")
    func guides() throws {
        for (feed, line, number) in [("feed", "1", 0), ("other", "7", 1)] {
            let stop = try #require(cities.stop("\(feed).W", language: "it"))
            #expect(stop.stop.name == "Ovest" && stop.guide === cities.cities[number].guide)
            let found = try #require(cities.line("\(feed).one", language: "it"))
            #expect(found.line.shortName == line && found.guide === stop.guide)
            #expect(cities.guide(at: stop.stop.coordinate) === stop.guide)
        }
        #expect(cities.lines(language: "it").filter { $0.longName == "Ovest - Est" }.count == 2)
        #expect(cities.stop("none.W", language: "it") == nil)
    }
}
