import Chronology
import Testing

@testable import Dispatching

/// The rules of queues in spec/taxi.md 1.2 and 1.4 that the scenarios cover only partly.
@Suite("Who is queued, and when")
struct QueueRuleTests {
    @Test("at the start a taxi is unavailable, wherever it is, until its driver says more (R20)")
    func start() throws {
        var dispatcher = Dispatcher()
        _ = dispatcher.advance(to: Town.start)
        let commands: [Command] = [
            .adopt(.viavai), .drawZones(ZoneDrawing(names: ["zone 0"], hash: 1)),
            .register(TaxiForm(code: "T0")), .completeSetup,
            .regainContact(.taxi(0), .zone(.zone(0))),
        ]
        for command in commands { _ = try dispatcher.apply(command) }
        #expect(dispatcher.taxi(.taxi(0))?.status == .unavailable)
        #expect(dispatcher.zones[0].entries.isEmpty)
        _ = try dispatcher.apply(.goOnDuty(.taxi(0)))
        #expect(dispatcher.taxi(.taxi(0))?.status == .available)
        #expect(dispatcher.zones[0].entries.map(\.taxi) == [.taxi(0)])
    }

    @Test("with a ride a taxi crosses zones and the border, and is in no queue (R24, R26)")
    func riding() {
        var town = Town(taxis: [0])
        let request = town.request(1)
        town.accepts(0)
        let places: [Place] = [.zone(.zone(1)), .outside, .zone(.zone(0))]
        for place in places {
            town.does(.locate(.taxi(0), place))
            #expect(town.status(0) == .riding)
            #expect(town.queue(0).isEmpty && town.queue(1).isEmpty)
        }
        #expect(town.dispatcher.request(request)?.ride?.taxi == .taxi(0))
    }

    @Test(
        "at its hour a reservation asks its own zone, under [A] only who queued then (R78, C6)",
        arguments: Policy.shipped
    )
    func eligible(policy: Policy) {
        var town = Town(taxis: [0, 1], policy: policy)
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: 9),
            zone: .zone(0),
            hasDestination: true
        )
        town.does(.reserve(form, due: town.dispatcher.now.adding(seconds: 7_200)))
        let number = RequestNumber(rawValue: 1)
        town.wait(6_599)
        #expect(town.asked(number) == nil)
        town.wait(1)
        #expect(town.asked(number) == 0)
        town.does(.locate(.taxi(1), .zone(.zone(0))))
        town.refuses(0)
        let isLimited = policy[.reserveSnapshot] == 1
        #expect(isLimited == (policy.name == "milano-a"))
        #expect(town.asked(number) == (isLimited ? nil : 1))
        // A driver who came later gets an offer at the next attempt.
        if isLimited { town.wait(120) }
        #expect(town.asked(number) == 1)
    }
}
