import OpenData

/// The times of a trip with the blank ones filled in.
struct CompleteTimes: Hashable {
    /// Seconds of the service day at each stop.
    var arrivals: [Int32]
    /// Seconds of the service day at each stop.
    var departures: [Int32]

    /// Fills blank times in proportion to the metres travelled between the nearest stops with
    /// times, rounded down to whole seconds; evenly where no metres are known.
    ///
    /// - Parameters:
    ///   - times: the feed's stop times.
    ///   - range: those of the trip; the first has a departure and the last an arrival.
    ///   - metres: metres travelled at each stop, never decreasing.
    init(_ times: GTFSFeed.StopTimes, _ range: Range<Int>, metres: [Double]) {
        arrivals = Array(times.arrival[range])
        departures = Array(times.departure[range])
        var known = 0
        for stop in arrivals.indices.dropFirst()
        where arrivals[stop] != GTFSFeed.StopTimes.blank {
            fill(between: known, and: stop, metres)
            known = stop
        }
    }

    private mutating func fill(between first: Int, and last: Int, _ metres: [Double]) {
        let start = departures[first]
        let seconds = Double(arrivals[last] - start)
        let distance = metres[last] - metres[first]
        for stop in (first + 1)..<max(first + 1, last) {
            let share =
                distance > 0
                ? (metres[stop] - metres[first]) / distance
                : Double(stop - first) / Double(last - first)
            let time = start + Int32((seconds * share).rounded(.down))
            arrivals[stop] = time
            departures[stop] = time
        }
    }
}
