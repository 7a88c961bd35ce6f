import Chronology

/// A day as the search reads it: times in seconds since the day begins, tasks in the order of their
/// identifiers, one job for each piece.
struct DayProblem {
    /// A slot of a task.
    struct Slot {
        /// ``DayLabel/nowhere`` for a task without a place.
        var place: UInt16
        var from: Int32
        var until: Int32
        var penalty: Int64
    }

    /// A piece of a task.
    ///
    /// It has no arrays, so that the search copies it without counting references.
    struct Job {
        var id: TaskIdentifier
        var piece: Int
        /// Its slots among ``DayProblem/slots``.
        var slotRange: Range<Int>
        /// How long it takes.
        var full: Int32
        /// To how little it may be shortened.
        var least: Int32
        var lead: ClosedRange<Int32>
        var modes: TravelModeSet
        /// The earliest departure of a journey to it.
        var earliestDeparture: Int32 = 0
        var isOverlappable: Bool
        /// Whether it can be done anywhere.
        var isPlaceless: Bool
        /// The start in a former plan.
        var formerStart: Int32?
        /// The place in a former plan; nil where the place does not matter.
        var formerPlace: UInt16?
        /// The start to which somebody is committed.
        var keptStart: Int32?
        /// The place to which somebody is committed.
        var keptPlace: UInt16?
        /// Whether some starts are worth more than others.
        var hasWantedStarts: Bool { formerStart != nil || keptStart != nil }

        /// Visits the starts that are worth more than others, the earliest first.
        @inline(__always)
        func forEachWantedStart(_ body: (Int32) -> Void) {
            guard let first = formerStart ?? keptStart else { return }
            let second = keptStart ?? first
            body(min(first, second))
            if first != second { body(max(first, second)) }
        }
    }

    /// What is known of the journeys to a job, or to the day's destination.
    struct Arrival {
        /// The means of a former plan.
        var formerMode: TravelMode?
        /// The booked journey.
        var booked: BookedJourney?
    }

    /// What a task at a place asks of all who go there, also of those who do something else there
    /// first.
    struct Restriction {
        /// The pieces of the task, as bits.
        var pieces: UInt64
        var place: UInt16
        var modes: TravelModeSet
        /// The earliest departure.
        var earliest: Int32
    }

    /// The weights, clamped.
    struct Weights {
        var travel: [Int64]
        var leg: [Int64]
        var walking: Int64
        var waiting: Int64
        var shortening: Int64
        var longWait: Int64
        var lateness: Int64

        init(_ weights: DayWeights) {
            func clamped(_ values: [Int32], _ limit: Int32) -> [Int64] {
                (0..<TravelMode.allCases.count).map { number in
                    number < values.count ? Int64(min(max(values[number], 0), limit)) : 0
                }
            }
            let single = [
                weights.walking, weights.waiting, weights.shortening, weights.lateness,
            ]
            let values = single.map { Int64(min(max($0, 0), DayWeights.limit)) }
            travel = clamped(weights.travel, DayWeights.limit)
            leg = clamped(weights.leg, DayWeights.penaltyLimit)
            walking = values[0]
            waiting = values[1]
            shortening = values[2]
            // Otherwise a traveller might come later to do the task before for longer.
            lateness = max(values[3], values[1] + values[2])
            longWait = Int64(min(max(weights.longWait, 0), DayWeights.penaltyLimit))
        }
    }

    let epoch: Instant
    /// When the day must end, in its own seconds.
    let end: Int32
    let origin: UInt16
    let destination: UInt16
    let car: OwnVehicle?
    let bicycle: OwnVehicle?
    let modes: TravelModeSet
    let limits: DayLimits
    let weights: Weights
    let jobs: [Job]
    /// The slots of all jobs.
    let slots: [Slot]
    /// One for each job, and one for the day's destination.
    let arrivals: [Arrival]
    /// Overlappable tasks without a place: they take no time of the traveller.
    let floating: [PlannedTask]
    /// Those of all tasks that forbid some of the day's modes.
    let restrictions: [Restriction]
    let links: DayLinks

    /// The slots of a job.
    func slots(of job: Job) -> ArraySlice<Slot> { slots[job.slotRange] }

    /// The modes by which one may go to a place to do a job there that needs none: those that the
    /// tasks at that place allow as well which are still to be done.
    ///
    /// Otherwise one would go there early, by a mode that such a task forbids, only to do the job.
    func modes(of job: Int, toward place: UInt16, done: UInt64) -> TravelModeSet {
        restrictions.reduce(jobs[job].modes) { modes, restriction in
            restriction.place == place && restriction.pieces & ~done != 0
                ? modes.intersection(restriction.modes) : modes
        }
    }

    /// The earliest departure of a journey to a place to do a job without a place there: as late as
    /// all tasks ask that are still to be done at that place.
    func earliestDeparture(of job: Int, toward place: UInt16, done: UInt64) -> Int32 {
        restrictions.reduce(jobs[job].earliestDeparture) { earliest, restriction in
            restriction.place == place && restriction.pieces & ~done != 0
                ? max(earliest, restriction.earliest) : earliest
        }
    }

    /// Whether metres walked on the whole day are limited.
    var limitsDayWalk: Bool { limits.dayWalkMetres != nil }
    /// Whether journeys to some task may not begin at any time.
    var limitsDepartures: Bool { jobs.contains { $0.earliestDeparture > 0 } }

    /// Whether time at a place is the traveller's own.
    func isBase(_ place: UInt16) -> Bool {
        place == origin || place == destination || place == DayLabel.nowhere
    }

    /// Whether all pieces are done.
    func isComplete(_ done: UInt64) -> Bool { done == (UInt64(1) << UInt64(jobs.count)) &- 1 }
}

extension DayProblem {
    /// Reads a day; with the links of another day if they are the same.
    init(
        _ day: Day,
        _ times: some TravelTimes,
        links known: DayLinks? = nil
    ) throws(DayFailure) {
        let span = day.until.seconds.subtractingReportingOverflow(day.from.seconds)
        guard !span.overflow, span.partialValue >= 0, span.partialValue <= Day.longestSeconds
        else { throw .invalidSpan }
        let epoch = day.from
        try Self.check(day, placeCount: times.placeCount)
        self.epoch = epoch
        end = Int32(clamping: span.partialValue)
        origin = day.origin?.rawValue ?? DayLabel.nowhere
        destination = day.destination?.rawValue ?? DayLabel.nowhere
        car = day.car
        bicycle = day.bicycle
        modes = day.modes
        limits = day.limits
        weights = Weights(day.weights)
        var jobs: [Job] = []
        var slots: [Slot] = []
        var arrivals: [Arrival] = []
        var floating: [PlannedTask] = []
        var restrictions: [Restriction] = []
        for task in day.tasks.sorted(by: { $0.id < $1.id }) {
            let isPlaceless = task.slots.contains { $0.place == nil }
            let first = task.slots.min { ($0.from, $0.until) < ($1.from, $1.until) }
            if task.isOverlappable && isPlaceless, let slot = first {
                floating.append(
                    PlannedTask(
                        id: task.id,
                        piece: 0,
                        start: slot.from,
                        end: slot.until,
                        place: nil,
                        lapse: nil
                    )
                )
                continue
            }
            restrictions += Self.restrictions(task, day, from: jobs.count)
            for piece in 0..<task.pieces {
                jobs.append(Self.job(task, piece, day, &slots))
                arrivals.append(Self.arrival(task.id, piece, day))
            }
        }
        arrivals.append(Self.arrival(nil, 0, day))
        self.jobs = jobs
        self.slots = slots
        self.arrivals = arrivals
        self.floating = floating
        self.restrictions = restrictions
        links =
            known
            ?? DayLinks(
                times,
                epoch,
                modes: day.modes,
                day.limits,
                weights,
                booked: arrivals.compactMap { $0.booked }
            )
    }

    private static func check(_ day: Day, placeCount: Int) throws(DayFailure) {
        var known = Set<TaskIdentifier>()
        var pieces = 0
        for task in day.tasks {
            guard known.insert(task.id).inserted else { throw .repeatedTask(task.id) }
            guard task.pieces >= 1, task.leastSeconds >= 1, task.leastSeconds <= task.seconds,
                Int(task.seconds) % max(1, task.pieces) == 0,
                Int(task.leastSeconds) % max(1, task.pieces) == 0,
                Int64(task.seconds) <= Day.longestSeconds
            else { throw .invalidLength(task.id) }
            let fills = task.slots.allSatisfy {
                $0.until.seconds &- $0.from.seconds == Int64(task.seconds)
            }
            guard !task.isOverlappable || task.pieces == 1 && fills else {
                throw .invalidLength(task.id)
            }
            guard task.lead.lowerBound >= 0, task.lead.upperBound <= 86_400 else {
                throw .invalidLead(task.id)
            }
            for place in task.slots.compactMap({ $0.place })
            where Int(place.rawValue) >= placeCount { throw .unknownPlace(place) }
            pieces += min(task.pieces, Day.pieceLimit + 1)
        }
        guard pieces <= Day.pieceLimit else { throw .tooManyPieces(pieces) }
        let others = [
            day.origin, day.destination, day.car?.place, day.car?.returnPlace, day.bicycle?.place,
            day.bicycle?.returnPlace,
        ]
        for place in others.compactMap({ $0 }) where Int(place.rawValue) >= placeCount {
            throw .unknownPlace(place)
        }
    }

    /// A moment in the seconds of a day, cut to what a day may have on either side.
    static func seconds(_ moment: Instant, since epoch: Instant) -> Int32 {
        let difference = moment.seconds.subtractingReportingOverflow(epoch.seconds)
        let limit = Int64(DayLabel.forever)
        guard !difference.overflow else {
            return moment < epoch ? 0 - DayLabel.forever : DayLabel.forever
        }
        return Int32(min(max(difference.partialValue, 0 - limit), limit))
    }

    private static func restrictions(
        _ task: DayTask,
        _ day: Day,
        from first: Int
    ) -> [Restriction] {
        guard !task.modes.isSuperset(of: day.modes) || task.earliestDeparture != nil else {
            return []
        }
        let earliest = task.earliestDeparture.map { max(0, seconds($0, since: day.from)) } ?? 0
        let pieces = (first..<first + task.pieces).reduce(0) { $0 | UInt64(1) << UInt64($1) }
        return Set(task.slots.compactMap { $0.place?.rawValue }).sorted().map {
            Restriction(pieces: pieces, place: $0, modes: task.modes, earliest: earliest)
        }
    }

    private static func job(
        _ task: DayTask,
        _ piece: Int,
        _ day: Day,
        _ all: inout [Slot]
    ) -> Job {
        let pieces = Int32(clamping: task.pieces)
        let slots = task.slots.map { slot in
            Slot(
                place: slot.place?.rawValue ?? DayLabel.nowhere,
                from: max(0, seconds(slot.from, since: day.from)),
                until: min(
                    seconds(slot.until, since: day.from),
                    seconds(day.until, since: day.from)
                ),
                penalty: Int64(min(max(slot.penalty, 0), DayWeights.penaltyLimit))
            )
        }
        let first = all.count
        all += slots.filter { $0.until - $0.from >= task.leastSeconds / pieces }.sorted {
            ($0.place, $0.from, $0.until, $0.penalty)
                < ($1.place, $1.from, $1.until, $1.penalty)
        }
        var job = Job(
            id: task.id,
            piece: piece,
            slotRange: first..<all.count,
            full: task.seconds / pieces,
            least: task.leastSeconds / pieces,
            lead: task.lead,
            modes: task.modes.intersection(day.modes),
            isOverlappable: task.isOverlappable,
            isPlaceless: slots.contains { $0.place == DayLabel.nowhere }
        )
        if let earliest = task.earliestDeparture {
            job.earliestDeparture = max(0, seconds(earliest, since: day.from))
        }
        for former in day.former where former.task == task.id && former.piece == piece {
            job.formerStart = seconds(former.start, since: day.from)
            job.formerPlace = former.place?.rawValue
        }
        for commitment in day.commitments where piece == 0 {
            switch commitment {
            case .start(task.id, let start): job.keptStart = seconds(start, since: day.from)
            case .place(task.id, let place): job.keptPlace = place.rawValue
            case .start, .place, .journey: break
            }
        }
        return job
    }

    private static func arrival(_ task: TaskIdentifier?, _ piece: Int, _ day: Day) -> Arrival {
        var arrival = Arrival()
        for leg in day.formerLegs where leg.task == task && leg.piece == piece {
            arrival.formerMode = leg.mode
        }
        for case .journey(let journey) in day.commitments
        where journey.task == task && journey.piece == piece {
            arrival.booked = journey
        }
        return arrival
    }
}
