package import Chronology
package import Dispatching

/// A change of a taxi's state, in the terms of the Mobility Data Specification 2.0 (passenger
/// services).
package struct VehicleEvent: Hashable, Sendable {
    /// What the taxi does after the event.
    package enum State: String, CaseIterable, Hashable, Sendable {
        case available
        case nonOperational = "non_operational"
        /// A driver has accepted a request.
        case reserved
        /// The taxi waits for its passengers.
        case stopped
        case onTrip = "on_trip"
        /// Outside all zones with passengers.
        case elsewhere
        /// The taxi does not report.
        case nonContactable = "non_contactable"
        /// The city has taken the taxi from its register.
        case removed
    }

    /// What happened, by the names of MDS (`event_types`).
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case serviceStart = "service_start"
        case serviceEnd = "service_end"
        case reservationStart = "reservation_start"
        case reservationStop = "reservation_stop"
        case tripStart = "trip_start"
        case tripEnd = "trip_end"
        case tripLeaveJurisdiction = "trip_leave_jurisdiction"
        case tripEnterJurisdiction = "trip_enter_jurisdiction"
        case driverCancellation = "driver_cancellation"
        case passengerCancellation = "passenger_cancellation"
        case providerCancellation = "provider_cancellation"
        case commsLost = "comms_lost"
        case commsRestored = "comms_restored"
        case decommissioned
    }

    /// The taxi to which it happened.
    package var taxi: TaxiNumber
    /// When it happened.
    package var at: Moment
    /// What happened to the taxi.
    package var kind: Kind
    /// What the taxi does from then on.
    package var state: State
    /// The requests of the ride that it is about; empty for none.
    package var rides: [RequestNumber] = []
    /// The zone in which the taxi was; nil outside all zones, and where it is not known.
    package var zone: ZoneNumber?
}

/// A completed ride of a passenger, without places: zones are as exact as it gets.
package struct VehicleTrip: Hashable, Sendable {
    /// The passenger's request.
    package var request: RequestNumber
    /// The request of the ride's owner, which those who share the taxi have in common.
    package var ride: RequestNumber
    /// Whether several parties shared the taxi.
    package var isShared: Bool
    /// The code under which the log knows the taxi.
    package var taxiCode: String
    /// The zone in which the request was made.
    package var startZone: ZoneNumber?
    /// The zone of the destination; nil outside all zones, and where none is known any more.
    package var endZone: ZoneNumber?
    /// When the passenger asked for the taxi.
    package var asked: Moment
    /// The reserved time; nil if the taxi was called.
    package var due: Moment?
    /// When the driver accepted.
    package var accepted: Moment
    /// When the taxi was expected.
    package var promised: Moment
    /// When the passengers boarded.
    package var boarded: Moment
    /// When the ride ended.
    package var ended: Moment
    /// How many people the driver counted.
    package var aboard: Int64
    /// The distance with passengers on board; nil if it was not measured.
    package var metres: Int64?
    /// What the passenger paid, in minor units; nil if no tariff was in force.
    package var paid: Int64?
    /// The code of its currency.
    package var currency: String?
}
