import Chronology
import CityData
import DayPlan
import Fares
import Geo
import Journeys
import LiveFeeds
import Streets
import TestSupport
import Testing
import Transit
import TripPlanning

@testable import DayPlanning
@testable import OpenData

/// Traffic on the streets of a city, by the hour and at present (V53; issue 33, "Traffic").
@Suite("Traffic of a city")
struct CityTrafficTests {
    let town: TripTown
    private let evening = TrafficLine.Speed(
        span: .weekly(WeekHours(openingHours: "Mo-Fr 16:00-19:30") ?? WeekHours()),
        kilometresPerHour: 8
    )

    static let car = TripModes(walk: false, car: true, transit: 0)

    init() throws {
        town = try TripTown()
    }

    /// A line along the street from west to east, some metres beside it.
    func line(
        _ speeds: [TrafficLine.Speed],
        north: Int32 = 0,
        from: Int32 = 90_000_000,
        to: Int32 = 90_762_000,
        bothWays: Bool = false
    ) -> TrafficLine {
        let latitude = 450_000_000 + north * 90
        return TrafficLine(
            points: [from, to].map { Coordinate(latitude: latitude, longitude: $0) },
            isBothWays: bothWays,
            speeds: speeds
        )
    }

    private func traffic(_ lines: [TrafficLine], at time: String = "08:00") throws -> CityTraffic {
        var world = LiveWorld()
        world.traffic = lines
        return CityTraffic(world, town.city, now: try town.time(time))
    }

    /// The minutes of the drive from end to end.
    func drive(
        _ traffic: CityTraffic,
        at time: String,
        back: Bool = false,
        arriveBy: Bool = false
    ) throws -> Double {
        var question = try town.question(time, modes: Self.car)
        if back { (question.from, question.to) = (question.to, question.from) }
        question.isArriveBy = arriveBy
        var search = TripSearch(traffic.applied(to: CitySnapshot(town.city)))
        let answer = try search.answer(question)
        let option = try #require(answer.options.first { $0.kind == .car })
        return Double(option.arrival.seconds - option.departure.seconds) / 60
    }

    @Test(
        "a drive takes longer in the hours in which its street is slow, and in its direction only"
    )
    func hours() throws {
        let free = try drive(CityTraffic(), at: "17:00")
        let traffic = try traffic([line([evening])])
        #expect(traffic.matchedCount == 1)
        // Six kilometres at 8 km/h.
        let jammed = try drive(traffic, at: "17:00")
        #expect(jammed > 40 && jammed < 50 && free < 15)
        #expect(try abs(drive(traffic, at: "12:00") - free) < 0.5)
        #expect(try abs(drive(traffic, at: "20:00") - free) < 0.5)
        #expect(try abs(drive(traffic, at: "17:00", back: true) - free) < 0.5)
        let both = try self.traffic([line([evening], bothWays: true)])
        #expect(try drive(both, at: "17:00", back: true) > 40)
    }

    @Test(
        "who drives into the evening is slowed from there on; who arrives by a time leaves early"
    )
    func borders() throws {
        let traffic = try traffic([line([evening])])
        let free = try drive(CityTraffic(), at: "15:00")
        let across = try drive(traffic, at: "15:55")
        #expect(across > free + 5 && across < 40)
        let early = try drive(traffic, at: "17:30", arriveBy: true)
        #expect(early > 40 && early < 50)
    }

    @Test("a jam counts until it is over, and not at the same hour of other days")
    func jam() throws {
        let span = try town.time("08:00")..<town.time("09:00")
        let jam = TrafficLine.Speed(span: .once(span), kilometresPerHour: 6)
        let traffic = try traffic([line([evening, jam])])
        #expect(try drive(traffic, at: "08:05") > 50)
        #expect(try drive(traffic, at: "10:00") < 15)
        #expect(try drive(traffic, at: "17:00") > 40)
        let after = try self.traffic([line([evening, jam])], at: "09:00")
        #expect(after != traffic)
        #expect(try drive(after, at: "08:05") < 15)
        // Nothing changes as long as the jam lasts.
        var world = LiveWorld()
        world.traffic = [line([evening, jam])]
        let same = traffic.renewed(by: world, town.city, now: try town.time("08:59"))
        #expect(same == traffic)
        let over = traffic.renewed(by: world, town.city, now: try town.time("09:00"))
        #expect(over == after)
    }

    /// The street from west to east, restricted by operators.
    func restriction(
        factor: Int,
        _ span: Range<Instant>,
        bothWays: Bool = false
    ) -> StreetRestriction {
        let points = [90_000_000, 90_381_000, 90_762_000].map {
            Coordinate(latitude: 450_000_000, longitude: $0)
        }
        return StreetRestriction(points, isBothWays: bothWays, factor: factor, during: span)
    }

    /// Traffic of operators alone, as of seven o'clock.
    private func restricted(_ restrictions: [StreetRestriction]) throws -> CityTraffic {
        CityTraffic(
            LiveWorld(),
            town.city,
            restrictions: restrictions,
            now: try town.time("07:00")
        )
    }

    @Test("R70: a street that operators slow takes longer as long as they say, one way or both")
    func slowed() throws {
        let free = try drive(CityTraffic(), at: "08:05")
        let span = try town.time("08:00")..<town.time("10:00")
        let traffic = try restricted([restriction(factor: 3, span)])
        #expect(traffic.matchedCount == 1)
        let slow = try drive(traffic, at: "08:05")
        #expect(slow > 2 * free && slow < 3.1 * free)
        #expect(try abs(drive(traffic, at: "07:15") - free) < 0.5)
        #expect(try abs(drive(traffic, at: "10:05") - free) < 0.5)
        #expect(try abs(drive(traffic, at: "08:05", back: true) - free) < 0.5)
        let both = try restricted([restriction(factor: 3, span, bothWays: true)])
        #expect(try drive(both, at: "08:05", back: true) > 2 * free)
        // The severest counts.
        let two = try restricted([restriction(factor: 3, span), restriction(factor: 2, span)])
        #expect(try drive(two, at: "08:05") > 2 * free)
    }

    @Test("R70: a closed street is left to those who live there: others take the bus")
    func closed() throws {
        let span = try town.time("08:00")..<town.time("12:00")
        let closed = restriction(factor: StreetRestriction.closed, span, bothWays: true)
        for (restrictions, kind) in [([closed], TripKind.transit), ([], .car)] {
            let snapshot = try restricted(restrictions).applied(to: CitySnapshot(town.city))
            var search = TripSearch(snapshot)
            let question = try town.question("08:00", modes: TripModes(car: true))
            let quickest = try search.answer(question).options.min { $0.arrival < $1.arrival }
            #expect(quickest?.kind == kind)
        }
    }

    @Test("R70: what operators state is taken at once, ends by itself, and may last for weeks")
    func restrictionsEnd() throws {
        let (seven, eight) = (try town.time("07:00"), try town.time("08:00"))
        let hour = restriction(factor: 3, eight..<eight.adding(seconds: 3_600))
        let traffic = try restricted([hour])
        #expect(!traffic.isOutdated(by: [hour], now: try town.time("07:30")))
        #expect(traffic.isOutdated(by: [hour], now: try town.time("08:30")), "it holds now")
        #expect(traffic.isOutdated(by: [], now: seven))
        #expect(try restricted([]) == CityTraffic())
        let over = traffic.renewed(
            by: LiveWorld(),
            town.city,
            restrictions: [hour],
            now: try town.time("09:00")
        )
        #expect(over == CityTraffic())
        #expect(try drive(over, at: "08:05") < 15)
        let weeks = restriction(factor: 3, seven..<seven.adding(seconds: 30 * 86_400))
        let long = try restricted([weeks])
        let free = try drive(CityTraffic(), at: "08:05")
        #expect(try drive(long, at: "08:05") > 2 * free)
        #expect(!long.isOutdated(by: [weeks], now: try town.time("20:00")))
        #expect(long.isOutdated(by: [weeks], now: seven.adding(seconds: 86_400)))
        // What begins in a month does not count yet.
        let later = restriction(
            factor: 3,
            seven.adding(seconds: 30 * 86_400)..<seven.adding(seconds: 31 * 86_400)
        )
        #expect(try abs(drive(restricted([later]), at: "08:05") - free) < 0.5)
    }

    @Test("R70: taxis take the restrictions of the present, and those alone")
    func taxis() throws {
        let span = try town.time("06:00")..<town.time("08:00")
        let ends = [TripTown.west, TripTown.east].compactMap(\.coordinate)
        let seven = try town.time("07:00")
        func seconds(_ traffic: CityTraffic) throws -> Int64 {
            let arrivals = traffic.arrivals(in: town.city.streets, at: seven)
            return try #require(arrivals.drive(from: ends[0], to: ends[1])).seconds
        }
        let free = try seconds(CityTraffic())
        let traffic = try restricted([restriction(factor: 3, span)])
        #expect(try seconds(traffic) > 2 * free)
        #expect(traffic.leadsTaxisOtherwise(than: CityTraffic()))
        let later = try town.time("08:00")..<town.time("09:00")
        let coming = try restricted([restriction(factor: 3, later)])
        #expect(try seconds(coming) == free)
        #expect(!coming.leadsTaxisOtherwise(than: CityTraffic()))
    }

    @Test("lines beside the street, across it or of a part of it change what they lie on")
    func matching() throws {
        #expect(try traffic([line([evening], north: 10)]).matchedCount == 1)
        #expect(try traffic([line([evening], north: 40)]).matchedCount == 0)
        let across = TrafficLine(
            points: [449_980_000, 450_020_000].map {
                Coordinate(latitude: $0, longitude: 90_381_000)
            },
            isBothWays: true,
            speeds: [evening]
        )
        // It lies on the blind alley, but not on the street that it crosses.
        let traffic = try traffic([across])
        #expect(try drive(traffic, at: "17:00") < 15)
        let half = try self.traffic([line([evening], to: 90_381_000)])
        let minutes = try drive(half, at: "17:00")
        #expect(minutes < 35)
    }

    @Test("a running city takes new traffic, and answers questions with it")
    func renewal() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("town.city")
        try CityFile.write(town.writer, to: path)
        let city = OpenedCity(try CityFile.openIdentified(path), workers: 1)
        let cities = CurrentCities()
        cities.begin(with: OpenedCities([city]))
        let traffic = try traffic([line([evening])])
        let renewal = CityRenewal(
            cities,
            open: { _, _ in city },
            traffic: { _ in traffic }
        )
        let before = cities.current.epoch
        _ = await renewal.check(at: try town.time("06:00"))
        #expect(cities.current.epoch == before + 1)
        _ = await renewal.check(at: try town.time("06:01"))
        #expect(cities.current.epoch == before + 1)
        let answer = try await cities.current.answer(try town.question("17:00", modes: Self.car))
        let drive = try #require(answer.options.first { $0.kind == .car })
        #expect(drive.arrival.seconds - drive.departure.seconds > 40 * 60)
    }

    @Test("in a jam the bus is there first, without it the car")
    func choice() throws {
        let modes = TripModes(car: true)
        let span = try town.time("08:00")..<town.time("09:00")
        let jam = TrafficLine.Speed(span: .once(span), kilometresPerHour: 6)
        for (lines, kind) in [([line([jam])], TripKind.transit), ([], .car)] {
            var search = TripSearch(try traffic(lines).applied(to: CitySnapshot(town.city)))
            let answer = try search.answer(try town.question("08:00", modes: modes))
            let quickest = answer.options.min { $0.arrival < $1.arrival }
            #expect(quickest?.kind == kind)
        }
    }

    @Test("ST3, ST4: a day takes the bus in the rush hour, says why, and the car two hours later")
    func day() throws {
        let rush = TrafficLine.Speed(
            span: .weekly(WeekHours(openingHours: "Mo-Fr 07:00-09:00") ?? WeekHours()),
            kilometresPerHour: 2.5
        )
        let snapshot = try traffic([line([rush], bothWays: true)]).applied(
            to: CitySnapshot(town.city)
        )
        let midnight = try town.time("00:00")
        for (hour, kind, warnings) in [
            ("08:30", TripKind.transit, ["no_driving"]), ("10:30", .car, []),
        ] {
            let start = try town.time(hour)
            let input = DayInput(
                date: try #require(CivilDate(iso8601: "2014-10-20")),
                span: midnight..<midnight.adding(seconds: 86_400),
                base: TripTown.west,
                tasks: [
                    CalendarTask(
                        uid: "review",
                        title: "Review",
                        timing: .fixed(start..<start.adding(seconds: 3_600)),
                        place: TripTown.east,
                        line: 1
                    )
                ]
            )
            let planner = DayPlanner(snapshot, modes: TripModes(car: true), during: input.span)
            let plan = try planner.plan(input)
            let journey = try #require(plan.journeys.first)
            #expect(plan.isFeasible && journey.trip.kind == kind, "\(hour)")
            #expect(journey.warnings.map(\.name) == warnings, "\(hour)")
        }
    }
}
