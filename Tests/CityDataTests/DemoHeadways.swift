import Chronology
import OpenData

/// The minutes between consecutive departures of a line in one direction at a stop on one day.
struct DemoHeadways {
    /// All headways in ascending order.
    var minutes: [Double] = []
    /// The number of stop times of the day.
    var stopTimes = 0

    /// Computes the headways of a feed on the last of its weekdays with the most trips.
    init(_ feed: GTFSFeed) {
        let day = Self.fullDay(of: feed)
        var departures: [Stop: [Int32]] = [:]
        for trip in feed.trips where feed.services[trip.service].days.contains(day) {
            for index in trip.stopTimes where feed.stopTimes.departure[index] >= 0 {
                stopTimes += 1
                let stop = Stop(
                    stop: feed.stopTimes.stop[index],
                    route: trip.route,
                    direction: trip.direction
                )
                departures[stop, default: []].append(feed.stopTimes.departure[index])
            }
        }
        for times in departures.values {
            let sorted = times.sorted()
            for (first, second) in zip(sorted, sorted.dropFirst()) where second > first {
                minutes.append(Double(second - first) / 60)
            }
        }
        minutes.sort()
    }

    private struct Stop: Hashable {
        var stop: Int32
        var route: Int
        var direction: UInt8?
    }

    private static func fullDay(of feed: GTFSFeed) -> CivilDate {
        var trips: [CivilDate: Int] = [:]
        var size = [Int](repeating: 0, count: feed.services.count)
        for trip in feed.trips { size[trip.service] += 1 }
        for (number, service) in feed.services.enumerated() {
            guard let first = service.days.first, let last = service.days.last else { continue }
            for offset in first.daysSince1970...last.daysSince1970 {
                let day = CivilDate(daysSince1970: offset)
                if day.weekday < 5, service.days.contains(day) {
                    trips[day, default: 0] += size[number]
                }
            }
        }
        let best = trips.max { ($0.value, $0.key) < ($1.value, $1.key) }
        return best?.key ?? CivilDate(daysSince1970: 0)
    }
}
