import Geo
import OpenData

/// The rules of a feed's `transfers.txt`, resolved between the stops that trips serve.
///
/// Source: GTFS reference, `transfers.txt`: rules for stations hold for all their stops, and a rule
/// for trips overrides one for routes, which overrides one for all.
struct ChangeRules {
    /// The default time to change at a stop, in seconds.
    static let defaultChangeSeconds: Int32 = 120
    /// The pace that is assumed where the feed names a pair of stops without a time, in metres
    /// a second along the straight line.
    static let pace = 1.2

    /// How many pairs of stops a feed's rules may bind, rules for stations counted for each pair
    /// of their stops: some seconds of work.
    static let pairLimit = 2_000_000
    /// How many rules for certain routes or trips may begin or end at one stop: each trip that
    /// calls there is held against all of them.
    static let specialLimit = 1_000

    /// The effect of a rule.
    enum Outcome: Equatable {
        /// Changing takes this time.
        case takes(seconds: Int32)
        /// Changing is not possible.
        case impossible
    }

    /// A pair of stops of the feed.
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
    /// The pairs of different stops that special rules bind, in the order of their numbers.
    private(set) var specialPairs: [Pair] = []
    private var stationPairs = Set<Pair>()
    private var pairCount = 0

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
        addGeneral(bound.filter { Self.specificity($0) == 0 }, children, feed, &log)
        addSpecial(children, &log)
    }

    /// Adds the rules for everybody: those between stops first, since they beat those of stations.
    private mutating func addGeneral(
        _ rules: [GTFSFeed.Transfer],
        _ children: [[Int]],
        _ feed: GTFSFeed,
        _ log: inout DiagnosticLog
    ) {
        func isOfStation(_ rule: GTFSFeed.Transfer) -> Bool {
            [rule.from, rule.to].contains { $0.map { feed.stops[$0].kind == .station } ?? false }
        }
        for stations in [false, true] {
            for rule in rules where isOfStation(rule) == stations {
                guard let from = rule.from, let to = rule.to, isWithinLimit(rule, children, &log)
                else { continue }
                for start in children[from] {
                    for end in children[to] {
                        let pair = Pair(from: start, to: end)
                        add(rule, pair, isOfStation: stations, feed, &log)
                    }
                }
            }
        }
    }

    /// Whether a rule's pairs of stops can be kept.
    private mutating func isWithinLimit(
        _ rule: GTFSFeed.Transfer,
        _ children: [[Int]],
        _ log: inout DiagnosticLog
    ) -> Bool {
        let starts = rule.from.map { children[$0].count } ?? 0
        let ends = rule.to.map { children[$0].count } ?? 0
        guard starts * ends <= Self.pairLimit - pairCount else {
            log.note("transfers.txt", rule.line, "from_stop_id", .tooManyPairs)
            return false
        }
        pairCount += starts * ends
        return true
    }

    /// Adds the rules for certain routes or trips.
    private mutating func addSpecial(_ children: [[Int]], _ log: inout DiagnosticLog) {
        var pairs = Set<Pair>()
        for (number, rule) in special.enumerated() {
            guard let from = rule.from, let to = rule.to, isWithinLimit(rule, children, &log)
            else { continue }
            let isFull =
                children[from].contains { specialFrom[$0]?.count == Self.specialLimit }
                || children[to].contains { specialTo[$0]?.count == Self.specialLimit }
            guard !isFull else {
                log.note("transfers.txt", rule.line, "from_stop_id", .tooManyGroups)
                continue
            }
            for stop in children[from] { specialFrom[stop, default: []].append(number) }
            for stop in children[to] { specialTo[stop, default: []].append(number) }
            for start in children[from] {
                for end in children[to] where start != end {
                    pairs.insert(Pair(from: start, to: end))
                }
            }
        }
        specialPairs = pairs.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    private mutating func add(
        _ rule: GTFSFeed.Transfer,
        _ pair: Pair,
        isOfStation: Bool,
        _ feed: GTFSFeed,
        _ log: inout DiagnosticLog
    ) {
        let outcome = Self.outcome(rule, pair, feed)
        if let known = general[pair] {
            // A rule between stops overrides one of a station; that is not a contradiction.
            if known != outcome, isOfStation == stationPairs.contains(pair) {
                log.note("transfers.txt", rule.line, "from_stop_id", .contradiction)
            }
            return
        }
        general[pair] = outcome
        if isOfStation { stationPairs.insert(pair) }
    }

    /// For each stop whether it is a platform: trips serve it, or a rule for changing names it.
    static func platformStops(_ feed: GTFSFeed) -> [Bool] {
        var isPlatform = [Bool](repeating: false, count: feed.stops.count)
        for trip in feed.trips {
            for row in trip.stopTimes { isPlatform[Int(feed.stopTimes.stop[row])] = true }
        }
        // A stop without trips may still begin, end or join walks that transfers.txt states.
        for stop in listedStops(feed) { isPlatform[stop] = true }
        return isPlatform
    }

    /// The stops and platforms for which a feed states a rule, themselves or by their station.
    private static func listedStops(_ feed: GTFSFeed) -> [Int] {
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

    /// The effect of a rule on a pair of stops.
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

    /// Metres along the straight line between two stops; 0 if a place is unknown.
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

    /// The special rules that apply when a trip of a route is left at a stop.
    func leaving(_ stop: Int, trip: Int, route: Int) -> [Int] {
        (specialFrom[stop] ?? []).filter { number in
            let rule = special[number]
            return (rule.fromTrip ?? trip) == trip && (rule.fromRoute ?? route) == route
        }
    }

    /// The special rules that apply when a trip of a route is boarded at a stop.
    func boarding(_ stop: Int, trip: Int, route: Int) -> [Int] {
        (specialTo[stop] ?? []).filter { number in
            let rule = special[number]
            return (rule.toTrip ?? trip) == trip && (rule.toRoute ?? route) == route
        }
    }
}
