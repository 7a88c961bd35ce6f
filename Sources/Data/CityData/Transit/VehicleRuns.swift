import Chronology
import Geo
import OpenData
import Transit

/// A sequence of trips by one vehicle during which riders may stay seated, and the days on which
/// exactly these trips follow each other.
struct VehicleRun {
    /// The trips of the run, in order.
    var trips: [Int]
    /// The days on which it runs.
    var days: DaySet
}

/// Joins the trips of a feed into runs: trips of one block that follow each other on the same
/// service day let riders stay seated, and so do trips that `transfers.txt` links (type 4).
///
/// Each trip is part of exactly one run on each of its days. Source: GTFS reference,
/// `block_id` and "Linked trips".
struct RunBuilder {
    /// The greatest distance between the last stop of a trip and the first stop of the vehicle's
    /// next trip at which riders may stay seated.
    static let gapMetresLimit = 100.0
    /// How many pairs of trips of one block are compared for a feed: a second's work.
    static let pairLimit = 5_000_000
    /// How many calls the runs of several trips may make in all: three times the stop
    /// times of a metropolis.
    ///
    /// Trips of one block may follow each other in another order on each day.
    static let callLimit = 10_000_000

    private let feed: GTFSFeed
    /// For each trip, which trips follow it and on which days.
    private var followers: [[(trip: Int, days: DaySet)]]
    /// For each trip, the days on which it follows another.
    private var followed: [DaySet]
    /// For each trip, the days on which another follows it.
    private var continued: [DaySet]
    private var pairCount = 0

    /// The runs of a feed; trips without stop times are left out.
    static func runs(of feed: GTFSFeed, log: inout DiagnosticLog) -> [VehicleRun] {
        var builder = RunBuilder(feed)
        builder.linkBlocks(&log)
        builder.linkStatedTrips()
        return builder.runs(&log)
    }

    private init(_ feed: GTFSFeed) {
        self.feed = feed
        followers = Array(repeating: [], count: feed.trips.count)
        followed = Array(repeating: DaySet(), count: feed.trips.count)
        continued = followed
    }

    private func days(_ trip: Int) -> DaySet {
        feed.services[feed.trips[trip].service].days
    }

    private mutating func linkBlocks(_ log: inout DiagnosticLog) {
        let repeated = Set(feed.frequencies.map(\.trip))
        let separated = Set(
            feed.transfers.compactMap { transfer -> TripPair? in
                guard transfer.kind == .notInSeat, let from = transfer.fromTrip,
                    let to = transfer.toTrip
                else { return nil }
                return TripPair(from: from, to: to)
            }
        )
        var blocks: [String: [Int]] = [:]
        for (trip, values) in feed.trips.enumerated()
        where !values.block.isEmpty && !values.stopTimes.isEmpty && !repeated.contains(trip) {
            blocks[values.block, default: []].append(trip)
        }
        for block in blocks.keys.sorted() {
            let trips = blocks[block] ?? []
            linkBlock(trips.sorted { (start($0), $0) < (start($1), $1) }, separated)
            if pairCount >= Self.pairLimit, let first = trips.first {
                log.note("trips.txt", feed.trips[first].line, "block_id", .tooManyTrips)
            }
        }
    }

    /// Links the trips of one block, given in the order of their starts.
    private mutating func linkBlock(_ trips: [Int], _ separated: Set<TripPair>) {
        for (position, trip) in trips.enumerated() {
            var open = days(trip)
            for next in trips.dropFirst(position + 1) {
                guard !open.isEmpty, pairCount < Self.pairLimit else { break }
                pairCount += 1
                let common = open.intersection(days(next))
                if common.isEmpty { continue }
                open = open.subtracting(common)
                let pair = TripPair(from: trip, to: next)
                if continues(trip, next), !separated.contains(pair) {
                    link(trip, next, common)
                }
            }
        }
    }

    private struct TripPair: Hashable {
        let from: Int
        let to: Int
    }

    private mutating func linkStatedTrips() {
        let repeated = Set(feed.frequencies.map(\.trip))
        for transfer in feed.transfers where transfer.kind == .inSeat {
            guard let from = transfer.fromTrip, let to = transfer.toTrip, from != to,
                !feed.trips[from].stopTimes.isEmpty, !feed.trips[to].stopTimes.isEmpty,
                start(to) >= end(from), !repeated.contains(from), !repeated.contains(to)
            else { continue }
            let taken = continued[from].union(followed[to])
            let common = days(from).intersection(days(to)).subtracting(taken)
            if !common.isEmpty { link(from, to, common) }
        }
    }

    private mutating func link(_ trip: Int, _ next: Int, _ days: DaySet) {
        let free = days.subtracting(followed[next])
        guard !free.isEmpty else { return }
        followers[trip].append((next, free))
        followed[next] = followed[next].union(free)
        continued[trip] = continued[trip].union(free)
    }

    private func start(_ trip: Int) -> Int32 {
        feed.stopTimes.departure[feed.trips[trip].stopTimes.lowerBound]
    }

    private func end(_ trip: Int) -> Int32 {
        feed.stopTimes.arrival[feed.trips[trip].stopTimes.upperBound - 1]
    }

    /// Whether riders of one trip can stay seated for the next.
    private func continues(_ trip: Int, _ next: Int) -> Bool {
        guard start(next) >= end(trip) else { return false }
        let last = Int(feed.stopTimes.stop[feed.trips[trip].stopTimes.upperBound - 1])
        let first = Int(feed.stopTimes.stop[feed.trips[next].stopTimes.lowerBound])
        if last == first { return true }
        if let station = feed.stops[last].parent, feed.stops[first].parent == station {
            return true
        }
        guard let here = feed.stops[last].coordinate, let there = feed.stops[first].coordinate
        else { return false }
        return here.distanceMetres(to: there) <= Self.gapMetresLimit
    }

    /// Trips in a row while it is found out which follow.
    private struct Chain {
        var trips: [Int]
        var days: DaySet
        var calls: Int
    }

    private func runs(_ log: inout DiagnosticLog) -> [VehicleRun] {
        var result: [VehicleRun] = []
        var calls = 0
        for trip in feed.trips.indices where !feed.trips[trip].stopTimes.isEmpty {
            let days = days(trip).subtracting(followed[trip])
            var open = [Chain(trips: [trip], days: days, calls: self.calls(trip))]
            while let chain = open.popLast() {
                let rest = extend(chain, &open, &log)
                if rest.isEmpty { continue }
                result.append(VehicleRun(trips: chain.trips, days: rest))
                if chain.trips.count > 1 { calls += chain.calls }
                guard calls <= Self.callLimit else {
                    log.note("trips.txt", feed.trips[trip].line, "block_id", .tooManyTrips)
                    return unjoinedRuns()
                }
            }
        }
        return result
    }

    /// A run for each trip alone.
    private func unjoinedRuns() -> [VehicleRun] {
        feed.trips.indices.filter { !feed.trips[$0].stopTimes.isEmpty && !days($0).isEmpty }
            .map { VehicleRun(trips: [$0], days: days($0)) }
    }

    private func calls(_ trip: Int) -> Int { feed.trips[trip].stopTimes.count }

    /// Follows a chain of trips to those that come next, which are added to the open chains.
    ///
    /// - Returns: the days on which the chain ends here.
    private func extend(
        _ chain: Chain,
        _ open: inout [Chain],
        _ log: inout DiagnosticLog
    ) -> DaySet {
        guard let last = chain.trips.last else { return DaySet() }
        var rest = chain.days
        for next in followers[last].reversed() {
            let common = chain.days.intersection(next.days)
            if common.isEmpty { continue }
            let calls = chain.calls + self.calls(next.trip)
            guard calls <= ServiceWindow.positionLimit else {
                // The run exceeds the limit of the search: riders have to change here.
                log.note("trips.txt", feed.trips[next.trip].line, "block_id", .tooManyTrips)
                open.append(
                    Chain(trips: [next.trip], days: common, calls: self.calls(next.trip))
                )
                continue
            }
            rest = rest.subtracting(common)
            open.append(Chain(trips: chain.trips + [next.trip], days: common, calls: calls))
        }
        return rest
    }
}
