import Chronology
import Testing

@testable import Dispatching

/// R64, R78, I16: the taxi of a reservation arrives before the reserved time.
@Suite("Early taxis")
struct EarlyTaxiTests {
    @Test("nobody is late for a reservation before its hour, however early the taxi came (I16)")
    func noShow() {
        var town = Town(taxis: [0])
        let due = town.dispatcher.now.adding(seconds: 7_200)
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: 9),
            zone: .zone(0),
            hasDestination: true
        )
        town.does(.reserve(form, due: due))
        let number = RequestNumber(rawValue: 1)
        // The search starts ten minutes before the reserved time, and this taxi is there at once.
        town.wait(6_600)
        town.accepts(0)
        town.does(.reachMeetingPoint(.taxi(0)))
        town.wait(300)
        let earliest = due.adding(seconds: 300)
        #expect(town.refusal(.reportNoShow(.taxi(0))) == .waitUntil(earliest))
        town.wait(599)
        #expect(town.refusal(.reportNoShow(.taxi(0))) == .waitUntil(earliest))
        town.wait(1)
        town.does(.reportNoShow(.taxi(0)))
        #expect(town.outcome(number) == .noShow)
    }

    @Test("where the policy wants it measured, a stated arrival proves nothing (R64, R65)")
    func statedArrival() {
        var town = Town(taxis: [0])
        town.does(.adopt(.milanoA))
        let request = town.request(1)
        town.accepts(0)
        let atPickup = Command.stateArrival(.taxi(0), isDestination: false)
        #expect(town.refusal(atPickup) == .meetingPointNotReached)
        #expect(town.refusal(.reportNoShow(.taxi(0))) == .meetingPointNotReached)
        town.does(.reachMeetingPoint(.taxi(0)))
        town.does(.board(.taxi(0), aboard: 1, code: .right))
        let atGoal = Command.stateArrival(.taxi(0), isDestination: true)
        #expect(town.refusal(atGoal) == .destinationNotReached)
        town.does(.adopt(.viavai))
        town.does(atGoal)
        town.does(.endRide(.taxi(0), reason: nil))
        #expect(town.outcome(request) == .completed)
    }
}
