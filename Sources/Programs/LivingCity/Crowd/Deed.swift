import Dispatching

/// What a driver of the demo does: each a thing that a driver does on his pages, or a drive.
enum Deed: Hashable, Sendable {
    /// He becomes available.
    case goOnDuty
    /// He ends his shift.
    case goOffDuty
    /// He drives to another place to wait.
    case wander
    /// His telephone shows an offer.
    case show(RequestNumber, epoch: Int64)
    /// He takes it.
    case accept(RequestNumber, epoch: Int64)
    /// He refuses it.
    case refuse(RequestNumber, epoch: Int64)
    /// He drives to where he is to meet the passenger.
    case headForMeetingPoint(RequestNumber)
    /// He drives to where the passenger wants to go.
    case headForDestination(RequestNumber)
    /// The passenger shows the code and sits down.
    case board(RequestNumber)
    /// He says that nobody came.
    case reportNoShow
    /// He ends the ride.
    case endRide
    /// The operator ends the ride that he cannot end.
    case closeRide
}

/// How a driver takes an offer.
enum Mood: Hashable, Sendable {
    /// As drivers do (``Habits``).
    case usual
    /// The passenger is a visitor, who is not kept waiting by silence.
    case kind
    /// The passenger is a visitor, and a visitor's taxi waits in the same zone: it is left to him.
    case yielding
}

/// What the dispatcher says of a taxi at a moment.
struct SeenTaxi: Sendable {
    /// Whether the toggle stands on available.
    var isOnDuty = false
    /// Whether it is heard.
    var isReachable = false
    /// The zone it is in.
    var zone: ZoneNumber?
    /// What it is asked for, or rides for.
    var request: Request?
    /// How its driver takes what he is asked.
    var mood = Mood.usual
    /// Whether the passenger comes to the taxi.
    var comes = true
}
