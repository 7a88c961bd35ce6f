import Chronology
import TestSupport
import Testing

@testable import Dispatching

/// An exhaustive exploration of a town of two zones, three taxis and two requests.
///
/// Every sensible step is taken from every reachable state, breadth first; states that differ only
/// in the time of day and the length of the log count as one. The invariants are checked after each
/// step, and a failure prints the shortest path to it.
struct SmallWorld {
    /// A state with the path to it.
    struct Node {
        var state: Dispatcher
        var parent: Int
        var step: Step?
    }

    var states = 0
    var transitions = 0
    var failure: String?

    init(policy: Policy, depth: Int) {
        let town = Town(taxis: [0, 0, 1], policy: policy)
        var history = [Node(state: town.dispatcher, parent: -1, step: nil)]
        var seen: Set<UInt64> = [Self.key(town.dispatcher)]
        var frontier = [0]
        for _ in 0..<depth {
            var next: [Int] = []
            for index in frontier {
                for step in Self.steps(history[index].state) {
                    transitions += 1
                    var subject = Subject(history[index].state)
                    let (result, events) = subject.take(step)
                    var invariants = Invariants(at: history[index].state)
                    let found = invariants.check(
                        step,
                        history[index].state,
                        events,
                        result.refusal,
                        subject.core
                    )
                    if !found.isEmpty {
                        failure = Self.story(history, index, step, found)
                        return
                    }
                    guard seen.insert(Self.key(subject.core)).inserted else { continue }
                    next.append(history.count)
                    history.append(Node(state: subject.core, parent: index, step: step))
                }
                // The path is needed for the description of a failure, the state is not.
                history[index].state = town.dispatcher
            }
            frontier = next
        }
        states = seen.count
    }

    private static func story(
        _ history: [Node],
        _ last: Int,
        _ step: Step,
        _ found: [String]
    ) -> String {
        var lines = ["\(step)"]
        var index = last
        while let step = history[index].step {
            lines.append("\(step)")
            index = history[index].parent
        }
        return (lines.reversed() + found).joined(separator: "\n")
    }

    // MARK: Steps

    private static func steps(_ core: Dispatcher) -> [Step] {
        var core = core
        var commands: [Command] = []
        for passenger: UInt64 in [1, 2]
        where core.liveRequest(of: .init(rawValue: passenger)) == nil && core.lastRequest < 2 {
            commands.append(
                .request(
                    RequestForm(
                        passenger: PassengerNumber(rawValue: passenger),
                        zone: .zone(0),
                        hasDestination: true,
                        neighbours: core.policy[.neighbourReach] > 0
                            ? [NeighbouringZone(zone: .zone(1), seconds: 300)] : []
                    )
                )
            )
        }
        for request in core.requests { commands += about(request) }
        for taxi in core.taxis { commands += about(taxi) }
        var steps = commands.map { Step(moment: core.now, action: .command($0)) }
        if let due = core.nextDeadline() { steps.append(Step(moment: due, action: .nothing)) }
        return steps
    }

    private static func about(_ request: Request) -> [Command] {
        let cancel = Command.cancel(request.number)
        if let offer = request.offer {
            return [
                cancel, .accept(request.number, offer.taxi, epoch: offer.epoch),
                .refuse(request.number, offer.taxi, epoch: offer.epoch),
                .accept(request.number, offer.taxi, epoch: offer.epoch - 1),
            ]
        }
        guard let ride = request.ride else { return [cancel] }
        switch ride.stage {
        case .onTheWay:
            return [
                cancel, .reachMeetingPoint(ride.taxi), .giveBack(ride.taxi, .breakdown),
            ]
        case .atMeetingPoint:
            let parties = request.joiners.isEmpty ? [] : [request.number] + request.joiners
            return [
                .board(ride.taxi, aboard: 1, code: .right), .reportNoShow(ride.taxi),
                .replace(request.number, ride.taxi, reason: "as asked"),
            ] + parties.map { .leaveBehind(ride.taxi, $0) }
        case .aboard:
            return ride.isAtDestination
                ? [.endRide(ride.taxi, reason: nil)] : [.reachDestination(ride.taxi)]
        }
    }

    private static func about(_ taxi: Taxi) -> [Command] {
        let number = taxi.number
        if !taxi.isReachable { return [.regainContact(number, taxi.place)] }
        var commands: [Command] = [taxi.isOnDuty ? .goOffDuty(number) : .goOnDuty(number)]
        switch number.rawValue {
        case 0: commands += [.locate(number, .zone(.zone(1))), .locate(number, .zone(.zone(0)))]
        case 1: commands += [.loseContact(number)]
        default: commands += [.locate(number, .outside), .locate(number, .zone(.zone(0)))]
        }
        return commands
    }

    // MARK: States

    /// The FNV-1a hash of a state without the time and the length of the log.
    private static func key(_ core: Dispatcher) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ value: Int64) {
            hash = (hash ^ UInt64(bitPattern: value)) &* 0x100_0000_01B3
            hash ^= hash >> 29
        }
        func add(_ moment: Moment?) {
            add(moment.map { $0 == .never ? -2 : $0.milliseconds - core.now.milliseconds } ?? -1)
        }
        var ranks: [Rank] = []
        for taxi in core.taxis {
            ranks += [taxi.rank, taxi.keptTurn?.rank, taxi.homeTurn?.rank].compactMap(\.self)
        }
        let requests = core.requests
        for request in requests {
            if let former = request.offer?.former ?? request.ride?.former {
                ranks.append(former.rank)
            }
        }
        ranks.sort()
        func add(_ rank: Rank?) {
            add(Int64(rank.flatMap { ranks.firstIndex(of: $0) } ?? -1))
            add(Int64(rank?.isRestored == true ? 1 : 0))
        }
        add(Int64(core.lastRequest))
        for taxi in core.taxis {
            add(Int64(taxi.status.rawValue))
            if case .zone(let zone) = taxi.place { add(Int64(zone.rawValue)) } else { add(-1) }
            add(taxi.isReachable ? 1 : 0)
            add(Int64(taxi.ignoredOffers))
            add(taxi.rank)
            add(taxi.keptTurn?.rank)
            add(taxi.graceEnds)
            add(taxi.homeTurn?.rank)
            add(taxi.homeTurn?.until)
            add(Int64(taxi.homeTurn?.zone.rawValue ?? 9))
        }
        for request in requests {
            add(Int64(request.number.rawValue))
            add(Int64(request.form.passenger.rawValue))
            add(Int64(request.heldTries))
            add(Int64(requests.filter { $0.arrival < request.arrival }.count))
            for taxi in request.asked { add(Int64(taxi.rawValue)) }
            add(Dispatcher.due(request))
            add(request.offer?.former?.rank ?? request.ride?.former?.rank)
            add(Int64(request.offer?.taxi.rawValue ?? request.ride?.taxi.rawValue ?? 99))
            add(Int64(request.ride?.stage.rawValue ?? 9))
            add(request.ride?.isAtDestination == true ? 1 : 0)
            add(request.ride?.reachedAt)
            add(request.hasLostTaxi ? 1 : 0)
            add(Int64(request.offer?.former?.zone.rawValue ?? 9))
            add(Int64(request.ride?.former?.zone.rawValue ?? 9))
        }
        return hash
    }
}

extension Invariants {
    /// Starts from the given state.
    init(at state: Dispatcher) {
        self.init(shadow: state)
        for request in state.requests { asked[request.number] = request.asked }
    }
}

@Suite("Small worlds")
struct SmallWorldTests {
    @Test("all that can happen to 3 taxis and 2 requests keeps to the rules (5.7)")
    func everything() {
        for policy in Policy.shipped {
            let depth = Effort.current == .everything ? 9 : 8
            #if DEBUG
            let world = SmallWorld(policy: policy, depth: depth - 3)
            #else
            let world = SmallWorld(policy: policy, depth: depth)
            #endif
            Notes.say("\(policy.name): \(world.states) states, \(world.transitions) steps")
            #expect(world.failure == nil)
        }
    }
}
