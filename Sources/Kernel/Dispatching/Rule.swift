/// By which rule a driver was asked.
public enum OfferRule: UInt8, Hashable, Sendable, CaseIterable {
    /// The first of the queue who may take it, at once (R47).
    case firstInQueue
    /// The same for a request that had been held (R56, G11).
    case heldRequest
    /// The same for a reservation that is due (R78).
    case reservation
    /// A dispatcher chose the driver.
    case assigned
}

/// Why a driver came into a queue, or left one (I6).
public enum QueueCause: UInt8, Hashable, Sendable, CaseIterable {
    /// He became available.
    case wentOnDuty
    /// He became unavailable.
    case wentOffDuty
    /// He refused: to the tail (R52).
    case refused
    /// He did not answer in time: to the tail (R51).
    case ignored
    /// He could not be reached with the offer: to the tail (R53).
    case undeliverable
    /// The question was withdrawn: back to where he was.
    case offerWithdrawn
    /// His ride ended (R66).
    case rideEnded
    /// His passenger did not come, or cancelled before boarding (C12).
    case rideLost
    /// He drove into another zone (R23).
    case changedZone
    /// He left the city (R25).
    case leftCity
    /// He came into the city (R27).
    case enteredCity
    /// He was not heard from (G1).
    case lostContact
    /// He was heard from again.
    case regainedContact
    /// The zones were redrawn (G5).
    case redrawn
    /// A dispatcher gave him his turn back.
    case turnRestored
    /// He was taken from the register.
    case removed
}

/// Why a driver went off duty.
public enum OffDutyCause: UInt8, Hashable, Sendable, CaseIterable {
    /// He wished it.
    case driver
    /// He ignored too many offers in a row (G4).
    case ignoredOffers
    /// He was not heard from for longer than his turn is kept (G1).
    case outOfContact
    /// His licence no longer holds (R104).
    case licence
    /// A dispatcher took him off.
    case dispatcher
    /// A dispatcher gave his ride to another.
    case replaced
}

/// Why a taxi that was found does not come; named by kind, since what is in the log stays for good
/// and is read in any language.
public enum GiveBackCause: UInt8, Hashable, Sendable, CaseIterable {
    /// It has broken down.
    case breakdown
    /// It had an accident.
    case accident
    /// There is no way through.
    case road
    /// Something else that keeps its driver.
    case other
    /// A dispatcher sends another.
    case dispatcher
}

/// What came of a question to a driver; accepting is an event of its own.
public enum OfferOutcome: UInt8, Hashable, Sendable, CaseIterable {
    /// He refused.
    case refused
    /// He did not answer in time.
    case ignored
    /// It could not be brought to him.
    case undeliverable
    /// It was taken back, through no doing of his.
    case withdrawn
}

/// How a request ended.
public enum RequestOutcome: UInt8, Hashable, Sendable, CaseIterable {
    /// The passenger was driven.
    case completed
    /// The queue was empty, and nobody was about to come free (R55).
    case noTaxi
    /// All who could be asked refused (R54).
    case allRefused
    /// It was held as often as the policy allows (R56).
    case heldTooLong
    /// A reservation was tried as often as the policy allows (R79).
    case dropped
    /// The passenger cancelled.
    case cancelled
    /// A dispatcher cancelled it.
    case withdrawn
    /// The passenger did not come (R64).
    case noShow
    /// The service was suspended (R12).
    case suspended
    /// After a redraw its meeting point lies outside all zones (G5).
    case outsideCity
}

/// Why a due reservation did not look for a taxi.
public enum PostponeCause: UInt8, Hashable, Sendable, CaseIterable {
    /// No driver took it in this try.
    case noTaxi
    /// The passenger has another live request (R68).
    case passengerBusy
    /// The service is suspended; the try does not count (R12).
    case suspended
}
