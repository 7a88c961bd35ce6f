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
    /// - Throws: what makes it impossible to go on; see `DispatchService.run`.
    package func run() async throws {
        defer {
            become(ready: false)
            recorded.end()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.dispatch.run() }
            group.addTask { try await self.serve() }
            defer { group.cancelAll() }
            // The reason why the dispatcher stops is told, not that the rest then stops too.
            while let result = await group.nextResult() {
                if case .failure(let error) = result {
                    if error as? DispatchService.Failure == .notServing { continue }
                    throw error
                }
            }
        }
    }

    /// Learns what is so, then follows what happens.
    private func serve() async throws {
        try await dispatch.started()
        let entries = dispatch.entries()
        var history = try await history()
        var stories = try await store.follower(at: history.head)
        await drives.adopt(try await store.calibration())
        try await open()
        try await catchUp(&history, &stories)
        recorded.begin(at: history.head.sequence)
        try await resumeMeters(history)
        try await compare()
        try await settleChanges()
        become(ready: true)
        let start = (history, stories)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow(entries, start) }
            group.addTask { await self.carry() }
            group.addTask { try await self.watchTheClock() }
            group.addTask { try await self.watchThoseWhoWait() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Begins with the state as the log has it: zones, taxis, places, meters.
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
        chronicle.begin(state.requests)
        let live = state.requests.map(\.number)
        for (request, places) in try await store.places(of: live) {
            book.change(request) { $0.places = places }
        }
        for (request, kept) in try await store.meters() {
            guard let ride = state.request(request)?.ride, ride.stage == .aboard else { continue }
            intake.start(kept.metered(by: tariff(at: clock.now())), of: ride.taxi, on: request)
        }
    }

    /// Starts meters of rides of which nobody has: they began so shortly before a crash that none
    /// was kept, or it was long unknown whether they had begun.
    private func resumeMeters(_ history: RideProjection) async throws {
        let aboard = try await dispatch.read { state in
            Set(state.taxis.compactMap { state.requestAboard($0.number)?.number })
        }
        for record in history.live.values where aboard.contains(record.request) {
            guard let taxi = record.taxi, let boarded = record.boarded else { continue }
            startMeter(of: taxi, on: record.request, boardedAt: boarded)
        }
    }

    /// Starts a taxi's meter for a ride, where that ride's does not run yet.
    func startMeter(of taxi: TaxiNumber, on ride: RequestNumber, boardedAt: Moment) {
        intake.start(newMeter(of: taxi, on: ride, boardedAt: boardedAt), of: taxi, on: ride)
    }

    /// A meter from the moment at which the passengers got in: where the taxi was then, as far as
    /// that is still known, or else at the meeting point.
    func newMeter(of taxi: TaxiNumber, on ride: RequestNumber, boardedAt: Moment) -> Meter {
        let last = intake.position(of: taxi)
        let start = last.flatMap { $0.at <= boardedAt ? $0.place : nil }
        return Meter(
            at: min(boardedAt, clock.now()),
            place: start ?? book[ride]?.places?.meeting,
            tariff: tariff(at: boardedAt)
        )
    }

    /// Carries over whatever comes, until the task is cancelled.
    private func carry() async {
        for await _ in intake.whenWaiting { await carryPositions() }
    }

    /// Carries to the dispatcher what the positions mean that have come so far.
    ///
    /// Who asks it something after that is answered in their light: a phone reports where its
    /// driver is, and a moment later he presses a button that counts only there.
    func carryPositions() async {
        await dispatch.note { [intake] in intake.drain() }
    }

    /// The same for a button that counts only at the goal of a taxi's ride.
    ///
    /// Whoever reads the log sets that goal, and may be behind: a driver who was there before it
    /// was set would be told that he is not.
    ///
    /// - Returns: the request whose ride it is; nil where the taxi has none.
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

    /// Catches up, however long the database is away: nobody says a second time that there is
    /// something to read, and pages wait for it.
    private func catchUpAtLast(
        _ history: inout RideProjection,
        _ stories: inout StoryFollower
    ) async throws {
        var isCurrent = true
        while true {
            do {
                if !isCurrent {
                    // Nothing is lost: the log is read again from where the history stands.
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

    /// The history as far as it was written.
    private func history() async throws -> RideProjection {
        let taxis = try await dispatch.read { $0.taxis }
        let codes = taxis.map { ($0.number, $0.code) }
        return try await store.projection(
            codes: Dictionary(codes, uniquingKeysWith: { first, _ in first })
        )
    }

    private static let retryMilliseconds: Int64 = 200
    private static let page = 1_000

    /// Reads the log to its end, keeps what became of requests, and acts on it.
    ///
    /// History and stories have gone further than what is written where it throws: they then begin
    /// anew.
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
                chronicle.follow(entry)
            }
            let learned = try await lessons(of: changes)
            try await store.save(changes, told, from: old, to: last.head, learned: learned)
            if let learned { await drives.adopt(learned) }
            try await act(on: changes)
            // What follows from that too, such as that a taxi is at its new goal already.
            await carryPositions()
            recorded.reach(last.head.sequence)
            // What has come meanwhile is announced, or comes with the next.
            if records.count < Self.page { return }
        }
    }

    /// What drives to meeting points teach, if any ended.
    private func lessons(of changes: RideProjection.Changes) async throws -> Calibration? {
        var driven: [DriveDesk.Driven] = []
        // Of a ride that went to another taxi since, what is promised is that one's way.
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
                DriveDesk.Driven(mapped: mapped, began: began, milliseconds: milliseconds)
            )
        }
        return driven.isEmpty ? nil : await drives.taught(by: driven)
    }

    /// Acts on what happened, by the state as it is now: of what came since, nothing is undone.
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
            // Here: whoever accepts next says anew when he comes.
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
            switch step.kind {
            case .accepted, .givenBack, .reached, .atDestination: break
            case .boarded:
                // Mostly it runs: whoever let them get in has started it.
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

    /// The same where it is not known on what was acted, after a history that was read anew: what
    /// was written of it may be all that happened, with an answer that was lost.
    private func actAnew(_ history: RideProjection) async throws {
        try await dispatch.read { [intake] state in
            intake.adopt(state.policy)
            intake.stopMeters { state.request($0) == nil }
        }
        try await resumeMeters(history)
        try await compare()
    }

    // MARK: The clock

    /// How often the clock is looked at, in milliseconds.
    private static let tickMilliseconds: Int64 = 1_000
    /// How many ticks lie between two comparisons with the dispatcher.
    static let ticksPerComparison = 10
    /// How many ticks lie between two writings of the meters: what a crash may cost a fare is the
    /// bends of so many seconds.
    static let ticksPerMeters = 15

    private func watchTheClock() async throws {
        var ticks = 0
        var began = clock.now()
        while true {
            // A second after the last one began, however long that took.
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

    /// Lets those go who have waited for the tables for too long, also while the database is away.
    private func watchThoseWhoWait() async throws {
        while true {
            try await clock.pause(Self.tickMilliseconds)
            recorded.giveUp(at: clock.now())
        }
    }

    /// What is to be done each second.
    func tick(_ ticks: Int) async throws {
        intake.tick(at: clock.now())
        if ticks % Self.ticksPerComparison == 0 { try await compare() }
        if ticks % Self.ticksPerMeters == 0 { try await saveMeters() }
        try await refreshArrivals()
    }

    /// Puts the dispatcher's word in the place of what it was never told, and forgets what ended.
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

    /// The tariff in force at a moment; nil where there is none.
    func tariff(at moment: Moment) -> Tariff? {
        tariffs.tariff(on: city.zone.local(moment.instant).date)
    }
}
