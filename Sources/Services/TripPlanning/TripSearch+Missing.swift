import Chronology
import Journeys
import Transit

extension TripSearch {
    /// What is known about the modes that a question asks for, while it is answered.
    struct Findings {
        /// What was found against the rules.
        var breaches: [TripRules.Breach] = []
        /// Why there is no trip by a shared vehicle.
        var sharing: [TripKind: TripMissing.Reason] = [:]
        /// Whether lines do not run then.
        var isDisrupted = false
        /// The metres on foot of a walk beyond the limit.
        var longWalk: UInt32?

        /// Notes what has been found against the rules, each once.
        mutating func note(_ breaches: [TripRules.Breach]) {
            for breach in breaches where !self.breaches.contains(breach) {
                self.breaches.append(breach)
            }
        }
    }

    /// The options that keep to the limit on rain of their question.
    ///
    /// - Throws: `TripFailure.excluded` if none does.
    static func limited(_ answer: TripAnswer) throws(TripFailure) -> TripAnswer {
        guard let minutes = answer.question.maxWetMinutes else { return answer }
        let limited = TripLimits(wetMinutes: minutes).applied(to: answer)
        guard !limited.options.isEmpty else { throw .excluded(limited.missing) }
        return limited
    }

    /// The modes that were asked for and have no option, in the order of answers.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - options: the options of the answer.
    ///   - candidates: everything that was found and keeps to the rules.
    ///   - findings: what is known about the others.
    ///   - outside: why no timetable covers the day; nil if one does.
    /// - Returns: each mode once.
    static func missing(
        _ question: TripQuestion,
        _ options: [TripOption],
        _ candidates: [TripChoice.Candidate],
        _ findings: Findings,
        outside: TripFailure?
    ) -> [TripMissing] {
        let choice = TripChoice(candidates: candidates, isArriveBy: question.isArriveBy)
        let rented = options.flatMap(\.steps).filter { $0.rental != nil }.map(\.kind)
        let shown = Set(options.map(\.kind) + rented)
        let kinds = question.modes.kinds.filter { !shown.contains($0) }
        var missing = kinds.map { kind -> TripMissing in
            let mode = TripMode.kind(kind)
            if let found = candidates.indices.first(where: { candidates[$0].kind == kind }) {
                let seconds =
                    candidates[found].arrival.seconds - candidates[found].departure.seconds
                let isLong = choice.isTooFar(found)
                return TripMissing(mode, isLong ? .tooLong(seconds: seconds) : .notWorthIt)
            }
            return TripMissing(mode, reason(kind, question, findings, outside))
        }
        // A line of which only some trips are excluded is not missing.
        let used = Set(options.flatMap(\.steps).compactMap(\.ride?.mode))
        for breach in findings.breaches where shown.contains(.transit) {
            guard case .vehicle(let vehicle) = breach.mode, !used.contains(vehicle),
                !missing.contains(where: { $0.mode == breach.mode })
            else { continue }
            missing.append(TripMissing(breach.mode, breach.reason))
        }
        return missing
    }

    /// Why nothing was found by a kind of trip that keeps to the rules.
    private static func reason(
        _ kind: TripKind,
        _ question: TripQuestion,
        _ findings: Findings,
        _ outside: TripFailure?
    ) -> TripMissing.Reason {
        let broken = findings.breaches.first { breach in
            switch breach.mode {
            case .kind(let other): other == kind
            case .vehicle: kind == .transit
            }
        }
        if let broken { return broken.reason }
        if let reason = findings.sharing[kind] { return reason }
        if kind == .walk, let metres = findings.longWalk, let limit = question.maxWalkMetres {
            return .walk(metres: metres, limit: limit)
        }
        if kind == .transit, case .outsideTimetable(let first, let last) = outside {
            return .outsideTimetable(first: first, last: last)
        }
        return kind == .transit && findings.isDisrupted ? .disrupted : .noWay
    }
}
