import Chronology
import Dispatching
import Geo
import SeededRandom

/// A simulated taxi with its driver.
struct Cab: Sendable {
    /// The position while it is not driving.
    var position: Coordinate
    /// The seats and wheelchair space.
    let capacity: Capacity
    /// The current drive, until its end.
    var drive: Drive?
    /// The number of drives started; events planned for an earlier drive are ignored.
    var drives = 0
    /// The zone according to its position reports.
    var place = Place.unknown
    /// Whether its position reports arrive.
    var isHeard = false
    /// Whether its driver is on shift.
    var isWorking = false
    /// The purpose of the drive, after an acceptance.
    var aim: Aim?

    /// The purpose of a drive with a ride.
    enum Aim: Sendable {
        /// To the pickup point of a request.
        case meetingPoint
        /// To a destination with passengers on board, followed by those of the other parties.
        case destination(next: [Coordinate])
    }

    init(at position: Coordinate, capacity: Capacity) {
        self.position = position
        self.capacity = capacity
    }

    /// Draws a capacity: one taxi in ten has six seats, and one in twenty takes a wheelchair.
    static func drawnCapacity(_ random: inout SeededRandom) -> Capacity {
        let draw = random.unit()
        return Capacity(seats: draw < 0.1 ? 6 : 4, wheelchair: draw >= 0.95)
    }

    /// Returns the position at a given time.
    func position(at moment: Moment) -> Coordinate {
        drive?.place(at: moment) ?? position
    }
}
