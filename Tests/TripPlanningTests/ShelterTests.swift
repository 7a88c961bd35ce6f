import Chronology
import CityData
import Columns
import DayPlanning
import Foundation
import Geo
import Journeys
import OpenData
import TestSupport
import Testing
import TripPlanning

/// V70, ST13: in the rain, walks lead under roofs.
@Suite("Shelter from rain")
struct ShelterTests {
    private let town: TripTown
    private let city: City

    /// A street of 400 m in the open, and 20 m north of it an arcade as long, joined at both ends.
    init() throws {
        town = try TripTown()
        let folder = try TemporaryFolder()
        var map = OSMWriter()
        for node in 0...Int64(4) {
            let longitude = 90_000_000 + Int32(node) * 12_700
            map.add(
                node: node + 1,
                at: Coordinate(latitude: 450_000_000, longitude: longitude),
                tags: []
            )
            map.add(
                node: node + 11,
                at: Coordinate(latitude: 450_001_800, longitude: longitude),
                tags: []
            )
        }
        map.add(
            way: 1,
            nodes: [1, 2, 3, 4, 5],
            tags: [OSMTag("highway", "residential"), OSMTag("name", "Via Aperta")]
        )
        map.add(
            way: 2,
            nodes: [11, 12, 13, 14, 15],
            tags: [
                OSMTag("highway", "footway"), OSMTag("covered", "yes"),
                OSMTag("name", "Portici"),
            ]
        )
        map.add(way: 3, nodes: [1, 11], tags: [OSMTag("highway", "footway")])
        map.add(way: 4, nodes: [5, 15], tags: [OSMTag("highway", "footway")])
        let osm = try folder.write(Data(map.finish()), to: "arcade.osm.pbf")
        let result = try CityImport.run(osm: osm, feeds: []) { _, _ in }
        city = City(try result.writer.opened())
    }

    private static let start = place("Inizio", 89_999_500)
    private static let end = place("Fine", 90_051_300)

    private static func place(_ name: String, _ longitude: Int32) -> ResolvedPlace {
        ResolvedPlace(
            name: name,
            kind: .coordinate,
            coordinate: Coordinate(latitude: 450_000_000, longitude: longitude)
        )
    }

    /// The walk from one end to the other at 8:00 in Rome, which is 6:00 UTC.
    private func walk(rain: Range<Int>, arriveBy: Bool = false) throws -> TripOption {
        let time = try town.time("08:00")
        var question = TripQuestion(
            from: Self.start,
            to: Self.end,
            time: time,
            modes: TripModes(walk: true, transit: 0)
        )
        question.isArriveBy = arriveBy
        let forecast = try Forecast.rain(rain, percent: 90, made: time)
        let (world, now) = try LiveTown().conditions(time, forecasts: [forecast])
        var search = TripSearch(CitySnapshot(city))
        let answer = try search.answer(question, conditions: TripConditions(world, now: now))
        let walk = answer.options.first { $0.kind == .walk }
        return try #require(walk)
    }

    @Test("in the rain one walks under the arcade, a little longer, and stays dry there")
    func arcade() throws {
        let dry = try walk(rain: 12..<14)
        #expect(dry.steps[0].streets.contains { $0.name == "Via Aperta" })
        #expect(dry.steps[0].shelteredMetres == 0 && dry.wetMinutes == 0)
        let wet = try walk(rain: 5..<9)
        #expect(wet.steps[0].streets.contains { $0.name == "Portici" })
        #expect((380...420).contains(wet.steps[0].shelteredMetres))
        // The two short ways to and from the arcade are in the open.
        #expect(wet.wetMinutes == 1)
        let longer = wet.seconds - dry.seconds
        #expect((1...60).contains(longer), "\(longer)")
        #expect(wet.departure == dry.departure)
        #expect(wet.walkMetres == wet.steps[0].metres && wet.walkMetres > dry.walkMetres)
    }

    @Test("to arrive by a time, one leaves earlier for it")
    func arriving() throws {
        let time = try town.time("08:00")
        let (dry, wet) = (
            try walk(rain: 12..<14, arriveBy: true), try walk(rain: 5..<9, arriveBy: true)
        )
        #expect(wet.steps[0].streets.contains { $0.name == "Portici" })
        #expect(wet.arrival <= time && wet.departure < dry.departure)
    }

    /// A day that begins at one end, with an appointment at the other one until half past nine.
    private func day(rain: Range<Int>) throws -> PlannedDay {
        let (midnight, start) = (try town.time("00:00"), try town.time("09:00"))
        let day = DayInput(
            date: try #require(CivilDate(iso8601: "2014-10-20")),
            span: midnight..<midnight.adding(seconds: 86_400),
            base: Self.start,
            tasks: [
                CalendarTask(
                    uid: "review",
                    title: "Review",
                    timing: .fixed(start..<start.adding(seconds: 1_800)),
                    place: Self.end,
                    line: 1
                )
            ]
        )
        let now = try town.time("06:00")
        let forecast = try Forecast.rain(rain, percent: 90, made: now)
        let (world, moment) = try LiveTown().conditions(now, forecasts: [forecast])
        let planner = DayPlanner(
            CitySnapshot(city),
            modes: TripModes(walk: true, transit: 0),
            conditions: TripConditions(world, now: moment),
            during: day.span
        )
        return try planner.plan(day)
    }

    @Test("ST13: in the rain a day leaves earlier for the arcade, and is home later by it")
    func day() throws {
        let (dry, wet) = (try day(rain: 16..<18), try day(rain: 5..<10))
        try #require(dry.journeys.count == 2 && wet.journeys.count == 2)
        #expect(dry.journeys.allSatisfy { $0.trip.steps[0].shelteredMetres == 0 })
        for journey in wet.journeys {
            #expect((380...420).contains(journey.trip.steps[0].shelteredMetres))
            #expect(journey.trip.steps[0].streets.contains { $0.name == "Portici" })
        }
        #expect(wet.journeys[0].trip.departure < dry.journeys[0].trip.departure)
        // Five minutes before the appointment.
        #expect(try wet.journeys[0].trip.arrival <= town.time("08:55"))
        #expect(wet.journeys[1].trip.departure == dry.journeys[1].trip.departure)
        #expect(wet.journeys[1].trip.arrival > dry.journeys[1].trip.arrival)
    }
}
