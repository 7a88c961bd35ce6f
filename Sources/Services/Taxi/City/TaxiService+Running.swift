import Chronology
package import Dispatching
import Fares
import Geo
import Positions
import Storage
import Zones

extension TaxiService {
    /// Serves until the task is cancelled.
    ///
    /// - Throws: unrecoverable errors; see `DispatchService.run`.
    package func run() async throws {
        defer {
            become(ready: false)
            recorded.end()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.dispatch.run() }
            group.addTask { try await self.serve() }
            defer { group.cancelAll() }
            // Report why the dispatcher stopped, not the resulting end of the other tasks.
            while let result = await group.nextResult() {
                if case .failure(let error) = result {
                    if error as? DispatchService.Failure == .notServing { continue }
                    throw error
                }
            }
        }
    }

    /// Restores the state, then follows the log and the clock.
    private func serve() async throws {
        try await dispatch.started()
        let entries = dispatch.entries()
        let start = try await restoreAtLast()
        become(ready: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow(entries, start) }
            group.addTask { await self.carry() }
            group.addTask { try await self.watchTheClock() }
            group.addTask { try await self.watchThoseWhoWait() }
            group.addTask(priority: .background) { await self.watchDrives() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Restores the state, again from the beginning for as long as the database fails.
    private func restoreAtLast() async throws -> (RideProjection, StoryFollower) {
        while true {
            do {
                return try await restore()
            } catch let failure as DatabaseFailure where failure.isOutage {
            } catch DispatchService.Failure.notDurable, DispatchService.Failure.outcomeUnknown {
            }
            try await clock.pause(Self.retryMilliseconds)
        }
    }

    private func restore() async throws -> (RideProjection, StoryFollower) {
        var history = try await history()
        var stories = try await store.follower(at: history.head)
        await drives.adopt(try await store.calibration())
        await learning.adopt(try await store.streetSpeeds())
        try await open()
        try await catchUp(&history, &stories)
        recorded.begin(at: history.head.sequence)
        try await resumeMeters(history)
        try await compare()
        try await settleChanges()
        return (history, stories)
    }

    /// Restores zones, taxis, places and meters from the log and the tables.
    private func open() async throws {
        try await openTariffs()
        let state = try await dispatch.read { $0 }
        if let zones = try await store.zones(state.zonesHash) {
            intake.begin(
                zones: zones,
                policy: state.policy,
                taxis: state.taxis,
                at: clock.now()
            )
        }
        newsLog.begin(state.requests)
        let live = state.requests.map(\.number)
        for (request, places) in try await store.places(of: live) {
            book.change(request) { $0.places = places }
        }
        for (request, kept) in try await store.meters() {
            guard let ride = state.request(request)?.ride, ride.stage == .aboard else { continue }
            intake.start(kept.metered(by: tariff(at: clock.now())), of: ride.taxi, on: request)
        }
    }

    /// Starts the meters of rides without a stored meter: they began just before a crash, or their
    /// boarding was recorded late.
    private func resumeMeters(_ history: RideProjection) async throws {
        let aboard = try await dispatch.read { state in
            Set(state.taxis.compactMap { state.requestAboard($0.number)?.number })
        }
        for record in history.live.values where aboard.contains(record.request) {
            guard let taxi = record.taxi, let boarded = record.boarded else { continue }
            startMeter(of: taxi, on: record.request, boardedAt: boarded)
        }
    }

    /// Starts the meter of a taxi for a ride, unless it is already running.
    func startMeter(of taxi: TaxiNumber, on ride: RequestNumber, boardedAt: Moment) {
        intake.start(newMeter(of: taxi, on: ride, boardedAt: boardedAt), of: taxi, on: ride)
    }

    /// Creates a meter that starts when the passengers boarded, at the taxi's position then or else
    /// at the pickup point.
    func newMeter(of taxi: TaxiNumber, on ride: RequestNumber, boardedAt: Moment) -> Meter {
        let last = intake.position(of: taxi)
        let start = last.flatMap { $0.at <= boardedAt ? $0.place : nil }
        return Meter(
            at: min(boardedAt, clock.now()),
            place: start ?? book[ride]?.places?.meeting,
            tariff: tariff(at: boardedAt)
        )
    }

    /// Passes position commands to the dispatcher until the task is cancelled.
    private func carry() async {
        for await _ in intake.whenWaiting { await carryPositions() }
    }

    /// Passes the commands of all position reports so far to the dispatcher.
    ///
    /// Later commands then take them into account: a phone reports its position just before the
    /// driver presses a button that requires it.
    func carryPositions() async {
        await dispatch.note { [intake] in intake.drain() }
    }

    /// Passes positions on before a command that requires the taxi to be at its goal.
    ///
    /// The goal is set by following the log, which may lag behind; without this step, a driver who
    /// arrived before it was set would be refused.
    ///
    /// - Returns: the request of the taxi's ride; nil if it has none.
    /// - Throws: ``Failure/notServing``.
    @discardableResult
    package func carryPositions(of taxi: TaxiNumber) async throws -> Request? {
        try checkServing()
        await carryPositions()
        let mark = intake.mark
        let (ride, goal) = try await dispatch.read { [book] state in
            (state.request(drivenBy: taxi), state.goal(of: taxi) { book[$0]?.places })
        }
        if let goal {
            intake.watch([taxi], for: [taxi: goal], since: mark)
            await carryPositions()
        }
        return ride
    }

    // MARK: The log

    private func follow(
        _ entries: AsyncStream<DispatchService.Published>,
        _ start: (RideProjection, StoryFollower)
    ) async throws {
        var (history, stories) = start
        for await hint in entries where hint.sequence > history.head.sequence {
            try await catchUpAtLast(&history, &stories)
        }
    }

    /// Catches up with the log despite database outages: the notification is not repeated, and
    /// pages wait for the result.
    private func catchUpAtLast(
        _ history: inout RideProjection,
        _ stories: inout StoryFollower
    ) async throws {
        var isCurrent = true
        while true {
            do {
                if !isCurrent {
                    // Nothing is lost: the log is reread from the position of the stored history.
                    history = try await self.history()
                    stories = try await store.follower(at: history.head)
                    try await actAnew(history)
                    recorded.reach(history.head.sequence)
                }
                return try await catchUp(&history, &stories)
            } catch is DatabaseFailure {
                try await clock.pause(Self.retryMilliseconds)
            } catch RideStore.Failure.movedOn {}
            isCurrent = false
        }
    }

    /// Loads the history as far as it was written.
    private func history() async throws -> RideProjection {
        let taxis = try await dispatch.read { $0.taxis }
        let codes = taxis.map { ($0.number, $0.code) }
        return try await store.projection(
            codes: Dictionary(codes, uniquingKeysWith: { first, _ in first })
        )
    }

    private static let retryMilliseconds: Int64 = 200
    private static let page = 1_000

    /// Reads the log to its end, stores the outcomes of requests and acts on them.
    ///
    /// If it throws, the in-memory history and stories are ahead of the tables and
    /// must be reloaded.
    private func catchUp(
        _ history: inout RideProjection,
        _ stories: inout StoryFollower
    ) async throws {
        while true {
            let records = try await store.log.records(after: history.head, limit: Self.page)
            guard let last = records.last else { return }
            let old = history.head
            var changes = RideProjection.Changes()
            var told = StoryChanges()
            for record in records {
                let entry = try Entry(bytes: record.entry)
                history.follow(entry, at: record.head, &changes)
                try stories.follow(entry, &told)
                newsLog.follow(entry)
            }
            precondition(history.head == last.head, "The history does not include the whole page.")
            let learned = try await lessons(of: changes)
            try await store.save(changes, told, from: old, to: last.head, learned: learned)
            if let learned { await drives.adopt(learned) }
            try await act(on: changes)
            // Includes consequences such as a taxi that is already at its new goal.
            await carryPositions()
            recorded.reach(last.head.sequence)
            // Entries that arrived meanwhile are announced separately or read with the next page.
            if records.count < Self.page { return }
        }
    }

    /// Returns the calibration after the drives to pickup points that ended, if any.
    private func lessons(of changes: RideProjection.Changes) async throws -> Calibration? {
        var driven: [DriveTimeEstimator.Driven] = []
        // For a ride reassigned since, the stored promise is that of the new taxi.
        let lost = Set(changes.steps.filter { $0.kind == .givenBack }.map(\.record.request))
        for step in changes.steps where step.kind == .reached {
            let request = step.record.request
            if lost.contains(request) { continue }
            guard let began = step.record.accepted else { continue }
            var promise = book[request]?.promise
            if promise == nil { promise = try await store.promise(of: request) }
            guard let mapped = promise?.mapped else { continue }
            let milliseconds = step.at.milliseconds - began.milliseconds
            driven.append(
                DriveTimeEstimator.Driven(mapped: mapped, began: began, milliseconds: milliseconds)
            )
        }
        return driven.isEmpty ? nil : await drives.taught(by: driven)
    }

    /// Acts on changes according to the current state, without undoing later ones.
    private func act(on changes: RideProjection.Changes) async throws {
        if let policy = changes.policy { intake.adopt(policy) }
        if changes.changesRegister { try await compare() }
        for case .heir(of: let former, let heir) in changes.passings {
            intake.handOn(former, to: heir)
        }
        let taxis = Set(changes.steps.compactMap(\.record.taxi))
        if taxis.isEmpty { return }
        let mark = intake.mark
        let (goals, aboard) = try await dispatch.read { [self] state in
            var goals: [TaxiNumber: PositionTracker.Goal] = [:]
            for taxi in taxis { goals[taxi] = state.goal(of: taxi) { book[$0]?.places } }
            // Here, because the next acceptance sets the arrival time again.
            for case .search(let request, at: _) in changes.passings
            where state.request(request)?.ride == nil {
                hideArrival(of: request)
            }
            return (goals, Set(taxis.compactMap { state.requestAboard($0)?.number }))
        }
        intake.watch(taxis, for: goals, since: mark)
        var ended: Set<RequestNumber> = []
        for step in changes.steps {
            guard let taxi = step.record.taxi else { continue }
            let request = step.record.request
            intake.follow(taxi, isDriving: step.kind == .accepted || step.kind == .boarded)
            switch step.kind {
            case .accepted, .givenBack, .reached, .atDestination: break
            case .boarded:
                // Usually the meter is already running, started when boarding was recorded.
                if aboard.contains(request) {
                    startMeter(of: taxi, on: request, boardedAt: step.at)
                }
            case .ended:
                ended.insert(request)
                hideArrival(of: request)
            }
        }
        if !ended.isEmpty { intake.stopMeters { ended.contains($0) } }
    }

    /// Acts on the current state after the history was reloaded, when it is unknown which
    /// changes were handled.
    private func actAnew(_ history: RideProjection) async throws {
        try await dispatch.read { [intake] state in
            intake.adopt(state.policy)
            intake.stopMeters { state.request($0) == nil }
        }
        try await resumeMeters(history)
        try await compare()
    }

    // MARK: The clock

    /// The interval of the clock task in milliseconds.
    private static let tickMilliseconds: Int64 = 1_000
    /// The number of ticks between two comparisons with the dispatcher.
    static let ticksPerComparison = 10
    /// The number of ticks between two writes of the meters; a crash costs at most the distance of
    /// curves in that time.
    static let ticksPerMeters = 15

    private func watchTheClock() async throws {
        var ticks = 0
        var began = clock.now()
        while true {
            // One second after the start of the last tick, however long it took.
            try await clock.sleep(began.adding(milliseconds: Self.tickMilliseconds))
            began = clock.now()
            ticks += 1
            do {
                try await tick(ticks)
            } catch is DatabaseFailure {
                continue
            } catch DispatchService.Failure.notServing {
                throw DispatchService.Failure.notServing
            }
        }
    }

    /// Resumes tasks that have waited too long for the tables, also during a database outage.
    private func watchThoseWhoWait() async throws {
        while true {
            try await clock.pause(Self.tickMilliseconds)
            recorded.giveUp(at: clock.now())
        }
    }

    /// Performs the work of each second.
    func tick(_ ticks: Int) async throws {
        intake.tick(at: clock.now())
        if ticks % Self.ticksPerComparison == 0 { try await compare() }
        if ticks % Self.ticksPerMeters == 0 { try await saveMeters() }
        try await refreshArrivals()
        try await learnDemand()
    }

    /// Resets the tracker where commands to the dispatcher were lost, and forgets ended requests.
    func compare() async throws {
        let mark = intake.mark
        await carryPositions()
        let (taxis, goals) = try await dispatch.read { [book] state in
            book.keep { state.request($0) != nil }
            return (state.taxis, state.goals { book[$0]?.places })
        }
        intake.reconcile(with: taxis, goals: goals, since: mark, at: clock.now())
    }

    private func saveMeters() async throws {
        let meters = intake.meters
        if meters.isEmpty { return }
        let running = try await dispatch.read { state in
            meters.filter { state.requestAboard($0.key)?.number == $0.value.ride }
        }
        try await store.save(running.values.map { ($0.ride, $0.meter) })
    }

    /// Returns the tariff in force at a given time; nil if there is none.
    func tariff(at moment: Moment) -> Tariff? {
        tariffs.tariff(on: city.zone.local(moment.instant).date)
    }
}
