import Chronology
import Columns
import Geo
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import Journeys

/// Issue 31, point 6: journeys obey the rules of streets for certain hours, on the city's clocks.
@Suite("Journeys on streets with rules for certain hours")
struct JourneyStreetHoursTests {
    private static let wednesday = CivilDate(daysSince1970: 16_365)

    /// A random town whose streets are closed to a profile on Wednesdays from 7:30 to 19:30, some
    /// or all of them.
    private static func city(_ seed: UInt64, _ profile: Profile, share: Double) throws -> City {
        var random = SeededRandom(seed: seed)
        let feed = try RandomTown.feed(seed: seed)
        var draft = RandomTown.streets(&random)
        draft.hours = [WeekHours([2 * 1_440 + 450..<2 * 1_440 + 1_170])]
        for arc in draft.arcs.indices
        where Double(draft.arcs[arc].edge % 16) < share * 16 {
            draft.rules.append(
                StreetDraft.Rule(
                    arc: UInt32(arc),
                    profile: profile,
                    hours: 0,
                    milliseconds: StreetDraft.Arc.closed
                )
            )
        }
        return City(try RandomTown.city(draft, feed).opened())
    }

    private static func time(_ city: City, _ hour: Int32, _ minute: Int32 = 0) -> Instant {
        city.timetable.zone.instant(wednesday, second: hour * 3_600 + minute * 60)
    }

    @Test("a drive takes longer in the closed hours, and its route keeps to them")
    func drives() throws {
        #expect(Self.wednesday.weekday == 2)
        var longer = 0
        let instances = Effort.instances(40, everything: 400)
        for seed in 1...UInt64(instances) {
            let city = try Self.city(seed, .car, share: 3.0 / 16)
            let planner = Planner(CitySnapshot(city))
            var random = SeededRandom(seed: seed ^ 0xE0)
            let places = (0..<2).map { _ in RandomTown.place(&random) }
            func drive(_ hour: Int32, isArriveBy: Bool = false) -> Itinerary? {
                var planner = planner
                let query = JourneyQuery(
                    from: .place(places[0]),
                    to: .place(places[1]),
                    time: Self.time(city, hour),
                    isArriveBy: isArriveBy,
                    modes: TravelModes(walk: false, car: true, transit: 0)
                )
                let found = planner.journeys(query).first
                if let leg = found?.legs.first, leg.metres > 0 {
                    let route = planner.route(of: leg, in: query)
                    #expect(route != nil, "seed \(seed)")
                    let isClosed = (8..<19).contains(hour)
                    let barred = route?.stretches.contains { $0.edge.rawValue % 16 < 3 } ?? false
                    #expect(!isClosed || !barred, "seed \(seed)")
                }
                return found
            }
            func seconds(_ found: Itinerary?) -> Int64? {
                found.map { $0.arrival.seconds - $0.departure.seconds }
            }
            #expect(seconds(drive(6)) == seconds(drive(21)), "seed \(seed)")
            #expect(seconds(drive(10)) == seconds(drive(11, isArriveBy: true)), "seed \(seed)")
            if let open = seconds(drive(6)), let closed = seconds(drive(10)), open < closed {
                longer += 1
            }
        }
        #expect(longer >= instances / 8)
    }

    @Test("while all streets are closed to walkers nobody walks, before and after there are ways")
    func access() throws {
        var found = 0
        let instances = Effort.instances(20, everything: 100)
        for seed in 1...UInt64(instances) {
            let city = try Self.city(seed, .foot, share: 1)
            var planner = Planner(CitySnapshot(city))
            var random = SeededRandom(seed: seed ^ 0xE1)
            let places = (0..<2).map { _ in RandomTown.place(&random) }
            for hour in [6, 7, 8, 12, 19, 20] as [Int32] {
                let journeys = planner.journeys(
                    JourneyQuery(
                        from: .place(places[0]),
                        to: .place(places[1]),
                        time: Self.time(city, hour, 30)
                    )
                )
                // Who asks while they are closed may leave when they open again.
                let (closing, opening) = (Self.time(city, 7, 30), Self.time(city, 19, 30))
                for leg in journeys.flatMap(\.legs) where leg.from == nil || leg.to == nil {
                    let isBarred = leg.departure >= closing && leg.arrival < opening
                    #expect(!isBarred, "seed \(seed) at \(hour):30")
                }
                if hour < 7 || hour >= 19 { found += journeys.count }
            }
        }
        #expect(found >= instances)
    }
}
