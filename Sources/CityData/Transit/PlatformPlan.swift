import OpenData

/// Which stops trips serve, and as how many platforms: a stop is one platform unless rules for
/// certain routes or trips make changing there differ; then all positions that meet the same
/// rules share one.
///
/// Splitting stops keeps the search simple: it need not know by which trip somebody came.
struct PlatformPlan {
    /// The special rules that a platform meets.
    struct Variant: Hashable {
        /// Numbers of the rules that hold for those who arrive here.
        var leaving: [Int]
        /// Numbers of the rules that hold for those who depart here.
        var boarding: [Int]
    }

    /// For each stop of the feed its variants; none where no trip serves it.
    private(set) var variants: [[Variant]]

    /// A plan without platforms.
    init(stopCount: Int) {
        variants = Array(repeating: [], count: stopCount)
    }

    /// The number of a stop's variant, new or known.
    mutating func number(_ stop: Int, _ variant: Variant) -> UInt32 {
        if let known = variants[stop].firstIndex(of: variant) { return UInt32(known) }
        variants[stop].append(variant)
        return UInt32(variants[stop].count - 1)
    }
}

/// A way between two platforms as the city file keeps it.
struct FootpathDraft {
    /// What a way may be used for.
    enum Use: UInt8 {
        /// For anything.
        case any = 0
        /// Only between two trips.
        case changeOnly = 1
        /// Only at the beginning or the end of a journey.
        case endsOnly = 2
    }

    var from: Int
    var to: Int
    var seconds: Int32
    var metres: UInt32
    var use: Use
}

/// A walk between two stops.
package struct StopWalk: Sendable, Equatable {
    /// The stop where it ends, counted over all feeds.
    package var to: Int
    /// How long it takes.
    package var seconds: Int32
    /// How long it is.
    package var metres: UInt32

    /// A walk.
    package init(to: Int, seconds: Int32, metres: UInt32) {
        self.to = to
        self.seconds = seconds
        self.metres = metres
    }
}

/// The walks between the stops of all feeds on the streets, for each stop those that start there.
package struct StopWalks: Sendable {
    /// Those that anybody on foot can take.
    package var onFoot: [[StopWalk]]
    /// Those that a wheelchair can take.
    package var stepFree: [[StopWalk]]

    /// The walks of people on foot and of wheelchairs.
    package init(onFoot: [[StopWalk]], stepFree: [[StopWalk]]) {
        self.onFoot = onFoot
        self.stepFree = stepFree
    }

    /// For each stop whether it lies on the map: whether anybody can walk to it or from it.
    var isOnMap: [Bool] {
        var result = onFoot.map { !$0.isEmpty }
        for walk in onFoot.joined() { result[walk.to] = true }
        return result
    }
}

/// The closure of a feed's general rules: all ways that composing them gives, each the quickest
/// (of equally quick ones the shortest).
enum FootpathClosure {
    /// For each stop of the feed the ways that start there.
    static func walks(_ rules: ChangeRules, _ feed: GTFSFeed) -> [[StopWalk]] {
        var direct = [[StopWalk]](repeating: [], count: feed.stops.count)
        for (pair, outcome) in rules.general where pair.from != pair.to {
            guard case .takes(let seconds) = outcome else { continue }
            let metres = UInt32(ChangeRules.distance(pair, feed).rounded())
            direct[pair.from].append(StopWalk(to: pair.to, seconds: seconds, metres: metres))
        }
        return direct.indices.map { stop in
            direct[stop].isEmpty
                ? []
                : closed(from: stop, direct).filter { walk in
                    rules.general[ChangeRules.Pair(from: stop, to: walk.to)] != .impossible
                }
        }
    }

    /// All walks from a stop, ascending by stop: Dijkstra's algorithm with a linear scan, since
    /// groups of linked stops are small.
    private static func closed(from origin: Int, _ direct: [[StopWalk]]) -> [StopWalk] {
        var open: [Int: StopWalk] = [origin: StopWalk(to: origin, seconds: 0, metres: 0)]
        var settled: [Int: StopWalk] = [:]
        while let next = open.values.min(by: {
            ($0.seconds, $0.metres, $0.to) < ($1.seconds, $1.metres, $1.to)
        }) {
            open[next.to] = nil
            settled[next.to] = next
            // Nobody walks for more than a day, and longer sums would overflow.
            for walk in direct[next.to]
            where settled[walk.to] == nil && next.seconds + walk.seconds <= 86_400
                && next.metres < 10_000_000 && walk.metres < 100_000_000
            {
                let longer = StopWalk(
                    to: walk.to,
                    seconds: next.seconds + walk.seconds,
                    metres: next.metres + walk.metres
                )
                if let known = open[walk.to],
                    (known.seconds, known.metres) <= (longer.seconds, longer.metres)
                {
                    continue
                }
                open[walk.to] = longer
            }
        }
        settled[origin] = nil
        return settled.values.sorted { $0.to < $1.to }
    }
}
