import Chronology
import Dispatching
import Geo
import Positions
import SeededRandom
import Simulation

/// A taxi of the demo: where it is, and what its driver does next.
///
/// A value that knows no clock and does nothing: ``deed(_:at:_:)`` says what the driver does, and
/// whoever asked does it. It goes by what the dispatcher says of the taxi at that moment, so that
/// whatever was refused, lost or done by others is only seen a second later: after a restart too.
struct Cab: Sendable {
    /// Its number.
    let number: TaxiNumber
    /// The number of its driver.
    let driver: Int64
    /// Whether a visitor decides for it: then it only drives where his ride leads.
    let isVisitors: Bool

    /// Where it stands, or began its drive.
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
    /// Before then nothing is tried again that was tried.
    private var notBefore: Moment
    private var endings = 0
    private var nextReport: Moment

    /// A taxi that stands somewhere; it comes on duty within ``comingSeconds``.
    init(
        _ number: TaxiNumber,
        driver: Int64,
        isVisitors: Bool = false,
        at place: Coordinate,
        now: Moment,
        _ chance: inout SplitMix
    ) {
        self.number = number
        self.driver = driver
        self.isVisitors = isVisitors
        standing = place
        // Shifts have begun before, so that they do not all end at once.
        shiftEnds = now.adding(minutes: chance.between(5, 240))
        comesBack = now.adding(milliseconds: Int64(chance.between(0, Self.comingSeconds) * 1_000))
        wanders = now.adding(minutes: chance.within(Self.wanderingMinutes))
        notBefore = now
        nextReport = now.adding(milliseconds: Int64(chance.between(0, 5_000)))
    }

    /// Within how many seconds of the start all have come on duty.
    static let comingSeconds = 30.0
    /// After how many minutes a free driver looks for another place to wait.
    static let wanderingMinutes = 0.5...4.0
    /// How long a shift lasts and a rest after it, in minutes.
    static let shiftMinutes = 120.0...300.0
    static let restMinutes = 15.0...45.0
    /// After how many minutes a driver comes back whom a rule took off duty.
    static let noticingMinutes = 1.0...5.0
    /// How near to a place is there, in metres; the policy's radius is larger.
    static let nearMetres = 30.0
    /// How often a driver tries to end a ride before the operator closes it.
    static let endingLimit = 6

    // MARK: Where it is

    /// Where it is at a moment.
    func place(at now: Moment) -> Coordinate {
        drive?.place(at: now) ?? standing
    }

    /// Whether it drives.
    var isDriving: Bool { drive != nil }

    /// Takes a way that begins where it is.
    mutating func take(_ way: Drive) {
        drive = way
    }

    /// Takes the way to where its ride leads.
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

    /// What its telephone reports, where the time has come.
    ///
    /// - Parameters:
    ///   - policy: how often it reports while it drives and while it stands.
    ///   - now: the moment.
    /// - Returns: one position; nil until the next is due.
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

    // MARK: What its driver does

    /// What its driver does now.
    ///
    /// - Parameters:
    ///   - seen: what the dispatcher says of the taxi.
    ///   - now: the moment.
    ///   - chance: what he draws from.
    /// - Returns: what is to be done for him; nil for nothing.
    mutating func deed(_ seen: SeenTaxi, at now: Moment, _ chance: inout SplitMix) -> Deed? {
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
        _ chance: inout SplitMix
    ) -> Deed? {
        if aim != nil { halt(at: now) }
        (aim, answer, boarding) = (nil, nil, nil)
        defer { wasOnDuty = seen.isOnDuty }
        if wasOnDuty, !seen.isOnDuty {
            let minutes = isGoingHome ? Self.restMinutes : Self.noticingMinutes
            comesBack = now.adding(minutes: chance.within(minutes))
            isGoingHome = false
        }
        // Whom a ride has led out of the city comes back, a visitor too.
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

    /// A deed that is not tried again before so many seconds have passed.
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
        _ chance: inout SplitMix
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
        _ chance: inout SplitMix
    ) -> Deed? {
        answer = nil
        // A visitor's word counts: of what comes next the taxi does the driving only.
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
            // Who rides on after somebody was left behind is another passenger.
            let known = boarding.flatMap { $0.request == request ? $0 : nil }
            let waits = known ?? Boarding(request, seen, at: now, &chance)
            boarding = waits
            guard now >= waits.at else { return nil }
            if waits.comes { return afterwards(10, at: now, .board(request)) }
            // He drops the passenger as soon as he may.
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

    /// Drives what the streets leave of the way: into a yard, over a field.
    ///
    /// - Returns: whether it is there.
    @discardableResult
    private mutating func approach(at now: Moment) -> Bool {
        guard !isDriving, let goal = aim?.goal else { return false }
        let metres = standing.distanceMetres(to: goal)
        if metres <= Self.nearMetres { return true }
        let milliseconds = Int64(metres / Travel.straightSpeed * 1_000)
        drive = Drive(start: now, milliseconds: milliseconds, points: [standing, goal])
        return false
    }

    // MARK: What it keeps in mind

    /// Where a ride leads.
    private struct Aim: Sendable {
        var request: RequestNumber
        var isDestination: Bool
        var goal: Coordinate
    }

    /// What a driver will say to an offer.
    private struct Answer: Sendable {
        var epoch: Int64
        /// When his telephone shows it; nil where it does not, or has.
        var shows: Moment?
        var at: Moment
        /// Whether he takes it; nil where he says nothing, or has.
        var accepts: Bool?

        init(to epoch: Int64, _ mood: Mood, at now: Moment, _ chance: inout SplitMix) {
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

    /// What a passenger does when the taxi is there.
    private struct Boarding: Sendable {
        var request: RequestNumber
        var at: Moment
        var comes: Bool

        init(
            _ request: RequestNumber,
            _ seen: SeenTaxi,
            at now: Moment,
            _ chance: inout SplitMix
        ) {
            self.request = request
            let seconds = chance.within(Habits.boarding)
            at = now.adding(milliseconds: Int64((seen.mood == .usual ? seconds : 20) * 1_000))
            comes = seen.comes
        }
    }
}

extension Moment {
    /// The moment so many minutes later.
    fileprivate func adding(minutes: Double) -> Moment {
        adding(milliseconds: Int64(minutes * 60_000))
    }
}
