/// A partial plan: some tasks are done, and the traveller is somewhere.
///
/// It stands for a function: the least cost of being done at the place at a moment, if all is done
/// in this order and by these means. It is known from ``time`` on, the earliest moment:
///
/// - For ``stretch`` seconds it falls, by the weight of shortening: tasks that had been shortened
///   last longer.
/// - For ``shift`` seconds more it stays: what has been done before is done later, so that the
///   traveller has left the day's origin later and waits less.
/// - Then it rises, by the weight of waiting.
///
/// At the day's origin and destination time is the traveller's own, so there it never rises. The
/// function is convex, and so is what becomes of it by any further task; two numbers are enough
/// because there are only these two reasons to do something later. (Tilk and Irnich, "Dynamic
/// programming for the minimum tour duration problem", 2017, have the second one.)
struct DayLabel {
    /// More seconds than any day has.
    static let forever: Int32 = 1 << 28
    /// The value of ``place``, ``car`` or ``bicycle`` that stands for no place.
    static let nowhere: UInt16 = .max

    /// Which pieces are done.
    var done: UInt64 = 0
    /// Where the traveller is.
    var place: UInt16
    /// Where the car is.
    var car: UInt16
    /// Where the bicycle is.
    var bicycle: UInt16
    /// Set while the traveller is on the way to an own vehicle: how, and to which vehicle.
    var pickUp: PickUp = .none
    /// The earliest moment at which all is done, in seconds of the day.
    var time: Int32
    /// The earliest start of a task without a place, which may take place here: before ``time``
    /// while the traveller does an overlappable task here.
    var free: Int32
    var stretch: Int32 = 0
    var shift: Int32 = 0
    /// Metres walked so far.
    var walk: Int32 = 0
    /// Metres walked to the own vehicle.
    var pickUpWalk: Int32 = 0
    /// When the journey to the own vehicle began at the earliest; 0 elsewhere, and where no task
    /// asks.
    var pickUpDeparture: Int32 = 0
    /// The cost in points if all is done at ``time``.
    var cost: Int64 = 0
    /// A lower bound on the cost of every whole plan that begins like this.
    var key: Int64 = 0
    /// The last step of the partial plan, from which the plan is read backwards.
    var step = DayStep()

    /// A journey to an own vehicle.
    struct PickUp: Equatable {
        /// The number of the mode by which the traveller gets to the vehicle, plus one; 0 for none.
        var by: UInt8
        /// The number of the mode of the vehicle.
        var vehicle: UInt8

        static let none = PickUp(by: 0, vehicle: 0)
    }

    /// What two partial plans must have in common to be compared.
    struct State: Hashable {
        var done: UInt64
        var rest: UInt64
    }

    /// The label's state.
    var state: State {
        let places = UInt64(place) | UInt64(car) << 16 | UInt64(bicycle) << 32
        return State(
            done: done,
            rest: places | UInt64(pickUp.by) << 48 | UInt64(pickUp.vehicle) << 56
        )
    }

    /// Lets time pass before anything else happens.
    mutating func pass(_ seconds: Int32, _ weights: DayProblem.Weights) {
        let stretched = min(seconds, stretch)
        let shifted = min(seconds - stretched, shift)
        let waited = seconds - stretched - shifted
        stretch -= stretched
        if shift < Self.forever { shift -= shifted }
        cost += Int64(waited) * weights.waiting - Int64(stretched) * weights.shortening
        time += seconds
        free += seconds
    }

    /// Allows things to be done later by so many seconds at the most.
    mutating func limit(_ seconds: Int32) {
        stretch = min(stretch, seconds)
        shift = min(shift, seconds - stretch)
    }

    /// The cost at so many seconds after ``time``.
    func cost(after seconds: Int32, _ weights: DayProblem.Weights) -> Int64 {
        let stretched = min(seconds, stretch)
        let waited = max(0, seconds - stretched - shift)
        return cost + Int64(waited) * weights.waiting - Int64(stretched) * weights.shortening
    }

    /// Whether whatever can follow another label of the same state can follow this one, at no
    /// greater cost.
    func dominates(_ other: DayLabel, _ problem: DayProblem) -> Bool {
        let delay = other.time - time
        guard delay >= 0, free <= other.free, pickUpWalk <= other.pickUpWalk,
            pickUpDeparture >= other.pickUpDeparture,
            !problem.limitsDayWalk || walk <= other.walk
        else { return false }
        let weights = problem.weights
        guard cost(after: delay, weights) <= other.cost else { return false }
        guard other.stretch > 0 || other.shift > 0 else { return true }
        // Both functions are straight between these moments, so comparing there is enough.
        let slack = other.stretch + other.shift
        for moment in [other.stretch, slack, stretch - delay, stretch + shift - delay]
        where moment > 0 && moment <= slack {
            let mine = cost(after: delay + moment, weights)
            if mine > other.cost(after: moment, weights) { return false }
        }
        return true
    }
}

/// How a partial plan came about from another: a journey, if any, and a piece of a task, if any.
struct DayStep {
    /// The number of the label before; -1 for the beginning.
    var parent: Int32 = -1
    /// The number of the piece; -1 for a journey to a vehicle or to the day's destination.
    var job: Int16 = -1
    /// How one travelled; nil without a journey.
    var mode: TravelMode?
    /// The earliest departure at which the rest holds.
    var departure: Int32 = 0
    /// The latest departure of the option.
    var lastDeparture: Int32 = 0
    /// How long the journey takes.
    var seconds: Int32 = 0
    /// The metres walked on it.
    var walk: Int32 = 0
    /// How long before the start one must be there.
    var lead: Int32 = 0
    /// The earliest start.
    var start: Int32 = 0
    /// How long the task takes at least.
    var length: Int32 = 0
    /// By how much the task may last longer.
    var ownStretch: Int32 = 0
    /// By how much it may begin later.
    var laterStart: Int32 = 0
    /// What was given up.
    var lapse: PlannedTask.Lapse?
}
