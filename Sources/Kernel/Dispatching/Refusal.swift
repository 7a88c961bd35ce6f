public import Chronology

/// Why the dispatcher does not do what a command asks; nothing has changed.
public enum Refusal: Error, Hashable, Sendable {
    // MARK: The city

    /// The city has not confirmed its data yet (R4).
    case setupIncomplete
    /// The data was confirmed before.
    case setupAlreadyComplete
    /// There are no zones, or no taxis, to confirm.
    case nothingSetUp
    /// The service is suspended, for that reason.
    case suspended(String)
    /// The service is not suspended.
    case notSuspended
    /// Another taxi has that code (R2).
    case codeTaken(String)
    /// A form or a drawing is not complete or not in range; which field.
    case invalid(String)
    /// A dispatcher must say why.
    case reasonMissing

    // MARK: Drivers

    /// There is no such taxi, or no longer.
    case noSuchTaxi
    /// There is no such zone.
    case noSuchZone
    /// The driver is available already (R14).
    case alreadyOnDuty
    /// The driver is unavailable already (R14).
    case alreadyOffDuty
    /// The driver is outside the city (R15, R29).
    case outsideCity
    /// It is not known where the driver is.
    case placeUnknown
    /// The driver is not heard from.
    case outOfContact
    /// The licence no longer holds (R104).
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
    /// Nobody is aboard.
    case nobodyAboard
    /// The passengers are aboard.
    case alreadyAboard
    /// The code must be checked (R59).
    case codeMissing
    /// Too many wrong codes; the dispatcher can help.
    case codeLocked
    /// The policy knows no no-show (C12).
    case noShowDisabled
    /// The driver must wait until then (C12).
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
    /// The passenger has that live request already (R68).
    case liveRequest(RequestNumber)
    /// The destination is missing (C10, R73, R83).
    case destinationMissing
    /// A reservation must be for that moment or later (R75).
    case tooSoon(Moment)
    /// A reservation must be for that moment or earlier (R76).
    case tooFar(Moment)
    /// It can no longer be cancelled (C27, R80).
    case tooLateToCancel
    /// The request is at a stage where this cannot be done.
    case wrongPhase

    // MARK: Sharing

    /// The policy knows no sharing.
    case sharingDisabled
    /// That ride is not shared, or no longer open.
    case notShared
    /// So few seats are left.
    case seatsLeft(UInt8)
    /// The walk is longer than the policy allows, or than the taxi takes (R86).
    case walkTooLong
    /// The detour is longer than the policy allows.
    case detourTooLong
    /// The others would wait longer than the policy allows.
    case waitTooLong
}
