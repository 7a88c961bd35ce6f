import Chronology
import Columns

/// What does not run in a window, in its seconds.
struct WindowClosures {
    private var routes: [RouteIndex: [Range<Int64>]] = [:]
    private var platforms: [PlatformIndex: [(span: Range<Int64>, closed: UInt8)]] = [:]
    private let trips: Set<TimetableClosures.CancelledTrip>
    /// The flags of open calls that differ from those of the pattern, each list once.
    private(set) var masks: [[UInt8]] = []

    /// All flags of a call: boarding and alighting, for everybody and in a wheelchair.
    private static let allFlags: UInt8 = 0b1111
    /// The flags for boarding.
    private static let boarding: UInt8 = 0b0101
    /// The flags for alighting.
    private static let alighting: UInt8 = 0b1010
    /// The flags in a wheelchair.
    private static let wheelchair: UInt8 = 0b1100

    /// What does not run, from the epoch of a window on.
    init(_ closures: TimetableClosures, since epoch: Instant) {
        func seconds(_ span: Range<Instant>) -> Range<Int64> {
            (span.lowerBound.seconds &- epoch.seconds)..<(span.upperBound.seconds &- epoch.seconds)
        }
        for closed in closures.routes {
            for route in closed.routes { routes[route, default: []].append(seconds(closed.span)) }
        }
        for closed in closures.platforms {
            let flags = closed.isForWheelchairs ? Self.wheelchair : Self.allFlags
            for platform in closed.platforms {
                platforms[platform, default: []].append((seconds(closed.span), flags))
            }
        }
        trips = closures.trips
    }

    /// A run on a day, as closures see it.
    struct Run {
        let run: RunIndex
        /// The GTFS service day to which the run belongs.
        let date: CivilDate
        /// The window's second from which its times count.
        let start: Int32
        let times: Timetable.RunTimes
        /// How many calls it has.
        let count: Int
    }

    /// The stretches on which a run can be ridden, as numbers of ``masks``.
    ///
    /// Nobody stays seated from one of them to the next. Nil stands for a run that is ridden as the
    /// timetable says.
    mutating func stretches(
        of run: Run,
        _ pattern: PatternIndex,
        _ timetable: Timetable
    ) -> [Int?] {
        let closed = closedSegments(run, timetable)
        let flags = openFlags(run, pattern, timetable)
        if closed.isEmpty, flags == nil { return [nil] }
        var numbers: [Int?] = []
        for stretch in openStretches(run, closed, timetable) {
            var mask = [UInt8](repeating: 0, count: run.count)
            for position in stretch { mask[position] = flags?[position] ?? Self.allFlags }
            mask[stretch.lowerBound] &= Self.boarding
            mask[stretch.upperBound] &= Self.alighting
            if let number = number(of: mask) { numbers.append(number) }
        }
        return numbers
    }

    /// The number of a mask; nil for one that lets nobody board or nobody alight.
    private mutating func number(of mask: [UInt8]) -> Int? {
        let all = mask.reduce(0, |)
        guard all & Self.boarding != 0, all & Self.alighting != 0 else { return nil }
        if let known = masks.firstIndex(of: mask) { return known }
        masks.append(mask)
        return masks.count - 1
    }

    /// Forgets the masks of a pattern, before those of the next one.
    mutating func forgetMasks() { masks.removeAll(keepingCapacity: true) }

    /// The trips of a run that do not take place.
    private func closedSegments(_ run: Run, _ timetable: Timetable) -> Set<SegmentIndex> {
        let patterns = timetable.patterns
        return Set(
            patterns.segments(run.run).filter { segment in
                let trip = patterns.segmentTrip[segment]
                if trips.contains(TimetableClosures.CancelledTrip(trip, on: run.date)) {
                    return true
                }
                guard let spans = routes[timetable.trips.route[trip]] else { return false }
                let calls = Self.calls(segment, run, timetable)
                let first = Int64(run.start) + Int64(run.times.departure(calls.lowerBound))
                let last = Int64(run.start) + Int64(run.times.arrival(calls.upperBound))
                return spans.contains { $0.lowerBound < last && first < $0.upperBound }
            }
        )
    }

    /// The flags of the calls of a run; nil if all its stops are open when it is there.
    private func openFlags(
        _ run: Run,
        _ pattern: PatternIndex,
        _ timetable: Timetable
    ) -> [UInt8]? {
        guard !platforms.isEmpty else { return nil }
        var flags: [UInt8]?
        for (call, position) in timetable.patterns.positions(pattern).enumerated() {
            let platform = timetable.patterns.platform[position]
            for (span, closed) in platforms[platform] ?? [] {
                let arrival = Int64(run.start) + Int64(run.times.arrival(call))
                let departure = Int64(run.start) + Int64(run.times.departure(call))
                let shut =
                    (span.contains(departure) ? closed & Self.boarding : 0)
                    | (span.contains(arrival) ? closed & Self.alighting : 0)
                guard shut != 0 else { continue }
                var known = flags ?? Array(repeating: Self.allFlags, count: run.count)
                known[call] &= ~shut
                flags = known
            }
        }
        return flags
    }

    /// The calls between which all trips of a run take place.
    private func openStretches(
        _ run: Run,
        _ closed: Set<SegmentIndex>,
        _ timetable: Timetable
    ) -> [ClosedRange<Int>] {
        guard !closed.isEmpty else { return [0...(run.count - 1)] }
        var stretches: [ClosedRange<Int>] = []
        var isContinued = false
        for segment in timetable.patterns.segments(run.run) {
            guard !closed.contains(segment) else {
                isContinued = false
                continue
            }
            let calls = Self.calls(segment, run, timetable)
            if isContinued, let last = stretches.popLast() {
                stretches.append(last.lowerBound...max(last.upperBound, calls.upperBound))
            } else if calls.lowerBound < calls.upperBound {
                stretches.append(calls)
            }
            isContinued = true
        }
        return stretches
    }

    /// The calls of a trip of a run; of damaged ones the first.
    private static func calls(
        _ segment: SegmentIndex,
        _ run: Run,
        _ timetable: Timetable
    ) -> ClosedRange<Int> {
        func call(_ number: UInt32) -> Int { number < UInt32(run.count) ? Int(number) : 0 }
        let first = call(timetable.patterns.segmentPosition[segment])
        return first...max(first, call(timetable.patterns.segmentLast[segment]))
    }
}
