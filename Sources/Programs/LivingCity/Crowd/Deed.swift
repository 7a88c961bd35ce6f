import Dispatching

/// An action of a simulated driver: a drive, or an operation that the driver's pages offer.
enum Deed: Hashable, Sendable {
    /// Goes on duty at the start of a shift.
    case goOnDuty
    /// Ends the shift and goes off duty.
    case goOffDuty
    /// Drives to another place to wait.
    case wander
    /// Confirms that the phone shows an offer.
    case show(RequestNumber, epoch: Int64)
    /// Accepts the open offer.
    case accept(RequestNumber, epoch: Int64)
    /// Refuses the open offer.
    case refuse(RequestNumber, epoch: Int64)
    /// Drives to the meeting point.
    case headForMeetingPoint(RequestNumber)
    /// Drives to the passenger's destination.
    case headForDestination(RequestNumber)
    /// Lets the passenger board, who shows the code.
    case board(RequestNumber)
    /// Reports that no passenger came.
    case reportNoShow
    /// Ends the ride at its destination.
    case endRide
    /// The operator ends a ride that the driver cannot end.
    case closeRide
}

/// How a driver answers an offer.
enum Mood: Hashable, Sendable {
    /// Answers at random, as described by ``Habits``.
    case usual
    /// The passenger is a visitor: the driver always answers, so that the visitor
    /// gets a taxi.
    case kind
    /// The passenger is a visitor and a visitor's taxi is free: the driver refuses in favour of
    /// that taxi.
    case yielding
}

/// What the dispatcher reports about a taxi at a moment.
struct SeenTaxi: Sendable {
    /// Whether the driver has switched to available.
    var isOnDuty = false
    /// Whether the taxi is reporting.
    var isReachable = false
    /// The zone that the taxi is in; nil outside all zones.
    var zone: ZoneNumber?
    /// The request that the taxi is offered or carries out.
    var request: Request?
    /// How the driver answers offers.
    var mood = Mood.usual
    /// Whether the passenger comes to the taxi.
    var comes = true
}
