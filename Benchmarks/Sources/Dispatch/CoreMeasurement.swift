import Chronology
import Dispatching
import SeededRandom

/// Measures the dispatcher alone: decisions a second, replay, snapshots.
enum CoreMeasurement {
    private static let taxis = 10_000
    private static let commands = 1_000_000

    static func run() throws -> String {
        var shift = try Shift(taxis: taxis, zones: Town.zoneCount)
        let start = shift.dispatcher
        shift.work(commands)
        let given = shift.given
        var figures = Figures()
        figures.add("commands", given.count)
        figures.add("refused", shift.refused)
        var entries: [Entry] = []
        var done = 0
        figures.add(
            "commands_per_second",
            rate(of: given.count) {
                var dispatcher = start
                done = 0
                for (at, command) in given {
                    if dispatcher.log(advanceTo: at) != nil { done += 1 }
                    if (try? dispatcher.log(command)) != nil { done += 1 }
                }
            }
        )
        var dispatcher = start
        for (at, command) in given {
            if let entry = dispatcher.log(advanceTo: at) { entries.append(entry) }
            if let entry = try? dispatcher.log(command) { entries.append(entry) }
        }
        precondition(dispatcher.stateHash == shift.dispatcher.stateHash, "it decided otherwise")
        try measureReplay(of: entries, from: start, to: dispatcher, &figures)
        return figures.json
    }

    private static func measureReplay(
        of entries: [Entry],
        from start: Dispatcher,
        to end: Dispatcher,
        _ figures: inout Figures
    ) throws {
        let events = entries.reduce(0) { $0 + $1.events.count }
        let bytes = entries.map(\.bytes)
        figures.add("entries", entries.count)
        figures.add("events", events)
        figures.add("entry_bytes", Double(bytes.reduce(0) { $0 + $1.count }) / Double(bytes.count))
        let replayed = try rate(of: events, rounds: 3) {
            var dispatcher = start
            for entry in bytes { try dispatcher.replay(try Entry(bytes: entry)) }
            precondition(dispatcher.stateHash == end.stateHash, "the replay ends elsewhere")
        }
        figures.add("replayed_events_per_second", replayed)
        let snapshot = end.snapshot
        figures.add("requests", end.requestCount)
        figures.add("snapshot_bytes", snapshot.count)
        figures.add("snapshot_ms", 1_000 / rate(of: 1) { _ = end.snapshot })
        figures.add(
            "restore_ms",
            try 1_000 / rate(of: 1) { _ = try Dispatcher(snapshot: snapshot) }
        )
    }
}

/// A simulated city in operation: draws the commands of its people and logs the entries.
///
/// For each request there are about one and a half answers, a device that shows the offer, four
/// steps of the ride, two changes of zone, and occasionally a change of duty, a lost contact or a
/// cancellation: ten commands in all, ten milliseconds apart.
private struct Shift {
    private(set) var dispatcher = Dispatcher()
    private(set) var given: [(at: Moment, command: Command)] = []
    private(set) var refused = 0
    private var random = SplitMix(seed: 7)
    private var at = Moment(milliseconds: 1_778_630_400_000)
    private var passenger: UInt64 = 0
    private var offers: [(request: RequestNumber, taxi: TaxiNumber, epoch: Int64)] = []
    private var places: [RequestNumber: Int] = [:]
    private var rides: [(taxi: TaxiNumber, step: Int)] = []
    private let zones: Int
    private let fleet: Int

    init(taxis: Int, zones: Int) throws {
        self.zones = zones
        fleet = taxis
        _ = dispatcher.advance(to: at)
        try set(.adopt(.viavai))
        let names = (0..<zones).map { "Z\($0)" }
        try set(.drawZones(ZoneDrawing(names: names, hash: 1)))
        for index in 0..<taxis { try set(.register(TaxiForm(code: "T\(index)"))) }
        try set(.completeSetup)
        for index in 0..<taxis {
            let taxi = TaxiNumber(rawValue: UInt32(index))
            let zone = ZoneNumber(rawValue: UInt32(random.below(zones)))
            try set(.regainContact(taxi, .zone(zone)))
            if index % 10 != 0 { try set(.goOnDuty(taxi)) }
        }
    }

    private mutating func set(_ command: Command) throws {
        _ = try dispatcher.log(command)
    }

    private mutating func place() -> Place {
        random.happens(0.01)
            ? .outside : .zone(ZoneNumber(rawValue: UInt32(random.below(zones))))
    }

    private mutating func anyTaxi() -> TaxiNumber {
        TaxiNumber(rawValue: UInt32(random.below(fleet)))
    }

    /// Continues until that many commands were applied.
    mutating func work(_ count: Int) {
        while given.count < count {
            at = at.adding(milliseconds: 10)
            if let entry = dispatcher.log(advanceTo: at) { note(entry) }
            give(next())
        }
    }

    private mutating func give(_ command: Command) {
        given.append((at, command))
        do {
            if let entry = try dispatcher.log(command) { note(entry) }
        } catch {
            refused += 1
        }
    }

    private mutating func note(_ entry: Entry) {
        var epoch = dispatcher.sequence - Int64(entry.events.count)
        for event in entry.events {
            switch event {
            case .offer(.offered(let request, let taxi, _, _)):
                places[request] = offers.count
                offers.append((request, taxi, epoch))
            case .offer(.offerClosed(let request, _)), .offer(.accepted(let request)):
                forget(request)
            case .city, .taxi, .request, .offer, .ride: break
            }
            epoch += 1
        }
    }

    private mutating func forget(_ request: RequestNumber) {
        guard let place = places.removeValue(forKey: request), let last = offers.popLast(),
            place < offers.count
        else { return }
        offers[place] = last
        places[last.request] = place
    }

    private mutating func next() -> Command {
        switch random.unit() {
        case ..<0.22: locate()
        case ..<0.225: .goOffDuty(anyTaxi())
        case ..<0.24: .goOnDuty(anyTaxi())
        case ..<0.245: .loseContact(anyTaxi())
        case ..<0.255: .regainContact(anyTaxi(), place())
        case ..<0.35: request()
        case ..<0.353: .cancel(RequestNumber(rawValue: max(1, dispatcher.lastRequest - 3)))
        // Keeps as many open offers and rides as the people's response times imply.
        default: offers.count > 400 ? answer() : rides.count > 2_000 ? step() : locate()
        }
    }

    private mutating func locate() -> Command { .locate(anyTaxi(), place()) }

    private mutating func request() -> Command {
        passenger += 1
        return .request(
            RequestForm(
                passenger: PassengerNumber(rawValue: passenger),
                zone: ZoneNumber(rawValue: UInt32(random.below(zones))),
                needs: Capacity(seats: UInt8(1 + random.below(3))),
                hasDestination: random.happens(0.6)
            )
        )
    }

    private mutating func answer() -> Command {
        let place = random.below(offers.count)
        let offer = offers[place]
        let draw = random.unit()
        if draw < 0.5 {
            return .confirmDelivery(offer.request, offer.taxi, epoch: offer.epoch)
        }
        switch draw {
        case ..<0.91:
            rides.append((offer.taxi, 0))
            return .accept(offer.request, offer.taxi, epoch: offer.epoch)
        case ..<0.97: return .refuse(offer.request, offer.taxi, epoch: offer.epoch)
        default: return .reportUndeliverable(offer.request, offer.taxi, epoch: offer.epoch)
        }
    }

    private mutating func step() -> Command {
        let place = random.below(rides.count)
        let ride = rides[place]
        rides[place].step += 1
        switch ride.step {
        case 0: return .reachMeetingPoint(ride.taxi)
        case 1: return .board(ride.taxi, aboard: 1, code: .right)
        case 2: return .reachDestination(ride.taxi)
        default:
            rides[place] = rides[rides.count - 1]
            rides.removeLast()
            return .endRide(ride.taxi, reason: nil)
        }
    }
}
