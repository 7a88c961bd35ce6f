import Chronology
import CityData
import DayPlan
import Journeys
import TripPlanning

/// The trips between the places of a day, each asked for once.
struct DayTrips {
    /// How to get from one place to another.
    enum Passage {
        /// Both are the same place.
        case none
        /// The best trip from one place to the other.
        case trip(TripOption)
        /// There is no way at that time; with the reason where the planner gave one.
        case impossible(TripFailure?)
    }

    /// The most questions that are asked about a day: a hundred tasks with their repairs, which
    /// takes some seconds.
    private static let questionsLimit = 2_000

    private struct Key: Hashable {
        let from: Endpoint?
        let to: Endpoint?
        let time: Instant
        let isArriveBy: Bool
    }

    private let modes: TripModes
    private let day: DayInput
    private let now: Instant
    private let answer: DayPlanner.Answerer
    private var known: [Key: Result<[TripOption], TripFailure>] = [:]
    /// What people should know about the answers, each once.
    private(set) var remarks: [TripRemark] = []

    /// - Parameters:
    ///   - modes: the means of travel to choose from.
    ///   - day: the day, with the rules of its owner.
    ///   - now: the present, before which nobody asks whether it rains.
    ///   - answer: answers how to get from one place to another.
    init(
        modes: TripModes,
        for day: DayInput,
        now: Instant,
        answer: @escaping DayPlanner.Answerer
    ) {
        self.modes = modes
        self.day = day
        self.now = now
        self.answer = answer
    }

    /// A question that keeps to the rules of the day's owner.
    private func question(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        _ time: Instant,
        isArriveBy: Bool = false,
        _ modes: TripModes
    ) -> TripQuestion {
        var question = day.question(from, to, time, modes, now: now)
        question.isArriveBy = isArriveBy
        return question
    }

    /// Whether so many questions were asked that what is not found is not proved impossible.
    var isExhausted: Bool { known.count >= Self.questionsLimit }

    /// The options that leave from a time on or arrive by it, the most useful first.
    private mutating func options(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        _ time: Instant,
        isArriveBy: Bool
    ) -> Result<[TripOption], TripFailure> {
        let key = Key(from: from.endpoint, to: to.endpoint, time: time, isArriveBy: isArriveBy)
        if let options = known[key] { return options }
        guard !isExhausted else { return .failure(.busy) }
        let question = question(from, to, time, isArriveBy: isArriveBy, modes)
        let result = Result { () throws(TripFailure) in try answer(question) }
        if case .success(let answer) = result {
            for remark in answer.remarks where !remarks.contains(remark) { remarks.append(remark) }
        }
        let options = result.map(\.options)
        known[key] = options
        return options
    }

    /// Says that the timetables do not reach the time of a journey, if that is so.
    mutating func noteTimetable(_ from: ResolvedPlace, _ to: ResolvedPlace, at time: Instant) {
        let question = question(from, to, time, modes)
        for remark in (try? answer(question))?.remarks ?? [] where !remarks.contains(remark) {
            if case .noTransit(.outsideTimetable) = remark { remarks.append(remark) }
        }
    }

    /// The minutes that traffic costs a drive which begins at a moment; 0 if there is no drive.
    func trafficMinutes(_ from: ResolvedPlace, _ to: ResolvedPlace, at time: Instant) -> Int64 {
        let options = (try? answer(question(from, to, time, modes.only(.car))))?.options ?? []
        return options.first { $0.kind == .car }?.trafficMinutes ?? 0
    }

    /// The trip of a plan: by one means, within a span, and if there are several, the one that
    /// leaves when the plan does, keeps to the limits on money and emissions, and walks least.
    ///
    /// A walk may take longer in the rain, since it leads under roofs (ST13): `free` is the time
    /// that its owner has for that.
    mutating func trip(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        _ kind: TripKind,
        _ span: ClosedRange<Instant>,
        free: ClosedRange<Instant>? = nil,
        walkMetres: Int32
    ) -> TripOption {
        let last = kind == .walk ? free?.upperBound ?? span.upperBound : span.upperBound
        let question = question(from, to, span.lowerBound, modes.only(kind))
        // A ride that has begun is not the one that would begin now.
        let hasBegun = kind.isShared && span.lowerBound < now
        let answer = hasBegun ? nil : try? answer(question)
        for remark in answer?.remarks ?? [] where !remarks.contains(remark) {
            remarks.append(remark)
        }
        let fitting = (answer?.options ?? []).filter { option in
            option.kind == kind && option.departure >= span.lowerBound
                && option.arrival <= last
        }
        let best = fitting.min { one, other in
            let isLater = (one.departure > span.lowerBound, other.departure > span.lowerBound)
            let isKept = (day.tripLimits.allow(one), day.tripLimits.allow(other))
            if isLater.0 != isLater.1 { return !isLater.0 }
            return isKept.0 != isKept.1 ? isKept.0 : one.walkMetres < other.walkMetres
        }
        let ticketed = fitting.first { option in day.tickets.contains { $0.isFor(option) } }
        let sheltered =
            kind == .walk && best == nil
            ? free.flatMap { walk(from, to, arriving: span.upperBound, notBefore: $0.lowerBound) }
            : nil
        return ticketed ?? best ?? sheltered ?? .plain(from, to, kind, span, walkMetres: walkMetres)
    }

    /// A walk that arrives by a time and begins no sooner than another one.
    private func walk(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        arriving time: Instant,
        notBefore earliest: Instant
    ) -> TripOption? {
        let question = question(from, to, time, isArriveBy: true, modes.only(.walk))
        return (try? answer(question))?.options.first { option in
            option.kind == .walk && option.departure >= earliest && option.arrival <= time
        }
    }

    /// The trip that leaves no sooner than one time and arrives by another.
    ///
    /// Of those that leave late the most useful; without a latest time, or where one wants to be
    /// there soon, the most useful of those that arrive early. One is found wherever there is one:
    /// ``TripChoice`` never leaves out the option that leaves last, or arrives first.
    mutating func passage(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        after earliest: Instant?,
        by latest: Instant?,
        isSoon: Bool = false
    ) -> Passage {
        if from.isSame(as: to) { return .none }
        let isArriveBy = latest != nil && !(isSoon && earliest != nil)
        guard let time = isArriveBy ? latest : earliest else { return .impossible(nil) }
        if let earliest, let latest, latest < earliest { return .impossible(nil) }
        switch options(from, to, time, isArriveBy: isArriveBy) {
        case .failure(let failure): return .impossible(failure)
        case .success(let options):
            let fitting = options.first { option in
                earliest.map { option.departure >= $0 } ?? true
                    && latest.map { option.arrival <= $0 } ?? true
            }
            return fitting.map { .trip($0) } ?? .impossible(nil)
        }
    }

    /// When one arrives who leaves at a time; nil where there is no way.
    mutating func arrival(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        after time: Instant
    ) -> Instant? {
        if from.isSame(as: to) { return time }
        return (try? options(from, to, time, isArriveBy: false).get())?.map(\.arrival).min()
    }

    /// When one has to leave to arrive by a time; nil where there is no way.
    mutating func departure(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        by time: Instant
    ) -> Instant? {
        if from.isSame(as: to) { return time }
        return (try? options(from, to, time, isArriveBy: true).get())?.map(\.departure).max()
    }
}

extension DayInput {
    /// A question about a trip of the day that keeps to the rules of its owner.
    ///
    /// - Parameters:
    ///   - from: where it begins.
    ///   - to: where it ends.
    ///   - time: when it begins.
    ///   - modes: the means of travel to choose from.
    ///   - now: the present, before which nobody asks whether it rains.
    /// - Returns: the question.
    func question(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        _ time: Instant,
        _ modes: TripModes,
        now: Instant
    ) -> TripQuestion {
        var question = TripQuestion(from: from, to: to, time: time, modes: modes)
        question.wheelchair = wheelchair
        question.passes = passes
        question.avoided = avoided
        question.avoidsRain = avoidsRain && time >= now
        // Which vehicle is taken depends on how far one walks.
        if modes.kinds.allSatisfy(\.isShared) {
            let limits = [limits.legWalkMetres, limits.dayWalkMetres].compactMap(\.self)
            question.maxWalkMetres = limits.min().map { UInt32(clamping: $0) }
        }
        return question
    }
}

extension TripModes {
    /// One means of these.
    func only(_ kind: TripKind) -> TripModes {
        var modes = TripModes(walk: false, transit: 0).with([kind])
        if kind == .transit { modes.transit = transit }
        return modes
    }
}

extension TripOption {
    /// A trip of which no more is known than its means and times.
    fileprivate static func plain(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        _ kind: TripKind,
        _ span: ClosedRange<Instant>,
        walkMetres: Int32
    ) -> TripOption {
        let metres = UInt32(clamping: walkMetres)
        let step = TripStep(
            kind: kind,
            fromName: from.name,
            toName: to.name,
            departure: span.lowerBound,
            arrival: span.upperBound,
            metres: metres
        )
        return TripOption(
            id: kind.rawValue,
            kind: kind,
            steps: [step],
            departure: span.lowerBound,
            arrival: span.upperBound,
            walkMetres: metres,
            metres: metres,
            transfers: 0
        )
    }
}

extension ResolvedPlace {
    /// Whether one is already there at the other place.
    func isSame(as other: ResolvedPlace) -> Bool {
        if let endpoint, endpoint == other.endpoint { return true }
        guard let coordinate else { return false }
        return coordinate == other.coordinate
    }
}
