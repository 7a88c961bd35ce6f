package import Chronology
package import Dispatching
import Geo
package import Positions
import Synchronization
package import Zones

/// Accepts thousands of position reports a second from drivers' phones without waiting
/// for the dispatcher.
///
/// The commands that result from reports wait in a list until ``drain()`` passes them to the
/// dispatcher. They may be lost on the way (a full mailbox, a failed append, a takeover by another
/// server), so that tracker and dispatcher disagree. ``reconcile(with:goals:since:at:)`` then
/// resets the tracker to the dispatcher's state, and the next report repeats what was lost.
package final class PositionIntake: Sendable {
    /// The number of reports that are used of one batch, the newest; a phone that was two hours in
    /// a garage needs no more.
    package static let batchLimit = 512
    /// The number of waiting commands beyond which new ones are dropped; the next comparison makes
    /// the tracker repeat them.
    package static let waitingLimit = 20_000

    fileprivate struct State: Sendable {
        /// The tracker; nil before the city has zones.
        var tracker: PositionTracker?
        var waiting: [Command] = []
        /// A counter of statements about taxis; `lastSaid` has its value for each taxi.
        var mark: UInt64 = 0
        var lastSaid: [TaxiNumber: UInt64] = [:]
        /// The value of the mark when the goal of each taxi was last set.
        var lastWatched: [TaxiNumber: UInt64] = [:]
        var isPaused = false
        var meters: [TaxiNumber: RunningMeter] = [:]
        var drives = DriveTraces()
    }

    /// A running meter with the ride that it measures, because the taxi may begin its next ride
    /// before the old meter is stopped.
    package struct RunningMeter: Sendable {
        /// The request that the ride belongs to.
        package var ride: RequestNumber
        package var meter: Meter
    }

    private let state: Mutex<State>
    private let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// Creates an intake of a city without zones, which accepts no positions.
    package init() {
        state = Mutex(State())
        (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Resets the intake, as after a start of the server; all taxis count as just heard from.
    package func begin(zones: ZoneSet, policy: Policy, taxis: [Taxi], at now: Moment) {
        state.withLock { state in
            var tracker = PositionTracker(zones: zones, policy: policy)
            for taxi in taxis { tracker.follow(taxi, at: now) }
            state = State(tracker: tracker)
        }
    }

    /// Accepts the reports of a phone.
    ///
    /// - Parameters:
    ///   - batch: the reports.
    ///   - now: the time of arrival.
    /// - Returns: the problems of rejected reports, each kind once.
    package func take(_ batch: PositionBatch, at now: Moment) -> Set<PositionFault> {
        var batch = batch
        if batch.reports.count > Self.batchLimit {
            let newest = batch.reports.sorted { $0.at < $1.at }.suffix(Self.batchLimit)
            batch.reports = Array(newest)
        }
        let (faults, rings) = state.withLock { state -> (Set<PositionFault>, Bool) in
            var faults: Set<PositionFault> = []
            var meter = state.meters[batch.taxi]
            let isDriving = state.drives.follows(batch.taxi)
            var driven: [PositionReport] = []
            let commands = state.tracker?.take(batch, at: now) {
                faults.insert($0)
            } used: {
                meter?.meter.pass($0)
                if isDriving { driven.append($0) }
            }
            for report in driven { state.drives.pass(report, of: batch.taxi) }
            guard let commands else { return ([.unknownTaxi], false) }
            if let meter { state.meters[batch.taxi] = meter }
            return (faults, state.wait(commands))
        }
        if rings { bell.yield() }
        return faults
    }

    /// Detects phones that have stopped reporting.
    package func tick(at now: Moment) {
        let rings = state.withLock { $0.wait($0.tracker?.silent(at: now) ?? []) }
        if rings { bell.yield() }
    }

    /// Yields an element whenever commands are waiting; for one subscriber.
    var whenWaiting: AsyncStream<Void> { bells }

    /// Removes and returns the waiting commands in order.
    package func drain() -> [Command] {
        state.withLock { state in
            precondition(
                !state.isPaused || state.waiting.isEmpty,
                "Commands about the old zones wait during a change of the zones."
            )
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// The current mark; later statements have greater ones.
    package var mark: UInt64 { state.withLock { $0.mark } }

    /// Resets the tracker to the dispatcher's state where commands were lost.
    ///
    /// Read the state after giving the dispatcher everything drained, and drain after reading the
    /// mark. Taxis with later statements are skipped until the next comparison: the dispatcher's
    /// state may be older, and the difference would never be reported.
    ///
    /// - Parameters:
    ///   - taxis: all taxis by number.
    ///   - goals: the goals of taxis with a ride.
    ///   - mark: the ``mark`` that was read before.
    ///   - now: the current time.
    package func reconcile(
        with taxis: [Taxi],
        goals: [TaxiNumber: PositionTracker.Goal],
        since mark: UInt64,
        at now: Moment
    ) {
        let rings = state.withLock { state in
            if state.isPaused { return false }
            var reached: [Command] = []
            for taxi in taxis where state.lastSaid[taxi.number, default: 0] <= mark {
                state.tracker?.correct(taxi, at: now)
                let command = state.tracker?.watch(taxi.number, for: goals[taxi.number])
                if let command { reached.append(command) }
            }
            return state.wait(reached)
        }
        if rings { bell.yield() }
    }

    /// Sets the places whose reaching is reported for taxis, or none.
    ///
    /// Read the goals after the mark, so that a goal learned later is not overwritten. A goal that
    /// the taxi has already reached is reported again, which has no effect.
    ///
    /// - Parameters:
    ///   - taxis: the taxis.
    ///   - goals: the goals of those taxis that have one.
    ///   - mark: the ``mark`` that was read before.
    package func watch(
        _ taxis: some Sequence<TaxiNumber>,
        for goals: [TaxiNumber: PositionTracker.Goal],
        since mark: UInt64
    ) {
        let rings = state.withLock { state in
            var reached: [Command] = []
            for taxi in taxis where state.lastWatched[taxi, default: 0] <= mark {
                state.say(of: taxi)
                state.lastWatched[taxi] = state.mark
                if let command = state.tracker?.watch(taxi, for: goals[taxi]) {
                    reached.append(command)
                }
            }
            return state.wait(reached)
        }
        if rings { bell.yield() }
    }

    /// Replaces the policy.
    package func adopt(_ policy: Policy) {
        state.withLock { $0.tracker?.policy = policy }
    }

    // MARK: Meters

    /// Starts the meter of a taxi for a ride, or resumes a stored one; a meter that already runs
    /// for the ride is kept.
    package func start(_ meter: Meter, of taxi: TaxiNumber, on ride: RequestNumber) {
        state.withLock { state in
            if state.meters[taxi]?.ride == ride { return }
            state.meters[taxi] = RunningMeter(ride: ride, meter: meter)
        }
    }

    /// Returns the meter of a ride; nil if it is not running.
    package func meter(of taxi: TaxiNumber, on ride: RequestNumber) -> Meter? {
        state.withLock { state in
            state.meters[taxi].flatMap { $0.ride == ride ? $0.meter : nil }
        }
    }

    /// All running meters.
    var meters: [TaxiNumber: RunningMeter] { state.withLock { $0.meters } }

    /// Assigns a running meter to the request that takes over a ride.
    func handOn(_ former: RequestNumber, to heir: RequestNumber) {
        precondition(former != heir, "A ride passed to the request that it belongs to.")
        state.withLock { state in
            for (taxi, running) in state.meters where running.ride == former {
                state.meters[taxi]?.ride = heir
            }
        }
    }

    /// Removes the meters of rides that are over.
    package func stopMeters(where isOver: (RequestNumber) -> Bool) {
        state.withLock { state in
            state.meters = state.meters.filter { !isOver($0.value.ride) }
        }
    }

    // MARK: Drives

    /// Begins or ends a drive from whose positions the speeds of streets are learned.
    func follow(_ taxi: TaxiNumber, isDriving: Bool) {
        state.withLock { state in
            if isDriving { state.drives.begin(taxi) } else { state.drives.end(taxi) }
        }
    }

    /// Removes the positions of drives that are to be matched with streets (`DriveTraces.take`).
    func takeDrives(_ count: Int, at now: Moment) -> [DriveTrace] {
        state.withLock { $0.drives.take(count, at: now) }
    }

    // MARK: Zones

    /// Returns the place of each taxi in other zones, as far as its position is known.
    package func places(in zones: ZoneSet) -> [Place?] {
        state.withLock { $0.tracker?.places(in: zones) ?? [] }
    }

    /// Suppresses all commands until ``resume(with:)``, because those about the old zones would be
    /// misinterpreted in the new ones.
    package func pause() {
        state.withLock { state in
            state.isPaused = true
            state.waiting = []
        }
    }

    /// Resumes, optionally with new zones; a comparison with the dispatcher must follow.
    package func resume(with zones: ZoneSet?, policy: Policy) {
        state.withLock { state in
            if let zones {
                if state.tracker == nil {
                    state.tracker = PositionTracker(zones: zones, policy: policy)
                } else {
                    _ = state.tracker?.redraw(zones)
                }
            }
            state.isPaused = false
        }
    }

    /// Returns the last position of a taxi and its time; ``TaxiService`` checks permissions.
    func position(of taxi: TaxiNumber) -> (at: Moment, place: Coordinate)? {
        report(of: taxi).map { ($0.at, $0.place) }
    }

    /// Returns the last position report of a taxi.
    func report(of taxi: TaxiNumber) -> PositionReport? {
        state.withLock { $0.tracker?.report(of: taxi) }
    }

    /// The zones in force; nil before the city has any.
    package var zones: ZoneSet? { state.withLock { $0.tracker?.zones } }
}

extension PositionIntake.State {
    /// Records that a statement about a taxi was made.
    fileprivate mutating func say(of taxi: TaxiNumber) {
        mark += 1
        lastSaid[taxi] = mark
    }

    /// Queues commands within the limit; returns whether to wake the subscriber.
    fileprivate mutating func wait(_ commands: [Command]) -> Bool {
        if isPaused || commands.isEmpty { return false }
        for taxi in commands.compactMap(\.reportedTaxi) { say(of: taxi) }
        waiting += commands.prefix(max(0, PositionIntake.waitingLimit - waiting.count))
        precondition(
            waiting.count <= PositionIntake.waitingLimit,
            "More commands wait than the limit allows."
        )
        return true
    }
}

extension Command {
    /// The taxi of a command of a ``PositionTracker``.
    fileprivate var reportedTaxi: TaxiNumber? {
        switch self {
        case .driver(.locate(let taxi, _)), .driver(.loseContact(let taxi)),
            .driver(.regainContact(let taxi, _)), .ride(.reachMeetingPoint(let taxi)),
            .ride(.reachDestination(let taxi)), .ride(.stateArrival(let taxi, _)):
            taxi
        case .city, .driver, .offer, .ride, .passenger, .console: nil
        }
    }
}
