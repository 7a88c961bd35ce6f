package import Chronology

/// A mode that was asked for and is not among the options, and why.
package struct TripMissing: Sendable, Equatable {
    /// The mode without an option.
    package var mode: TripMode
    /// Why it is missing.
    package var reason: Reason

    /// Creates an entry.
    package init(_ mode: TripMode, _ reason: Reason) {
        self.mode = mode
        self.reason = reason
    }

    /// Why a mode is missing.
    package enum Reason: Sendable, Equatable {
        /// It would be used in hours that the question excludes.
        case hours(ModeHours)
        /// It is expected to rain on the way: how likely, from 0 to 1, or how much if the forecast
        /// states no probability.
        case rain(at: Instant, probability: Double?, millimetresPerHour: Double)
        /// The forecast does not say whether it rains on the way.
        case rainUnknown(at: Instant)
        /// It would be wet for longer than the limit, or an unknown time.
        case wet(minutes: Int64?, limit: Int64)
        /// It exceeds the limit on money, or its price is unknown.
        case price(known: Bool)
        /// It exceeds the limit on emissions, or they are unknown.
        case emissions(known: Bool)
        /// It exceeds a limit on its means, or is not known to keep to it.
        case limit(ModeLimit, known: Bool)
        /// The way on foot is longer than permitted, in metres.
        case walk(metres: UInt32, limit: UInt32)
        /// It has more transfers than permitted.
        case transfers(Int, limit: Int)
        /// It takes this many seconds, and another option half of that at most.
        case tooLong(seconds: Int64)
        /// Other options are quicker or simpler.
        case notWorthIt
        /// No journey by this mode connects the two places at that time.
        case noWay
        /// Lines do not run then because of a strike or an alert.
        case disrupted
        /// The timetables do not cover the day.
        case outsideTimetable(first: CivilDate, last: CivilDate)
        /// It is not known to be accessible by wheelchair.
        case notAccessible
        /// No vehicle can be shared.
        case sharing(Sharing)
    }

    /// Why no shared vehicle can be taken.
    package enum Sharing: Sendable, Equatable {
        /// No system with such vehicles is known.
        case noSystem
        /// Nothing has been heard from the system, or not since a moment.
        case silent(system: String, since: Instant?)
        /// The trip begins too late for what is known now to hold.
        case notKnownAhead(minutes: Int64)
        /// The system is closed then.
        case closed(system: String)
        /// No vehicle can be rented within this many metres.
        case noVehicle(metres: Int64)
        /// No vehicle can be returned within this many metres of the destination.
        case noReturn(metres: Int64)
        /// All vehicles must return to where they were rented.
        case roundTripsOnly
        /// The vehicles that are there do not go that far.
        case range
        /// Every way leads through an area in which riding is forbidden.
        case forbiddenArea
    }
}
