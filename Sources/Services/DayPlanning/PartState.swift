package import Chronology
import TripPlanning

/// What a part of a day is at some moment (V39).
package enum PartState: Sendable, Hashable {
    /// It is still to come.
    case scheduled
    /// It has begun and is not over.
    case inProgress
    /// Its end has passed.
    case over

    /// The state of what lasts some time, such as a journey or one of its legs (A5).
    ///
    /// It is over from its last moment on, and scheduled up to its first one.
    package init(of span: Range<Instant>, at now: Instant) {
        if span.upperBound <= now {
            self = .over
        } else {
            self = now <= span.lowerBound ? .scheduled : .inProgress
        }
    }
}

extension PlannedDay {
    /// The journey that leads to a task; nil if its owner is there already.
    ///
    /// A journey back to the place of a task that is over leads to none.
    package func journey(to task: Int) -> DayJourney? {
        let end = time(of: task).upperBound
        return journeys.first { $0.to == .task(task) && $0.trip.departure < end }
    }

    /// The journey that leads to a task in one of ``spans(of:)``; nil if its owner is there
    /// already.
    package func journey(to task: Int, in span: Range<Instant>) -> DayJourney? {
        guard pieces[task] != nil else { return journey(to: task) }
        let before = spans(of: task).last { $0.upperBound <= span.lowerBound }
        return journeys.last { journey in
            journey.to == .task(task) && journey.trip.arrival <= span.lowerBound
                && before.map { journey.trip.departure >= $0.upperBound } ?? true
        }
    }

    /// The state of a task: it is in progress as soon as the journey to it has begun (A4), unless
    /// something else is done on the way.
    ///
    /// Between two of its pieces it is scheduled again.
    package func state(of task: Int, at now: Instant) -> PartState {
        let states = spans(of: task).map { state(of: task, in: $0, at: now) }
        if states.allSatisfy({ $0 == .over }) { return .over }
        return states.contains(.inProgress) ? .inProgress : .scheduled
    }

    /// The state of a task in one of ``spans(of:)``.
    package func state(of task: Int, in time: Range<Instant>, at now: Instant) -> PartState {
        let departure = journey(to: task, in: time)?.trip.departure ?? time.lowerBound
        let way = min(departure, time.lowerBound)..<time.lowerBound
        let isInterrupted = input.tasks.indices.contains { other in
            other != task && !input.tasks[other].demands.isOverlappable
                && spans(of: other).contains { way.contains($0.lowerBound) }
        }
        let start = isInterrupted ? time.lowerBound : way.lowerBound
        return PartState(of: start..<time.upperBound, at: now)
    }
}

extension DayJourney {
    /// From the departure to the arrival.
    package var span: Range<Instant> { trip.departure..<trip.arrival }
}
