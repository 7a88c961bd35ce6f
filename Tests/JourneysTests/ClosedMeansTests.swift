import Chronology
import DayPlan
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import Journeys

/// V70, V72: means that must not be used in some hours of a day.
@Suite("Closed means in days")
struct ClosedMeansTests {
    private static func place(_ number: Int) -> PlaceIndex {
        PlaceIndex(rawValue: UInt16(number))
    }

    @Test("V72: a means is used at the moments at which one is not under way in its closed hours")
    func closed() throws {
        var (kept, dropped) = (0, 0)
        for seed in 1...UInt64(Effort.instances(40, everything: 1_000)) {
            let town = try TimedStreetsTests.town(seed, everyDay: 0..<0, slow: 0..<0)
            var planner = town.planner
            var random = SeededRandom(seed: seed ^ 0xC105)
            let date = CivilDate(daysSince1970: .random(in: 16_361...16_375, using: &random))
            let from = planner.city.timetable.zone.instant(date, second: 0)
            let until = from.adding(seconds: 86_400)
            var day = Day(
                origin: Self.place(0),
                from: from,
                destination: Self.place(0),
                until: until,
                tasks: []
            )
            let vehicle = OwnVehicle(at: Self.place(0), returnPlace: Self.place(0))
            (day.car, day.bicycle) = (vehicle, vehicle)
            var city = CityDay(places: (0..<3).map { _ in .place(RandomTown.place(&random)) })
            city.taxiWaitSeconds = 300
            let open = CityTravel(day, city, &planner)
            for mode in TravelMode.allCases {
                city.closed[mode] = Self.spans(from, &random)
            }
            let closed = CityTravel(day, city, &planner)
            for pair in [(0, 1), (1, 2), (2, 0)] {
                let (origin, destination) = (Self.place(pair.0), Self.place(pair.1))
                let usual = open.options(from: origin, to: destination)
                let left = closed.options(from: origin, to: destination)
                for _ in 0..<40 {
                    guard let option = usual.randomElement(using: &random) else { break }
                    let length = option.last.seconds - option.first.seconds
                    let start = option.first.adding(
                        seconds: .random(in: 0...length, using: &random)
                    )
                    let end = start.adding(seconds: Int64(option.seconds))
                    let isClosed = (city.closed[option.mode] ?? []).contains {
                        start < $0.upperBound && $0.lowerBound < end
                    }
                    let isLeft = left.contains {
                        $0.mode == option.mode && $0.seconds == option.seconds
                            && $0.first <= start && start <= $0.last
                    }
                    #expect(isLeft == !isClosed, "seed \(seed), \(option) at \(start)")
                    if isClosed { dropped += 1 } else { kept += 1 }
                }
                let isInvented = left.contains { one in
                    !usual.contains {
                        $0.mode == one.mode && $0.seconds == one.seconds && $0.first <= one.first
                            && one.last <= $0.last
                    }
                }
                #expect(!isInvented, "seed \(seed)")
            }
        }
        #expect(kept > 0 && dropped > 0)
    }

    /// Up to three spans of a day, in order, some of which meet.
    private static func spans(
        _ start: Instant,
        _ random: inout SeededRandom
    ) -> [Range<Instant>] {
        var second: Int64 = 0
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in
            second += Bool.random(using: &random) ? 0 : .random(in: 1...30_000, using: &random)
            let first = second
            second += .random(in: 1...20_000, using: &random)
            return start.adding(seconds: first)..<start.adding(seconds: second)
        }
    }
}
