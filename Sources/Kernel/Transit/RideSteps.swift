import Columns

/// A part of a ride in one vehicle of one mode.
public struct RideStretch: Sendable, Equatable {
    /// The mode of the trip.
    public var mode: TransitMode
    /// The metres along the trip's path.
    public var metres: UInt32

    /// So many metres by a mode.
    public init(mode: TransitMode, metres: UInt32) {
        self.mode = mode
        self.metres = metres
    }
}

extension Timetable {
    /// The stretches of a ride, one for each trip of the run.
    ///
    /// - Parameters:
    ///   - run: the run that is ridden.
    ///   - board: the number of the position where riders board.
    ///   - alight: the number of the position where they alight.
    /// - Returns: the stretches in the order of travel.
    public func stretches(of run: RunIndex, from board: Int, to alight: Int) -> [RideStretch] {
        var stretches: [RideStretch] = []
        for segment in patterns.segments(run) {
            let start = Int(truncatingIfNeeded: patterns.segmentPosition[segment])
            let last = Int(truncatingIfNeeded: patterns.segmentLast[segment])
            let from = max(start, board)
            let to = min(last, alight)
            guard from < to else { continue }
            let trip = patterns.segmentTrip[segment]
            let path = trips.path[trip]
            stretches.append(
                RideStretch(
                    mode: routes.mode(trips.route[trip]),
                    metres: tripPaths.metres[path.advanced(by: to &- start)]
                        &- tripPaths.metres[path.advanced(by: from &- start)]
                )
            )
        }
        return stretches
    }
}

/// The metres and the mode of each step of the departures of a window, from one position of a route
/// to the next; for searches that count what rides emit.
///
/// Departures of a pattern that have the same steps are of one kind. Most patterns have one kind;
/// others have several where trips follow different shapes or belong to routes of several modes.
final class RideSteps: Sendable {
    /// The kind of each departure of the window.
    let kinds: [Int32]
    /// For each departure of the window the next one of its route that is of another kind, by its
    /// number in the route; the number of the route's departures if there is none.
    let others: [Int32]
    /// Where the steps of each kind begin: the step to each position, the first of which is unused.
    private let starts: [Int32]
    /// The steps; nil where the vehicle continues as another trip without moving.
    private let steps: [RideStretch?]

    /// The steps of a window.
    ///
    /// - Parameters:
    ///   - window: the window.
    ///   - timetable: its timetable.
    ///   - isMirrored: whether the window is mirrored.
    /// - Complexity: linear in the departures of the window, plus the stops of each kind.
    init(_ window: ServiceWindow, _ timetable: Timetable, isMirrored: Bool) {
        var kinds = [Int32](repeating: 0, count: window.instances.count)
        var others = kinds
        var table = Table(timetable, isMirrored: isMirrored)
        for route in window.routes {
            table.begin(route)
            let first = Int(route.firstInstance)
            var next = route.instanceCount
            for number in (0..<route.instanceCount).reversed() {
                let departure = first + Int(number)
                kinds[departure] = table.kind(of: window.instances[departure].run)
                if number + 1 < route.instanceCount, kinds[departure + 1] != kinds[departure] {
                    next = number + 1
                }
                others[departure] = next
            }
        }
        self.kinds = kinds
        self.others = others
        starts = table.starts
        steps = table.steps
    }

    /// The step to a position of a route, on a departure of some kind.
    @inline(__always)
    func step(_ kind: Int32, to position: Int) -> RideStretch? {
        steps[Int(starts[Int(kind)]) + position]
    }

    /// Kinds while they are gathered, pattern by pattern.
    private struct Table {
        let timetable: Timetable
        let isMirrored: Bool
        var starts: [Int32] = []
        var steps: [RideStretch?] = []
        private var pattern: PatternIndex?
        private var stopCount = 0
        /// The kinds of the current pattern by the trips of their runs, and by the runs.
        private var byTrips: [[UInt32]: Int32] = [:]
        private var byRun: [RunIndex: Int32] = [:]
        private var firstKind = 0

        init(_ timetable: Timetable, isMirrored: Bool) {
            self.timetable = timetable
            self.isMirrored = isMirrored
        }

        /// Turns to a route; those of one pattern follow each other.
        mutating func begin(_ route: ServiceWindow.RaptorRoute) {
            guard pattern != route.pattern else { return }
            pattern = route.pattern
            stopCount = Int(route.stopCount)
            byTrips.removeAll(keepingCapacity: true)
            byRun.removeAll(keepingCapacity: true)
            firstKind = starts.count
        }

        mutating func kind(of run: RunIndex) -> Int32 {
            if let known = byRun[run] { return known }
            let key = key(of: run)
            let kind = byTrips[key] ?? newKind(of: run)
            byTrips[key] = kind
            byRun[run] = kind
            return kind
        }

        /// What the steps of a run depend on.
        private func key(of run: RunIndex) -> [UInt32] {
            let patterns = timetable.patterns
            return patterns.segments(run).flatMap { segment -> [UInt32] in
                let trip = patterns.segmentTrip[segment]
                let mode = timetable.routes.mode(timetable.trips.route[trip])
                return [
                    patterns.segmentPosition[segment], patterns.segmentLast[segment],
                    timetable.trips.path[trip].rawValue, UInt32(mode.rawValue),
                ]
            }
        }

        private mutating func newKind(of run: RunIndex) -> Int32 {
            var found: [RideStretch?] = [nil]
            for position in 1..<max(1, stopCount) {
                found.append(timetable.stretches(of: run, from: position - 1, to: position).first)
            }
            if isMirrored { found[1...].reverse() }
            for kind in firstKind..<starts.count {
                let start = Int(starts[kind])
                if steps[start..<(start + stopCount)].elementsEqual(found) { return Int32(kind) }
            }
            starts.append(Int32(truncatingIfNeeded: steps.count))
            steps += found
            return Int32(truncatingIfNeeded: starts.count - 1)
        }
    }
}
