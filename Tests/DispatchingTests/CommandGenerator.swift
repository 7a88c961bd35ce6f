import Chronology
import SeededRandom
import TestSupport

@testable import Dispatching

/// An action on a dispatcher at a given time.
struct Step: Hashable {
    /// The action performed after the clock was advanced.
    enum Action: Hashable {
        case nothing
        case restart
        case command(Command)
    }

    var moment: Moment
    var action: Action
}

/// Draws random steps that reach every branch of the dispatcher.
///
/// Each step is drawn from one random number and the state before it. A sequence is therefore a
/// list of numbers, and removing some of them leaves a valid sequence.
struct CommandGenerator {
    var random: SeededRandom
    /// The size of the simulated town.
    var size = TownSize.small
    /// The fixed policy; nil if the policy changes.
    var onlyPolicy: Policy?
    /// Whether requests name neighbouring zones; they are drawn from a branch, so that the other
    /// draws stay as they were in the golden log.
    var withNeighbours = false
    /// Whether some policies want arrivals measured, and some leave out reservations.
    var doubtsStatements = false
    /// Whether drivers who were sent to another zone return to their own.
    var returnsHome = false
    /// The time from which licence expiries are counted.
    var licencesFrom = Town.start

    init(_ seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func below(_ count: Int) -> Int {
        count < 1 ? 0 : Int(random.next() % UInt64(count))
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    // MARK: Town

    /// Returns the steps that set up a small city: policy, zones, drivers, and those on duty.
    mutating func beginning() -> [Step] {
        let start = Town.start
        let zones = size.zones.lowerBound + below(size.zones.count)
        var commands: [Command] = [.adopt(policy()), .drawZones(drawing(zones, taxis: 0))]
        let taxis = size.taxis.lowerBound + below(size.taxis.count)
        for taxi in 0..<taxis { commands.append(.register(form("T\(taxi)"))) }
        if chance(95) { commands.append(.completeSetup) }
        for taxi in 0..<taxis where chance(85) {
            let zone = ZoneNumber.zone(UInt32(chance(size.crowdPercent + 10) ? 0 : below(zones)))
            commands.append(.regainContact(.taxi(taxi), .zone(zone)))
            if chance(90) { commands.append(.goOnDuty(.taxi(taxi))) }
        }
        return commands.map { Step(moment: start, action: .command($0)) }
    }

    private mutating func policy() -> Policy {
        if let onlyPolicy { return onlyPolicy }
        var policy = one(of: [Policy.milanoA, .milanoB, withNeighbours ? .viavai : .former])
        if withNeighbours {
            var branch = branch(7)
            let reach = branch.one(of: ["0", "300", "900", "900"])
            policy = (try? policy.with(.neighbourReach, reach)) ?? policy
        }
        // Logs of before believed every statement.
        var branch = branch(8)
        let isBelieved = !doubtsStatements || branch.chance(50)
        policy = (try? policy.with(.statedArrival, isBelieved ? "true" : "false")) ?? policy
        // The dispatcher does not read it; logs of before had everything open.
        policy = (try? policy.with(.earlyUse, Self.everything)) ?? policy
        var other = self.branch(9)
        if doubtsStatements, other.chance(10), let changed = try? policy.with(.reserving, "false") {
            policy = changed
        }
        for _ in 0..<below(8) {
            let (key, values) = one(of: Self.variations)
            // If the policy is refused because a request might never end, another key is changed.
            if let changed = try? policy.with(key, one(of: values)) { policy = changed }
        }
        return policy
    }

    /// Every use that may be open before the city confirms its data.
    static let everything =
        "[" + Policy.EarlyUse.allCases.map(\.rawValue).joined(separator: ", ") + "]"

    /// Values of the keys that the core reads, small enough to reach their limits.
    private static let variations: [(Policy.Key, [String])] = [
        (.offerTimeout, ["5", "60"]), (.guestRequests, ["allow", "deny"]),
        (.destination, ["required", "optional", "hidden"]), (.maxOffers, ["0", "1", "2"]),
        (.refusedMemory, ["request", "try", "none"]), (.heldTries, ["0", "1", "3", "10"]),
        (.heldRetry, ["on_event", "every_s"]), (.heldEvery, ["1", "10", "60"]),
        (.reserveMin, ["0", "2"]), (.reserveMax, ["1", "48", "360"]),
        (.allocateBefore, ["0", "600", "7200"]), (.reserveRetry, ["10", "120"]),
        (.reserveRetries, ["0", "1", "3", "20"]), (.reserveSnapshot, ["true", "false"]),
        (.reserveAllRefused, ["retry", "fail"]), (.pinDigits, ["0", "4"]),
        (.codeAttempts, ["1", "2"]), (.endNeedsPickup, ["true", "false"]),
        (.endNeedsDestination, ["true", "false"]), (.endOverride, ["dispatcher", "reason"]),
        (.noShow, ["true", "false"]), (.noShowWait, ["0", "60"]),
        (.noShowRestore, ["tail", "place", "head"]), (.enforceBorder, ["true", "false"]),
        (.cancelRequest, ["never", "until_accept", "until_arrival"]),
        (.grace, ["0", "30", "600"]), (.maxIgnored, ["0", "1", "2"]),
        (.sharing, ["true", "false"]), (.shareSeats, ["1", "4", "16"]),
        (.shareWalk, ["0", "600"]), (.shareDetour, ["0", "40"]), (.shareWait, ["0", "300"]),
    ]

    private mutating func drawing(_ zones: Int, taxis: Int) -> ZoneDrawing {
        ZoneDrawing(names: (0..<zones).map { "zone \($0)" }, hash: random.next())
    }

    private mutating func form(_ code: String) -> TaxiForm {
        let capacity = Capacity(seats: UInt8(one(of: [1, 4, 4, 4, 7])), wheelchair: chance(30))
        let licence = licencesFrom.adding(seconds: Int64(below(20_000)))
        return TaxiForm(
            code: code,
            capacity: capacity,
            licensedUntil: chance(90) ? .never : licence
        )
    }

    // MARK: Steps

    /// Draws the next command.
    mutating func step(_ core: inout Dispatcher) -> Step {
        let moment = moment(&core)
        let kinds: [(Int, (inout Self, Dispatcher) -> Command?)] = [
            (14, { $0.request($1) }), (4, { $0.reservation($1, moment) }),
            (6, { $0.joiner($1) }), (4, { $0.cancel($1) }),
            (22, { $0.answer($1) }), (16, { $0.progress($1) }),
            (9, { .locate($0.taxi($1), $0.place($1)) }), (4, { .loseContact($0.taxi($1)) }),
            (5, { .regainContact($0.silent($1), $0.place($1)) }),
            (7, { .goOnDuty($0.idle($1)) }), (3, { .goOffDuty($0.taxi($1)) }),
            (9, { $0.override($1) }), (4, { $0.administration($1) }),
        ]
        if let command = wayBack(core) { return Step(moment: moment, action: .command(command)) }
        if core.suspension != nil && chance(25) {
            return Step(moment: moment, action: .command(.resume))
        }
        if !core.isSetUp && chance(30) {
            return Step(moment: moment, action: .command(.completeSetup))
        }
        if chance(1) { return Step(moment: moment, action: .restart) }
        // A kind without a suitable subject is replaced by another kind.
        for _ in 0..<(chance(95) ? 4 : 0) {
            var roll = below(kinds.reduce(0) { $0 + $1.0 })
            let kind = kinds.first { kind in
                roll -= kind.0
                return roll < 0
            }
            if let command = kind?.1(&self, core) {
                return Step(moment: moment, action: .command(command))
            }
        }
        return Step(moment: moment, action: .nothing)
    }

    private mutating func moment(_ core: inout Dispatcher) -> Moment {
        let now = core.now
        let next = core.nextDeadline() ?? now
        switch below(100) {
        case 0..<68: return now
        case 68..<80: return now.adding(milliseconds: Int64(below(20_000)))
        case 80..<86: return next
        case 86..<89: return next.adding(milliseconds: -1)
        case 89..<92: return next.adding(milliseconds: 1)
        case 92..<95: return now.adding(seconds: 120)
        case 95..<98: return now.adding(seconds: Int64(below(1_200)))
        case 98: return now.adding(seconds: Int64(below(20_000)))
        default: return now.adding(seconds: -Int64(below(4_000)))
        }
    }

    // MARK: Subjects and places

    private mutating func taxi(_ core: Dispatcher) -> TaxiNumber {
        .taxi(below(core.taxis.count + (chance(3) ? 1 : 0)))
    }

    private mutating func taxi(_ core: Dispatcher, where fits: (Taxi) -> Bool) -> TaxiNumber {
        let fitting = core.taxis.filter(fits)
        return fitting.isEmpty || chance(10) ? taxi(core) : one(of: fitting).number
    }

    private mutating func silent(_ core: Dispatcher) -> TaxiNumber {
        taxi(core) { !$0.isReachable && !$0.isRemoved }
    }

    private mutating func idle(_ core: Dispatcher) -> TaxiNumber {
        taxi(core) { !$0.isOnDuty && !$0.isRemoved && $0.isReachable }
    }

    private mutating func number(_ core: Dispatcher) -> RequestNumber {
        let live = core.requests
        if live.isEmpty || chance(5) {
            return RequestNumber(rawValue: UInt64(below(Int(core.lastRequest) + 2)))
        }
        return one(of: live).number
    }

    private mutating func zone(_ core: Dispatcher) -> ZoneNumber {
        .zone(UInt32(chance(size.crowdPercent) ? 0 : below(core.zones.count + (chance(3) ? 1 : 0))))
    }

    private mutating func place(_ core: Dispatcher) -> Place {
        switch below(20) {
        case 0..<16: .zone(zone(core))
        case 16..<19: .outside
        default: .unknown
        }
    }

    /// The way back of a driver who was sent to another zone, taken often.
    private func wayBack(_ core: Dispatcher) -> Command? {
        var branch = branch(13)
        guard returnsHome, branch.chance(40),
            let sent = core.taxis.first(where: { $0.homeTurn != nil }), let home = sent.homeTurn
        else { return nil }
        return .locate(sent.number, .zone(home.zone))
    }

    /// A generator whose draws leave this one's as they are.
    private func branch(_ salt: UInt64) -> CommandGenerator {
        var copy = random
        return CommandGenerator(copy.next() ^ salt)
    }

    private func neighbours(_ zone: ZoneNumber?, _ core: Dispatcher) -> [NeighbouringZone] {
        var branch = branch(11)
        guard withNeighbours, branch.chance(85) else { return [] }
        var near: [NeighbouringZone] = []
        for other in core.zones.indices where branch.chance(70) {
            let seconds = branch.one(of: [0, 120, 120, 300, 301, 900, 901])
            near.append(NeighbouringZone(zone: .zone(UInt32(other)), seconds: Int32(seconds)))
        }
        if branch.chance(3) { return near.reversed() }
        return near.filter { $0.zone != zone || branch.chance(3) }
            .sorted { ($0.seconds, $0.zone) < ($1.seconds, $1.zone) }
    }

    private mutating func passengerForm(_ core: Dispatcher) -> RequestForm {
        let isShared = chance(35)
        var form = RequestForm(
            passenger: PassengerNumber(rawValue: UInt64(1 + below(size.passengers))),
            isGuest: chance(8),
            zone: chance(97) ? zone(core) : nil,
            needs: Capacity(
                seats: UInt8(chance(98) ? 1 + below(2) : below(2) * 16),
                wheelchair: chance(10)
            ),
            hasDestination: isShared || chance(85),
            isShared: isShared
        )
        form.neighbours = neighbours(form.zone, core)
        return form
    }

    // MARK: Commands

    private mutating func request(_ core: Dispatcher) -> Command {
        .request(passengerForm(core))
    }

    private mutating func reservation(_ core: Dispatcher, _ moment: Moment) -> Command {
        let now = max(core.now, moment)
        let least = now.adding(seconds: core.policy[.reserveMin] * 3_600)
        let most = now.adding(seconds: core.policy[.reserveMax] * 3_600)
        let due = one(of: [
            least, least, least.adding(seconds: Int64(below(3_600))), most,
            least.adding(milliseconds: -1), most.adding(milliseconds: 1),
        ])
        return .reserve(passengerForm(core), due: due)
    }

    private mutating func joiner(_ core: Dispatcher) -> Command? {
        let shared = core.requests.filter { $0.form.isShared && $0.phase != .parked }
        if shared.isEmpty && !chance(3) { return nil }
        let owner = shared.isEmpty ? number(core) : one(of: shared).number
        let estimate = SharingEstimate(
            walkSeconds: Int32(chance(90) ? 0 : 700),
            taxiSeconds: Int32(chance(90) ? 300 : -1),
            detourPercent: Int32(chance(90) ? 0 : 50),
            extraWaitSeconds: Int32(chance(90) ? 0 : 400)
        )
        return .join(passengerForm(core), owner, estimate)
    }

    private mutating func cancel(_ core: Dispatcher) -> Command? {
        let owners = core.requests.filter { !$0.joiners.isEmpty }
        if !owners.isEmpty && chance(40) { return .cancel(one(of: owners).number) }
        return core.requestCount == 0 && !chance(5) ? nil : .cancel(number(core))
    }

    private mutating func answer(_ core: Dispatcher) -> Command? {
        let open = core.requests.filter { $0.offer != nil }
        guard !open.isEmpty else { return nil }
        let asked = one(of: open)
        guard let offer = asked.offer else { return nil }
        let number = chance(96) ? asked.number : self.number(core)
        let taxi = chance(96) ? offer.taxi : self.taxi(core)
        let epoch = chance(94) ? offer.epoch : offer.epoch - Int64(below(20))
        switch below(20) {
        case 0..<8: return .accept(number, taxi, epoch: epoch)
        case 8..<14: return .refuse(number, taxi, epoch: epoch)
        case 14..<16: return .reportUndeliverable(number, taxi, epoch: epoch)
        default: return .confirmDelivery(number, taxi, epoch: epoch)
        }
    }

    private mutating func progress(_ core: Dispatcher) -> Command? {
        guard chance(3) || core.taxis.contains(where: { $0.status == .riding }) else { return nil }
        let taxi = taxi(core) { $0.status == .riding }
        let code: CodeCheck = one(of: [.right, .right, .wrong, .none])
        switch below(12) {
        case 0, 1: return .reachMeetingPoint(taxi)
        case 2: return .stateArrival(taxi, isDestination: chance(50))
        case 3..<7: return .board(taxi, aboard: UInt8(chance(95) ? 1 : below(9)), code: code)
        case 7, 8: return .reachDestination(taxi)
        case 9:
            let shared = core.requests.first { $0.ride?.taxi == taxi && !$0.joiners.isEmpty }
            guard let shared, chance(70) else { return .reportNoShow(taxi) }
            return .leaveBehind(taxi, one(of: [shared.number] + shared.joiners))
        case 10 where chance(50): return .giveBack(taxi, one(of: GiveBackCause.allCases))
        default: return .endRide(taxi, reason: one(of: [nil, nil, "", "meter broken"]))
        }
    }

    private mutating func override(_ core: Dispatcher) -> Command? {
        if core.requestCount == 0 && !chance(10) { return nil }
        let reason = chance(90) ? "as asked" : ""
        switch below(10) {
        case 0..<3:
            let queued = taxi(core) { $0.rank != nil }
            return .assign(number(core), queued, reason: reason)
        case 3: return .park(number(core), reason: reason)
        case 4, 5:
            let parked = core.requests.filter { $0.phase == .parked }
            return .unpark(parked.isEmpty ? number(core) : one(of: parked).number)
        case 6: return .restoreTurn(taxi(core) { $0.rank != nil }, reason: reason)
        case 7: return .takeOffDuty(taxi(core), reason: reason)
        case 8: return .withdraw(number(core), reason: reason)
        default:
            let riding = taxi(core) { $0.status == .riding }
            if chance(50) { return .closeRide(riding, reason: reason) }
            let driven = core.requests.first { $0.ride?.taxi == riding }?.number
            return .replace(driven ?? number(core), riding, reason: reason)
        }
    }

    private mutating func administration(_ core: Dispatcher) -> Command {
        switch below(12) {
        case 0: return .suspend(reason: chance(90) ? "storm" : "")
        case 1: return .resume
        case 2: return .adopt(policy())
        case 3..<7: return redraw(core)
        case 7, 8: return .register(form("T\(below(12))"))
        case 9: return .change(taxi(core), form("T\(below(12))"))
        case 10: return .remove(taxi(core))
        default: return .completeSetup
        }
    }

    private mutating func redraw(_ core: Dispatcher) -> Command {
        let zones = size.zones.lowerBound + below(size.zones.count)
        var drawing = drawing(zones, taxis: core.taxis.count)
        let count = drawing.names.count
        let keeps = chance(50)
        for taxi in core.taxis {
            var place = taxi.place
            if case .zone(let zone) = place {
                let isGone = Int(zone.rawValue) >= count
                if isGone || !keeps || chance(20) {
                    place = chance(85) ? .zone(.zone(UInt32(below(count)))) : .outside
                }
            } else if place == .outside && chance(20) {
                place = .zone(.zone(UInt32(below(count))))
            }
            drawing.places.append(place)
        }
        for request in core.requests {
            let zone = chance(90) ? ZoneNumber.zone(UInt32(below(count))) : nil
            drawing.requests.append(.init(request: request.number, zone: zone))
        }
        if chance(3) { drawing.places.append(.outside) }
        if chance(3) { drawing.names = [] }
        return .drawZones(drawing)
    }
}
