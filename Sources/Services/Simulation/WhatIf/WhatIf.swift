import Audit
import Chronology
package import Dispatching
import SeededRandom

/// Replays recorded demand under another policy (spec/taxi.md 4).
///
/// People act as recorded: they request, toggle and drive at the same times. A driver with an offer
/// of the same request answers as recorded, after the same delay, and a ride of the same pair takes
/// the same actions. Other answers and rides are drawn, with a given seed, from all recorded ones.
/// Under the policy of the log the replay is identical, entry by entry.
///
/// The position of a driver after a ride that did not occur in the recording is unknown; the driver
/// crosses zones as recorded.
package struct WhatIf {
    private enum Doing: Sendable {
        case given(Int)
        case step(Command, Recording.Pair, epoch: Int64)
        case restart
        case comeBack(TaxiNumber)
    }

    private let recording: Recording
    private let policy: Policy
    private let known: [Recording.Actions]
    private let rides: [RequestNumber: Recording.Actions]
    private var random: SeededRandom
    private var dispatcher = Dispatcher()
    /// The planned actions; their rank is the index of the recorded entry, and new
    /// actions come last.
    private var agenda = Agenda<Doing>()
    /// The recorded request of each replayed request; the inverse map follows.
    private var old: [RequestNumber: RequestNumber] = [:]
    private var new: [RequestNumber: RequestNumber] = [:]
    /// The latest offer to each driver.
    private var newest: [TaxiNumber: Recording.Pair] = [:]
    private var rounds: [Recording.Pair: Int] = [:]
    private var wantsHome: Set<TaxiNumber> = []
    private let log: (Entry) throws -> Void

    /// The seconds until a driver who was taken off duty by a rule notices.
    static let noticesAfter: Int64 = 600
    /// The largest delay of a recorded deadline, in milliseconds.
    static let latestTick: Int64 = 2_000

    /// Prepares the recorded demand for a policy.
    package init(
        _ recording: Recording,
        policy: Policy,
        seed: UInt64,
        log: @escaping (Entry) throws -> Void
    ) {
        self.recording = recording
        self.policy = policy
        self.log = log
        random = SeededRandom(seed: seed)
        known = recording.known
        rides = recording.rides
    }

    /// Runs to the end of the recording.
    ///
    /// - Returns: the hash of the state at the end.
    package mutating func run() throws -> UInt64 {
        for (index, given) in recording.given.enumerated() {
            agenda.plan(.given(index), at: given.at, rank: given.entry)
        }
        for restart in recording.restarts {
            agenda.plan(.restart, at: restart.at, rank: restart.entry)
        }
        while true {
            let due = dispatcher.nextDeadline().map { firing(of: $0) }
            if let due, due <= recording.end, agenda.nextMoment.map({ due <= $0 }) ?? true {
                if let entry = dispatcher.log(advanceTo: due) { try note(entry) }
                continue
            }
            guard let next = agenda.next(), next.at <= recording.end else { break }
            try perform(next.happening, at: next.at)
        }
        return dispatcher.stateHash
    }

    /// Returns when a deadline fires: with the recorded delay, if it was recorded.
    private func firing(of due: Moment) -> Moment {
        var low = 0
        var high = recording.ticks.count
        while low < high {
            let middle = (low + high) / 2
            if recording.ticks[middle].at < due { low = middle + 1 } else { high = middle }
        }
        guard low < recording.ticks.count else { return due }
        let tick = recording.ticks[low].at
        return tick.milliseconds - due.milliseconds <= Self.latestTick ? tick : due
    }

    private mutating func perform(_ doing: Doing, at moment: Moment) throws {
        if case .restart = doing {
            return try note(dispatcher.log(restartAt: moment))
        }
        if let entry = dispatcher.log(advanceTo: moment) { try note(entry) }
        switch doing {
        case .restart: break
        case .comeBack(let taxi): _ = try give(.goOnDuty(taxi))
        case .given(let index): try repeatGiven(recording.given[index])
        case .step(let command, let pair, let epoch):
            try perform(command, pair, epoch)
        }
    }

    private mutating func perform(
        _ step: Command,
        _ pair: Recording.Pair,
        _ epoch: Int64
    ) throws {
        guard let command = renewed(step, pair, epoch) else { return }
        guard case .refused(let refusal) = try give(command), refusal != .offerGone else { return }
        // The policy requires more than was recorded, so the dispatcher intervenes as in practice.
        switch command {
        case .ride(.endRide(let taxi, _)), .ride(.giveBack(let taxi, _)),
            .console(.replace(_, let taxi, _)):
            _ = try give(.closeRide(taxi, reason: "what-if: the ride ended here"))
        case .ride(.reportNoShow):
            _ = try give(.withdraw(pair.request, reason: "what-if: the passenger did not come"))
        case .ride(.leaveBehind(_, let party)):
            // Parties that do not belong to this ride in the replay are skipped.
            let others = dispatcher.request(pair.request)?.joiners ?? []
            guard party == pair.request || others.contains(party) else { return }
            _ = try give(.withdraw(party, reason: "what-if: one of several did not come"))
        case .ride(.reachMeetingPoint), .ride(.board), .ride(.reachDestination),
            .ride(.stateArrival), .city, .driver, .offer, .passenger, .console:
            break
        }
    }

    private mutating func repeatGiven(_ given: Recording.Given) throws {
        switch given.command {
        case .city(.adopt): _ = try give(.adopt(policy))
        case .driver(.goOffDuty(let taxi)):
            if case .refused(.riding) = try give(given.command) { wantsHome.insert(taxi) }
        case .city, .driver, .offer, .ride, .passenger, .console:
            guard let command = translated(given.command) else { return }
            let number = RequestNumber(rawValue: dispatcher.lastRequest + 1)
            let before = recording.arrivals[given.entry]
            if let before {
                old[number] = before
                new[before] = number
            }
            if case .refused = try give(command), let before {
                old[number] = nil
                new[before] = nil
            }
        }
    }

    /// Returns a recorded command with the request numbers of the replay; nil if a request
    /// does not exist there.
    private func translated(_ command: Command) -> Command? {
        switch command {
        case .passenger(.cancel(let request)): new[request].map { .cancel($0) }
        case .passenger(.join(let form, let owner, let estimate)):
            new[owner].map { .join(form, $0, estimate) } ?? .request(form)
        case .console(let order): translated(order)
        case .city(.drawZones(var drawing)):
            redrawn(&drawing)
        case .city, .driver, .offer, .ride, .passenger(.request), .passenger(.reserve): command
        }
    }

    private func translated(_ order: Command.Console) -> Command? {
        switch order {
        case .assign(let request, let taxi, let reason):
            new[request].map { .assign($0, taxi, reason: reason) }
        case .park(let request, let reason): new[request].map { .park($0, reason: reason) }
        case .unpark(let request): new[request].map { .unpark($0) }
        case .withdraw(let request, let reason):
            new[request].map { .withdraw($0, reason: reason) }
        case .suspend, .resume, .restoreTurn, .takeOffDuty, .closeRide, .replace: .console(order)
        }
    }

    private func redrawn(_ drawing: inout ZoneDrawing) -> Command {
        let zones = Dictionary(
            drawing.requests.map { ($0.request, $0.zone) },
            uniquingKeysWith: { first, _ in first }
        )
        drawing.requests = dispatcher.requests.map { request in
            let zone = old[request.number].flatMap { zones[$0] } ?? nil
            return ZoneDrawing.Redrawn(request: request.number, zone: zone)
        }
        return .drawZones(drawing)
    }

    /// Whether the policy is that of the recording.
    private var isSame: Bool { policy.hash == recording.policy }

    private enum Outcome: Sendable {
        case done
        case refused(Refusal)
    }

    private mutating func give(_ command: Command) throws -> Outcome {
        let entry: Entry?
        do {
            entry = try dispatcher.log(command)
        } catch {
            return .refused(error)
        }
        if let entry { try note(entry) }
        return .done
    }

    private mutating func note(_ entry: Entry) throws {
        try log(entry)
        var epoch = dispatcher.sequence - Int64(entry.events.count)
        for event in entry.events {
            try react(to: event, epoch: epoch)
            epoch += 1
        }
    }

    private mutating func react(to event: Event, epoch: Int64) throws {
        switch event {
        case .offer(let event):
            if case .offered(let request, let taxi, _, _) = event { answer(request, taxi, epoch) }
        case .taxi(.wentOffDuty(let taxi, .ignoredOffers, _)):
            // Under the recorded policy, the driver's return is part of the recording.
            guard !isSame else { return }
            let at = dispatcher.now.adding(seconds: Self.noticesAfter)
            agenda.plan(.comeBack(taxi), at: at, rank: .max)
        case .taxi(.wentOffDuty(let taxi, _, _)): wantsHome.remove(taxi)
        case .taxi(.enqueued(let taxi, _, _, _)):
            if wantsHome.remove(taxi) != nil { _ = try give(.goOffDuty(taxi)) }
        case .city, .taxi, .request, .ride: break
        }
    }

    /// Plans a driver's reaction to an offer: as recorded, or as drawn from all drivers.
    private mutating func answer(_ request: RequestNumber, _ taxi: TaxiNumber, _ epoch: Int64) {
        var pair = Recording.Pair(request: request, taxi: taxi)
        pair.round = rounds[pair, default: 0]
        rounds[Recording.Pair(request: request, taxi: taxi)] = pair.round + 1
        newest[taxi] = pair
        if let before = old[request] {
            let there = Recording.Pair(request: before, taxi: taxi, round: pair.round)
            if let actions = recording.actionsByPair[there], isSame || !actions.isUnknown {
                return plan(actions, pair, epoch, isSame: true)
            }
        }
        guard !known.isEmpty else { return }
        var actions = known[random.below(known.count)]
        // A passenger's recorded ride is used if there is one, since it leads to the
        // right destination.
        if actions.isAccepted, let before = old[request], let own = rides[before] {
            actions = own.after(actions)
        }
        plan(actions, pair, epoch, isSame: false)
    }

    private mutating func plan(
        _ actions: Recording.Actions,
        _ pair: Recording.Pair,
        _ epoch: Int64,
        isSame: Bool
    ) {
        for step in actions.steps {
            agenda.plan(
                .step(step.command, pair, epoch: epoch),
                at: dispatcher.now.adding(milliseconds: step.delay),
                rank: isSame ? step.entry : .max
            )
        }
    }

    /// Returns a recorded action for another pair or epoch; nil if its time has passed.
    private func renewed(_ step: Command, _ pair: Recording.Pair, _ epoch: Int64) -> Command? {
        let taxi = pair.taxi
        switch step {
        case .offer(.confirmDelivery): return .confirmDelivery(pair.request, taxi, epoch: epoch)
        case .offer(.reportUndeliverable):
            return .reportUndeliverable(pair.request, taxi, epoch: epoch)
        case .offer(.accept): return .accept(pair.request, taxi, epoch: epoch)
        case .offer(.refuse): return .refuse(pair.request, taxi, epoch: epoch)
        case .ride(let step): return isRiding(pair) ? renewed(step, taxi) : nil
        case .console(.closeRide(_, let reason)):
            return isRiding(pair) ? .closeRide(taxi, reason: reason) : nil
        case .console(.replace(_, _, let reason)):
            return isRiding(pair) ? .replace(pair.request, taxi, reason: reason) : nil
        case .city, .driver, .passenger, .console: return nil
        }
    }

    private func isRiding(_ pair: Recording.Pair) -> Bool {
        newest[pair.taxi] == pair && dispatcher.taxi(pair.taxi)?.status == .riding
    }

    private func renewed(_ step: Command.Ride, _ taxi: TaxiNumber) -> Command? {
        switch step {
        case .reachMeetingPoint: return .reachMeetingPoint(taxi)
        case .board(_, let aboard, let code):
            let asked: CodeCheck = code == .wrong ? .wrong : .right
            return .board(taxi, aboard: aboard, code: policy.pinDigits == .none ? code : asked)
        case .reportNoShow: return .reportNoShow(taxi)
        case .leaveBehind(_, let party): return new[party].map { .leaveBehind(taxi, $0) }
        case .reachDestination: return .reachDestination(taxi)
        case .stateArrival(_, let isDestination):
            return .stateArrival(taxi, isDestination: isDestination)
        case .endRide(_, let reason): return .endRide(taxi, reason: reason)
        case .giveBack(_, let cause): return .giveBack(taxi, cause)
        }
    }
}
