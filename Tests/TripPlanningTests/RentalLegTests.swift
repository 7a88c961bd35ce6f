import Chronology
import CityData
import Fares
import Geo
import Journeys
import LiveFeeds
import OpenData
import Testing
import Transit
import TripPlanning

/// V62: a shared vehicle as the first or the last leg of a journey by public transport.
@Suite("Shared vehicles for a part of the way")
struct RentalLegTests {
    private let town: TripTown
    /// One and a half kilometres west of the middle stop.
    private static let before = TripTown.place("Prima", 90_190_000)
    /// One and a half kilometres east of it.
    private static let after = TripTown.place("Dopo", 90_571_000)

    init() throws {
        town = try TripTown(fares: [
            "fare_attributes.txt": """
            fare_id,price,currency_type,payment_method,transfers
            urban,1.50,EUR,0,
            """,
            "fare_rules.txt": "fare_id,route_id\nurban,one\nurban,two\nurban,three",
        ])
    }

    /// Bicycles at a station near the first place, and docks beside the middle stop.
    private static var toStop: LiveTown {
        var live = LiveTown()
        live.stations = [("A", 9.0200, 3, 5), ("B", 9.0375, 2, 4)]
        return live
    }

    /// Bicycles beside the middle stop, and docks near the second place.
    private static var fromStop: LiveTown {
        var live = LiveTown()
        live.stations = [("A", 9.0385, 3, 5), ("B", 9.0565, 2, 4)]
        return live
    }

    /// A scooter near the first place, and an area that does not reach the western stop.
    private static func scooter(until longitude: Double, range: Int = 20_000) -> LiveTown {
        var live = LiveTown()
        (live.form, live.propulsion, live.returnRule) = ("scooter", "electric", "free_floating")
        live.stations = []
        live.free = [("s", 9.0191, range)]
        live.area = (9.015, longitude)
        return live
    }

    private func answer(
        _ live: LiveTown,
        _ kind: TripKind = .bikeshare,
        from: ResolvedPlace = before,
        to: ResolvedPlace = TripTown.east,
        now: String = "08:00",
        age: Int64 = 0,
        forecasts: [Forecast] = [],
        change: (inout TripQuestion) throws -> Void = { _ in }
    ) throws -> TripAnswer {
        var question = TripQuestion(
            from: from,
            to: to,
            time: try town.time(now),
            modes: TripModes().with([kind])
        )
        try change(&question)
        let (world, now) = try live.conditions(try town.time(now), age: age, forecasts: forecasts)
        var search = TripSearch(CitySnapshot(town.city))
        return try search.answer(question, conditions: TripConditions(world, now: now))
    }

    private func option(_ answer: TripAnswer) -> TripOption? {
        answer.options.first { $0.changesToRental }
    }

    @Test("one rides from a station to one beside a stop, and takes the line from there")
    func toStop() throws {
        let found = try answer(Self.toStop)
        let option = try #require(self.option(found))
        #expect(option.kind == .transit)
        #expect(option.steps.map(\.kind).starts(with: [.walk, .bikeshare, .walk, .transit]))
        let ride = option.steps[1]
        #expect(ride.rental?.pickupStation == "A" && ride.rental?.returnStation == "B")
        #expect(option.steps[0].toName == "Stazione A" && ride.fromName == "Stazione A")
        #expect(ride.toName == "Stazione B" && option.steps[2].fromName == "Stazione B")
        #expect(option.steps[2].to?.name == "Mezzo" && option.steps[3].from?.name == "Mezzo")
        #expect((1_300...1_450).contains(ride.metres))
        // Renting and returning take a minute each.
        #expect(ride.departure.seconds - option.steps[0].arrival.seconds == 60)
        #expect(option.steps[2].departure.seconds - ride.arrival.seconds == 60)
        #expect(ride.geometry.count > 2 && !ride.streets.isEmpty)
        let (board, end) = (try town.time("08:13"), try town.time("08:18"))
        #expect(option.steps[2].arrival <= board)
        #expect((end..<end.adding(seconds: 120)).contains(option.arrival))
        #expect(option.price == .exact(Money(300, .euro)))
        #expect(option.emissions != nil && option.onTime == nil)
        let walked = option.steps.reduce(UInt32(0)) { $0 + ($1.kind == .walk ? $1.metres : 0) }
        #expect(option.walkMetres == walked)
        // Anyone's way comes first and sums up the answer.
        #expect(found.best.map { !$0.changesToRental } == true)
        #expect(found.options.first?.changesToRental == false)
        #expect(Set(found.options.map(\.id)).count == found.options.count)
        #expect(!found.missing.contains { $0.mode == .kind(.bikeshare) })
        let json = try TripJSON(zone: town.city.timetable.zone).text(found)
        #expect(json.contains(/"pickupStation"\s*:\s*"A"/) && json.contains("bikeshare"))
    }

    @Test("to arrive by a time, the same way is found from its end")
    func arriveBy() throws {
        for (live, from, to) in [
            (Self.toStop, Self.before, TripTown.east), (Self.fromStop, TripTown.west, Self.after),
        ] {
            let option = try #require(self.option(try answer(live, from: from, to: to)))
            let back = try answer(live, from: from, to: to) {
                $0.time = option.arrival
                $0.isArriveBy = true
            }
            let same = try #require(self.option(back))
            #expect(same.departure == option.departure && same.arrival == option.arrival)
            #expect(same.id == option.id)
        }
    }

    @Test("one rents beside the last stop and rides on")
    func fromStop() throws {
        let found = try answer(Self.fromStop, from: TripTown.west, to: Self.after)
        let option = try #require(self.option(found))
        let kinds = Array(option.steps.map(\.kind).suffix(4))
        #expect(kinds == [.transit, .walk, .bikeshare, .walk])
        let steps = Array(option.steps.suffix(3))
        #expect(steps[0].from?.name == "Mezzo" && steps[0].toName == "Stazione A")
        #expect(steps[1].toName == "Stazione B" && steps[2].toName == "Dopo")
        #expect(steps[1].departure.seconds - steps[0].arrival.seconds == 60)
        let latest = try town.time("08:22")
        #expect(option.arrival < latest)
        let others = found.options.filter { $0.kind == .transit && !$0.changesToRental }
        #expect(others.allSatisfy { $0.arrival.seconds - option.arrival.seconds >= 300 })
    }

    @Test("motis#731: a bicycle is not left in the street to catch a vehicle")
    func notInTheStreet() throws {
        for rule in ["any_station", nil] {
            var live = Self.toStop
            live.returnRule = rule
            live.area = (8.9, 9.1)
            live.stations[1] = ("far", 9.0500, 2, 4)
            #expect(option(try answer(live)) == nil)
            live = Self.fromStop
            live.returnRule = rule
            live.area = (8.9, 9.1)
            live.stations[1] = ("far", 9.0200, 2, 4)
            #expect(option(try answer(live, from: TripTown.west, to: Self.after)) == nil)
        }
    }

    @Test("motis#986: it is not returned where it was rented, nor where it must return to")
    func notWhereItBegan() throws {
        var live = Self.toStop
        live.stations = [("A", 9.0350, 3, 5)]
        let near = TripTown.place("Vicino", 90_290_000)
        #expect(option(try answer(live, from: near)) == nil)
        var round = Self.toStop
        round.returnRule = "roundtrip_station"
        #expect(option(try answer(round)) == nil)
        let full = [("A", 9.0200, 3, 5), ("B", 9.0375, 9, 0)]
        var none = Self.toStop
        none.stations = full
        #expect(option(try answer(none)) == nil)
        none.stations[0].vehicles = 0
        none.stations[1].docks = 4
        #expect(option(try answer(none)) == nil)
    }

    @Test(
        "OTP#5201: a scooter stays in its area, forwards and backwards",
        arguments: [false, true]
    )
    func area(isArriveBy: Bool) throws {
        func found(_ live: LiveTown) throws -> TripOption? {
            option(
                try answer(live, .scooter, now: "07:55") {
                    guard isArriveBy else { return }
                    $0.time = try town.time("08:20")
                    $0.isArriveBy = true
                }
            )
        }
        // Beside the stop, and 400 m before it, where the area ends.
        for (edge, isBeside) in [(9.1, true), (9.0350, false)] {
            let option = try #require(try found(Self.scooter(until: edge)), "\(edge)")
            let ride = try #require(option.steps.first { $0.kind == .scooter })
            #expect(ride.rental?.returnStation == nil && ride.toName == "Mezzo")
            let left = try #require(ride.geometry.last)
            #expect(left.longitudeDegrees <= edge)
            #expect((left.longitudeDegrees > 9.0375) == isBeside)
        }
        #expect(try found(Self.scooter(until: 9.0300)) == nil)
        var unknown = Self.scooter(until: 9.1)
        unknown.area = nil
        #expect(try found(unknown) == nil)
    }

    @Test(
        "onebusaway-android#2070: it goes no farther than its battery, and not through closed areas"
    )
    func range() throws {
        #expect(option(try answer(Self.scooter(until: 9.1), .scooter)) != nil)
        #expect(option(try answer(Self.scooter(until: 9.1, range: 1_000), .scooter)) == nil)
        var closed = Self.toStop
        closed.forbidden = (9.025, 9.028)
        #expect(option(try answer(closed)) == nil)
        closed.forbidden = (9.050, 9.052)
        #expect(option(try answer(closed)) != nil)
    }

    @Test("each traveller needs a vehicle and pays for it")
    func party() throws {
        let two = try #require(self.option(try answer(Self.toStop) { $0.party = 2 }))
        #expect(two.price == .exact(Money(600, .euro)))
        var live = Self.toStop
        live.stations[0].vehicles = 1
        #expect(option(try answer(live) { $0.party = 2 }) == nil)
        #expect(option(try answer(live)) != nil)
    }

    @Test("limits on walking, money, emissions and single means hold for the whole journey")
    func limits() throws {
        func found(_ change: (inout TripQuestion) throws -> Void) throws -> TripOption? {
            guard let answer = try? answer(Self.toStop, change: change) else { return nil }
            return option(answer.question.limits.applied(to: answer))
        }
        let free = try #require(try found { _ in })
        let (walk, grams) = (free.walkMetres, try #require(free.emissions).grams)
        #expect(try found { $0.maxWalkMetres = walk } != nil)
        #expect(try found { $0.maxWalkMetres = walk - 20 } == nil)
        #expect(try found { $0.limits.minorUnits = 300 } != nil)
        #expect(try found { $0.limits.minorUnits = 299 } == nil)
        #expect(try found { $0.limits.grams = grams } != nil)
        #expect(try found { $0.limits.grams = grams - 1 } == nil)
        for (text, isKept) in [
            ("bikeshare@2km", true), ("bikeshare@1km", false), ("bikeshare@20min", true),
            ("bikeshare@2min", false), ("bikeshare@1.50", true), ("bikeshare@1.40", false),
        ] {
            let limit = try #require(ModeLimit(text))
            #expect((try found { $0.limits.modes = [limit] } != nil) == isKept, "\(text)")
        }
    }

    @Test("nobody rides in hours without the mode, nor in the rain who does not want to")
    func rules() throws {
        func found(_ rule: String) throws -> TripOption? {
            let hours = try #require(ModeHours(rule))
            return option(try answer(Self.toStop) { $0.avoided = [hours] })
        }
        #expect(try found("bikeshare@07:00-09:00") == nil)
        #expect(try found("scooter@07:00-09:00") != nil)
        // A ride that would end in such hours is made before them.
        let (closing, last) = (try town.time("08:36"), try town.time("08:50"))
        for (rule, isBefore) in [("bikeshare@08:36-09:00", true), ("bike@08:36-09:00", false)] {
            let hours = try #require(ModeHours(rule))
            let found = try answer(Self.toStop) {
                $0.avoided = [hours]
                ($0.time, $0.isArriveBy) = (last, true)
            }
            let ride = try #require(option(found)?.steps[1])
            #expect((ride.arrival <= closing) == isBefore, "\(rule)")
        }
        let made = try town.time("08:00")
        for (hours, isDry) in [(5..<9, false), (12..<14, true)] {
            let rain = try Forecast.rain(hours, made: made)
            let answer = try? answer(Self.toStop, forecasts: [rain]) { $0.avoidsRain = true }
            #expect((answer.flatMap { option($0) } != nil) == isDry)
        }
    }

    @Test("what is not known now, or not used, is not ridden: old feeds, later times, wheelchairs")
    func unknown() throws {
        #expect(option(try answer(Self.toStop, age: 700)) == nil)
        #expect(option(try answer(Self.toStop) { $0.time = try town.time("10:30") }) == nil)
        #expect(option(try answer(Self.toStop) { $0.modes.bikeshare = false }) == nil)
        #expect(option(try answer(Self.toStop, .scooter)) == nil)
        let wheelchair = try? answer(Self.toStop) { $0.wheelchair = true }
        #expect(wheelchair.flatMap { option($0) } == nil)
        // The vehicle at the last stop must be there within the hour, too.
        let early = try answer(Self.fromStop, from: TripTown.west, to: Self.after, now: "07:05")
        #expect(option(early) == nil)
    }
}
