import Chronology
import Testing

@testable import Dispatching

/// Faults of the core that the reference model or a review once found.
@Suite("Mended faults of the dispatcher")
struct MendedTests {
    @Test("a request that is assigned anew lets go the driver who was asked before (I3)")
    func assignedAnew() {
        var town = Town(taxis: [0, 0, 0])
        let request = town.request(1)
        #expect(town.asked(request) == 0)
        town.does(.assign(request, .taxi(2), reason: "nearer"))
        #expect(town.asked(request) == 2)
        #expect(town.status(0) == .available)
        #expect(town.queue() == [0, 1])
    }

    @Test("a turn kept for a silent driver is lost on the next report from elsewhere (R27)")
    func keptTurn() {
        var town = Town(taxis: [0, 0])
        town.does(.loseContact(.taxi(0)))
        town.does(.regainContact(.taxi(0), .outside))
        town.does(.loseContact(.taxi(0)))
        town.does(.regainContact(.taxi(0), .zone(.zone(0))))
        #expect(town.queue() == [1, 0])
    }

    @Test("an offer that was taken back is none of a limited number of offers (C17)")
    func withdrawnOffer() throws {
        let policy = try Policy.viavai.with(.maxOffers, "1")
        var town = Town(taxis: [0, 0], policy: policy)
        let request = town.request(1)
        town.does(.remove(.taxi(0)))
        #expect(town.asked(request) == 1)
    }

    @Test("after a redraw a place counts only for who was still in its zone (G5, I24)")
    func formerPlace() {
        var town = Town(zones: 3, taxis: [0, 1, 1])
        let request = town.request(1)
        #expect(town.asked(request) == 0)
        town.does(.locate(.taxi(0), .zone(.zone(2))))
        // Zone 2 is now zone 1, where two other taxis are queued.
        let one = Place.zone(.zone(1))
        town.does(
            .drawZones(
                ZoneDrawing(
                    names: ["a", "b"],
                    hash: 2,
                    places: [one, one, one],
                    requests: [.init(request: request, zone: .zone(0))]
                )
            )
        )
        town.does(.cancel(request))
        #expect(town.queue(1) == [1, 2, 0])
    }

    @Test("where nothing is held, a request that some refused ends as refused (R54, C3)")
    func refusedWithoutHolding() {
        var town = Town(taxis: [0, 0], policy: .milanoB)
        let first = town.request(1)
        let second = town.request(2)
        #expect(town.asked(first) == 0 && town.asked(second) == 1)
        let third = town.request(3)
        #expect(town.outcome(third) == .noTaxi)
        town.refuses(1)
        #expect(town.outcome(second) == .allRefused)
    }

    @Test("after a pause nobody is asked whose licence ended meanwhile (I14, F22)")
    func licenceOverAfterPause() {
        var town = Town(taxis: [0, 0], licensedUntil: Town.start.adding(seconds: 300))
        let request = town.request(1)
        town.wait(400)
        #expect(town.outcome(request) == .allRefused)
        let asked = town.events.filter { if case .offer(.offered) = $0 { true } else { false } }
        #expect(asked.count == 1)
    }

    @Test("a rider whose licence ended meanwhile leaves no deadline behind")
    func licenceOverWhileRiding() {
        var town = Town(taxis: [0], licensedUntil: Town.start.adding(seconds: 300))
        _ = town.request(1)
        town.accepts(0)
        let late = TaxiForm(code: "T0", licensedUntil: Town.start.adding(seconds: 60))
        town.wait(120)
        town.does(.change(.taxi(0), late))
        #expect(town.dispatcher.nextDeadline() == nil)
        #expect(town.status(0) == .riding)
        town.does(.closeRide(.taxi(0), reason: "home"))
        #expect(town.status(0) == .unavailable)
    }

    @Test(
        "a driver who loses a ride while out of contact keeps the resulting turn (C12, I6)",
        arguments: [("head", [0, 1, 2]), ("place", [0, 1, 2]), ("tail", [1, 2, 0])]
    )
    func lostOutOfContact(restore: String, expected: [Int]) throws {
        for isNoShow in [true, false] {
            let policy = try Policy.viavai.with(.noShowRestore, restore)
            var town = Town(taxis: [0, 0, 0], policy: policy)
            let request = town.request(1)
            town.accepts(0)
            if isNoShow { town.does(.reachMeetingPoint(.taxi(0))) }
            town.wait(210)
            town.does(.loseContact(.taxi(0)))
            town.wait(90)
            town.does(isNoShow ? .reportNoShow(.taxi(0)) : .cancel(request))
            #expect(town.status(0) == .outOfContact)
            #expect(town.queue() == [1, 2])
            town.wait(policy[.grace] - 1)
            town.does(.regainContact(.taxi(0), .zone(.zone(0))))
            #expect(town.queue() == expected)
        }
    }

    @Test("a driver whose turn is restored twice keeps the place that it gave (I6)")
    func restoredTwice() {
        var town = Town(taxis: [0, 0, 0])
        town.does(.restoreTurn(.taxi(2), reason: "a test"))
        town.does(.restoreTurn(.taxi(1), reason: "a test"))
        #expect(town.queue() == [2, 1, 0])
        #expect(town.does(.restoreTurn(.taxi(2), reason: "a test")).isEmpty)
        #expect(town.queue() == [2, 1, 0])
        #expect(town.refusal(.restoreTurn(.taxi(2), reason: "")) == .reasonMissing)
    }

    @Test("a turn kept after a lost ride is good in its zone and for the time of grace only (C12)")
    func lostElsewhere() throws {
        for isLate in [false, true] {
            var town = Town(taxis: [0, 1])
            let request = town.request(1)
            town.accepts(0)
            town.does(.loseContact(.taxi(0)))
            town.does(.cancel(request))
            if isLate {
                town.wait(town.dispatcher.policy[.grace])
                #expect(town.status(0) == .unavailable)
                #expect(town.dispatcher.taxi(.taxi(0))?.keptTurn == nil)
            } else {
                town.does(.regainContact(.taxi(0), .zone(.zone(1))))
                #expect(town.queue(1) == [1, 0])
            }
        }
    }

    @Test("a ride withdrawn with the passenger aboard gives no turn back (C12)")
    func withdrawnAboard() {
        var town = Town(taxis: [0, 0])
        let request = town.request(1)
        town.accepts(0)
        town.does(.reachMeetingPoint(.taxi(0)))
        town.does(.board(.taxi(0), aboard: 1, code: .right))
        town.does(.withdraw(request, reason: "wrong taxi"))
        #expect(town.queue() == [1, 0])
    }
}
