package import Chronology
package import Dispatching
import Geo
package import Positions
import Synchronization
package import Zones

/// Takes the reports of drivers' phones, thousands a second, without waiting for the dispatcher.
///
/// What reports mean waits in a list until ``drain()`` carries it to the dispatcher. It may be
/// lost on the way (a full mailbox, a failed append, another server taking over): then what the
/// tracker believes and what the dispatcher knows differ, and ``reconcile(with:goals:since:at:)``
/// puts the dispatcher's word back, so that the next report says again what was lost.
package final class PositionIntake: Sendable {
    /// How many reports of one batch are looked at: the newest; a phone that was two hours in a
    /// garage needs no more.
    package static let batchLimit = 512
    /// How many commands wait for the dispatcher before the newest are dropped, to be said again
    /// after the next comparison.
    package static let waitingLimit = 20_000

    fileprivate struct State: Sendable {
        /// None before the city has zones.
        var tracker: PositionTracker?
        var waiting: [Command] = []
        /// Grows with all that is said of a taxi, and what it was at the last time of each.
        var mark: UInt64 = 0
        var lastSaid: [TaxiNumber: UInt64] = [:]
        /// What the mark was when the goal of each was last set.
        var lastWatched: [TaxiNumber: UInt64] = [:]
        var isPaused = false
        var meters: [TaxiNumber: RunningMeter] = [:]
    }

    /// A meter, and the ride that it measures: the taxi may have the next one aboard before
    /// whoever stops the meter has come so far.
    package struct RunningMeter: Sendable {
        /// The request whose ride it is.
        package var ride: RequestNumber
        /// The meter.
        package var meter: Meter
    }

    private let state: Mutex<State>
    private let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// An intake of a city without zones, in which nothing can be said of positions.
    package init() {
        state = Mutex(State())
        (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Begins anew, as after a start of the server: everybody counts as just heard.
    package func begin(zones: ZoneSet, policy: Policy, taxis: [Taxi], at now: Moment) {
        state.withLock { state in
            var tracker = PositionTracker(zones: zones, policy: policy)
            for taxi in taxis { tracker.follow(taxi, at: now) }
            state = State(tracker: tracker)
        }
    }

    /// Takes what a phone sent.
    ///
    /// - Parameters:
    ///   - batch: the reports.
    ///   - now: when they arrived.
    /// - Returns: what was wrong with reports that were not used, each fault once.
    package func take(_ batch: PositionBatch, at now: Moment) -> Set<PositionFault> {
        var batch = batch
        if batch.reports.count > Self.batchLimit {
            let newest = batch.reports.sorted { $0.at < $1.at }.suffix(Self.batchLimit)
            batch.reports = Array(newest)
        }
        let (faults, rings) = state.withLock { state -> (Set<PositionFault>, Bool) in
            var faults: Set<PositionFault> = []
            var meter = state.meters[batch.taxi]
            let commands = state.tracker?.take(batch, at: now) {
                faults.insert($0)
            } used: {
                meter?.meter.pass($0)
            }
            guard let commands else { return ([.unknownTaxi], false) }
            if let meter { state.meters[batch.taxi] = meter }
            return (faults, state.wait(commands))
        }
        if rings { bell.yield() }
        return faults
    }

    /// Notices phones that have fallen silent.
    package func tick(at now: Moment) {
        let rings = state.withLock { $0.wait($0.tracker?.silent(at: now) ?? []) }
        if rings { bell.yield() }
    }

    /// An element whenever there is something to drain; for one listener.
    var whenWaiting: AsyncStream<Void> { bells }

    /// What the dispatcher must be told, in order.
    package func drain() -> [Command] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// What is said from now on is said after this mark.
    package var mark: UInt64 { state.withLock { $0.mark } }

    /// Puts the dispatcher's word in the place of what it was never told.
    ///
    /// The state must have been read after everything drained was given, and that after the mark
    /// was taken. Taxis of which something was said since then are left to the next time: what the
    /// dispatcher knows of them may be older, and nobody would ever tell it the rest.
    ///
    /// - Parameters:
    ///   - taxis: all taxis, by number.
    ///   - goals: where those with a ride are going.
    ///   - mark: the ``mark`` before.
    ///   - now: the moment.
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

    /// Sets the places whose reaching matters for taxis, or none.
    ///
    /// Whoever sets one that was learned later is not put back: the goals must have been read after
    /// the mark was taken. One that the taxi has reached meanwhile is said to be reached again,
    /// which changes nothing.
    ///
    /// - Parameters:
    ///   - taxis: the taxis.
    ///   - goals: where those are going that are going somewhere.
    ///   - mark: the ``mark`` before.
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

    /// Goes by another policy from now on.
    package func adopt(_ policy: Policy) {
        state.withLock { $0.tracker?.policy = policy }
    }

    // MARK: Meters

    /// Starts a taxi's meter for a ride, or goes on with one that was kept; where that ride's runs
    /// already, it goes on.
    package func start(_ meter: Meter, of taxi: TaxiNumber, on ride: RequestNumber) {
        state.withLock { state in
            if state.meters[taxi]?.ride == ride { return }
            state.meters[taxi] = RunningMeter(ride: ride, meter: meter)
        }
    }

    /// The meter of a ride; nil where it does not run.
    package func meter(of taxi: TaxiNumber, on ride: RequestNumber) -> Meter? {
        state.withLock { state in
            state.meters[taxi].flatMap { $0.ride == ride ? $0.meter : nil }
        }
    }

    /// All running meters.
    var meters: [TaxiNumber: RunningMeter] { state.withLock { $0.meters } }

    /// The ride of a taxi goes on under another request's number.
    func handOn(_ former: RequestNumber, to heir: RequestNumber) {
        state.withLock { state in
            for (taxi, running) in state.meters where running.ride == former {
                state.meters[taxi]?.ride = heir
            }
        }
    }

    /// Takes the meters of rides away that are over.
    package func stopMeters(where isOver: (RequestNumber) -> Bool) {
        state.withLock { state in
            state.meters = state.meters.filter { !isOver($0.value.ride) }
        }
    }

    // MARK: Zones

    /// Where each taxi would be in other zones, as far as it was ever reported.
    package func places(in zones: ZoneSet) -> [Place?] {
        state.withLock { $0.tracker?.places(in: zones) ?? [] }
    }

    /// Says nothing more until ``resume(with:)``: what is said of the old zones would be
    /// misunderstood in the new ones.
    package func pause() {
        state.withLock { state in
            state.isPaused = true
            state.waiting = []
        }
    }

    /// Goes on, in other zones where there are any; a comparison must follow.
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

    /// Where a taxi was last, and when; only for ``TaxiService``, which asks who wants to know.
    func position(of taxi: TaxiNumber) -> (at: Moment, place: Coordinate)? {
        report(of: taxi).map { ($0.at, $0.place) }
    }

    /// The same, as it was reported.
    func report(of taxi: TaxiNumber) -> PositionReport? {
        state.withLock { $0.tracker?.report(of: taxi) }
    }

    /// The zones in force; nil before the city has any.
    package var zones: ZoneSet? { state.withLock { $0.tracker?.zones } }
}

extension PositionIntake.State {
    /// Something was said of a taxi.
    fileprivate mutating func say(of taxi: TaxiNumber) {
        mark += 1
        lastSaid[taxi] = mark
    }

    /// Adds to what waits, as far as there is room; whether the bell must ring.
    fileprivate mutating func wait(_ commands: [Command]) -> Bool {
        if isPaused || commands.isEmpty { return false }
        for taxi in commands.compactMap(\.reportedTaxi) { say(of: taxi) }
        waiting += commands.prefix(max(0, PositionIntake.waitingLimit - waiting.count))
        return true
    }
}

extension Command {
    /// The taxi that a command of a ``PositionTracker`` is about.
    fileprivate var reportedTaxi: TaxiNumber? {
        switch self {
        case .locate(let taxi, _), .loseContact(let taxi), .regainContact(let taxi, _),
            .reachMeetingPoint(let taxi), .reachDestination(let taxi),
            .stateArrival(let taxi, _):
            taxi
        default: nil
        }
    }
}
