public import Chronology
import Columns

extension ServiceWindow {
    /// How many service days before and after the window's own are included: trips run for up to 48
    /// hours, and zones differ by up to a day.
    private static let margin: Int32 = 3
    /// The greatest number of positions of a pattern; a longer one is treated as
    /// damage and left out.
    public static let positionLimit = 10_000
    /// The greatest number of times; what exceeds it is treated as damage and left out.
    ///
    /// A metropolis of five million has a tenth of it.
    private static let timeLimit: Int64 = 100_000_000

    /// The window that begins at midnight of a day, on the clocks of the timetable's zone.
    ///
    /// - Complexity: the stop times of the days, and a sort of the runs of each pattern.
    public init(_ timetable: Timetable, from date: CivilDate, filter: Filter = Filter()) {
        let epoch = timetable.zone.instant(date, second: 0)
        self.init(epoch: epoch, firstDate: date, platformCount: timetable.platforms.count)
        let starts = DayStarts(timetable, date: date, epoch: epoch, margin: Self.margin)
        for pattern in timetable.patterns.indices {
            addRoutes(pattern, timetable, starts, filter)
        }
        indexBoardings()
        cells = Self.dividedIntoCells(timetable)
    }

    /// When each service day around the window begins in each zone, in the window's seconds.
    private struct DayStarts {
        let dates: [CivilDate]
        let seconds: [[Int32]]

        init(_ timetable: Timetable, date: CivilDate, epoch: Instant, margin: Int32) {
            let days = (-margin...margin).map { date.adding(days: $0) }
            let zones = timetable.zones.isEmpty ? [ZoneTable.utc] : timetable.zones
            seconds = zones.map { zone in
                days.map {
                    Int32(truncatingIfNeeded: zone.serviceDayStart($0).seconds &- epoch.seconds)
                }
            }
            dates = days
        }
    }

    /// A run on a day while RAPTOR routes are made.
    private struct Candidate {
        let run: RunIndex
        let day: Int32
        let start: Int32
        let timing: TimingIndex
        let stretch: Stretch
    }

    /// The part of a run that may be ridden, as positions of its pattern, the last included: the
    /// vehicle may serve trips before and after it that are refused.
    private struct Stretch: Equatable {
        var first: Int
        var last: Int
    }

    private mutating func addRoutes(
        _ pattern: PatternIndex,
        _ timetable: Timetable,
        _ starts: DayStarts,
        _ filter: Filter
    ) {
        let count = timetable.patterns.positions(pattern).count
        guard count >= 2, count <= Self.positionLimit, platformCount > 0 else { return }
        var candidates: [Candidate] = []
        for run in timetable.patterns.runs(pattern) {
            for stretch in stretches(of: run, count, timetable, filter) {
                addCandidates(run, stretch, count, timetable, starts, &candidates)
            }
            // Multiplied in 64 bits: a damaged file may claim more than fits into 32.
            let times = Int64(arrivals.count) + Int64(candidates.count) * Int64(count)
            guard times <= Self.timeLimit else { return }
        }
        candidates.sort { left, right in
            (left.stretch.first, left.stretch.last, left.start, left.run, left.day)
                < (right.stretch.first, right.stretch.last, right.start, right.run, right.day)
        }
        var next = 0
        while next < candidates.count {
            let begin = next
            let stretch = candidates[begin].stretch
            while next < candidates.count, candidates[next].stretch == stretch { next += 1 }
            let firstStop = Int32(stops.count)
            appendStops(pattern, stretch, timetable, filter)
            for members in Self.routes(candidates[begin..<next], count, timetable) {
                appendRoute(members, pattern, firstStop, count, timetable)
            }
        }
    }

    /// Appends the stops of a pattern; no boarding or alighting outside a stretch, so
    /// that nobody rides there.
    private mutating func appendStops(
        _ pattern: PatternIndex,
        _ stretch: Stretch,
        _ timetable: Timetable,
        _ filter: Filter
    ) {
        for (number, position) in timetable.patterns.positions(pattern).enumerated() {
            let platform = timetable.patterns.platform.index(position, below: platformCount)
            stops.append(platform)
            let isInside = number >= stretch.first && number <= stretch.last
            flags.append(isInside ? flags(at: position, platform, timetable, filter) : 0)
        }
    }

    /// The parts of a run that a filter accepts, in order: accepted trips that follow each other
    /// are one part, since their riders stay seated.
    private func stretches(
        of run: RunIndex,
        _ count: Int,
        _ timetable: Timetable,
        _ filter: Filter
    ) -> [Stretch] {
        if filter == Filter() { return [Stretch(first: 0, last: count - 1)] }
        let patterns = timetable.patterns
        var result: [Stretch] = []
        var isOpen = false
        for segment in patterns.segments(run) {
            let first = Self.position(patterns.segmentPosition[segment], below: count)
            let last = Self.position(patterns.segmentLast[segment], below: count)
            guard accepts(patterns.segmentTrip[segment], timetable, filter) else {
                isOpen = false
                continue
            }
            if isOpen, let open = result.indices.last {
                result[open].last = max(last, result[open].last)
            } else if first < last, first >= result.last?.last ?? 0 {
                result.append(Stretch(first: first, last: last))
                isOpen = true
            }
        }
        return result
    }

    /// A position of a pattern, given by its number; a damaged one reads as the first.
    private static func position(_ number: UInt32, below count: Int) -> Int {
        number < count ? Int(number) : 0
    }

    private func accepts(_ trip: TripIndex, _ timetable: Timetable, _ filter: Filter) -> Bool {
        let route = timetable.trips.route[trip]
        return filter.modes & timetable.routes.mode(route).bit != 0
            && (!filter.wheelchair || timetable.trips.wheelchair[trip] == 1)
    }

    private func flags(
        at position: PositionIndex,
        _ platform: PlatformIndex,
        _ timetable: Timetable,
        _ filter: Filter
    ) -> UInt8 {
        let allowed = timetable.patterns.flags[position] & 3
        guard filter.wheelchair else { return allowed }
        let stop = timetable.platforms.stop[platform]
        return timetable.stops.wheelchair[stop] == 1 ? allowed : 0
    }

    private func addCandidates(
        _ run: RunIndex,
        _ stretch: Stretch,
        _ count: Int,
        _ timetable: Timetable,
        _ starts: DayStarts,
        _ candidates: inout [Candidate]
    ) {
        let service = timetable.patterns.runService[run]
        let zone = min(Int(timetable.patterns.runZone[run]), starts.seconds.count - 1)
        let timing = timetable.patterns.runTiming[run]
        let times = timetable.patterns.times(timing, positionCount: count)
        let last = times.arrival(count &- 1)
        for (number, date) in starts.dates.enumerated() {
            let start = starts.seconds[zone][number] &+ timetable.patterns.runStart[run]
            guard start <= Self.length &+ Self.clockChange, start &+ last >= 0 &- Self.clockChange,
                timetable.services.runs(service, on: date)
            else { continue }
            candidates.append(
                Candidate(
                    run: run,
                    day: date.daysSince1970,
                    start: start,
                    timing: timing,
                    stretch: stretch
                )
            )
        }
    }

    /// Splits sorted runs into groups in which none overtakes another: each joins the first
    /// group whose last member is nowhere later.
    private static func routes(
        _ candidates: ArraySlice<Candidate>,
        _ count: Int,
        _ timetable: Timetable
    ) -> [[Candidate]] {
        var routes: [[Candidate]] = []
        for candidate in candidates {
            let fitting = routes.firstIndex { route in
                route.last.map { follows(candidate, $0, count, timetable) } ?? false
            }
            if let fitting {
                routes[fitting].append(candidate)
            } else {
                routes.append([candidate])
            }
        }
        return routes
    }

    /// Whether a run is nowhere earlier than another.
    private static func follows(
        _ later: Candidate,
        _ earlier: Candidate,
        _ count: Int,
        _ timetable: Timetable
    ) -> Bool {
        if later.timing == earlier.timing { return later.start >= earlier.start }
        let patterns = timetable.patterns
        let first = patterns.times(earlier.timing, positionCount: count)
        let second = patterns.times(later.timing, positionCount: count)
        return (0..<count).allSatisfy { position in
            later.start &+ second.arrival(position) >= earlier.start &+ first.arrival(position)
                && later.start &+ second.departure(position)
                    >= earlier.start &+ first.departure(position)
        }
    }

    private mutating func appendRoute(
        _ members: [Candidate],
        _ pattern: PatternIndex,
        _ firstStop: Int32,
        _ count: Int,
        _ timetable: Timetable
    ) {
        routes.append(
            RaptorRoute(
                pattern: pattern,
                firstStop: firstStop,
                stopCount: Int32(count),
                firstInstance: Int32(instances.count),
                instanceCount: Int32(members.count),
                firstTime: Int32(arrivals.count)
            )
        )
        let times = members.map { timetable.patterns.times($0.timing, positionCount: count) }
        for (member, times) in zip(members, times) {
            instances.append(Instance(run: member.run, day: member.day))
            for position in 0..<count {
                arrivals.append(member.start &+ times.arrival(position))
            }
        }
        for position in 0..<count {
            for (member, times) in zip(members, times) {
                departures.append(member.start &+ times.departure(position))
            }
        }
    }
}
