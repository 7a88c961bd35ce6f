public import Chronology
import Columns

extension ServiceWindow {
    /// How many service days before and after the window's own are included: trips run for up to 48
    /// hours, and zones differ by up to a day.
    private static let margin: Int32 = 3
    /// The greatest number of positions of a pattern; a longer one is treated as damage and left
    /// out.
    public static let positionLimit = 10_000
    /// The greatest number of times; further ones are treated as damage and left out.
    ///
    /// A metropolis of five million has a tenth of it.
    private static let timeLimit: Int64 = 100_000_000

    /// The greatest number of platforms; more of them are treated as damage, since a call would not
    /// fit into 32 bits.
    private static let platformLimit = Int(Int32.max >> SearchTables.callShift)

    /// The window that begins at midnight of a day, on the clocks of the timetable's zone.
    ///
    /// - Parameters:
    ///   - timetable: the timetable.
    ///   - date: the day.
    ///   - closures: what of the timetable does not run.
    /// - Complexity: linear in the stop times of the days, plus a sort of the runs of each pattern.
    public init(
        _ timetable: Timetable,
        from date: CivilDate,
        without closures: TimetableClosures = TimetableClosures()
    ) {
        let epoch = timetable.zone.instant(date, second: 0)
        self.init(epoch: epoch, firstDate: date, platformCount: timetable.platforms.count)
        let starts = DayStarts(timetable, date: date, epoch: epoch, margin: Self.margin)
        var closed = closures.isEmpty ? nil : WindowClosures(closures, since: epoch)
        for pattern in timetable.patterns.indices {
            addRoutes(pattern, timetable, starts, &closed)
        }
        indexBoardings()
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

    /// A run on a day, while RAPTOR routes are being built.
    private struct Candidate {
        let run: RunIndex
        let day: Int32
        let start: Int32
        let timing: TimingIndex
        let kind: Kind
        /// The number of the flags of its open calls (``WindowClosures/masks``); -1 where all are
        /// as in the pattern.
        let mask: Int
    }

    /// What a search must know about a run to decide whether it may be ridden.
    private struct Kind {
        /// The number of the run's parts among those of its pattern.
        let parts: Int
        /// Whether it is accessible by wheelchair, at least on some of its parts.
        let takesWheelchairs: Bool
    }

    private mutating func addRoutes(
        _ pattern: PatternIndex,
        _ timetable: Timetable,
        _ starts: DayStarts,
        _ closures: inout WindowClosures?
    ) {
        let count = timetable.patterns.positions(pattern).count
        guard count >= 2, count <= Self.positionLimit, platformCount > 0,
            platformCount <= Self.platformLimit
        else { return }
        var candidates: [Candidate] = []
        var kinds = RunKinds(timetable, positionCount: count)
        closures?.forgetMasks()
        for run in timetable.patterns.runs(pattern) {
            addCandidates(run, &kinds, pattern, timetable, starts, &closures, &candidates)
            // Multiplied in 64 bits: a damaged file may claim more than fits into 32.
            let times = Int64(arrivals.count) + Int64(candidates.count) * Int64(count)
            guard times <= Self.timeLimit else { return }
        }
        guard !candidates.isEmpty else { return }
        candidates.sort { left, right in
            (left.mask, left.kind.parts, left.start, left.run, left.day)
                < (right.mask, right.kind.parts, right.start, right.run, right.day)
        }
        var (firstStop, mask) = (Int32(0), -2)
        var next = 0
        while next < candidates.count {
            let begin = next
            let number = candidates[begin].kind.parts
            if candidates[begin].mask != mask {
                mask = candidates[begin].mask
                firstStop = Int32(stops.count)
                appendStops(pattern, timetable, mask < 0 ? nil : closures?.masks[mask])
            }
            while next < candidates.count, candidates[next].kind.parts == number,
                candidates[next].mask == mask
            {
                next += 1
            }
            let firstPart = parts.count
            parts += kinds.parts[number]
            for members in Self.routes(candidates[begin..<next], count, timetable) {
                let route = RaptorRoute(
                    pattern: pattern,
                    firstStop: firstStop,
                    stopCount: Int32(count),
                    firstInstance: Int32(instances.count),
                    instanceCount: Int32(members.count),
                    firstTime: Int32(arrivals.count),
                    firstDeparture: nil,
                    firstPart: Int32(firstPart),
                    partCount: Int32(parts.count - firstPart)
                )
                appendRoute(route, members, timetable)
            }
        }
    }

    /// Appends the stops of a pattern, which its RAPTOR routes share where the same are open.
    private mutating func appendStops(
        _ pattern: PatternIndex,
        _ timetable: Timetable,
        _ mask: [UInt8]?
    ) {
        for (call, position) in timetable.patterns.positions(pattern).enumerated() {
            let platform = timetable.patterns.platform.index(position, below: platformCount)
            let allowed = timetable.patterns.flags[position] & 3
            let stop = timetable.platforms.stop[platform]
            let isAccessible = timetable.stops.wheelchair[stop] == 1
            stops.append(platform)
            flags.append((isAccessible ? allowed | allowed << 2 : allowed) & (mask?[call] ?? 15))
        }
    }

    /// The different kinds of a pattern's runs.
    private struct RunKinds {
        private let timetable: Timetable
        private let positionCount: Int
        /// The different lists of parts, each once.
        private(set) var parts: [[Part]] = []
        /// Memory for the parts of a run.
        private var found: [Part] = []

        init(_ timetable: Timetable, positionCount: Int) {
            self.timetable = timetable
            self.positionCount = positionCount
        }

        /// The kind of a run.
        ///
        /// Nearly all runs are accessible by wheelchair everywhere or nowhere. That is stored for
        /// the run, and its parts differ by mode only; otherwise it is stored for each part.
        mutating func kind(of run: RunIndex) -> Kind {
            let patterns = timetable.patterns
            let segments = patterns.segments(run)
            let accessible = segments.count { takesWheelchairs($0) }
            let isMixed = accessible > 0 && accessible < segments.count
            found.removeAll(keepingCapacity: true)
            for segment in segments {
                let route = timetable.trips.route[patterns.segmentTrip[segment]]
                append(
                    Part(
                        first: position(patterns.segmentPosition[segment]),
                        last: position(patterns.segmentLast[segment]),
                        mode: timetable.routes.mode(route).bit,
                        takesWheelchairs: !isMixed || takesWheelchairs(segment)
                    )
                )
            }
            if let number = parts.firstIndex(of: found) {
                return Kind(parts: number, takesWheelchairs: accessible > 0)
            }
            parts.append(found)
            return Kind(parts: parts.count - 1, takesWheelchairs: accessible > 0)
        }

        /// Appends a part, or lengthens the last one if both are alike.
        private mutating func append(_ part: Part) {
            if let end = found.indices.last, found[end].mode == part.mode,
                found[end].takesWheelchairs == part.takesWheelchairs
            {
                found[end].last = max(found[end].last, part.last)
            } else if part.first < part.last, part.first >= found.last?.last ?? 0 {
                found.append(part)
            }
        }

        private func takesWheelchairs(_ segment: SegmentIndex) -> Bool {
            timetable.trips.wheelchair[timetable.patterns.segmentTrip[segment]] == 1
        }

        /// A position of the pattern, given by its number; a damaged one reads as the first.
        private func position(_ number: UInt32) -> Int32 {
            number < UInt32(positionCount) ? Int32(number) : 0
        }
    }

    private func addCandidates(
        _ run: RunIndex,
        _ kinds: inout RunKinds,
        _ pattern: PatternIndex,
        _ timetable: Timetable,
        _ starts: DayStarts,
        _ closures: inout WindowClosures?,
        _ candidates: inout [Candidate]
    ) {
        let count = timetable.patterns.positions(pattern).count
        let service = timetable.patterns.runService[run]
        let zone = min(Int(timetable.patterns.runZone[run]), starts.seconds.count - 1)
        let timing = timetable.patterns.runTiming[run]
        let times = timetable.patterns.times(timing, positionCount: count)
        let last = times.arrival(count &- 1)
        var kind: Kind?
        for (number, date) in starts.dates.enumerated() {
            let start = starts.seconds[zone][number] &+ timetable.patterns.runStart[run]
            guard start <= Self.length &+ Self.clockChange, start &+ last >= 0 &- Self.clockChange,
                timetable.services.runs(service, on: date)
            else { continue }
            let known = kind ?? kinds.kind(of: run)
            kind = known
            let ride = WindowClosures.Run(
                run: run,
                date: date,
                start: start,
                times: times,
                count: count
            )
            for mask in closures?.stretches(of: ride, pattern, timetable) ?? [nil] {
                candidates.append(
                    Candidate(
                        run: run,
                        day: date.daysSince1970,
                        start: start,
                        timing: timing,
                        kind: known,
                        mask: mask ?? -1
                    )
                )
            }
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
        _ route: RaptorRoute,
        _ members: [Candidate],
        _ timetable: Timetable
    ) {
        let count = Int(route.stopCount)
        let times = members.map { timetable.patterns.times($0.timing, positionCount: count) }
        var waits = false
        for (member, times) in zip(members, times) {
            instances.append(Instance(run: member.run, day: member.day))
            takesWheelchairs.append(member.kind.takesWheelchairs)
            for position in 0..<count {
                let arrival = times.arrival(position)
                arrivals.append(member.start &+ arrival)
                waits = waits || times.departure(position) != arrival
            }
        }
        var route = route
        if waits { route.firstDeparture = Int32(departures.count) }
        routes.append(route)
        guard waits else { return }
        for position in 0..<count {
            for (member, times) in zip(members, times) {
                departures.append(member.start &+ times.departure(position))
            }
        }
    }
}
