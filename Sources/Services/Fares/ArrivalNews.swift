package import Chronology

/// Decides when to tell a passenger an updated arrival time (C8, R58, R62).
///
/// The rule is a pure function of the last announcement and the current estimate. Arrival times are
/// compared as instants, so that a taxi that keeps its time causes no announcement as minutes pass.
package struct ArrivalNews: Hashable, Sendable {
    /// The longest interval between announcements, in seconds; 0 for a single one at acceptance.
    package var refreshSeconds: Int64
    /// The change of the arrival time in seconds above which it is announced at once.
    package static let pushSeconds: Int64 = 60

    /// Creates the rule from a policy's `eta.refresh_s`.
    package init(refreshSeconds: Int64) {
        self.refreshSeconds = max(0, refreshSeconds)
    }

    /// The progress of the taxi.
    package enum Stage: Hashable, Sendable {
        /// The taxi is on the way to the pickup point.
        case onTheWay
        /// The taxi is there, the passenger is on board, or the ride is over.
        case arrived
    }

    /// The last announcement to a passenger.
    package struct Told: Hashable, Sendable {
        /// When it was made.
        package var at: Moment
        /// The announced arrival time; nil for "unknown".
        package var arrival: Moment?

        /// Creates an announcement.
        package init(at: Moment, arrival: Moment?) {
            self.at = at
            self.arrival = arrival
        }
    }

    /// The action to take.
    package enum Decision: Hashable, Sendable {
        /// Keep the last announcement.
        case keep
        /// Announce this arrival time, or "unknown" if nil.
        case tell(Moment?)
        /// Remove the announcement from the page.
        case hide
    }

    /// Decides whether to announce an arrival time.
    ///
    /// - Parameters:
    ///   - arrival: the estimated arrival time; nil if unknown.
    ///   - stage: the progress of the taxi.
    ///   - last: the last announcement; nil if none is displayed.
    ///   - now: the current time.
    /// - Returns: the action; an announcement becomes `last` of the next call.
    package func decision(
        _ arrival: Moment?,
        _ stage: Stage,
        after last: Told?,
        now: Moment
    ) -> Decision {
        guard stage == .onTheWay else { return last == nil ? .keep : .hide }
        guard let last else { return .tell(arrival) }
        // A time that was unknown is announced once known, even under the single-announcement rule.
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

    /// Whether the interval has passed, or the clock was set back since.
    private func isDue(_ last: Told, _ now: Moment) -> Bool {
        now < last.at || now >= last.at.adding(seconds: refreshSeconds)
    }
}
