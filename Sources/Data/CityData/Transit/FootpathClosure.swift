import Heap
import OpenData

/// The closure of a feed's general rules under composition: the quickest walk between each pair
/// (among equally quick ones the shortest).
enum FootpathClosure {
    /// How many composed walks of a feed are kept, some 80 MB of them.
    static let walkLimit = 5_000_000
    /// How many steps from stop to stop are tried for a feed: some seconds of work.
    static let stepLimit = 50_000_000

    /// For each stop of the feed the ways that start there, ascending by stop; over a limit those
    /// that the feed states itself.
    static func walks(
        _ rules: ChangeRules,
        _ feed: GTFSFeed,
        _ log: inout DiagnosticLog
    ) -> [[StopWalk]] {
        var direct = [[StopWalk]](repeating: [], count: feed.stops.count)
        for (pair, outcome) in rules.general where pair.from != pair.to {
            guard case .takes(let seconds) = outcome else { continue }
            let metres = UInt32(ChangeRules.distance(pair, feed).rounded())
            direct[pair.from].append(StopWalk(to: pair.to, seconds: seconds, metres: metres))
        }
        var steps = 0
        var kept = 0
        var result: [[StopWalk]] = []
        var isCut = false
        for stop in direct.indices {
            guard !direct[stop].isEmpty else {
                result.append([])
                continue
            }
            if steps < stepLimit, kept < walkLimit {
                let walks = closed(from: stop, direct, &steps).filter { walk in
                    rules.general[ChangeRules.Pair(from: stop, to: walk.to)] != .impossible
                }
                kept += walks.count
                result.append(walks)
            } else {
                isCut = true
                result.append(direct[stop].sorted { $0.to < $1.to })
            }
        }
        if isCut {
            let line = feed.transfers.first?.line ?? 0
            log.note("transfers.txt", line, "from_stop_id", .tooManyWalks)
        }
        return result
    }

    /// All walks from a stop, ascending by stop (Dijkstra's algorithm).
    private static func closed(
        from origin: Int,
        _ direct: [[StopWalk]],
        _ steps: inout Int
    ) -> [StopWalk] {
        var settled: [Int: StopWalk] = [:]
        var queue = Heap<StopWalk>()
        queue.push(StopWalk(to: origin, seconds: 0, metres: 0))
        while let next = queue.pop() {
            guard settled[next.to] == nil else { continue }
            settled[next.to] = next
            steps += direct[next.to].count
            // Walks of more than a day are unrealistic, and longer sums would overflow.
            for walk in direct[next.to]
            where settled[walk.to] == nil && next.seconds + walk.seconds <= 86_400
                && next.metres < 10_000_000 && walk.metres < 100_000_000
            {
                queue.push(
                    StopWalk(
                        to: walk.to,
                        seconds: next.seconds + walk.seconds,
                        metres: next.metres + walk.metres
                    )
                )
            }
        }
        settled[origin] = nil
        return settled.values.sorted { $0.to < $1.to }
    }
}

extension StopWalk: Comparable {
    /// The quicker first, of equally quick ones the shorter.
    package static func < (left: StopWalk, right: StopWalk) -> Bool {
        (left.seconds, left.metres, left.to) < (right.seconds, right.metres, right.to)
    }
}
