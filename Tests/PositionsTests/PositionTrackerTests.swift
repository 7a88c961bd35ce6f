import Chronology
import Dispatching
import Geo
import Testing
import Zones

@testable import Positions

/// Two adjacent zones of 1 km: west and east of the origin.
private struct World {
    var tracker: PositionTracker
    let plane: LocalPlane
    /// The taxi that reports.
    var taxi = TaxiNumber(rawValue: 0)
    var now = Moment(milliseconds: 1_000_000)

    init(policy: Policy = .viavai, taxis: Int = 1) throws {
        let plane = LocalPlane(at: Coordinate(latitude: 454_000_000, longitude: 91_000_000))
        func square(_ west: Double, _ name: String) throws -> Zone {
            let corners = [(0, 0), (1_000, 0), (1_000, 1_000), (0, 1_000), (0, 0)].map {
                plane.place(east: west + Double($0.0), north: Double($0.1))
            }
            let area = MultiPolygon([Polygon(outline: try Ring(corners))])
            return Zone(code: name, name: name, area: area)
        }
        self.plane = plane
        let draft = try ZoneDraft([square(-1_000, "west"), square(0, "east")])
        tracker = PositionTracker(zones: try draft.healed(), policy: policy)
        var dispatcher = Dispatcher()
        for index in 0..<taxis {
            _ = try dispatcher.apply(.register(TaxiForm(code: "A\(index)")))
            tracker.follow(dispatcher.taxis[index], at: now)
        }
    }

    /// Sends a report some seconds after the previous one, at a distance east of the middle.
    mutating func report(
        east: Double,
        after seconds: Int64 = 5,
        accuracy: Double = 5,
        phoneIsAhead: Int64 = 0
    ) -> (commands: [Command], faults: [PositionFault]) {
        now = now.adding(seconds: seconds)
        let clock = now.adding(seconds: phoneIsAhead)
        let place = plane.place(east: east, north: 500)
        let report = PositionReport(at: clock, place: place, accuracyMetres: accuracy)
        return send([report], sentAt: clock)
    }

    mutating func send(
        _ reports: [PositionReport],
        sentAt: Moment
    ) -> (commands: [Command], faults: [PositionFault]) {
        var faults: [PositionFault] = []
        let commands = tracker.take(
            PositionBatch(taxi: taxi, sentAt: sentAt, reports: reports),
            at: now
        ) { faults.append($0) }
        return (commands, faults)
    }
}

private let west = Place.zone(ZoneNumber(rawValue: 0))
private let east = Place.zone(ZoneNumber(rawValue: 1))

@Suite("What positions mean")
struct PositionTrackerTests {
    @Test("the first report says where a taxi is")
    func first() throws {
        var world = try World()
        #expect(world.report(east: 500).commands == [.regainContact(world.taxi, east)])
        #expect(world.report(east: 510).commands == [])
    }

    @Test("a zone is left after three reports outside it (G8)")
    func leaves() throws {
        var world = try World()
        _ = world.report(east: 100)
        #expect(world.report(east: -60).commands == [])
        #expect(world.report(east: -80).commands == [])
        #expect(world.report(east: -100).commands == [.locate(world.taxi, west)])
    }

    @Test("a zone is left after fifteen seconds outside it, if reports are rare (G8)")
    func leavesSlowly() throws {
        var world = try World()
        _ = world.report(east: 100)
        #expect(world.report(east: -60, after: 20).commands == [])
        #expect(world.report(east: -80, after: 16).commands == [.locate(world.taxi, west)])
    }

    @Test("trembling at a border changes nothing (G8, defect 7)")
    func trembles() throws {
        var world = try World()
        _ = world.report(east: 30)
        for step in 0..<200 {
            let side: Double = step % 3 == 2 ? 30 : -30
            #expect(world.report(east: side).commands == [])
        }
    }

    @Test("a report whose circle touches the zone does not count as outside (G8)")
    func vagueAtBorder() throws {
        var world = try World()
        _ = world.report(east: 30)
        for _ in 0..<20 { #expect(world.report(east: -30, accuracy: 50).commands == []) }
        _ = world.report(east: -30, accuracy: 10)
        _ = world.report(east: -30, accuracy: 10)
        #expect(world.report(east: -30, accuracy: 10).commands == [.locate(world.taxi, west)])
    }

    @Test("one bad fix evicts nobody; two that agree are believed (defect 7, F12)")
    func leaps() throws {
        var world = try World()
        _ = world.report(east: 500)
        #expect(world.report(east: 90_000).faults == [.leap])
        #expect(world.report(east: 505).faults == [])
        #expect(world.report(east: 90_000).faults == [.leap])
        #expect(world.report(east: 90_010).faults == [])
        _ = world.report(east: 90_020)
        #expect(world.report(east: 90_030).commands == [.locate(world.taxi, .outside)])
    }

    @Test("a phone an hour ahead, or a day behind, is understood (defect 5, I29)")
    func wrongClocks() throws {
        var world = try World()
        #expect(world.report(east: 100, phoneIsAhead: 3_600).commands.count == 1)
        #expect(world.report(east: 110).faults == [])
        #expect(world.report(east: 120, phoneIsAhead: -86_400).faults == [])
        for place in [-60.0, -80] { _ = world.report(east: place, phoneIsAhead: -86_400) }
        let last = world.report(east: -100, phoneIsAhead: 7_200)
        #expect(last.commands == [.locate(world.taxi, west)])
    }

    @Test("older reports, doubles and null island change nothing (I29, F12)")
    func ignored() throws {
        var world = try World()
        _ = world.report(east: 100)
        let old = PositionReport(
            at: world.now.adding(seconds: -4),
            place: world.plane.place(east: -500, north: 500)
        )
        #expect(world.send([old, old], sentAt: world.now).faults == [.outdated, .outdated])
        let nowhere = PositionReport(at: world.now, place: Coordinate(latitude: 0, longitude: 0))
        world.now = world.now.adding(seconds: 5)
        #expect(world.send([nowhere], sentAt: world.now).faults == [.noPlace])
        #expect(world.report(east: 110, accuracy: 3_000).faults == [.vague])
    }

    @Test("points kept in a tunnel are used in order, whatever order they come in (W8)")
    func tunnel() throws {
        var world = try World()
        _ = world.report(east: 100)
        let start = world.now
        world.now = world.now.adding(seconds: 60)
        var points = (1...12).map { step in
            PositionReport(
                at: start.adding(seconds: Int64(step) * 5),
                place: world.plane.place(east: 100 - Double(step) * 20, north: 500),
                accuracyMetres: 5
            )
        }
        points.swapAt(0, 7)
        points.swapAt(3, 11)
        let result = world.send(points, sentAt: world.now)
        #expect(result.faults == [])
        #expect(result.commands == [.locate(world.taxi, west)])
    }

    @Test("a silent driver is out of contact, and no other driver (defect 6)")
    func silence() throws {
        var world = try World()
        _ = world.report(east: 100)
        #expect(world.tracker.silent(at: world.now.adding(seconds: 89)) == [])
        let late = world.now.adding(seconds: 90)
        #expect(world.tracker.silent(at: late) == [.loseContact(world.taxi)])
        #expect(world.tracker.silent(at: late) == [])
        #expect(world.report(east: 100, after: 100).commands == [.regainContact(world.taxi, east)])
    }

    @Test("however often one driver reports, another who is silent is out of contact (defect 6)")
    func silenceOfAnother() throws {
        var world = try World(taxis: 2)
        let (talker, other) = (world.taxi, TaxiNumber(rawValue: 1))
        world.taxi = other
        _ = world.report(east: 100)
        world.taxi = talker
        for _ in 0..<18 { _ = world.report(east: 100) }
        #expect(world.tracker.silent(at: world.now) == [.loseContact(other)])
    }

    @Test("a phone of which nothing is used falls silent, whatever it sends (R48, I5, I14)")
    func uselessReports() throws {
        let useless: [(inout World, PositionReport) -> Set<PositionFault>] = [
            { world, _ in Set(world.report(east: 100, accuracy: 3_000).faults) },
            { world, first in
                world.now = world.now.adding(seconds: 5)
                return Set(world.send([first], sentAt: world.now).faults)
            },
            { world, _ in
                world.now = world.now.adding(seconds: 5)
                let nowhere = Coordinate(latitude: 0, longitude: 0)
                let report = PositionReport(at: world.now, place: nowhere)
                return Set(world.send([report], sentAt: world.now).faults)
            },
        ]
        let expected: [Set<PositionFault>] = [[.vague], [.outdated], [.noPlace]]
        for (send, fault) in zip(useless, expected) {
            var world = try World()
            _ = world.report(east: 100)
            let place = world.plane.place(east: 100, north: 500)
            let first = PositionReport(at: world.now, place: place, accuracyMetres: 5)
            for _ in 0..<17 { #expect(send(&world, first) == fault) }
            #expect(world.tracker.silent(at: world.now) == [])
            #expect(send(&world, first) == fault)
            #expect(world.tracker.silent(at: world.now) == [.loseContact(world.taxi)])
            #expect(world.report(east: 100).commands == [.regainContact(world.taxi, east)])
        }
    }

    @Test("what a phone sends late says where it was, not that it is in contact (R48, I14)")
    func latePositions() throws {
        var world = try World()
        _ = world.report(east: 100)
        let start = world.now
        world.now = start.adding(seconds: 600)
        #expect(world.tracker.silent(at: world.now) == [.loseContact(world.taxi)])
        let late = PositionReport(
            at: start.adding(seconds: 300),
            place: world.plane.place(east: 90, north: 500)
        )
        #expect(world.send([late], sentAt: world.now).commands == [])
        #expect(world.report(east: 80).commands == [.regainContact(world.taxi, east)])
    }

    @Test("the meeting point is reached once, within its radius (R63, R64)")
    func reaches() throws {
        var world = try World()
        _ = world.report(east: 100)
        let goal = PositionTracker.Goal(
            place: world.plane.place(east: 300, north: 500),
            radiusMetres: 100,
            isDestination: false
        )
        world.tracker.watch(world.taxi, for: goal)
        #expect(world.report(east: 195).commands == [])
        #expect(world.report(east: 205).commands == [.reachMeetingPoint(world.taxi)])
        #expect(world.report(east: 300).commands == [])
    }

    @Test("a report vaguer than the radius proves no arrival, however near its centre (R64, R65)")
    func vagueArrival() throws {
        for isDestination in [false, true] {
            var world = try World()
            _ = world.report(east: 100)
            let goal = PositionTracker.Goal(
                place: world.plane.place(east: 300, north: 500),
                radiusMetres: 100,
                isDestination: isDestination
            )
            world.tracker.watch(world.taxi, for: goal)
            #expect(world.report(east: 300, accuracy: 900).commands == [])
            #expect(world.report(east: 300, accuracy: 101).commands == [])
            #expect(world.tracker.watch(world.taxi, for: goal) == nil)
            let reached: Command =
                isDestination ? .reachDestination(world.taxi) : .reachMeetingPoint(world.taxi)
            #expect(world.report(east: 300, accuracy: 100).commands == [reached])
        }
    }

    @Test("a place that its driver states shows an arrival as stated, and says so (R64, R65)")
    func statedArrival() throws {
        for isDestination in [false, true] {
            var world = try World()
            _ = world.report(east: 100)
            let goal = PositionTracker.Goal(
                place: world.plane.place(east: 300, north: 500),
                radiusMetres: 20,
                isDestination: isDestination
            )
            world.tracker.watch(world.taxi, for: goal)
            world.now = world.now.adding(seconds: 30)
            let stated = PositionReport(
                at: world.now,
                place: goal.place,
                accuracyMetres: 50,
                isStated: true
            )
            let word = Command.stateArrival(world.taxi, isDestination: isDestination)
            #expect(world.send([stated], sentAt: world.now).commands == [word])
        }
    }

    @Test("where the policy wants it measured, only a device shows an arrival (R64, R65)")
    func doubtedArrival() throws {
        var world = try World()
        world.tracker.policy = .milanoA
        _ = world.report(east: 100)
        let goal = PositionTracker.Goal(
            place: world.plane.place(east: 300, north: 500),
            radiusMetres: 20,
            isDestination: false
        )
        world.tracker.watch(world.taxi, for: goal)
        world.now = world.now.adding(seconds: 30)
        var report = PositionReport(
            at: world.now,
            place: goal.place,
            accuracyMetres: 5,
            isStated: true
        )
        #expect(world.send([report], sentAt: world.now).commands.isEmpty)
        world.now = world.now.adding(seconds: 5)
        report.at = world.now
        report.isStated = false
        #expect(
            world.send([report], sentAt: world.now).commands == [.reachMeetingPoint(world.taxi)]
        )
    }

    @Test("times that no clock shows are outdated, and trap nowhere (F12)")
    func impossibleTimes() throws {
        var world = try World()
        _ = world.report(east: 100)
        let place = world.plane.place(east: 100, north: 500)
        for (at, sentAt) in [
            (Int64.min, Int64.max), (.min, 0), (.max, .min), (0, .max), (.min, .min),
        ] {
            let report = PositionReport(at: Moment(milliseconds: at), place: place)
            let result = world.send([report], sentAt: Moment(milliseconds: sentAt))
            #expect(result.faults == [.outdated] || result.faults == [.tooOften])
            #expect(result.commands == [])
        }
    }
}
