import Chronology
import DayPlan
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import Journeys

/// Issue 32, "DayPlan": days are planned over the rides and streets of a city, never over constant
/// times.
@Suite("Days in a city")
struct CityTravelTests {
    /// A random day of three tasks in a town, within some hours of the morning.
    struct Scene {
        var day: Day
        let city: CityDay

        init(_ seed: UInt64, in zone: ZoneTable) {
            var random = SeededRandom(seed: seed ^ 0xDA7)
            func place(_ number: Int) -> PlaceIndex { PlaceIndex(rawValue: UInt16(number)) }
            let date = CivilDate(daysSince1970: .random(in: 16_361...16_375, using: &random))
            let hour = Int64.random(in: 5...14, using: &random)
            let from = zone.instant(date, second: 0).adding(seconds: hour * 3_600)
            let until = from.adding(seconds: 5 * 3_600)
            let fixed = from.adding(seconds: 60 * .random(in: 70...180, using: &random))
            var tasks = [
                DayTask(
                    TaskIdentifier(rawValue: 0),
                    at: place(1),
                    from: fixed,
                    until: fixed.adding(seconds: 1_800)
                )
            ]
            for number in 2...3 {
                let slot = TaskSlot(place: place(number), from: from, until: until)
                tasks.append(
                    DayTask(
                        TaskIdentifier(rawValue: UInt64(number)),
                        slots: [slot],
                        seconds: 60 * .random(in: 5...30, using: &random)
                    )
                )
            }
            let base = seed % 4 == 0 ? nil : place(0)
            var day = Day(origin: base, from: from, destination: base, until: until, tasks: tasks)
            if base != nil, seed % 3 == 0 {
                day.car = OwnVehicle(at: place(0), returnPlace: place(0))
                // Otherwise nobody would take anything else.
                day.weights.leg[Int(TravelMode.car.rawValue)] = 15_000
            }
            self.day = day
            var city = CityDay(places: (0..<4).map { _ in .place(RandomTown.place(&random)) })
            if seed % 3 == 1 { city.taxiWaitSeconds = 400 }
            city.wheelchair = seed % 7 == 6
            self.city = city
        }

        func endpoint(_ place: PlaceIndex) -> Endpoint { city.places[Int(place.rawValue)] }

        /// A question about a ride.
        func query(_ from: PlaceIndex, _ to: PlaceIndex, _ time: Instant) -> JourneyQuery {
            JourneyQuery(
                from: endpoint(from),
                to: endpoint(to),
                time: time,
                maxTransfers: city.maxTransfers,
                modes: TravelModes(walk: false),
                wheelchair: city.wheelchair
            )
        }

        func profile(_ mode: TravelMode) -> Profile {
            switch mode {
            case .walk, .transit: city.wheelchair ? .wheelchair : .foot
            case .bicycle: .bicycle
            case .car: .car
            case .taxi: .taxi
            case .bikeshare, .scooter, .carshare: preconditionFailure("feeds know rentals")
            }
        }
    }

    @Test("each ride on a shared vehicle begins while one is known, and lasts as long as it does")
    func rentals() throws {
        var rides = 0
        for seed in 1...UInt64(Effort.instances(60, everything: 1_000)) {
            let town = try TimedStreetsTests.town(seed, everyDay: 0..<0, slow: 0..<0)
            var planner = town.planner
            var scene = Scene(seed, in: planner.city.timetable.zone)
            scene.day.modes.insert(.bikeshare)
            let first = scene.day.tasks.flatMap(\.slots).map(\.from).min() ?? scene.day.from
            let known = first.adding(seconds: -3_600)...first.adding(seconds: 7_200)
            // Slower in some quarters of an hour, and none in others.
            func way(at moment: Instant) -> RentalWay? {
                let quarter = UInt64(moment.seconds / 900) &* 2_654_435_761 &+ seed
                guard quarter % 5 != 0 else { return nil }
                return RentalWay(seconds: 60 * Int32(3 + quarter % 7), walkMetres: 50)
            }
            let ways = RentalWays(departures: known) { mode, _, _, moment in
                mode == .bikeshare ? way(at: moment) : nil
            }
            var travel = CityTravel(scene.day, scene.city, &planner, rentals: ways)
            let answer = try DayPlan.solve(scene.day, in: &travel, by: planner)
            for leg in answer.plan?.legs ?? [] where leg.mode.isRental {
                rides += 1
                #expect(known.contains(leg.departure), "seed \(seed)")
                let found = try #require(way(at: leg.departure), "seed \(seed)")
                let seconds = leg.arrival.seconds - leg.departure.seconds
                #expect(Int64(found.seconds) <= seconds, "seed \(seed)")
            }
        }
        #expect(rides > 0)
    }

    @Test("every journey of a plan is there at its moment, also on streets that close meanwhile")
    func journeys() throws {
        var counts: [TravelMode: Int] = [:]
        for seed in 1...UInt64(Effort.instances(60, everything: 1_000)) {
            // Closed and slow for a part of each day.
            let town = try TimedStreetsTests.town(seed, everyDay: 600..<700, slow: 650..<900)
            var planner = town.planner
            let scene = Scene(seed, in: planner.city.timetable.zone)
            var travel = CityTravel(scene.day, scene.city, &planner)
            let answer = try DayPlan.solve(scene.day, in: &travel, by: planner)
            for leg in answer.plan?.legs ?? [] {
                counts[leg.mode, default: 0] += 1
                if leg.mode == .transit {
                    let found = planner.journeys(scene.query(leg.from, leg.to, leg.departure))
                    #expect(
                        found.contains {
                            $0.departure == leg.departure && $0.arrival == leg.arrival
                        },
                        "seed \(seed)"
                    )
                } else {
                    let wait = leg.mode == .taxi ? scene.city.taxiWaitSeconds ?? 0 : 0
                    let way = planner.directWay(
                        scene.endpoint(leg.from),
                        scene.endpoint(leg.to),
                        by: scene.profile(leg.mode),
                        at: leg.departure.adding(seconds: Int64(wait))
                    )
                    let seconds = try #require(way?.seconds, "seed \(seed)")
                    #expect(
                        Int64(seconds + wait) <= leg.arrival.seconds - leg.departure.seconds,
                        "seed \(seed)"
                    )
                }
            }
        }
        for mode in [TravelMode.walk, .transit, .car, .taxi] {
            #expect(counts[mode, default: 0] > 0, "\(mode)")
        }
    }

    @Test("a plan costs as little as with all rides, found moment by moment")
    func best() throws {
        var rides = 0
        for seed in 1...UInt64(Effort.instances(40, everything: 1_000)) {
            let town = try TimedStreetsTests.town(seed, everyDay: 0..<0, slow: 0..<0)
            var planner = town.planner
            var scene = Scene(seed, in: planner.city.timetable.zone)
            // There may be several rides with the same times.
            scene.day.weights.walking = 0
            var travel = CityTravel(scene.day, scene.city, &planner)
            let answer = try DayPlan.solve(scene.day, in: &travel, by: planner)
            let expected = try DayPlan.solve(scene.day, by: table(scene, &planner))
            #expect(answer.plan?.cost == expected.plan?.cost, "seed \(seed)")
            #expect(answer.isExact == expected.isExact, "seed \(seed)")
            rides += answer.plan?.legs.count { $0.mode == .transit } ?? 0
        }
        #expect(rides > 0)
    }

    /// All ways between the places of a day, found moment by moment.
    private func table(_ scene: Scene, _ planner: inout Planner) -> TravelTable {
        let (day, city) = (scene.day, scene.city)
        var table = TravelTable(placeCount: city.places.count)
        let places = (0..<city.places.count).map { PlaceIndex(rawValue: UInt16($0)) }
        for from in places {
            for to in places where from != to {
                for mode in [TravelMode.walk, .bicycle, .car, .taxi] {
                    let wait = mode == .taxi ? city.taxiWaitSeconds : 0
                    let way = planner.directWay(
                        scene.endpoint(from),
                        scene.endpoint(to),
                        by: scene.profile(mode),
                        at: day.from
                    )
                    guard let wait, let way else { continue }
                    table.add(
                        TravelOption(
                            mode,
                            first: day.from,
                            last: day.until,
                            seconds: way.seconds + wait,
                            walkMetres: mode == .walk ? Int32(way.metres) : 0
                        ),
                        from: from,
                        to: to
                    )
                }
                var time = day.from
                while time <= day.until {
                    let found = planner.journeys(scene.query(from, to, time))
                    for ride in found {
                        table.add(
                            TravelOption(
                                .transit,
                                departure: ride.departure,
                                seconds: Int32(ride.arrival.seconds - ride.departure.seconds),
                                walkMetres: Int32(ride.walkMetres)
                            ),
                            from: from,
                            to: to
                        )
                    }
                    guard let first = found.map(\.departure).min() else { break }
                    time = first.adding(seconds: 1)
                }
            }
        }
        return table
    }

    @Test("direct ways take no longer than at any moment, and are those of certain moments")
    func direct() throws {
        var (later, changes) = (0, 0)
        for seed in 1...UInt64(Effort.instances(30, everything: 500)) {
            let town = try TimedStreetsTests.town(seed, everyDay: 600..<700, slow: 650..<900)
            let planner = town.planner
            var random = SeededRandom(seed: seed ^ 0xD12)
            // A place whose own street closes is joined to another one then.
            let streets = planner.city.streets
            let metric = planner.snapshot.metric(.foot)
            let places = (0..<8).map { _ in RandomTown.place(&random) }.filter { place in
                streets.snap(place, for: .foot).first.map {
                    !metric.variesByHour(at: $0, in: streets)
                } ?? false
            }.map { Endpoint.place($0) }
            let day = planner.city.timetable.zone.instant(
                CivilDate(daysSince1970: 16_365),
                second: 0
            )
            guard let first = places.first else { continue }
            let query = JourneyQuery(
                from: first,
                to: first,
                time: day,
                modes: TravelModes(transit: 0)
            )
            let ways = planner.directWays(from: places, to: places, query)
            for (row, from) in places.enumerated() {
                for (column, to) in places.enumerated() where row != column {
                    for minute in [60, 610, 640, 660, 695, 720, 899, 1_000] as [Int64] {
                        let moment = day.adding(seconds: minute * 60)
                        let way = planner.directWay(from, to, by: .foot, at: moment)
                        let least = ways[row][column]
                        guard let way else { continue }
                        let seconds = try #require(least?.seconds, "seed \(seed)")
                        #expect(seconds <= way.seconds, "seed \(seed)")
                        if minute == 60 { #expect(least == way, "seed \(seed)") }
                        if way.seconds > seconds { later += 1 }
                    }
                }
            }
            let found = planner.changesOfStreets(
                for: .foot,
                during: day...day.adding(seconds: 86_399)
            )
            #expect(found == [600, 650, 700, 900].map { day.adding(seconds: $0 * 60) })
            #expect(planner.changesOfStreets(for: .car, during: day...day).isEmpty)
            changes += found.count
        }
        #expect(later > 0 && changes > 0)
    }
}
