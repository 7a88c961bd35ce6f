import Chronology
import CityData
import Foundation
import Geo
import Journeys
import SeededRandom
import TestSupport
import Testing
import Transit

@testable import OpenData
@testable import TripPlanning

/// Issue 33, "Reliability": the probability of being on time from delays of the past.
@Suite("Reliability of journeys")
struct ReliabilityTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    private static let calendar = """
        empirical_delay_service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,\
        start_date,end_date
        week,1,1,1,1,1,0,0,2014-01-01,2014-12-31
        """

    /// Delays of trips at both of their stops, as medians and ninth deciles.
    private func delays(_ trips: [String: (Int, Int)]) throws -> EmpiricalDelays {
        let ends = [
            "slow": ["W", "E"], "first": ["W", "M"], "second": ["M", "E"], "third": ["W", "M"],
            "fourth": ["M", "E"],
        ]
        var rows = "empirical_delay_service_id,trip_id,stop_id,stop_sequence,p50,p90\n"
        for (trip, (median, ninth)) in trips {
            for (number, stop) in (ends[trip] ?? []).enumerated() {
                rows += "week,\(trip),\(stop),\(number + 1),\(median),\(ninth)\n"
            }
        }
        return try EmpiricalDelays(
            .texts([
                "empirical_delay_calendar.txt": Self.calendar,
                "empirical_delay_stop_times.txt": rows,
            ]),
            name: "delays"
        )
    }

    private func reliability(_ trips: [String: (Int, Int)]) throws -> TripReliability {
        TripReliability(town.city, DelayTable(try delays(trips), town.city.timetable))
    }

    /// The journey with one change: line 2 at 8:04, at 8:13 line 3, at 8:18 there.
    private func journey(_ time: String = "08:03") throws -> Itinerary {
        var planner = Planner(CitySnapshot(town.city))
        var query = JourneyQuery(
            from: .place(TripTown.west.coordinate ?? .init(latitude: 0, longitude: 0)),
            to: .place(TripTown.east.coordinate ?? .init(latitude: 0, longitude: 0)),
            time: try town.time(time)
        )
        query.modes = TravelModes()
        return try #require(planner.journeys(query).first { $0.transfers == 1 })
    }

    @Test("vehicles that are never late are caught and arrive, others as often as they are early")
    func certain() throws {
        let itinerary = try journey()
        let punctual = try reliability(["first": (0, 0), "second": (0, 0)])
        #expect(punctual.onTime(itinerary) == 1)
        // Ten minutes late, every day: the change is missed, the next one is half an hour later.
        let late = try reliability(["first": (600, 600), "second": (0, 0), "fourth": (0, 0)])
        #expect(late.onTime(itinerary) == 0)
        let half = itinerary.arrival.adding(seconds: 1_801)
        #expect(late.onTime(itinerary, by: half) == 1)
        // A second vehicle that is late as well waits for nobody, but is still there.
        let both = try reliability(["first": (600, 600), "second": (700, 700)])
        #expect(both.onTime(itinerary, by: itinerary.arrival.adding(seconds: 700)) == 1)
        #expect(both.onTime(itinerary) == 0)
    }

    @Test("what nobody observed, other days, drives and taxis are unknown; a walk is certain")
    func unknown() throws {
        let itinerary = try journey()
        #expect(try reliability(["first": (0, 0)]).onTime(itinerary) == nil)
        #expect(try reliability([:]).onTime(itinerary) == nil)
        let known = try reliability(["first": (0, 0), "second": (0, 0)])
        var saturday = itinerary
        for index in saturday.legs.indices {
            guard case .ride(var ride) = saturday.legs[index].means else { continue }
            ride.day = ride.day.adding(days: 5)
            saturday.legs[index].means = .ride(ride)
        }
        #expect(known.onTime(saturday) == nil)
        var walk = itinerary
        walk.legs = itinerary.legs.filter { $0.means == .walk }
        #expect(known.onTime(walk) == 1)
        walk.legs[0].means = .car
        #expect(known.onTime(walk) == nil)
    }

    @Test("percentiles of the past are those of the distribution")
    func shares() throws {
        for (median, ninth) in [(0, 30), (60, 60), (120, 240), (300, 1_200), (0, 0)] {
            let delay = try #require(Delay(median: Int32(median), ninth: Int32(ninth)))
            let shares = delay.shares
            #expect(shares.count == Delay.shareCount && shares == shares.sorted())
            let middle = Double(shares[19] + shares[20]) / 2
            #expect(abs(middle - Double(median)) <= 3, "\(median)")
            let nine = Double(shares[35] + shares[36]) / 2
            #expect(abs(nine - Double(ninth)) <= max(3, Double(ninth) / 20), "\(ninth)")
            #expect(shares[0] >= -60)
        }
        #expect(Delay(median: -1, ninth: 5) == nil && Delay(median: 10, ninth: 5) == nil)
        #expect(Delay(median: 0, ninth: 18_001) == nil)
    }

    @Test(
        "forecasts are calibrated: as many simulated days are on time as was said, within 3 points"
    )
    func calibration() throws {
        let itinerary = try journey()
        var random = SeededRandom(seed: 33)
        var brier = 0.0
        var worst = 0.0
        let cases = Effort.instances(40, everything: 400)
        // Of more cases the worst deviates more by chance alone, so each has more days.
        let days = Effort.instances(4_000, everything: 20_000)
        for _ in 0..<cases {
            var delays: [String: (Int, Int)] = [:]
            for trip in ["first", "second", "third", "fourth"] {
                let median = Int.random(in: 0...240, using: &random)
                delays[trip] = (median, median + Int.random(in: 0...480, using: &random))
            }
            let deadline = itinerary.arrival.adding(
                seconds: Int64.random(in: 60...900, using: &random)
            )
            let said = try #require(try reliability(delays).onTime(itinerary, by: deadline))
            var onTime = 0
            for _ in 0..<days where simulated(delays, itinerary, by: deadline, &random) {
                onTime += 1
            }
            let share = Double(onTime) / Double(days)
            worst = max(worst, abs(said - share))
            brier += (said - share) * (said - share)
        }
        #expect(worst <= 0.03, "the worst forecast is \(worst) off")
        #expect((brier / Double(cases)).squareRoot() <= 0.012)
    }

    /// A day of the two changes, with continuous delays: whether one is there in time.
    private func simulated(
        _ delays: [String: (Int, Int)],
        _ itinerary: Itinerary,
        by deadline: Instant,
        _ random: inout SeededRandom
    ) -> Bool {
        func late(_ trip: String) -> Double {
            let (median, ninth) = delays[trip] ?? (0, 0)
            let (one, two) = (
                Double.random(in: 1e-12..<1, using: &random),
                Double.random(in: 0..<1, using: &random)
            )
            let normal = (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
            let sigma = log((Double(ninth) + 60) / (Double(median) + 60)) / 1.2815515655
            return (Double(median) + 60) * exp(sigma * normal) - 60
        }
        let rides = itinerary.legs.filter { $0.ride != nil }
        guard rides.count == 2 else { return false }
        let start = Double(itinerary.departure.seconds)
        func time(_ instant: Instant) -> Double { Double(instant.seconds) - start }
        // Half an hour later the same vehicles leave again.
        var now = time(rides[0].departure)
        for (number, trips) in [["first", "third"], ["second", "fourth"]].enumerated() {
            let ride = rides[number]
            var arrival: Double?
            for (round, trip) in trips.enumerated() where arrival == nil {
                let (shift, delay) = (Double(round) * 1_800, late(trip))
                if now <= time(ride.departure) + shift + max(0, delay) {
                    arrival = time(ride.arrival) + shift + delay
                }
            }
            guard let arrival else { return false }
            now = arrival
        }
        let rest = itinerary.legs.last.map {
            $0.ride == nil ? time($0.arrival) - time($0.departure) : 0
        }
        return now + (rest ?? 0) <= time(deadline)
    }

    @Test("both files are read; rows with errors are left out and counted, missing files named")
    func reading() throws {
        let good = try delays(["first": (30, 90)])
        #expect(good.rows.count == 2 && good.rejectedCount == 0 && good.calendars.count == 1)
        let monday = try #require(CivilDate(iso8601: "2014-10-20"))
        #expect(
            good.calendars[0].contains(monday)
                && !good.calendars[0].contains(monday.adding(days: 5))
        )
        #expect(!good.calendars[0].contains(monday.adding(days: 100)))
        let bad = try EmpiricalDelays(
            .texts([
                "empirical_delay_calendar.txt": Self.calendar + "\nbad,1,1,1,1,1,1,1,x,2014-12-31",
                "empirical_delay_stop_times.txt": """
                empirical_delay_service_id,trip_id,stop_id,stop_sequence,p50,p90
                week,first,W,1,60,30
                week,first,W,1,-1,30
                none,first,W,1,0,30
                week,first,W,1,,30
                week,first,W,1,0,99999
                """,
            ]),
            name: "delays"
        )
        #expect(bad.rows.isEmpty && bad.rejectedCount == 6)
        #expect(throws: GTFSFailure.self) { try EmpiricalDelays(.texts([:]), name: "delays") }
    }
}
