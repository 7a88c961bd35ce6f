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
    /// Whether he is on his way to the meeting point or to the destination.
    var aim: (request: RequestNumber, isAboard: Bool)?

    init(at position: Coordinate, capacity: Capacity) {
        self.position = position
        self.capacity = capacity
    }

    /// Where it is at a moment.
    func position(at moment: Moment) -> Coordinate {
        drive?.place(at: moment) ?? position
    }
}
