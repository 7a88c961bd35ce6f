import Chronology
package import Dispatching

/// The behaviour of people in a recorded log, separated from the dispatcher's decisions.
///
/// - Actions that no decision caused (requests, toggles, changes of zone, dispatcher's commands)
///   are a list by time.
/// - Answers of drivers and the actions during rides belong to a pair of request and taxi.
package struct Recording: Sendable {
    /// A command with the index of its log entry.
    struct Given: Sendable {
        var at: Moment
        var entry: Int
        var command: Command
    }

    /// A request and a taxi with an offer.
    struct Pair: Hashable, Sendable {
        var request: RequestNumber
        var taxi: TaxiNumber
        /// The number of earlier offers of the request to this driver.
        var round = 0
    }

    /// An action on an offer or ride, with its delay after the offer.
    struct Step: Sendable {
        var delay: Int64
        var entry: Int
        var command: Command
    }

    /// The actions on one offer; empty if it was ignored.
    struct Actions: Sendable {
        var offeredAt: Moment
        var isAccepted = false
        /// Whether the offer was withdrawn, so that the driver's answer is unknown.
        var isUnknown = false
        var steps: [Step] = []
    }

    private(set) var given: [Given] = []
    private(set) var actionsByPair: [Pair: Actions] = [:]
    /// The pairs in the order of their offers, to draw from.
    private(set) var pairs: [Pair] = []
    /// The times at which deadlines fired, in order, with the indices of the log entries.
    private(set) var ticks: [(at: Moment, entry: Int)] = []
    /// The restarts of the service.
    private(set) var restarts: [(at: Moment, entry: Int)] = []
    /// The request that each arrival created.
    private(set) var arrivals: [Int: RequestNumber] = [:]
    /// The latest offer to each driver.
    private var newest: [TaxiNumber: Pair] = [:]
    private var asked: [RequestNumber: TaxiNumber] = [:]
    private var rounds: [Pair: Int] = [:]
    private var count = 0
    /// The hash of the first policy.
    private(set) var policy: UInt64?
    /// The time of the first entry.
    private(set) var start: Moment?
    /// The time of the last entry.
    private(set) var end = Moment(milliseconds: 0)

    /// Creates an empty recording.
    package init() {}

    /// Processes the next entry of the log.
    package mutating func hear(_ entry: Entry) {
        defer { count += 1 }
        if start == nil { start = entry.at }
        end = entry.at
        switch entry.input {
        case .time: ticks.append((entry.at, count))
        case .restart: restarts.append((entry.at, count))
        case .command(let command): hear(command, entry)
        }
        for event in entry.events { hear(event, entry.at) }
    }

    private mutating func hear(_ command: Command, _ entry: Entry) {
        if let pair = pair(of: command) {
            guard let actions = actionsByPair[pair] else { return }
            let delay = entry.at.milliseconds - actions.offeredAt.milliseconds
            let step = Step(delay: delay, entry: count, command: command)
            actionsByPair[pair]?.steps.append(step)
            return
        }
        if case .city(.adopt(let adopted)) = command, policy == nil { policy = adopted.hash }
        given.append(Given(at: entry.at, entry: count, command: command))
        if let number = entry.events.first?.arrival { arrivals[count] = number }
    }

    /// The offer or ride that a command concerns, if any.
    private func pair(of command: Command) -> Pair? {
        switch command {
        case .offer(let answer):
            switch answer {
            case .confirmDelivery(_, let taxi, _), .accept(_, let taxi, _),
                .refuse(_, let taxi, _), .reportUndeliverable(_, let taxi, _):
                newest[taxi]
            }
        case .ride(let step):
            switch step {
            case .reachMeetingPoint(let taxi), .board(let taxi, _, _), .reportNoShow(let taxi),
                .leaveBehind(let taxi, _), .reachDestination(let taxi),
                .stateArrival(let taxi, _), .endRide(let taxi, _), .giveBack(let taxi, _):
                newest[taxi]
            }
        case .console(.closeRide(let taxi, _)), .console(.replace(_, let taxi, _)): newest[taxi]
        case .city, .driver, .passenger, .console: nil
        }
    }

    private mutating func hear(_ event: Event, _ now: Moment) {
        switch event {
        case .offer(.offered(let request, let taxi, _, _)):
            var pair = Pair(request: request, taxi: taxi)
            let round = rounds[pair, default: 0]
            rounds[pair] = round + 1
            pair.round = round
            pairs.append(pair)
            actionsByPair[pair] = Actions(offeredAt: now)
            newest[taxi] = pair
            asked[request] = taxi
        case .offer(.offerClosed(let request, let outcome)):
            guard let taxi = asked[request], let pair = newest[taxi] else { return }
            if outcome == .withdrawn || outcome == .undeliverable {
                actionsByPair[pair]?.isUnknown = true
            }
        case .offer(.accepted(let request)):
            guard let taxi = asked[request], let pair = newest[taxi] else { return }
            actionsByPair[pair]?.isAccepted = true
        case .request(.ownerChanged(let old, let new)): asked[new] = asked[old]
        case .request(.ended(let request, _, _)): asked[request] = nil
        case .city, .taxi, .request, .offer(.offerRenewed), .offer(.offerDelivered), .ride: break
        }
    }

    /// All actions with a known answer, in order of their start.
    var known: [Actions] {
        pairs.compactMap { pair in
            guard let actions = actionsByPair[pair], !actions.isUnknown else { return nil }
            return actions
        }
    }

    /// The actions on each accepted ride, by request.
    var rides: [RequestNumber: Actions] {
        var rides: [RequestNumber: Actions] = [:]
        for pair in pairs {
            if let actions = actionsByPair[pair], actions.isAccepted {
                rides[pair.request] = actions
            }
        }
        return rides
    }
}

extension Recording.Actions {
    /// Returns this ride, preceded by the answer and approach of another driver.
    func after(_ other: Recording.Actions) -> Recording.Actions {
        guard let mine = reached, let theirs = other.reached else { return other }
        var actions = other
        actions.steps = other.steps.filter { $0.delay <= theirs }
        actions.steps += steps.filter { $0.delay > mine }.map { step in
            var later = step
            later.delay += theirs - mine
            return later
        }
        return actions
    }

    /// The delay from the offer to the taxi's arrival at the pickup point.
    private var reached: Int64? {
        steps.first { step in
            switch step.command {
            case .ride(.reachMeetingPoint), .ride(.stateArrival(_, isDestination: false)): true
            case .city, .driver, .offer, .ride, .passenger, .console: false
            }
        }?.delay
    }
}
