public import Chronology

/// Why the dispatcher refuses a command; the state is unchanged.
public enum Refusal: Error, Hashable, Sendable {
    // MARK: The city

    /// The city has not confirmed its data yet (R4).
    case setupIncomplete
    /// The city's data is already confirmed.
    case setupAlreadyComplete
    /// There are no zones, or no taxis, to confirm.
    case nothingSetUp
    /// The service is suspended for the given reason.
    case suspended(String)
    /// The service is not suspended.
    case notSuspended
    /// Another taxi has that code (R2).
    case codeTaken(String)
    /// A field of a form or a drawing is missing or out of range; the value names the field.
    case invalid(String)
    /// The operator must give a reason.
    case reasonMissing

    // MARK: Drivers

    /// There is no such taxi, or it was removed.
    case noSuchTaxi
    /// There is no such zone.
    case noSuchZone
    /// The driver is available already (R14).
    case alreadyOnDuty
    /// The driver is unavailable already (R14).
    case alreadyOffDuty
    /// The driver is outside the city (R15, R29).
    case outsideCity
    /// The position of the driver's taxi is unknown.
    case placeUnknown
    /// The taxi is not reporting.
    case outOfContact
    /// The licence has expired (R104).
    case licenceExpired
    /// The driver has a ride (R16).
    case riding
    /// The driver has no ride.
    case notRiding
    /// The driver is in no queue.
    case notQueued

    // MARK: Offers and rides

    /// The offer is no longer open: answered, too late, or withdrawn (I11).
    case offerGone
    /// The meeting point was not reached (R64, R65).
    case meetingPointNotReached
    /// The destination was not reached (R65).
    case destinationNotReached
    /// No passenger has boarded.
    case nobodyAboard
    /// The passengers have already boarded.
    case alreadyAboard
    /// The boarding code must be checked (R59).
    case codeMissing
    /// Too many wrong codes were entered; an operator can help.
    case codeLocked
    /// The policy does not allow reporting a no-show (C12).
    case noShowDisabled
    /// The driver must wait until the given moment (C12).
    case waitUntil(Moment)
    /// The taxi cannot carry what the request needs.
    case tooSmall

    // MARK: Requests

    /// There is no such request, or it has ended.
    case noSuchRequest
    /// People without an account cannot do this (C2, R72).
    case guestsNotAllowed
    /// The meeting point lies outside all zones (R41).
    case originOutsideCity
    /// The passenger already has the given live request (R68).
    case liveRequest(RequestNumber)
    /// A destination is required (C10, R73, R83).
    case destinationMissing
    /// A reservation must be for the given moment or later (R75).
    case tooSoon(Moment)
    /// A reservation must be for the given moment or earlier (R76).
    case tooFar(Moment)
    /// It can no longer be cancelled (C27, R80).
    case tooLateToCancel
    /// The request is in a phase in which this is not possible.
    case wrongPhase
    /// The policy does not allow new reservations (R109).
    case reservationsDisabled

    // MARK: Sharing

    /// The policy does not allow shared rides.
    case sharingDisabled
    /// The ride is not shared, or no longer open to join.
    case notShared
    /// Only the given number of seats is left.
    case seatsLeft(UInt8)
    /// The walk is longer than the policy allows, or takes longer than the taxi's arrival (R86).
    case walkTooLong
    /// The detour is longer than the policy allows.
    case detourTooLong
    /// The other passengers would wait longer than the policy allows.
    case waitTooLong
}
