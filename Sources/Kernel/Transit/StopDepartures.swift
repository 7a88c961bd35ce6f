public import Chronology
import Columns

/// Which vehicles leave a platform, and when.
///
/// An index made once lists the patterns that call at each platform, so that a query examines the
/// runs of these patterns only and not the whole timetable. Days are service days: a trip of
/// yesterday that runs after midnight, a time zone of its own, and days of 23 or 25 hours are
/// treated as in ``ServiceWindow``.
public struct StopDepartures: Sendable {
    /// A vehicle that leaves a platform.
    public struct Departure: Sendable, Hashable {
        /// The platform from which it leaves.
        public var platform: PlatformIndex
        /// The pattern of the run.
        public var pattern: PatternIndex
        /// The number of the position in the pattern.
        public var position: Int
        /// The run in the timetable.
        public var run: RunIndex
        /// The service day of the run.
        public var day: CivilDate
        /// The instant at which it leaves.
        public var time: Instant
    }

    /// Where a pattern calls at a platform.
    public struct Call: Sendable, Hashable {
        /// The pattern that calls there.
        public var pattern: PatternIndex
        /// The number of the position in the pattern.
        public var position: Int32
    }

    /// The longest time between the start of a service day and a departure, in days.
    private static let longestDays: Int32 = 3

    private let timetable: Timetable
    /// For each platform, where its calls begin; one more than platforms.
    private let offsets: [Int32]
    private let calls: [Call]

    /// The departures of a timetable.
    ///
    /// - Complexity: O(*n*) in the positions of all patterns.
    public init(_ timetable: Timetable) {
        self.timetable = timetable
        let platformCount = timetable.platforms.count
        var counts = [Int32](repeating: 0, count: platformCount + 1)
        Self.forEachCall(timetable) { platform, _ in counts[platform.row + 1] += 1 }
        for platform in 0..<platformCount { counts[platform + 1] += counts[platform] }
        var places = counts
        var calls = [Call](
            repeating: Call(pattern: .zero, position: 0),
            count: Int(counts[platformCount])
        )
        Self.forEachCall(timetable) { platform, call in
            calls[Int(places[platform.row])] = call
            places[platform.row] += 1
        }
        offsets = counts
        self.calls = calls
    }

    /// Calls the body with each position at which riders may board; nobody boards at the last one.
    private static func forEachCall(
        _ timetable: Timetable,
        _ body: (PlatformIndex, Call) -> Void
    ) {
        let (patterns, count) = (timetable.patterns, timetable.platforms.count)
        guard count > 0 else { return }
        for pattern in patterns.indices {
            let positions = patterns.positions(pattern)
            guard (2...ServiceWindow.positionLimit).contains(positions.count) else { continue }
            for (number, position) in positions.dropLast().enumerated()
            where patterns.flags[position] & Timetable.PositionFlags.pickup != 0 {
                body(
                    patterns.platform.index(position, below: count),
                    Call(pattern: pattern, position: Int32(number))
                )
            }
        }
    }

    /// Where riders may board at a platform.
    public func calls(at platform: PlatformIndex) -> ArraySlice<Call> {
        guard platform.row + 1 < offsets.count else { return [] }
        return calls[Int(offsets[platform.row])..<Int(offsets[platform.row + 1])]
    }

    /// The vehicles that leave some platforms within a period, by time.
    ///
    /// - Parameters:
    ///   - platforms: the platforms.
    ///   - period: the period; its end is not part of it.
    /// - Returns: the departures in order; those at the same time in that of the timetable.
    /// - Complexity: O(*r*) in the runs of the patterns that call at the platforms.
    public func departures(
        from platforms: some Sequence<PlatformIndex>,
        in period: Range<Instant>
    ) -> [Departure] {
        let days = days(of: period)
        var found: [Departure] = []
        for platform in platforms {
            for call in calls(at: platform) { add(call, platform, days, period, &found) }
        }
        return found.sorted { left, right in
            (left.time.seconds, left.run.rawValue, left.position)
                < (right.time.seconds, right.run.rawValue, right.position)
        }
    }

    /// The runs of a pattern on a service day, as their departures from a position.
    public func departures(
        of pattern: PatternIndex,
        from position: Int,
        on day: CivilDate
    ) -> [Departure] {
        let patterns = timetable.patterns
        let positions = patterns.positions(pattern)
        guard (0..<positions.count).contains(position) else {
            return []
        }
        let platform = patterns.platform[positions.lowerBound.advanced(by: position)]
        return patterns.runs(pattern)
            .filter { timetable.services.runs(patterns.runService[$0], on: day) }
            .map { run in
                let times = patterns.times(patterns.runTiming[run], positionCount: positions.count)
                let second = patterns.runStart[run] &+ times.departure(position)
                return Departure(
                    platform: platform,
                    pattern: pattern,
                    position: position,
                    run: run,
                    day: day,
                    time: zone(of: run).serviceDayStart(day).adding(seconds: Int64(second))
                )
            }
            .sorted { ($0.time.seconds, $0.run.rawValue) < ($1.time.seconds, $1.run.rawValue) }
    }

    /// A service day and when it begins in each zone.
    private struct Day {
        var date: CivilDate
        var starts: [Int64]
    }

    /// The service days whose vehicles may leave within a period.
    private func days(of period: Range<Instant>) -> [Day] {
        let first = timetable.zone.local(period.lowerBound).date.adding(days: 0 - Self.longestDays)
        // The zones of a timetable differ by up to a day.
        let last = timetable.zone.local(period.upperBound).date.adding(days: 1)
        let zones = timetable.zones.isEmpty ? [ZoneTable.utc] : timetable.zones
        guard first.daysSince1970 <= last.daysSince1970 else { return [] }
        return (first.daysSince1970...last.daysSince1970).map { number in
            let date = CivilDate(daysSince1970: number)
            return Day(date: date, starts: zones.map { $0.serviceDayStart(date).seconds })
        }
    }

    private func add(
        _ call: Call,
        _ platform: PlatformIndex,
        _ days: [Day],
        _ period: Range<Instant>,
        _ found: inout [Departure]
    ) {
        let patterns = timetable.patterns
        let count = patterns.positions(call.pattern).count
        for run in patterns.runs(call.pattern) {
            let times = patterns.times(patterns.runTiming[run], positionCount: count)
            let second =
                Int64(patterns.runStart[run])
                &+ Int64(times.departure(Int(call.position)))
            for day in days {
                let zone = min(Int(patterns.runZone[run]), day.starts.count - 1)
                let time = Instant(seconds: day.starts[zone] &+ second)
                guard period.contains(time),
                    timetable.services.runs(patterns.runService[run], on: day.date)
                else { continue }
                found.append(
                    Departure(
                        platform: platform,
                        pattern: call.pattern,
                        position: Int(call.position),
                        run: run,
                        day: day.date,
                        time: time
                    )
                )
            }
        }
    }

    private func zone(of run: RunIndex) -> ZoneTable {
        let zones = timetable.zones
        guard !zones.isEmpty else { return .utc }
        return zones[min(Int(timetable.patterns.runZone[run]), zones.count - 1)]
    }
}
