import Chronology
import Dispatching
import Geo
import Positions
import SeededRandom
import StorageTestSupport
import Synchronization
import TestClock
import TestSupport
import Testing
import Zones

@testable import Taxi

/// A dispatcher and an intake with an unreliable connection between them.
private struct Wire {
    var dispatcher = Dispatcher()
    var intake = PositionIntake()
    let zones: ZoneSet
    var now = SettableClock.atMidnight().now
    /// The position of each taxi in metres from the west end.
    var metres: [Double]

    init(taxis: Int) throws {
        zones = try TaxiTown.zones()
        metres = Array(repeating: 1_000, count: taxis)
        var commands: [Command] = [
            .adopt(.viavai), .drawZones(ZoneDrawing(names: ["west", "east"], hash: 1)),
        ]
        commands += (0..<taxis).map { .register(TaxiForm(code: "T\($0)")) }
        _ = dispatcher.advance(to: now)
        for command in commands + [.completeSetup] { _ = try dispatcher.apply(command) }
        restart()
    }

    mutating func restart() {
        intake = PositionIntake()
        intake.begin(zones: zones, policy: .viavai, taxis: dispatcher.taxis, at: now)
        compare()
    }

    mutating func pass(seconds: Int64) {
        now = now.adding(seconds: seconds)
        _ = dispatcher.advance(to: now)
    }

    func report(_ index: Int) {
        let place = TaxiTown.place(metres[index])
        let report = PositionReport(at: now, place: place, accuracyMetres: 5)
        let taxi = TaxiNumber(rawValue: UInt32(index))
        _ = intake.take(PositionBatch(taxi: taxi, sentAt: now, reports: [report]), at: now)
    }

    /// Passes commands on, or loses them.
    mutating func carry(loses: () -> Bool) {
        for command in intake.drain() where !loses() { _ = try? dispatcher.apply(command) }
    }

    mutating func compare() {
        let mark = intake.mark
        carry { false }
        intake.reconcile(with: dispatcher.taxis, goals: [:], since: mark, at: now)
    }

    /// Returns whether a taxi is near enough to a zone to still count as within it (G8).
    func touches(_ place: Place, _ index: Int) -> Bool {
        guard case .zone(let zone) = place else { return false }
        return zones.touches(
            ZoneIndex(rawValue: zone.rawValue),
            around: TaxiTown.place(metres[index]),
            radiusMetres: 5
        )
    }

    func zone(_ index: Int) -> Place {
        zones.zone(at: TaxiTown.place(metres[index])).map {
            .zone(ZoneNumber(rawValue: $0.rawValue))
        } ?? .outside
    }
}

@Suite("The intake of positions")
struct PositionIntakeTests {
    @Test(
        "whatever is lost on the way, after a few reports both believe the same",
        arguments: 0..<UInt64(Effort.instances(40, everything: 2_000))
    )
    func converges(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var wire = try Wire(taxis: 4)
        for _ in 0..<200 {
            wire.pass(seconds: Int64.random(in: 1...20, using: &random))
            for taxi in 0..<4 where Bool.random(using: &random) {
                let step = Double.random(in: -400...400, using: &random)
                wire.metres[taxi] = max(-500, min(10_500, wire.metres[taxi] + step))
                wire.report(taxi)
            }
            wire.intake.tick(at: wire.now)
            let share = Int.random(in: 0..<4, using: &random)
            wire.carry { Int.random(in: 0..<4, using: &random) < share }
            if Int.random(in: 0..<10, using: &random) == 0 { wire.compare() }
            if Int.random(in: 0..<50, using: &random) == 0 { wire.restart() }
        }
        // From here on nothing is lost; two comparisons and five reports must suffice.
        wire.compare()
        for _ in 0..<5 {
            wire.pass(seconds: 10)
            for taxi in 0..<4 { wire.report(taxi) }
            wire.carry { false }
        }
        for (index, taxi) in wire.dispatcher.taxis.enumerated() {
            #expect(taxi.isReachable, "seed \(seed), taxi \(index)")
            let isThere = taxi.place == wire.zone(index) || wire.touches(taxi.place, index)
            #expect(isThere, "seed \(seed), taxi \(index)")
        }
    }

    @Test("what is said while the dispatcher is being asked is not put back (I6)")
    func saidMeanwhile() throws {
        var wire = try Wire(taxis: 1)
        let mark = wire.intake.mark
        wire.carry { false }
        let before = wire.dispatcher.taxis
        // The taxi drives on, and the dispatcher learns of it, before the response has arrived.
        wire.metres[0] = 6_000
        wire.pass(seconds: 60)
        wire.report(0)
        wire.pass(seconds: 5)
        wire.report(0)
        wire.carry { false }
        #expect(wire.dispatcher.taxis[0].place == .zone(TaxiTown.east))
        wire.intake.reconcile(with: before, goals: [:], since: mark, at: wire.now)
        wire.metres[0] = 4_000
        for _ in 0..<2 {
            wire.pass(seconds: 60)
            wire.report(0)
        }
        wire.carry { false }
        #expect(wire.dispatcher.taxis[0].place == .zone(TaxiTown.west))
    }

    @Test("what fills up is dropped, and said again after the next comparison (I30)")
    func isBounded() throws {
        var wire = try Wire(taxis: 1)
        for _ in 0..<3 {
            wire.pass(seconds: 100)
            wire.report(0)
            wire.intake.tick(at: wire.now)
        }
        #expect(wire.intake.drain().count <= PositionIntake.waitingLimit)
        wire.compare()
        wire.pass(seconds: 5)
        wire.report(0)
        wire.carry { false }
        #expect(wire.dispatcher.taxis[0].isReachable)
    }

    @Test("of a batch that is too long the newest reports count")
    func longBatch() throws {
        let wire = try Wire(taxis: 1)
        let taxi = TaxiNumber(rawValue: 0)
        let reports = (0..<2_000).map { number in
            PositionReport(
                at: wire.now.adding(seconds: Int64(number - 2_000)),
                place: TaxiTown.place(Double(number))
            )
        }
        let batch = PositionBatch(taxi: taxi, sentAt: wire.now, reports: reports.shuffled())
        #expect(wire.intake.take(batch, at: wire.now).isEmpty)
        #expect(wire.intake.position(of: taxi)?.place == TaxiTown.place(1_999))
    }

    @Test("a taxi that is at the place already when it becomes its goal has reached it (R64)")
    func thereAlready() throws {
        let wire = try Wire(taxis: 1)
        let taxi = TaxiNumber(rawValue: 0)
        let goal = PositionTracker.Goal(
            place: TaxiTown.place(1_020),
            radiusMetres: 100,
            isDestination: false
        )
        wire.intake.watch([taxi], for: [taxi: goal], since: .max)
        #expect(wire.intake.drain().isEmpty)
        wire.report(0)
        let said = wire.intake.drain()
        #expect(said.last == .reachMeetingPoint(taxi))
        wire.intake.watch([taxi], for: [taxi: goal], since: .max)
        #expect(wire.intake.drain() == [.reachMeetingPoint(taxi)])
        wire.intake.watch([taxi], for: [:], since: .max)
        #expect(wire.intake.drain().isEmpty)
    }

    @Test("a goal that was read before another was set does not put that one back")
    func lateGoal() throws {
        let wire = try Wire(taxis: 1)
        let taxi = TaxiNumber(rawValue: 0)
        func goal(isDestination: Bool) -> PositionTracker.Goal {
            PositionTracker.Goal(
                place: TaxiTown.place(1_020),
                radiusMetres: 100,
                isDestination: isDestination
            )
        }
        wire.report(0)
        _ = wire.intake.drain()
        let mark = wire.intake.mark
        wire.intake.watch([taxi], for: [taxi: goal(isDestination: true)], since: mark)
        #expect(wire.intake.drain() == [.reachDestination(taxi)])
        wire.intake.watch([taxi], for: [taxi: goal(isDestination: false)], since: mark)
        #expect(wire.intake.drain().isEmpty)
    }

    @Test("a taxi's next ride has a meter of its own, whatever arrives late of the last one")
    func meters() throws {
        let wire = try Wire(taxis: 1)
        let taxi = TaxiNumber(rawValue: 0)
        let (first, second, heir) = (
            RequestNumber(rawValue: 1), RequestNumber(rawValue: 2), RequestNumber(rawValue: 3)
        )
        func meter(at metres: Double) -> Meter {
            Meter(at: wire.now, place: TaxiTown.place(metres), tariff: nil)
        }
        wire.intake.start(meter(at: 0), of: taxi, on: first)
        wire.intake.start(meter(at: 500), of: taxi, on: first)
        #expect(wire.intake.meter(of: taxi, on: first) == meter(at: 0), "it goes on")
        wire.intake.start(meter(at: 1_000), of: taxi, on: second)
        #expect(wire.intake.meter(of: taxi, on: first) == nil)
        wire.intake.stopMeters { $0 == first }
        #expect(wire.intake.meter(of: taxi, on: second) == meter(at: 1_000))
        wire.intake.handOn(second, to: heir)
        #expect(wire.intake.meter(of: taxi, on: heir) == meter(at: 1_000))
        wire.intake.stopMeters { $0 == heir }
        #expect(wire.intake.meters.isEmpty)
    }

    @Test("a phone of no taxi is told so")
    func unknown() throws {
        let wire = try Wire(taxis: 1)
        let batch = PositionBatch(
            taxi: TaxiNumber(rawValue: 9),
            sentAt: wire.now,
            reports: []
        )
        #expect(wire.intake.take(batch, at: wire.now) == [.unknownTaxi])
        #expect(PositionIntake().take(batch, at: wire.now) == [.unknownTaxi])
    }
}
