import Chronology
import Columns
import Foundation
import Geo
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing

@testable import CityData
@testable import Journeys
@testable import Transit

/// Issue 33, "Streets with state": walk, ride, walk as the first or the last part of a journey by
/// public transport, in both directions of the search.
@Suite("Rented vehicles to and from stops")
struct RentalWayTests {
    /// A question with rented vehicles, and the reference for it.
    private struct Trial {
        var query: JourneyQuery
        var town: DoorToDoorTests.Town
        private let access: [SlowDoorToDoor.Way]
        private let egress: [SlowDoorToDoor.Way]
        private let vehicles: [SlowJourneys.Vehicle]
        private let from: Coordinate
        private let to: Coordinate

        init(seed: UInt64, isArriveBy: Bool) throws {
            var random = SeededRandom(seed: seed ^ 0xB1CE)
            let feed = try RandomTown.feed(seed: seed)
            let writer = try RandomTown.city(RandomTown.streets(&random), feed)
            town = try DoorToDoorTests.Town(try writer.opened(), feed)
            from = RandomTown.place(&random)
            to = RandomTown.place(&random)
            query = ThreeCriteriaTests.query(
                .place(from),
                .place(to),
                isArriveBy: isArriveBy,
                &random
            )
            query.comparesWalking = false
            query.modes.walk = seed % 4 != 0
            let reference = town.reference
            var access = reference.ways(from, isOrigin: true)
            var egress = reference.ways(to, isOrigin: false)
            if seed % 3 != 0 {
                let offer = Self.offer(query.time, from, feed, &random)
                query.rentalAccess = town.planner.rentalPaths(
                    offer,
                    at: .place(from),
                    isOrigin: true
                )
                access += reference.rentals(from, isOrigin: true, offer)
            }
            if seed % 3 != 1 {
                let offer = Self.offer(query.time, to, feed, &random)
                query.rentalEgress = town.planner.rentalPaths(
                    offer,
                    at: .place(to),
                    isOrigin: false
                )
                egress += reference.rentals(to, isOrigin: false, offer)
            }
            self.access = access
            self.egress = egress
            vehicles = reference.slow.vehicles(
                around: Date(timeIntervalSince1970: TimeInterval(query.time.seconds)),
                zone: town.zone
            )
        }

        /// Vehicles and places of return around an end of the journey and around stops; some of
        /// them at one place, as at a station, and some with little range.
        private static func offer(
            _ time: Instant,
            _ centre: Coordinate,
            _ feed: GTFSFeed,
            _ random: inout SeededRandom
        ) -> RentalOffer {
            let stops = feed.stops.compactMap(\.coordinate)
            func place(_ random: inout SeededRandom) -> Coordinate {
                let near = Bool.random(using: &random)
                let middle = near ? centre : stops.randomElement(using: &random) ?? centre
                return Coordinate(
                    latitude: middle.latitude + .random(in: -30_000...30_000, using: &random),
                    longitude: middle.longitude + .random(in: -40_000...40_000, using: &random)
                )
            }
            let first = time.adding(seconds: .random(in: -20_000...3_600, using: &random))
            var offer = RentalOffer(
                kind: 1,
                profile: Int.random(in: 0..<3, using: &random) == 0 ? .car : .bicycle,
                handlingSeconds: .random(in: 0...120, using: &random),
                rideMetresLimit: .random(in: 800...4_000, using: &random),
                moments: first...first.adding(seconds: .random(in: 0...20_000, using: &random))
            )
            if Int.random(in: 0..<3, using: &random) == 0 {
                let start = first.adding(seconds: .random(in: 0...6_000, using: &random))
                offer.closures = [
                    start..<start.adding(seconds: .random(in: 1...3_000, using: &random))
                ]
            }
            offer.ends = (0..<Int.random(in: 1...5, using: &random)).map { _ in place(&random) }
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let isStation = Int.random(in: 0..<3, using: &random) == 0
                let ends = offer.ends.indices.filter { _ in
                    Int.random(in: 0..<4, using: &random) != 0
                }
                let own = offer.ends.randomElement(using: &random) ?? centre
                let isWeak = Int.random(in: 0..<4, using: &random) == 0
                offer.vehicles.append(
                    RentalOffer.Vehicle(
                        at: isStation ? own : place(&random),
                        rangeMetres: isWeak ? .random(in: 0...2_500, using: &random) : nil,
                        microgramsPerMetre: Bool.random(using: &random) ? 50_000 : nil,
                        ends: ends
                    )
                )
            }
            return offer
        }

        /// The earliest arrivals by number of trips of those who walk so far, from a moment on.
        func arrivals(_ moment: Int, _ metres: Int?) -> [Int] {
            let question = SlowDoorToDoor.Question(
                access: access,
                egress: egress,
                walk: query.modes.walk ? town.reference.walk(from, to, maxMetres: metres) : nil,
                maxTrips: query.maxTransfers + 1,
                maxMetres: metres,
                vehicles: vehicles
            )
            return town.reference.arrivals(question, at: moment)
        }

        /// Returns what is wrong with a rental of an answer; nil if nothing is.
        func problem(_ answer: Itinerary) -> String? {
            for (number, leg) in answer.legs.enumerated() {
                guard let rental = leg.rental else { continue }
                let isFirst = !answer.legs[..<number].contains { $0.ride != nil }
                guard let paths = isFirst ? query.rentalAccess : query.rentalEgress,
                    paths.offer.kind == rental.kind
                else { return "a rental at an end without any" }
                let offer = paths.offer
                let vehicle = offer.vehicles[rental.vehicle]
                guard vehicle.ends.contains(rental.end) else { return "left where it may not be" }
                let end = offer.ends[rental.end]
                if end == vehicle.place { return "returned where it was rented" }
                if leg.fromPlace != vehicle.place || leg.toPlace != end { return "at other places" }
                if leg.metres > min(offer.rideMetresLimit, vehicle.rangeMetres ?? .max) {
                    return "rides too far"
                }
                if !offer.moments.contains(leg.departure) { return "rented at another time" }
                let handling = Int64(offer.handlingSeconds)
                let ride =
                    leg.departure.adding(seconds: handling)..<leg.arrival.adding(seconds: -handling)
                if offer.closures.contains(where: { $0.overlaps(ride) }) { return "rides then" }
                if number > 0, answer.legs[number - 1].ride == nil,
                    answer.legs[number - 1].toPlace != vehicle.place
                {
                    return "the walk leads elsewhere"
                }
                if number + 1 < answer.legs.count, answer.legs[number + 1].ride == nil,
                    answer.legs[number + 1].fromPlace != end
                {
                    return "the walk begins elsewhere"
                }
            }
            return nil
        }
    }

    @Test("journeys equal exhaustive search, both ways, also with a limit on walking")
    func randomTowns() throws {
        var rentals = (first: 0, last: 0)
        for seed in 1...UInt64(Effort.instances(200, everything: 5_000)) {
            for isArriveBy in [false, true] {
                var trial = try Trial(seed: seed, isArriveBy: isArriveBy)
                trial.query.maxWalkMetres = seed % 5 == 0 ? UInt32(seed * 37 % 3_000) : nil
                let limit = trial.query.maxWalkMetres.map { Int($0) }
                let answers = trial.town.planner.journeys(trial.query)
                for answer in answers {
                    #expect(PlannerPropertyTests.inconsistency(answer) == nil, "seed \(seed)")
                    #expect(trial.problem(answer) == nil, "seed \(seed), by \(isArriveBy)")
                    if let limit { #expect(answer.walkMetres <= limit, "seed \(seed)") }
                    let first = answer.legs.firstIndex { $0.rental != nil }
                    let ride = answer.legs.firstIndex { $0.ride != nil }
                    if let first, let ride {
                        if first < ride { rentals.first += 1 } else { rentals.last += 1 }
                    }
                }
                let found = answers.map(PlannerPropertyTests.Answer.init)
                let asked = PlannerPropertyTests.Question(
                    from: 0,
                    to: 0,
                    time: Int(trial.query.time.seconds),
                    isArriveBy: isArriveBy,
                    maxTransfers: trial.query.maxTransfers
                )
                let arrivals = { trial.arrivals($0, limit) }
                let problem =
                    isArriveBy
                    ? PlannerPropertyTests.problem(found, arriveBy: asked, arrivals)
                    : PlannerPropertyTests.problem(found, departAt: asked, arrivals)
                #expect(problem == nil, "seed \(seed), \(asked): \(found)")
            }
        }
        #expect(rentals.first > 0 && rentals.last > 0 || !Effort.isRelease)
    }

    @Test("no journey exceeds a limit on emissions or on rides, nor uses a ride that was left out")
    func limits() throws {
        var (rentals, removals) = (0, 0)
        for seed in 1...UInt64(Effort.instances(120, everything: 2_000)) {
            var trial = try Trial(seed: seed, isArriveBy: seed % 2 == 0)
            let free = trial.town.planner.journeys(trial.query)
            var rates = EmissionRates()
            for mode in TransitMode.allCases { rates.transit[mode] = 0 }
            trial.query.emissions = EmissionTerms(rates, limit: 150_000_000)
            trial.query.vehicleLimit.metres = 2_500
            for answer in trial.town.planner.journeys(trial.query) {
                let emitted = try #require(trial.town.planner.city.micrograms(of: answer, rates))
                #expect(emitted <= 150_000_000, "seed \(seed)")
                for leg in answer.legs where leg.rental != nil {
                    #expect(leg.metres <= 2_500, "seed \(seed)")
                    rentals += 1
                }
            }
            (trial.query.emissions, trial.query.vehicleLimit) = (nil, VehicleLimit())
            guard let used = free.flatMap(\.legs).compactMap(\.rental).first else { continue }
            trial.query.rentalAccess?.removeAny(used)
            trial.query.rentalEgress?.removeAny(used)
            for answer in trial.town.planner.journeys(trial.query) {
                for rental in answer.legs.compactMap(\.rental) {
                    #expect(rental.vehicle != used.vehicle || rental.end != used.end)
                }
            }
            removals += 1
        }
        #expect(removals > 0)
        // A debug build tries too few towns for that.
        #expect(rentals > 0 || !Effort.isRelease)
    }

    @Test("without rentals a query is answered as before, and wheelchairs are not sent to them")
    func without() throws {
        for seed in 1...UInt64(Effort.instances(60, everything: 500)) {
            var trial = try Trial(seed: seed, isArriveBy: seed % 2 == 0)
            var plain = trial.query
            (plain.rentalAccess, plain.rentalEgress) = (nil, nil)
            let expected = trial.town.planner.journeys(plain)
            for leg in expected.flatMap(\.legs) {
                #expect(leg.rental == nil && leg.fromPlace == nil && leg.toPlace == nil)
            }
            plain.wheelchair = true
            trial.query.wheelchair = true
            let rolling = trial.town.planner.journeys(trial.query)
            #expect(rolling == trial.town.planner.journeys(plain), "seed \(seed)")
        }
    }
}

extension RentalPaths {
    /// Leaves out the ride of a rental if the offer has it.
    fileprivate mutating func removeAny(_ rental: RentalLeg) {
        guard offer.vehicles.indices.contains(rental.vehicle),
            offer.ends.indices.contains(rental.end)
        else { return }
        removeRide(of: rental.vehicle, to: rental.end)
    }
}
