import Chronology
import CityData
import Fares
import Geo
import Journeys
import Synchronization
import Testing
import TripPlanning

/// V62: a taxi as the first or the last leg of a journey by public transport.
@Suite("Taxis for a part of the way")
struct TaxiLegTests {
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

    private func answer(_ question: TripQuestion, _ estimate: TaxiEstimate?) throws -> TripAnswer {
        var search = TripSearch(CitySnapshot(town.city))
        return try search.answer(question, taxi: estimate)
    }

    private func question(from: ResolvedPlace, to: ResolvedPlace) throws -> TripQuestion {
        TripQuestion(
            from: from,
            to: to,
            time: try town.time("08:00"),
            modes: TripModes(walk: true, taxi: true)
        )
    }

    @Test("a taxi to the first stop, ordered so that it arrives after its wait")
    func first() throws {
        var question = try question(from: Self.before, to: TripTown.east)
        let estimate = TaxiEstimate(waitSeconds: 120, rideSeconds: 900)
        let found = try answer(question, estimate)
        let option = try #require(found.options.first { $0.changesToTaxi })
        #expect(option.kind == .transit && option.steps.first?.kind == .taxi)
        let ride = try #require(option.taxiStep)
        #expect(ride.departure == option.departure.adding(seconds: 120))
        #expect(ride.to?.name == "Mezzo" && (1_400...1_600).contains(ride.metres))
        let (board, end) = (try town.time("08:13"), try town.time("08:18"))
        #expect(ride.arrival <= board)
        #expect((end..<end.adding(seconds: 120)).contains(option.arrival))
        // Anyone's way comes first and sums up the answer.
        #expect(found.best.map { !$0.changesToTaxi } == true)
        #expect(found.options.first?.changesToTaxi == false)
        #expect(found.options.last?.kind == .taxi)
        #expect(Set(found.options.map(\.id)).count == found.options.count)
        // Who must wait too long for it misses the vehicle.
        let late = try answer(question, TaxiEstimate(waitSeconds: 900, rideSeconds: 900))
        #expect(!late.options.contains { $0.changesToTaxi })
        question.modes.taxi = false
        let without = try answer(question, estimate)
        #expect(without.options.allSatisfy { $0.taxiStep == nil })
    }

    @Test("a taxi from the last stop, ordered there, by the wait there")
    func last() throws {
        var question = try question(from: TripTown.west, to: Self.after)
        var estimate = TaxiEstimate(waitSeconds: 3_600, rideSeconds: 900)
        estimate.waitThereSeconds = 60
        let found = try answer(question, estimate)
        let option = try #require(found.options.first { $0.changesToTaxi })
        let ride = try #require(option.steps.last)
        #expect(ride.kind == .taxi && ride.from?.name == "Mezzo")
        let before = try #require(option.steps.dropLast().last)
        #expect(ride.departure.seconds - before.arrival.seconds >= 60)
        let latest = try town.time("08:18")
        #expect(option.arrival < latest)
        // To arrive by a time, the same way is found from its end.
        question.time = option.arrival
        question.isArriveBy = true
        let back = try answer(question, estimate)
        #expect(back.options.contains { $0.changesToTaxi && $0.departure == option.departure })
    }

    @Test("for a short way, or under a limit on money, nobody changes to a taxi")
    func refused() throws {
        var question = try question(from: Self.before, to: TripTown.east)
        question.limits.minorUnits = 5_000
        let estimate = TaxiEstimate(waitSeconds: 60, rideSeconds: 900)
        let limited = try answer(question, estimate)
        #expect(limited.options.allSatisfy { !$0.changesToTaxi })
        question = try self.question(from: TripTown.west, to: TripTown.place("Vicino", 90_300_000))
        let short = try answer(question, estimate)
        #expect(short.options.allSatisfy { !$0.changesToTaxi })
    }

    @Test("its fare is asked for the part that it drives, and added to the ticket")
    func fare() async throws {
        let euro = try #require(Currency(code: "EUR"))
        let asked = Mutex<[TaxiRide]>([])
        let planner = TripPlanner(CitySnapshot(town.city), workers: 1) { ride in
            asked.withLock { $0.append(ride) }
            return TaxiEstimate(waitSeconds: 120, fare: Money(640, euro), rideSeconds: 600)
        }
        let question = try question(from: Self.before, to: TripTown.east)
        let found = try await planner.answer(question)
        let option = try #require(found.options.first { $0.changesToTaxi })
        #expect(option.price == .estimated(Money(790, euro)))
        let rides = asked.withLock { $0 }
        let ride = try #require(rides.last)
        #expect(ride.from == Self.before.coordinate && ride.to == option.taxiStep?.to?.coordinate)
        #expect(ride.time == option.taxiStep?.departure)
        // The wait at the destination is asked of a ride that begins there.
        #expect(rides.contains { $0.from == TripTown.east.coordinate })
    }
}
