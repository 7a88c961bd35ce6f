import Heap
import OpenData

/// The ways inside stations, from `pathways.txt`.
///
/// Source: GTFS reference, `pathways.txt`. Where a pathway has no time, it is estimated from its
/// length, its stairs or its kind.
struct StationWays {
    /// Metres a second on level ground, as on streets.
    static let pace = 1.33
    /// The time for one stair, in seconds.
    static let secondsPerStair = 0.7
    /// The time for a pathway without any measure, in seconds.
    static let unmeasuredSeconds: Int32 = 30
    /// Seconds for a lift, with waiting.
    static let liftSeconds: Int32 = 60
    /// The steepest slope for a wheelchair (ISO 21542: 1 in 12).
    static let wheelchairSlopeLimit = 0.083
    /// The narrowest width that a wheelchair passes, in metres (ISO 21542).
    static let wheelchairWidthLimit = 0.8

    /// A walk to another place of the same feed.
    struct Walk: Comparable {
        var to: Int
        var seconds: Int32
        var metres: Double

        static func < (left: Walk, right: Walk) -> Bool {
            (left.seconds, left.metres, left.to) < (right.seconds, right.metres, right.to)
        }
    }

    private let ways: [[Walk]]

    /// Collects the pathways of a feed.
    ///
    /// - Parameters:
    ///   - feed: the feed with the pathways.
    ///   - isStepFree: whether only those that a wheelchair can take count.
    ///   - isReversed: whether all lead backwards, so that walks from a place are walks to it.
    init(_ feed: GTFSFeed, isStepFree: Bool, isReversed: Bool = false) {
        var ways = [[Walk]](repeating: [], count: feed.stops.count)
        for pathway in feed.pathways where !isStepFree || Self.isStepFree(pathway) {
            let seconds = Self.seconds(pathway)
            let metres = pathway.length ?? Double(seconds) * Self.pace
            let from = isReversed ? pathway.to : pathway.from
            let to = isReversed ? pathway.from : pathway.to
            ways[from].append(Walk(to: to, seconds: seconds, metres: metres))
            if pathway.isBidirectional {
                ways[to].append(Walk(to: from, seconds: seconds, metres: metres))
            }
        }
        // A boarding area is part of its platform: walking between the two takes no time.
        for (stop, values) in feed.stops.enumerated() {
            guard values.kind == .boardingArea, let platform = values.parent else { continue }
            ways[stop].append(Walk(to: platform, seconds: 0, metres: 0))
            ways[platform].append(Walk(to: stop, seconds: 0, metres: 0))
        }
        self.ways = ways
    }

    /// Whether any way leads from a place.
    func leads(from stop: Int) -> Bool { !ways[stop].isEmpty }

    /// The quickest walks from a place to all others inside the station, ascending by place.
    func walks(from origin: Int) -> [Walk] {
        var settled: [Int: Walk] = [:]
        var queue = Heap<Walk>()
        queue.push(Walk(to: origin, seconds: 0, metres: 0))
        while let next = queue.pop() {
            guard settled[next.to] == nil else { continue }
            settled[next.to] = next
            for way in ways[next.to] where settled[way.to] == nil {
                queue.push(
                    Walk(
                        to: way.to,
                        // No sum overflows: a station has few places, and a pathway takes at most a
                        // day.
                        seconds: next.seconds + way.seconds,
                        metres: next.metres + way.metres
                    )
                )
            }
        }
        settled[origin] = nil
        return settled.values.sorted { $0.to < $1.to }
    }

    private static func seconds(_ pathway: GTFSFeed.Pathway) -> Int32 {
        if let seconds = pathway.seconds { return seconds }
        if pathway.mode == .elevator { return liftSeconds }
        if pathway.stairs != 0 {
            return Int32((Double(abs(pathway.stairs)) * secondsPerStair).rounded(.up))
        }
        guard let length = pathway.length else { return unmeasuredSeconds }
        return Int32(min(86_400, length / pace).rounded(.up))
    }

    private static func isStepFree(_ pathway: GTFSFeed.Pathway) -> Bool {
        pathway.mode != .stairs && pathway.mode != .escalator && pathway.stairs == 0
            && abs(pathway.slope) <= wheelchairSlopeLimit
            && (pathway.width ?? wheelchairWidthLimit) >= wheelchairWidthLimit
    }
}
