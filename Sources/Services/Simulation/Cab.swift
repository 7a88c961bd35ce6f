import Chronology
import Dispatching
import Geo

/// A simulated taxi.
struct Cab: Sendable {
    /// Where it stands, when it does not drive.
    var position: Coordinate
    /// What it can carry.
    let capacity: Capacity
    /// Its drive, until it has arrived.
    var drive: Drive?
    /// How many drives it has begun: what was planned for an earlier one no longer happens.
    var drives = 0
    /// Where its reports say it is.
    var place = Place.unknown
    /// Whether its reports come through.
    var isHeard = false
    /// Whether its driver wants to work.
    var isWorking = false
    /// What he drives for, once he has accepted.
    var aim: Aim?

    /// What a driver drives for.
    enum Aim: Sendable {
        /// To the meeting point of a request.
        case meetingPoint
        /// To a destination, with passengers aboard; the others want to go there next.
        case destination(next: [Coordinate])
    }

    init(at position: Coordinate, capacity: Capacity) {
        self.position = position
        self.capacity = capacity
    }

    /// Where it is at a moment.
    func position(at moment: Moment) -> Coordinate {
        drive?.place(at: moment) ?? position
    }
}
