import Columns
import Transit

/// The rules of `fare_rules.txt`, those of each feed ordered by origin and destination.
struct ZoneRules: Sendable {
    let feeds: Column<UInt32>
    let product: Column<UInt32>
    let origin: Column<UInt32>
    let destination: Column<UInt32>
    let routes: Column<UInt32>
    let route: Column<UInt32>
    let contains: Column<UInt32>
    let contained: Column<UInt32>

    init(_ file: SectionFile) {
        feeds = file.column("fares.zone.rules")
        product = file.column("fares.zone.product")
        origin = file.column("fares.zone.origin")
        destination = file.column("fares.zone.destination")
        routes = file.column("fares.zone.routes")
        route = file.column("fares.zone.route")
        contains = file.column("fares.zone.contains")
        contained = file.column("fares.zone.contained")
    }

    /// The rules of a feed.
    func rows(_ feed: FeedIndex) -> Range<Int> { feeds.range(feed.row, limit: product.count) }

    /// The rules of a feed for exactly one origin and destination; 0 stands for any.
    ///
    /// - Complexity: logarithmic in the number of rules.
    func rows(_ feed: FeedIndex, from start: UInt32, to end: UInt32) -> Range<Int> {
        let all = rows(feed)
        let lower = first(in: all) { ($0, $1) >= (start, end) }
        return lower..<first(in: lower..<all.upperBound) { ($0, $1) > (start, end) }
    }

    private func first(in rows: Range<Int>, where holds: (UInt32, UInt32) -> Bool) -> Int {
        var (low, high) = (rows.lowerBound, rows.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(origin[middle], destination[middle]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    /// Whether a rule allows a route.
    func allows(_ row: Int, _ wanted: RouteIndex) -> Bool {
        let range = routes.range(row, limit: route.count)
        if range.isEmpty { return true }
        for position in range where route[position] == wanted.rawValue { return true }
        return false
    }

    /// Whether a rule is for exactly these zones, which ascend.
    func isFor(_ row: Int, _ zones: [UInt32]) -> Bool {
        let range = contains.range(row, limit: contained.count)
        if range.isEmpty { return true }
        guard range.count == zones.count else { return false }
        for (offset, zone) in zones.enumerated()
        where contained[range.lowerBound + offset] != zone { return false }
        return true
    }
}

/// The rules of `fare_leg_rules.txt`.
struct LegRules: Sendable {
    let feeds: Column<UInt32>
    let group: Column<UInt32>
    let network: Column<UInt32>
    let from: Column<UInt32>
    let to: Column<UInt32>
    let fromFrame: Column<UInt32>
    let toFrame: Column<UInt32>
    let product: Column<UInt32>
    let priority: Column<UInt32>

    init(_ file: SectionFile) {
        feeds = file.column("fares.leg.rules")
        group = file.column("fares.leg.group")
        network = file.column("fares.leg.network")
        from = file.column("fares.leg.from")
        to = file.column("fares.leg.to")
        fromFrame = file.column("fares.leg.fromframe")
        toFrame = file.column("fares.leg.toframe")
        product = file.column("fares.leg.product")
        priority = file.column("fares.leg.priority")
    }

    /// The rules of a feed.
    func rows(_ feed: FeedIndex) -> Range<Int> { feeds.range(feed.row, limit: product.count) }
}

/// The rules of `fare_leg_join_rules.txt`.
struct JoinRules: Sendable {
    let feeds: Column<UInt32>
    let fromNetwork: Column<UInt32>
    let toNetwork: Column<UInt32>
    let fromStop: Column<UInt32>
    let toStop: Column<UInt32>

    init(_ file: SectionFile) {
        feeds = file.column("fares.join.rules")
        fromNetwork = file.column("fares.join.fromnetwork")
        toNetwork = file.column("fares.join.tonetwork")
        fromStop = file.column("fares.join.fromstop")
        toStop = file.column("fares.join.tostop")
    }

    /// The rules of a feed.
    func rows(_ feed: FeedIndex) -> Range<Int> { feeds.range(feed.row, limit: toStop.count) }
}

/// The rules of `fare_transfer_rules.txt`.
struct TransferRules: Sendable {
    let feeds: Column<UInt32>
    let from: Column<UInt32>
    let to: Column<UInt32>
    let count: Column<Int32>
    let seconds: Column<Int32>
    let span: Column<UInt8>
    let kind: Column<UInt8>
    let product: Column<UInt32>

    init(_ file: SectionFile) {
        feeds = file.column("fares.transfer.rules")
        from = file.column("fares.transfer.from")
        to = file.column("fares.transfer.to")
        count = file.column("fares.transfer.count")
        seconds = file.column("fares.transfer.seconds")
        span = file.column("fares.transfer.span")
        kind = file.column("fares.transfer.kind")
        product = file.column("fares.transfer.product")
    }

    /// The rules of a feed.
    func rows(_ feed: FeedIndex) -> Range<Int> { feeds.range(feed.row, limit: product.count) }
}

/// The time frames of `timeframes.txt`.
struct Frames: Sendable {
    let feeds: Column<UInt32>
    let group: Column<UInt32>
    let start: Column<Int32>
    let end: Column<Int32>
    let first: Column<Int32>
    let days: Column<UInt32>
    let word: Column<UInt64>

    init(_ file: SectionFile) {
        feeds = file.column("fares.frame.rows")
        group = file.column("fares.frame.group")
        start = file.column("fares.frame.start")
        end = file.column("fares.frame.end")
        first = file.column("fares.frame.first")
        days = file.column("fares.frame.days")
        word = file.column("fares.frame.word")
    }

    /// Whether a moment lies in a time frame of a group; always if the group is empty.
    func contain(_ time: FareTime, _ wanted: UInt32, _ feed: FeedIndex) -> Bool {
        if wanted == 0 { return true }
        for row in feeds.range(feed.row, limit: group.count) where group[row] == wanted {
            guard start[row] <= time.secondOfDay, time.secondOfDay < end[row] else { continue }
            let bit = Int64(time.day) - Int64(first[row])
            let words = days.range(row, limit: word.count)
            guard bit >= 0, bit / 64 < Int64(words.count) else { continue }
            if word[words.lowerBound + Int(bit / 64)] >> UInt64(bit % 64) & 1 == 1 { return true }
        }
        return false
    }
}
