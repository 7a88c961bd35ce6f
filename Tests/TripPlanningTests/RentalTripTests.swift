import Chronology
import CityData
import Fares
import Geo
import Journeys
import LiveFeeds
import OpenData
import Testing
import TripPlanning

/// Trips by shared vehicles (V62, V83): issue 33, point 1.
@Suite("Trips by shared vehicles")
struct RentalTripTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    private func answer(
        _ live: LiveTown,
        _ kind: TripKind = .bikeshare,
        age: Int64 = 0,
        change: (inout TripQuestion) throws -> Void = { _ in }
    ) throws -> TripAnswer {
        var question = try town.question(
            modes: TripModes(walk: true, transit: 0).with([kind])
        )
        try change(&question)
        let (world, now) = try live.conditions(try town.time("08:00"), age: age)
        var search = TripSearch(CitySnapshot(town.city))
        return try search.answer(question, conditions: TripConditions(world, now: now))
    }

    private func reason(_ answer: TripAnswer, _ kind: TripKind = .bikeshare) -> TripMissing.Reason?
    {
        answer.missing.first { $0.mode == .kind(kind) }?.reason
    }

    @Test("one walks to a station, rides, returns the bicycle at another and walks on")
    func trip() throws {
        let found = try answer(LiveTown())
        let option = try #require(found.options.first { $0.kind == .bikeshare })
        #expect(option.steps.map(\.kind) == [.walk, .bikeshare, .walk])
        let ride = option.steps[1]
        #expect(ride.fromName == "Stazione A" && ride.toName == "Stazione B")
        #expect(ride.rental?.pickupStation == "A" && ride.rental?.returnStation == "B")
        #expect(ride.rental?.system == "Bici")
        #expect((5_500...5_900).contains(ride.metres))
        #expect(ride.departure.seconds - option.steps[0].arrival.seconds == 60)
        #expect(option.steps[2].departure.seconds - ride.arrival.seconds == 60)
        #expect(option.arrival == option.steps[2].arrival)
        #expect(option.price == .exact(Money(150, .euro)))
        #expect(option.emissions?.grams == 0)
        #expect(found.missing.isEmpty)
        let walk = try #require(found.options.first { $0.kind == .walk })
        #expect(option.arrival < walk.arrival)
    }

    @Test("a trip that must arrive by a time does so")
    func arriveBy() throws {
        let found = try answer(LiveTown()) {
            $0.isArriveBy = true
            $0.time = try town.time("08:55")
        }
        let option = try #require(found.options.first { $0.kind == .bikeshare })
        #expect(try option.arrival == town.time("08:55"))
        #expect(option.steps.map(\.kind) == [.walk, .bikeshare, .walk])
        for (one, next) in zip(option.steps, option.steps.dropFirst()) {
            #expect(next.departure.seconds - one.arrival.seconds == 60)
        }
    }

    @Test("a bicycle of a station is not left in the street, even where a zone would permit it")
    func notInTheStreet() throws {
        for rule in ["any_station", nil] {
            var live = LiveTown()
            live.returnRule = rule
            live.area = (8.9, 9.1)
            live.stations = [("A", 9.0020, 3, 5), ("far", 9.0500, 2, 4)]
            let found = try answer(live)
            #expect(!found.options.contains { $0.kind == .bikeshare })
            #expect(reason(found) == .sharing(.noReturn(metres: 1_000)))
        }
    }

    @Test("a bicycle is not returned where it began, nor rented where it must return to")
    func notWhereItBegan() throws {
        var live = LiveTown()
        live.stations = [("A", 9.0020, 3, 5)]
        let near = try answer(live) {
            $0.to = TripTown.place("Vicino", 90_060_000)
        }
        #expect(!near.options.contains { $0.kind == .bikeshare })
        var round = LiveTown()
        round.returnRule = "roundtrip_station"
        let found = try answer(round)
        #expect(!found.options.contains { $0.kind == .bikeshare })
        #expect(reason(found) == .sharing(.roundTripsOnly))
    }

    @Test("where the docks are full, the next station is used")
    func fullDocks() throws {
        var live = LiveTown()
        live.stations = [("A", 9.0020, 3, 5), ("full", 9.0755, 9, 0), ("B", 9.0720, 2, 1)]
        let option = try #require(try answer(live).options.first { $0.kind == .bikeshare })
        #expect(option.steps[1].rental?.returnStation == "B")
        live.stations[1].docks = 1
        let nearer = try #require(try answer(live).options.first { $0.kind == .bikeshare })
        #expect(nearer.steps[1].rental?.returnStation == "full")
        #expect(nearer.arrival < option.arrival)
    }

    @Test("an empty station is passed by, and without any vehicle the reason says so")
    func emptyStations() throws {
        var live = LiveTown()
        live.stations = [("empty", 9.0005, 0, 9), ("A", 9.0040, 1, 5), ("B", 9.0745, 2, 4)]
        let option = try #require(try answer(live).options.first { $0.kind == .bikeshare })
        #expect(option.steps[1].rental?.pickupStation == "A")
        // Two people need two bicycles.
        let two = try answer(live) { $0.party = 2 }
        #expect(reason(two) == .sharing(.noVehicle(metres: 1_000)))
    }

    @Test("a scooter is left at the destination within the area, and never outside of it")
    func area() throws {
        var live = LiveTown()
        (live.form, live.propulsion, live.returnRule) = ("scooter", "electric", "free_floating")
        live.stations = []
        live.free = [("s", 9.0010, 20_000)]
        live.area = (8.9, 9.1)
        let inside = try answer(live, .scooter)
        let option = try #require(inside.options.first { $0.kind == .scooter })
        #expect(option.steps.map(\.kind) == [.walk, .scooter])
        #expect(option.steps[1].toName == "Lavoro" && option.steps[1].rental?.returnStation == nil)
        // No value is known for an electric scooter, and the feed states none.
        #expect(option.emissions == nil)
        live.area = (8.9, 9.0730)
        let edge = try #require(
            try answer(live, .scooter).options.first { $0.kind == .scooter }
        )
        #expect(edge.steps.map(\.kind) == [.walk, .scooter, .walk])
        let left = try #require(edge.steps[1].geometry.last)
        #expect(left.longitudeDegrees <= 9.0730)
        live.area = (8.9, 9.05)
        let outside = try answer(live, .scooter)
        #expect(reason(outside, .scooter) == .sharing(.noReturn(metres: 1_000)))
        live.area = nil
        let unknown = try answer(live, .scooter)
        #expect(reason(unknown, .scooter) == .sharing(.noReturn(metres: 1_000)))
    }

    @Test("nobody rides through an area in which that is forbidden")
    func forbiddenArea() throws {
        var live = LiveTown()
        live.forbidden = (9.03, 9.04)
        let found = try answer(live)
        #expect(!found.options.contains { $0.kind == .bikeshare })
        #expect(reason(found) == .sharing(.forbiddenArea))
    }

    @Test("a vehicle goes no farther than its battery")
    func range() throws {
        var live = LiveTown()
        (live.form, live.propulsion, live.returnRule) = ("scooter", "electric", "free_floating")
        live.stations = []
        live.area = (8.9, 9.1)
        live.free = [("weak", 9.0010, 3_000)]
        #expect(reason(try answer(live, .scooter), .scooter) == .sharing(.range))
        live.free.append(("strong", 9.0030, 30_000))
        let option = try #require(
            try answer(live, .scooter).options.first { $0.kind == .scooter }
        )
        #expect(option.steps[0].metres > 200)
    }

    @Test("a feed that is too old is unknown, and so is what will be free in two hours (V87)")
    func age() throws {
        let old = try answer(LiveTown(), age: 700)
        #expect(!old.options.contains { $0.kind == .bikeshare })
        let since = try town.time("08:00").adding(seconds: -700)
        #expect(reason(old) == .sharing(.silent(system: "Bici", since: since)))
        let later = try answer(LiveTown()) { $0.time = try town.time("10:30") }
        #expect(reason(later) == .sharing(.notKnownAhead(minutes: 60)))
        #expect(try answer(LiveTown(), age: 500).options.contains { $0.kind == .bikeshare })
    }

    @Test("a price by the minute is an estimate, and without a plan it is unknown, not zero")
    func price() throws {
        var live = LiveTown()
        live.plan =
            #"{"plan_id":"p","name":"Minuti","currency":"EUR","price":1,"is_taxable":false,"#
            + #""per_min_pricing":[{"start":0,"rate":0.2,"interval":1}]}"#
        let minutes = try #require(try answer(live).options.first { $0.kind == .bikeshare })
        let seconds = minutes.steps[1].seconds
        let expected = 100 + 20 * (seconds / 60 + 1)
        #expect(minutes.price == .estimated(Money(expected, .euro)))
        live.plan = #"{"plan_id":"other","name":"X","currency":"EUR","price":1,"is_taxable":false}"#
        let none = try #require(try answer(live).options.first { $0.kind == .bikeshare })
        #expect(none.price == .unknown)
    }

    @Test("a shared car costs once for all, a shared bicycle for each")
    func party() throws {
        var live = LiveTown()
        let bikes = try #require(
            try answer(live) { $0.party = 2 }.options.first { $0.kind == .bikeshare }
        )
        #expect(bikes.price == .exact(Money(300, .euro)))
        (live.form, live.propulsion) = ("car", "combustion")
        let car = try #require(
            try answer(live, .carshare) { $0.party = 2 }.options.first { $0.kind == .carshare }
        )
        #expect(car.price == .exact(Money(150, .euro)))
        #expect((car.emissions?.grams ?? 0) > 800)
    }

    @Test("a stricter limit on walking never gives more")
    func walking() throws {
        var before = 2
        for limit in [7_000, 500, 290, 100, 10] as [UInt32] {
            let found = try? answer(LiveTown()) { $0.maxWalkMetres = limit }
            let count = found?.options.count ?? 0
            #expect(count <= before)
            for option in found?.options ?? [] { #expect(option.walkMetres <= limit) }
            before = count
        }
        #expect(before == 0)
    }

    @Test("other vehicles than the wanted ones are not offered, nor to wheelchairs")
    func others() throws {
        let scooter = try answer(LiveTown(), .scooter)
        #expect(reason(scooter, .scooter) == .sharing(.noSystem))
    }
}
