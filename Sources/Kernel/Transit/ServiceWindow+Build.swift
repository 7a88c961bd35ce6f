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
        for pattern in 0..<timetable.patterns.count {
            addLanes(pattern, timetable, starts, filter)
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

    /// A run on a day while lanes are made.
    private struct Candidate {
        let run: Int
        let day: Int32
        let start: Int32
        let profile: Int
        let stretch: Stretch
    }

    /// The part of a run that may be ridden, as positions of its pattern, the last included: the
    /// vehicle may serve trips before and after it that are refused.
    private struct Stretch: Equatable {
        var first: Int
        var last: Int
    }

    private mutating func addLanes(
        _ pattern: Int,
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
            for members in Self.lanes(candidates[begin..<next], count, timetable) {
                appendLane(members, pattern, firstStop, count, timetable)
            }
        }
    }

    /// Appends the stops of a pattern; no boarding or alighting outside a stretch, so
    /// that nobody rides there.
    private mutating func appendStops(
        _ pattern: Int,
        _ stretch: Stretch,
        _ timetable: Timetable,
        _ filter: Filter
    ) {
        for (number, position) in timetable.patterns.positions(pattern).enumerated() {
            let platform = timetable.patterns.platform.index(position, below: platformCount)
            stops.append(Int32(platform))
            let isInside = number >= stretch.first && number <= stretch.last
            flags.append(isInside ? flags(at: position, platform, timetable, filter) : 0)
        }
    }

    /// The parts of a run that a filter accepts, in order: accepted trips that follow each other
    /// are one part, since their riders stay seated.
    private func stretches(
        of run: Int,
        _ count: Int,
        _ timetable: Timetable,
        _ filter: Filter
    ) -> [Stretch] {
        if filter == Filter() { return [Stretch(first: 0, last: count - 1)] }
        let patterns = timetable.patterns
        var result: [Stretch] = []
        var isOpen = false
        for segment in patterns.runSegments.range(run, limit: patterns.segmentTrip.count) {
            let first = patterns.segmentPosition.index(segment, below: count)
            let last = patterns.segmentLast.index(segment, below: count)
            let trip = Int(truncatingIfNeeded: patterns.segmentTrip[segment])
            guard accepts(trip, timetable, filter) else {
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

    private func accepts(_ trip: Int, _ timetable: Timetable, _ filter: Filter) -> Bool {
        let route = Int(truncatingIfNeeded: timetable.trips.route[trip])
        return filter.modes & timetable.routes.mode(route).bit != 0
            && (!filter.wheelchair || timetable.trips.wheelchair[trip] == 1)
    }

    private func flags(
        at position: Int,
        _ platform: Int,
        _ timetable: Timetable,
        _ filter: Filter
    ) -> UInt8 {
        let allowed = timetable.patterns.flags[position] & 3
        guard filter.wheelchair else { return allowed }
        let stop = Int(truncatingIfNeeded: timetable.platforms.stop[platform])
        return timetable.stops.wheelchair[stop] == 1 ? allowed : 0
    }

    private func addCandidates(
        _ run: Int,
        _ stretch: Stretch,
        _ count: Int,
        _ timetable: Timetable,
        _ starts: DayStarts,
        _ candidates: inout [Candidate]
    ) {
        let service = Int(truncatingIfNeeded: timetable.patterns.runService[run])
        let zone = min(Int(timetable.patterns.runZone[run]), starts.seconds.count - 1)
        let profile = Int(truncatingIfNeeded: timetable.patterns.runProfile[run])
        let last = timetable.patterns.times[profile &+ count &- 1]
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
                    profile: profile,
                    stretch: stretch
                )
            )
        }
    }

    /// Splits sorted runs into groups in which none overtakes another: each joins the first
    /// group whose last member is nowhere later.
    private static func lanes(
        _ candidates: ArraySlice<Candidate>,
        _ count: Int,
        _ timetable: Timetable
    ) -> [[Candidate]] {
        var lanes: [[Candidate]] = []
        for candidate in candidates {
            let fitting = lanes.firstIndex { lane in
                lane.last.map { follows(candidate, $0, count, timetable) } ?? false
            }
            if let fitting {
                lanes[fitting].append(candidate)
            } else {
                lanes.append([candidate])
            }
        }
        return lanes
    }

    /// Whether a run is nowhere earlier than another.
    private static func follows(
        _ later: Candidate,
        _ earlier: Candidate,
        _ count: Int,
        _ timetable: Timetable
    ) -> Bool {
        if later.profile == earlier.profile { return later.start >= earlier.start }
        let times = timetable.patterns.times
        for index in 0..<(2 * count) {
            let first = earlier.start &+ times[earlier.profile &+ index]
            guard later.start &+ times[later.profile &+ index] >= first else { return false }
        }
        return true
    }

    private mutating func appendLane(
        _ members: [Candidate],
        _ pattern: Int,
        _ firstStop: Int32,
        _ count: Int,
        _ timetable: Timetable
    ) {
        lanes.append(
            Lane(
                pattern: Int32(pattern),
                firstStop: firstStop,
                stopCount: Int32(count),
                firstInstance: Int32(instances.count),
                instanceCount: Int32(members.count),
                firstTime: Int32(arrivals.count)
            )
        )
        let times = timetable.patterns.times
        for member in members {
            instances.append(Instance(run: UInt32(member.run), day: member.day))
            for position in 0..<count {
                arrivals.append(member.start &+ times[member.profile &+ position])
            }
        }
        for position in 0..<count {
            for member in members {
                departures.append(member.start &+ times[member.profile &+ count &+ position])
            }
        }
    }
}
