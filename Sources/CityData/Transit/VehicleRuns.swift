import Chronology
import Geo
import OpenData

/// What one vehicle does without riders having to leave it: trips in a row, and the days on
/// which exactly these follow each other.
struct VehicleRun {
    /// The trips in order.
    var trips: [Int]
    /// The days.
    var days: DaySet
}

/// Joins the trips of a feed into runs: trips of one block that follow each other on the same
/// service day let riders stay seated, and so do trips that `transfers.txt` links (type 4).
///
/// Each trip is part of exactly one run on each of its days. Source: GTFS reference, `block_id`
/// and "Linked trips".
struct RunBuilder {
    /// A vehicle that goes on from another stop than it came to still keeps its riders if the
    /// two are this close.
    static let gapMetresLimit = 100.0

    private let feed: GTFSFeed
    /// For each trip, which trips follow it and on which days.
    private var followers: [[(trip: Int, days: DaySet)]]
    /// For each trip, the days on which it follows another.
    private var followed: [DaySet]

    /// The runs of a feed; trips without stop times are left out.
    static func runs(of feed: GTFSFeed) -> [VehicleRun] {
        var builder = RunBuilder(feed)
        builder.linkBlocks()
        builder.linkStatedTrips()
        return builder.runs()
    }

    private init(_ feed: GTFSFeed) {
        self.feed = feed
        followers = Array(repeating: [], count: feed.trips.count)
        followed = Array(repeating: DaySet(), count: feed.trips.count)
    }

    private func days(_ trip: Int) -> DaySet {
        feed.services[feed.trips[trip].service].days
    }

    private mutating func linkBlocks() {
        let repeated = Set(feed.frequencies.map(\.trip))
        let separated = Set(
            feed.transfers.filter { $0.kind == .notInSeat }
                .map { TripPair(from: $0.fromTrip ?? -1, to: $0.toTrip ?? -1) }
        )
        var blocks: [String: [Int]] = [:]
        for (trip, values) in feed.trips.enumerated()
        where !values.block.isEmpty && !values.stopTimes.isEmpty && !repeated.contains(trip) {
            blocks[values.block, default: []].append(trip)
        }
        for block in blocks.keys.sorted() {
            let trips = (blocks[block] ?? []).sorted { (start($0), $0) < (start($1), $1) }
            for (position, trip) in trips.enumerated() {
                var open = days(trip)
                for next in trips.dropFirst(position + 1) where !open.isEmpty {
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
            let taken = followers[from].reduce(DaySet()) { $0.union($1.days) }.union(followed[to])
            let common = days(from).intersection(days(to)).subtracting(taken)
            if !common.isEmpty { link(from, to, common) }
        }
    }

    private mutating func link(_ trip: Int, _ next: Int, _ days: DaySet) {
        let free = days.subtracting(followed[next])
        guard !free.isEmpty else { return }
        followers[trip].append((next, free))
        followed[next] = followed[next].union(free)
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

    private func runs() -> [VehicleRun] {
        var result: [VehicleRun] = []
        for trip in feed.trips.indices where !feed.trips[trip].stopTimes.isEmpty {
            extend([trip], days(trip).subtracting(followed[trip]), &result)
        }
        return result
    }

    /// Follows a chain of trips on the days given, and adds the runs it ends in.
    private func extend(_ chain: [Int], _ days: DaySet, _ result: inout [VehicleRun]) {
        guard !days.isEmpty, let last = chain.last else { return }
        var rest = days
        for next in followers[last] {
            let common = rest.intersection(next.days)
            rest = rest.subtracting(common)
            extend(chain + [next.trip], common, &result)
        }
        if !rest.isEmpty { result.append(VehicleRun(trips: chain, days: rest)) }
    }
}
