import Chronology
import Geo
import OpenData
import Streets
import TestSupport

@testable import CityData
@testable import Journeys

extension SlowDoorToDoor {
    /// For each second at which one may begin to order a taxi, when it comes at the earliest;
    /// ordering later may be quicker.
    struct Pickups {
        private let first: Int
        private let moments: [Int]

        init(_ waits: [TaxiWait]) {
            first = waits.map { Int($0.first.seconds) }.min() ?? 0
            let last = waits.map { Int($0.last.seconds) }.max() ?? -1
            var moments = [Int](repeating: SlowDoorToDoor.never, count: last - first + 1)
            for wait in waits {
                for second in Int(wait.first.seconds)...Int(wait.last.seconds) {
                    moments[second - first] = min(
                        moments[second - first],
                        second + Int(wait.seconds)
                    )
                }
            }
            for second in moments.indices.dropLast().reversed() {
                moments[second] = min(moments[second], moments[second + 1])
            }
            self.moments = moments
        }

        func earliest(_ moment: Int) -> Int {
            let second = max(0, moment - first)
            return second < moments.count ? moments[second] : SlowDoorToDoor.never
        }
    }

    /// Returns the rides by taxi between a place and stops.
    func taxis(_ place: Coordinate, isOrigin: Bool, _ waits: [TaxiWait]) -> [Way] {
        let links = StopLinkBuilder([FeedInput(slow.feed)], network, .car).links
        let pickups = Pickups(waits)
        return ways(place, isOrigin: isOrigin, by: .taxi, links, limit: Planner.carMetresLimit)
            .map { Way(stop: $0.stop, seconds: $0.seconds, metres: 0, pickups: pickups) }
    }
}
