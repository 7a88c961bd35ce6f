import Geo
import OpenData

/// The rules of a feed's `transfers.txt`, resolved between the stops that trips serve.
///
/// Source: GTFS reference, `transfers.txt`: rules for stations hold for all their stops, and of
/// several rules the one for trips beats the one for routes beats the one for all.
struct ChangeRules {
    /// Seconds to change at a stop where the feed says nothing.
    static let defaultChangeSeconds: Int32 = 120
    /// The pace that is assumed where the feed names a pair of stops without a time, in metres
    /// a second along the straight line.
    static let pace = 1.2

    /// What a rule allows.
    enum Outcome: Equatable {
        /// Changing takes this long.
        case takes(seconds: Int32)
        /// Changing is not possible.
        case impossible
    }

    /// Two stops of the feed.
    struct Pair: Hashable {
        let from: Int
        let to: Int
    }

    /// The rules for everybody, by stops.
    private(set) var general: [Pair: Outcome] = [:]
    /// The rules for certain routes or trips; the position is the rule's number.
    let special: [GTFSFeed.Transfer]
    /// For each stop, the special rules that begin there.
    private(set) var specialFrom: [Int: [Int]] = [:]
    /// For each stop, the special rules that end there.
    private(set) var specialTo: [Int: [Int]] = [:]

    /// The rules of a feed between the stops that trips serve.
    init(_ feed: GTFSFeed, isServed: [Bool], log: inout DiagnosticLog) {
        var children = [[Int]](repeating: [], count: feed.stops.count)
        for (stop, values) in feed.stops.enumerated() where isServed[stop] {
            children[stop].append(stop)
            var ancestor = values.parent
            while let parent = ancestor {
                children[parent].append(stop)
                ancestor = feed.stops[parent].parent
            }
        }
        let bound = feed.transfers.filter { $0.kind != .inSeat && $0.kind != .notInSeat }
        special = bound.filter { Self.specificity($0) > 0 }
        // Rules between stops beat rules between stations, so they go first.
        let generalRules = bound.filter { Self.specificity($0) == 0 }
        for stations in [false, true] {
            for rule in generalRules {
                guard let from = rule.from, let to = rule.to,
                    (feed.stops[from].kind == .station || feed.stops[to].kind == .station)
                        == stations
                else { continue }
                for start in children[from] {
                    for end in children[to] {
                        add(rule, Pair(from: start, to: end), feed, &log)
                    }
                }
            }
        }
        for (number, rule) in special.enumerated() {
            for stop in rule.from.map({ children[$0] }) ?? [] {
                specialFrom[stop, default: []].append(number)
            }
            for stop in rule.to.map({ children[$0] }) ?? [] {
                specialTo[stop, default: []].append(number)
            }
        }
    }

    private mutating func add(
        _ rule: GTFSFeed.Transfer,
        _ pair: Pair,
        _ feed: GTFSFeed,
        _ log: inout DiagnosticLog
    ) {
        let outcome = Self.outcome(rule, pair, feed)
        if let known = general[pair] {
            if known != outcome { log.note("transfers.txt", 0, "from_stop_id", .contradiction) }
            return
        }
        general[pair] = outcome
    }

    /// The stops and platforms for which a feed states a rule, themselves or by their station.
    static func listedStops(_ feed: GTFSFeed) -> [Int] {
        var isListed = [Bool](repeating: false, count: feed.stops.count)
        for rule in feed.transfers {
            if let from = rule.from { isListed[from] = true }
            if let to = rule.to { isListed[to] = true }
        }
        return feed.stops.indices.filter { stop in
            guard feed.stops[stop].kind == .stop || feed.stops[stop].kind == .boardingArea else {
                return false
            }
            var place: Int? = stop
            while let current = place {
                if isListed[current] { return true }
                place = feed.stops[current].parent
            }
            return false
        }
    }

    /// What a rule says of a pair of stops.
    static func outcome(_ rule: GTFSFeed.Transfer, _ pair: Pair, _ feed: GTFSFeed) -> Outcome {
        switch rule.kind {
        case .impossible: return .impossible
        case .timed: return .takes(seconds: rule.seconds ?? 0)
        default: break
        }
        if let seconds = rule.seconds { return .takes(seconds: seconds) }
        if pair.from == pair.to { return .takes(seconds: defaultChangeSeconds) }
        let metres = distance(pair, feed)
        return .takes(seconds: Int32((metres / pace).rounded(.up)))
    }

    /// Metres along the straight line between two stops; 0 where a place is unknown.
    static func distance(_ pair: Pair, _ feed: GTFSFeed) -> Double {
        guard let from = feed.stops[pair.from].coordinate, let to = feed.stops[pair.to].coordinate
        else { return 0 }
        return from.distanceMetres(to: to)
    }

    /// How narrowly a rule binds: trips count more than routes; 0 for a rule for all.
    static func specificity(_ rule: GTFSFeed.Transfer) -> Int {
        (rule.fromTrip != nil ? 3 : rule.fromRoute != nil ? 1 : 0)
            + (rule.toTrip != nil ? 3 : rule.toRoute != nil ? 1 : 0)
    }

    /// The special rules that a trip of a route meets when it is left at a stop.
    func leaving(_ stop: Int, trip: Int, route: Int) -> [Int] {
        (specialFrom[stop] ?? []).filter { number in
            let rule = special[number]
            return (rule.fromTrip ?? trip) == trip && (rule.fromRoute ?? route) == route
        }
    }

    /// The special rules that a trip of a route meets when it is boarded at a stop.
    func boarding(_ stop: Int, trip: Int, route: Int) -> [Int] {
        (specialTo[stop] ?? []).filter { number in
            let rule = special[number]
            return (rule.toTrip ?? trip) == trip && (rule.toRoute ?? route) == route
        }
    }
}
