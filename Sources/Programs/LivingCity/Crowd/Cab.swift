import Chronology
import Dispatching
import Geo
import Positions
import SeededRandom
import Simulation

/// A taxi of the demo: where it is, and what its driver does next.
///
/// A value that reads no clock and has no effects: ``deed(_:at:_:)`` returns what the driver does,
/// and the caller performs it. The decision depends on what the dispatcher reports about the taxi
/// at that moment. Anything that was refused, lost or done by others is therefore noticed a second
/// later, also after a restart.
struct Cab: Sendable {
    /// The number of the taxi.
    let number: TaxiNumber
    /// The account number of the driver.
    let driver: Int64
    /// Whether a visitor decides for this taxi; it then only drives where the ride leads.
    let isVisitors: Bool

    /// Where it stands, or where its current drive began.
    private var standing: Coordinate
    private var drive: Drive?
    private var aim: Aim?
    private var answer: Answer?
    private var boarding: Boarding?
    private var wasOnDuty = false
    private var isGoingHome = false
    private var shiftEnds: Moment
    private var comesBack: Moment
    private var wanders: Moment
    /// The moment before which no failed action is repeated.
    private var notBefore: Moment
    private var endings = 0
    private var nextReport: Moment

    /// Creates a standing taxi, which comes on duty within ``comingSeconds``.
    init(
        _ number: TaxiNumber,
        driver: Int64,
        isVisitors: Bool = false,
        at place: Coordinate,
        now: Moment,
        _ chance: inout SeededRandom
    ) {
        self.number = number
        self.driver = driver
        self.isVisitors = isVisitors
        standing = place
        // Shifts began before the start, so that they do not all end at once.
        shiftEnds = now.adding(minutes: chance.between(5, 240))
        comesBack = now.adding(milliseconds: Int64(chance.between(0, Self.comingSeconds) * 1_000))
        wanders = now.adding(minutes: chance.within(Self.wanderingMinutes))
        notBefore = now
        nextReport = now.adding(milliseconds: Int64(chance.between(0, 5_000)))
    }

    /// The number of seconds after the start within which all taxis come on duty.
    static let comingSeconds = 30.0
    /// The time after which a free driver moves to another place to wait, in minutes.
    static let wanderingMinutes = 0.5...4.0
    /// The duration of a shift, and of the rest after it, in minutes.
    static let shiftMinutes = 120.0...300.0
    static let restMinutes = 15.0...45.0
    /// The time after which a driver who was taken off duty by a rule returns, in minutes.
    static let noticingMinutes = 1.0...5.0
    /// The distance within which a place counts as reached, in metres; the
    /// policy's radius is larger.
    static let nearMetres = 30.0
    /// How many times a driver tries to end a ride before the operator closes it.
    static let endingLimit = 6

    // MARK: Position

    /// The position at a moment.
    func place(at now: Moment) -> Coordinate {
        drive?.place(at: now) ?? standing
    }

    /// Whether the taxi is driving.
    var isDriving: Bool { drive != nil }

    /// Starts a drive that begins at the current position.
    mutating func take(_ way: Drive) {
        drive = way
    }

    /// Starts the drive to the next stop of the ride.
    mutating func head(
        for goal: Coordinate,
        of request: RequestNumber,
        isDestination: Bool,
        along way: Drive
    ) {
        aim = Aim(request: request, isDestination: isDestination, goal: goal)
        drive = way
        endings = 0
    }

    /// The position report of the driver's phone, if one is due.
    ///
    /// - Parameters:
    ///   - policy: the reporting intervals while driving and while standing.
    ///   - now: the current moment.
    /// - Returns: one position; nil until the next report is due.
    mutating func report(_ policy: Policy, at now: Moment) -> PositionBatch? {
        settle(at: now)
        guard now >= nextReport else { return nil }
        nextReport = now.adding(seconds: policy[isDriving ? .movingInterval : .standingInterval])
        let report = PositionReport(at: now, place: place(at: now), accuracyMetres: 5)
        return PositionBatch(taxi: number, sentAt: now, reports: [report])
    }

    private mutating func settle(at now: Moment) {
        guard let way = drive, now >= way.end else { return }
        standing = way.points.last ?? standing
        drive = nil
    }

    private mutating func halt(at now: Moment) {
        standing = place(at: now)
        drive = nil
    }

    // MARK: Decisions of the driver

    /// What the driver does now.
    ///
    /// - Parameters:
    ///   - seen: what the dispatcher reports about the taxi.
    ///   - now: the current moment.
    ///   - chance: the source of random numbers.
    /// - Returns: the action to perform for the driver; nil for none.
    mutating func deed(_ seen: SeenTaxi, at now: Moment, _ chance: inout SeededRandom) -> Deed? {
        settle(at: now)
        if let request = seen.request {
            if let offer = request.offer, offer.taxi == number {
                return asked(request.number, offer, seen.mood, at: now, &chance)
            }
            if let ride = request.ride, ride.taxi == number {
                return riding(request.number, ride, seen, at: now, &chance)
            }
        }
        return free(seen, at: now, &chance)
    }

    private mutating func free(
        _ seen: SeenTaxi,
        at now: Moment,
        _ chance: inout SeededRandom
    ) -> Deed? {
        if aim != nil { halt(at: now) }
        (aim, answer, boarding) = (nil, nil, nil)
        defer { wasOnDuty = seen.isOnDuty }
        if wasOnDuty, !seen.isOnDuty {
            let minutes = isGoingHome ? Self.restMinutes : Self.noticingMinutes
            comesBack = now.adding(minutes: chance.within(minutes))
            isGoingHome = false
        }
        // A taxi that a ride has led out of the city drives back, also a visitor's.
        let isOutside = seen.isReachable && seen.zone == nil
        guard !isDriving else { return nil }
        if isOutside { return afterwards(20, at: now, .wander) }
        if isVisitors { return nil }
        guard seen.isOnDuty else {
            guard now >= comesBack, seen.isReachable else { return nil }
            if shiftEnds <= now {
                shiftEnds = now.adding(minutes: chance.within(Self.shiftMinutes))
            }
            return afterwards(20, at: now, .goOnDuty)
        }
        if now >= shiftEnds {
            isGoingHome = true
            return afterwards(20, at: now, .goOffDuty)
        }
        guard now >= wanders else { return nil }
        wanders = now.adding(minutes: chance.within(Self.wanderingMinutes))
        return .wander
    }

    /// Returns an action that is not repeated before that many seconds have passed.
    private mutating func afterwards(_ seconds: Int64, at now: Moment, _ deed: Deed) -> Deed? {
        guard now >= notBefore else { return nil }
        notBefore = now.adding(seconds: seconds)
        return deed
    }

    private mutating func asked(
        _ request: RequestNumber,
        _ offer: Offer,
        _ mood: Mood,
        at now: Moment,
        _ chance: inout SeededRandom
    ) -> Deed? {
        if isVisitors { return nil }
        if answer?.epoch != offer.epoch {
            halt(at: now)
            answer = Answer(to: offer.epoch, mood, at: now, &chance)
        }
        guard var answer else { return nil }
        defer { self.answer = answer }
        if let shows = answer.shows, now >= shows {
            answer.shows = nil
            return .show(request, epoch: offer.epoch)
        }
        guard let accepts = answer.accepts, now >= answer.at else { return nil }
        answer.accepts = nil
        return accepts
            ? .accept(request, epoch: offer.epoch) : .refuse(request, epoch: offer.epoch)
    }

    private mutating func riding(
        _ request: RequestNumber,
        _ ride: Ride,
        _ seen: SeenTaxi,
        at now: Moment,
        _ chance: inout SeededRandom
    ) -> Deed? {
        answer = nil
        // The visitor decides: here the taxi only does the driving.
        switch ride.stage {
        case .onTheWay:
            guard isAimed(request, false) else {
                return afterwards(3, at: now, .headForMeetingPoint(request))
            }
            approach(at: now)
            return nil
        case .atMeetingPoint:
            approach(at: now)
            if isVisitors { return nil }
            // When the ride passes to another passenger after a no-show, boarding starts over.
            let known = boarding.flatMap { $0.request == request ? $0 : nil }
            let waits = known ?? Boarding(request, seen, at: now, &chance)
            boarding = waits
            guard now >= waits.at else { return nil }
            if waits.comes { return afterwards(10, at: now, .board(request)) }
            // The driver reports the no-show as soon as it is allowed.
            return afterwards(15, at: now, .reportNoShow)
        case .aboard:
            guard isAimed(request, true) else {
                return afterwards(3, at: now, .headForDestination(request))
            }
            guard approach(at: now), !isVisitors, now >= notBefore else { return nil }
            endings += 1
            return afterwards(10, at: now, endings > Self.endingLimit ? .closeRide : .endRide)
        }
    }

    private func isAimed(_ request: RequestNumber, _ isDestination: Bool) -> Bool {
        aim?.request == request && aim?.isDestination == isDestination
    }

    /// Drives the part of the way that is not on streets: into a yard, across a field.
    ///
    /// - Returns: whether the taxi has arrived.
    @discardableResult
    private mutating func approach(at now: Moment) -> Bool {
        guard !isDriving, let goal = aim?.goal else { return false }
        let metres = standing.distanceMetres(to: goal)
        if metres <= Self.nearMetres { return true }
        let milliseconds = Int64(metres / Travel.straightSpeed * 1_000)
        drive = Drive(start: now, milliseconds: milliseconds, points: [standing, goal])
        return false
    }

    // MARK: State

    /// The current destination of a ride.
    private struct Aim: Sendable {
        var request: RequestNumber
        var isDestination: Bool
        var goal: Coordinate
    }

    /// How a driver will answer an offer.
    private struct Answer: Sendable {
        var epoch: Int64
        /// When the driver's phone shows the offer; nil if it will not, or already has.
        var shows: Moment?
        var at: Moment
        /// Whether the driver accepts; nil if they do not answer, or already have.
        var accepts: Bool?

        init(to epoch: Int64, _ mood: Mood, at now: Moment, _ chance: inout SeededRandom) {
            self.epoch = epoch
            let draw = chance.unit()
            let thinks = Int64(chance.within(Habits.thinking) * 1_000)
            at = now.adding(milliseconds: thinks)
            shows = now.adding(milliseconds: Int64(chance.within(Habits.showing)))
            switch mood {
            case .usual:
                if draw >= Habits.ignores { shows = nil }
                accepts = draw >= Habits.refuses ? nil : draw < Habits.accepts
            case .kind: accepts = draw < Habits.refuses
            case .yielding:
                accepts = false
                at = now.adding(milliseconds: thinks / 10)
            }
        }
    }

    /// How a passenger behaves when the taxi is there.
    private struct Boarding: Sendable {
        var request: RequestNumber
        var at: Moment
        var comes: Bool

        init(
            _ request: RequestNumber,
            _ seen: SeenTaxi,
            at now: Moment,
            _ chance: inout SeededRandom
        ) {
            self.request = request
            let seconds = chance.within(Habits.boarding)
            at = now.adding(milliseconds: Int64((seen.mood == .usual ? seconds : 20) * 1_000))
            comes = seen.comes
        }
    }
}

extension Moment {
    /// The moment that many minutes later.
    fileprivate func adding(minutes: Double) -> Moment {
        adding(milliseconds: Int64(minutes * 60_000))
    }
}
