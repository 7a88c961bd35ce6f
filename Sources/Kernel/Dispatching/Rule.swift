/// The rule by which a driver was chosen for an offer.
public enum OfferRule: UInt8, Hashable, Sendable, CaseIterable {
    /// The first driver in the queue who may take the request, at once (R47).
    case firstInQueue
    /// The first driver in the queue, for a request that was held (R56, G11).
    case heldRequest
    /// The first driver in the queue, for a reservation that is due (R78).
    case reservation
    /// An operator chose the driver.
    case assigned
    /// The own zone has no driver who may take the request, and this driver's zone is the nearest
    /// that has one; among equally near zones, the driver who has waited longest.
    case neighbour
}

/// Why a driver entered or left a queue (I6).
public enum QueueCause: UInt8, Hashable, Sendable, CaseIterable {
    /// The driver became available.
    case wentOnDuty
    /// The driver became unavailable.
    case wentOffDuty
    /// The driver refused an offer and goes to the tail (R52).
    case refused
    /// The driver did not answer in time and goes to the tail (R51).
    case ignored
    /// The offer could not be delivered; the driver goes to the tail (R53).
    case undeliverable
    /// The offer was withdrawn; the driver returns to the former position.
    case offerWithdrawn
    /// The driver's ride ended (R66).
    case rideEnded
    /// The passenger did not come, or cancelled before boarding (C12).
    case rideLost
    /// The taxi moved to another zone (R23).
    case changedZone
    /// The taxi left the city (R25).
    case leftCity
    /// The taxi entered the city (R27).
    case enteredCity
    /// The taxi stopped reporting (G1).
    case lostContact
    /// The taxi reports again.
    case regainedContact
    /// The zones were redrawn (G5).
    case redrawn
    /// An operator restored the driver's turn.
    case turnRestored
    /// The taxi was removed from the register.
    case removed
    /// The driver is back in the own zone after a ride in another zone came to nothing, and gets
    /// the former position.
    case returned
}

/// Why a driver went off duty.
public enum OffDutyCause: UInt8, Hashable, Sendable, CaseIterable {
    /// The driver went off duty.
    case driver
    /// The driver ignored too many offers in a row (G4).
    case ignoredOffers
    /// The taxi did not report for longer than its turn is kept (G1).
    case outOfContact
    /// The licence expired (R104).
    case licence
    /// An operator took the driver off duty.
    case dispatcher
    /// An operator gave the driver's ride to another taxi.
    case replaced
}

/// Why an accepted taxi is not coming.
///
/// The log stores the kind, not a text, since entries are permanent and read in any language.
public enum GiveBackCause: UInt8, Hashable, Sendable, CaseIterable {
    /// The taxi broke down.
    case breakdown
    /// The taxi had an accident.
    case accident
    /// The road is blocked.
    case road
    /// Another reason of the driver's.
    case other
    /// An operator sends another taxi.
    case dispatcher
}

/// The outcome of an offer that was not accepted; acceptance is an event of its own.
public enum OfferOutcome: UInt8, Hashable, Sendable, CaseIterable {
    /// The driver refused the offer.
    case refused
    /// The driver did not answer in time.
    case ignored
    /// The offer could not be delivered to the driver.
    case undeliverable
    /// The offer was withdrawn, not because of the driver.
    case withdrawn
}

/// How a request ended.
public enum RequestOutcome: UInt8, Hashable, Sendable, CaseIterable {
    /// The passenger was brought to the destination.
    case completed
    /// The queue was empty, and no driver with an open offer could take the request (R55).
    case noTaxi
    /// All drivers who could be asked refused (R54).
    case allRefused
    /// The request was held as often as the policy allows (R56).
    case heldTooLong
    /// The reservation was tried as often as the policy allows (R79).
    case dropped
    /// The passenger cancelled.
    case cancelled
    /// An operator cancelled the request.
    case withdrawn
    /// The passenger did not come (R64).
    case noShow
    /// The service was suspended (R12).
    case suspended
    /// After a redraw its meeting point lies outside all zones (G5).
    case outsideCity
}

/// Why no taxi was sought for a due reservation, or none was found.
public enum PostponeCause: UInt8, Hashable, Sendable, CaseIterable {
    /// No driver took the reservation in this attempt.
    case noTaxi
    /// The passenger has another live request (R68).
    case passengerBusy
    /// The service is suspended; the attempt does not count (R12).
    case suspended
}
