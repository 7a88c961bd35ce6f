import Chronology
import CityData
import Journeys
import LiveFeeds
import OpenData
import Testing
import Transit
import TripPlanning

/// Rain on the way (V70): issue 33, point 3.
@Suite("Rain on trips")
struct RainTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    /// The answer at 8:00 in Rome, which is 6:00 UTC.
    private func answer(
        _ forecasts: [Forecast],
        modes: TripModes = .all,
        change: (inout TripQuestion) throws -> Void = { _ in }
    ) throws -> TripAnswer {
        var question = try town.question(modes: modes)
        try change(&question)
        let (world, now) = try LiveTown().conditions(try town.time("08:00"), forecasts: forecasts)
        var search = TripSearch(CitySnapshot(town.city))
        return try search.answer(question, conditions: TripConditions(world, now: now))
    }

    private func forecast(_ hours: Range<Int>, percent: Int = 80, age: Int64 = 0) throws -> Forecast
    {
        try .rain(hours, percent: percent, made: try town.time("08:00").adding(seconds: -age))
    }

    @Test("rain makes nobody cycle who does not want to, and the reason is said (V70)")
    func noWet() throws {
        let wet = try answer([try forecast(6..<9)]) { $0.avoidsRain = true }
        #expect(
            !wet.options.flatMap(\.steps).contains {
                [.bicycle, .bikeshare, .scooter].contains($0.kind)
            }
        )
        let zone = town.city.timetable.zone
        for kind in [TripKind.bicycle, .bikeshare] {
            let missing = try #require(wet.missing.first { $0.mode == .kind(kind) })
            #expect(missing.reasonText(in: zone).hasPrefix("rain 80% at 08:0"))
        }
        let careless = try answer([try forecast(6..<9)])
        #expect(careless.options.contains { $0.kind == .bicycle })
        let dry = try answer([try forecast(9..<12)]) { $0.avoidsRain = true }
        #expect(dry.options.contains { $0.kind == .bicycle })
        #expect(dry.options.contains { $0.kind == .bikeshare })
    }

    @Test("rain that begins on the way counts")
    func onTheWay() throws {
        // The ride of 6 km from 7:50 lasts beyond 8:00, when it begins to rain.
        let found = try answer([try forecast(6..<9)]) {
            $0.avoidsRain = true
            $0.time = try town.time("07:50")
        }
        let missing = try #require(found.missing.first { $0.mode == .kind(.bicycle) })
        #expect(missing.reasonText(in: town.city.timetable.zone) == "rain 80% at 08:00")
    }

    @Test("an unknown forecast, or one of more than six hours, is not dry")
    func unknown() throws {
        for forecasts in [[], [try forecast(12..<13, age: 6 * 3_600 + 1)]] {
            let found = try answer(forecasts) { $0.avoidsRain = true }
            #expect(!found.options.contains { $0.kind == .bicycle })
            let reason = try #require(found.missing.first { $0.mode == .kind(.bicycle) }?.reason)
            #expect(try reason == .rainUnknown(at: town.time("08:00")))
            #expect(found.options.first { $0.kind == .walk }?.wetMinutes == nil)
            #expect(found.options.first { $0.kind == .car }?.wetMinutes == 0)
        }
    }

    @Test("the minutes in the rain are those on foot, on a bicycle and at stops")
    func minutes() throws {
        let found = try answer([try forecast(6..<9)])
        for option in found.options {
            let wet = try #require(option.wetMinutes)
            let outside =
                option.seconds
                - option.steps.filter { [.transit, .car, .taxi].contains($0.kind) }
                .reduce(0) { $0 + $1.seconds }
            // Renting and returning are not counted, the begun minute is.
            #expect(
                abs(wet * 60 - outside) <= (option.kind == .bikeshare ? 180 : 60),
                "\(option.kind)"
            )
        }
        let car = found.options.first { $0.kind == .car }
        #expect(car?.wetMinutes == 0)
        let dry = try answer([try forecast(12..<13)])
        #expect(dry.options.allSatisfy { $0.wetMinutes == 0 })
        // A low probability of no rain is dry, half is not.
        #expect(
            try answer([try forecast(6..<9, percent: 50)]).options.contains {
                $0.wetMinutes ?? 0 > 0
            }
        )
    }

    @Test("a stricter limit on wet minutes never gives more, and says what is left out")
    func limit() throws {
        let all = try answer([try forecast(6..<9)])
        var before = all.options.count
        for limit in [600, 60, 20, 5, 0] as [Int64] {
            let left = TripLimits(wetMinutes: limit).applied(to: all)
            #expect(left.options.count <= before)
            #expect(left.options.allSatisfy { $0.wetMinutes ?? .max <= limit })
            let shown = Set(left.options.map(\.kind))
            for option in all.options where !shown.contains(option.kind) {
                #expect(left.missing.contains { $0.mode == .kind(option.kind) })
            }
            before = left.options.count
        }
        #expect(before < all.options.count)
        let unknown = TripLimits(wetMinutes: 600).applied(to: try answer([]))
        #expect(!unknown.options.contains { $0.kind == .walk })
    }

    @Test("JSON has the wet minutes where they are known, and no zero elsewhere")
    func json() throws {
        let zone = town.city.timetable.zone
        let walk = TripModes(walk: true, transit: 0)
        let wet = try TripJSON(zone: zone).text(try answer([try forecast(6..<9)], modes: walk))
        #expect(wet.contains("\"wet_min\""))
        let unknown = try TripJSON(zone: zone).text(try answer([], modes: walk))
        #expect(!unknown.contains("\"wet_min\""))
    }
}
