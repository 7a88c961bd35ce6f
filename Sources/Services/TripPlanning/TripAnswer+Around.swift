import Chronology

extension TripAnswer {
    /// The question for journeys before those of this answer: to arrive before the first of them;
    /// nil for an answer without public transport, whose options begin at any time.
    package var earlier: TripQuestion? {
        journeys.map(\.arrival).min().map { first in
            question.moved(to: first.adding(seconds: -60).wholeMinute, isArriveBy: true)
        }
    }

    /// The question for journeys after those of this answer: to leave after the last of them; nil
    /// for an answer without public transport.
    package var later: TripQuestion? {
        journeys.map(\.departure).max().map { last in
            question.moved(to: last.adding(seconds: 60).wholeMinute, isArriveBy: false)
        }
    }

    private var journeys: [TripOption] { options.filter { $0.kind == .transit } }
}

extension TripQuestion {
    fileprivate func moved(to time: Instant, isArriveBy: Bool) -> TripQuestion {
        var question = self
        question.time = time
        question.isArriveBy = isArriveBy
        return question
    }
}

extension Instant {
    /// The beginning of the minute, as pages and their addresses show times.
    fileprivate var wholeMinute: Instant {
        let rest = seconds % 60
        return adding(seconds: rest < 0 ? -rest - 60 : -rest)
    }
}
