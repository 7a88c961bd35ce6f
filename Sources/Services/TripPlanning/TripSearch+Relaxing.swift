import Chronology
import Journeys
import LiveFeeds
import Transit

/// Answers where no trip keeps to all limits: trips that give up as few of them as possible (V52).
extension TripSearch {
    /// Answers a question.
    ///
    /// If no trip keeps to its limits, and the question says which may be given up
    /// (``TripQuestion/relaxing``), the answer has the trips without as few of them as possible; of
    /// equally few, those that are to be given up first. Each option then says what it exceeds.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - taxi: the taxi service's estimate; nil if there is none.
    ///   - conditions: what live feeds say; by default nothing.
    ///   - check: called between searches.
    /// - Returns: the options that people choose from.
    /// - Throws: ``TripFailure`` if there is no answer, and what `check` throws.
    package mutating func answer(
        _ question: TripQuestion,
        taxi: TaxiEstimate? = nil,
        conditions: TripConditions? = nil,
        check: Check = {}
    ) throws(TripFailure) -> TripAnswer {
        let conditions = conditions ?? TripConditions(LiveWorld(), now: question.time)
        let constraints = question.relaxable
        guard !constraints.isEmpty else {
            return try strictAnswer(question, taxi, conditions, check)
        }
        let failure: TripFailure
        do {
            return try keptAnswer(question, taxi, conditions, check)
        } catch {
            guard error.isOfLimits else { throw error }
            failure = error
        }
        // Where nothing helps, one search tells.
        guard
            let last = try relaxed(question, giving: constraints, taxi, conditions, check)
        else { throw failure }
        for given in TripConstraint.selections(of: constraints).dropLast() {
            if let answer = try relaxed(question, giving: given, taxi, conditions, check) {
                return answer
            }
        }
        return last
    }

    /// The answer with the options that keep to the limits on money and emissions too.
    private mutating func keptAnswer(
        _ question: TripQuestion,
        _ taxi: TaxiEstimate?,
        _ conditions: TripConditions,
        _ check: Check
    ) throws(TripFailure) -> TripAnswer {
        let answer = question.limits.applied(
            to: try strictAnswer(question, taxi, conditions, check)
        )
        guard !answer.options.isEmpty else { throw .excluded(answer.missing) }
        return answer
    }

    /// The answer without some of the limits; nil if there is none.
    private mutating func relaxed(
        _ question: TripQuestion,
        giving given: [TripConstraint],
        _ taxi: TaxiEstimate?,
        _ conditions: TripConditions,
        _ check: Check
    ) throws(TripFailure) -> TripAnswer? {
        try check()
        var answer: TripAnswer
        do {
            answer = try keptAnswer(question.without(given), taxi, conditions, check)
        } catch {
            if error.isOfLimits { return nil }
            throw error
        }
        answer.question = question
        answer.givenUp = given
        let rules = TripRules(question, conditions, planner.city.timetable.zone)
        for index in answer.options.indices {
            answer.options[index].excesses = Self.excesses(
                of: answer.options[index],
                question,
                rules,
                among: given
            )
        }
        return answer
    }

    /// What an option has against the limits that were given up, each once.
    private static func excesses(
        of option: TripOption,
        _ question: TripQuestion,
        _ rules: TripRules,
        among given: [TripConstraint]
    ) -> [TripMissing.Reason] {
        var found: [TripMissing.Reason] = []
        for constraint in given {
            switch constraint {
            case .money:
                let limits = TripLimits(
                    minorUnits: question.limits.minorUnits,
                    currencyCode: question.limits.currencyCode
                )
                found += limits.reasons(against: option)
            case .emissions:
                found += TripLimits(grams: question.limits.grams).reasons(against: option)
            case .modes:
                found += TripLimits(modes: question.limits.modes).reasons(against: option)
            case .wet:
                let minutes = [question.limits.wetMinutes, question.maxWetMinutes]
                    .compactMap(\.self).min()
                found += TripLimits(wetMinutes: minutes).reasons(against: option)
            case .transfers where option.transfers > question.maxTransfers:
                found.append(.transfers(option.transfers, limit: question.maxTransfers))
            case .walk:
                if let limit = question.maxWalkMetres, option.walkMetres > limit {
                    found.append(.walk(metres: option.walkMetres, limit: limit))
                }
            case .transfers, .hours, .dryCycling: break
            }
        }
        for breach in rules.breaches(of: option) where !found.contains(breach.reason) {
            let constraint =
                if case .hours = breach.reason { TripConstraint.hours } else {
                    TripConstraint.dryCycling
                }
            if given.contains(constraint) { found.append(breach.reason) }
        }
        return found
    }
}

extension TripFailure {
    /// Whether trips beyond the limits of the question may exist.
    fileprivate var isOfLimits: Bool {
        switch self {
        case .noWay, .excluded, .tooFar, .disrupted, .outsideTimetable: true
        case .outside, .betweenCities, .busy, .deadline, .cancelled: false
        }
    }
}
