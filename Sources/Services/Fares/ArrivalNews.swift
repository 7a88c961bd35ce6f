package import Chronology

/// When a passenger must be told anew when the taxi comes (C8, R58, R62).
///
/// The rule is a pure function of what was told last and what is known now. Times of arrival are
/// compared as moments, so that a taxi that keeps its time is not news as the minutes pass.
package struct ArrivalNews: Hashable, Sendable {
    /// How often it is told at least, in seconds; 0 where it is told once, at acceptance.
    package var refreshSeconds: Int64
    /// The change of the arrival, in seconds, beyond which it is told at once.
    package static let pushSeconds: Int64 = 60

    /// The rule of a policy's `eta.refresh_s`.
    package init(refreshSeconds: Int64) {
        self.refreshSeconds = max(0, refreshSeconds)
    }

    /// How far the taxi is with the ride.
    package enum Stage: Hashable, Sendable {
        /// It is coming to the meeting point.
        case onTheWay
        /// It is there, or the passenger is aboard, or the ride is over.
        case arrived
    }

    /// What a passenger was told last.
    package struct Told: Hashable, Sendable {
        /// When it was told.
        package var at: Moment
        /// The arrival that was told; nil for "unknown".
        package var arrival: Moment?

        /// Told then, that arrival.
        package init(at: Moment, arrival: Moment?) {
            self.at = at
            self.arrival = arrival
        }
    }

    /// What to do.
    package enum Decision: Hashable, Sendable {
        /// What was told stands.
        case keep
        /// Tell this arrival, or "unknown" where nil.
        case tell(Moment?)
        /// Take what was told off the screen.
        case hide
    }

    /// Whether the passenger must be told.
    ///
    /// - Parameters:
    ///   - arrival: when the taxi comes, as far as is known; nil where it is not.
    ///   - stage: how far the taxi is.
    ///   - last: what was told last; nil where nothing stands on the screen.
    ///   - now: the current time.
    /// - Returns: what to do; what is told becomes the next call's `last`.
    package func decision(
        _ arrival: Moment?,
        _ stage: Stage,
        after last: Told?,
        now: Moment
    ) -> Decision {
        guard stage == .onTheWay else { return last == nil ? .keep : .hide }
        guard let last else { return .tell(arrival) }
        // What was never known is told as soon as it is, also by the rule of once.
        guard let told = last.arrival else {
            return arrival == nil ? .keep : .tell(arrival)
        }
        guard refreshSeconds > 0 else { return .keep }
        if let arrival, Self.isFar(arrival, from: told) { return .tell(arrival) }
        return isDue(last, now) ? .tell(arrival) : .keep
    }

    private static func isFar(_ one: Moment, from other: Moment) -> Bool {
        let change = one.milliseconds.subtractingReportingOverflow(other.milliseconds)
        return change.overflow || change.partialValue.magnitude > UInt64(pushSeconds) * 1_000
    }

    /// Whether the time has come; also where the clock was set back since.
    private func isDue(_ last: Told, _ now: Moment) -> Bool {
        now < last.at || now >= last.at.adding(seconds: refreshSeconds)
    }
}
