import Chronology
import Testing

@testable import Dispatching

/// The edge cases of spec/taxi.md 5.6 that concern the core.
@Suite("Edges of the dispatcher")
struct EdgeTests {
    @Test(
        "an acceptance counts before the deadline and not at it (F7, I11)",
        arguments: [(-1, true), (0, false), (1, false)] as [(Int64, Bool)]
    )
    func deadline(milliseconds: Int64, counts: Bool) throws {
        var town = Town(taxis: [0])
        let request = town.request(1)
        let offer = try #require(town.dispatcher.request(request)?.offer)
        let moment = offer.deadline.adding(milliseconds: milliseconds)
        town.events += town.dispatcher.advance(to: moment)
        let refusal = town.refusal(.accept(request, .taxi(0), epoch: offer.epoch))
        #expect(refusal == (counts ? nil : .offerGone))
        #expect(town.status(0) == (counts ? .riding : .available))
    }

    @Test("of two answers the first counts, and the second is refused (F7)")
    func twoAnswers() throws {
        var town = Town(taxis: [0, 0])
        let request = town.request(1)
        let epoch = try #require(town.dispatcher.request(request)?.offer?.epoch)
        town.does(.accept(request, .taxi(0), epoch: epoch))
        #expect(town.refusal(.accept(request, .taxi(0), epoch: epoch)) == .offerGone)
        #expect(town.refusal(.refuse(request, .taxi(0), epoch: epoch)) == .offerGone)
        #expect(town.status(0) == .riding)
    }

    @Test("an acceptance after the offer went to another is refused (F7, defect 11)")
    func acceptedAfterReassigning() throws {
        var town = Town(taxis: [0, 0])
        let request = town.request(1)
        let epoch = try #require(town.dispatcher.request(request)?.offer?.epoch)
        town.wait(60)
        #expect(town.asked(request) == 1)
        #expect(town.refusal(.accept(request, .taxi(0), epoch: epoch)) == .offerGone)
        let newer = try #require(town.dispatcher.request(request)?.offer?.epoch)
        #expect(town.refusal(.accept(request, .taxi(0), epoch: newer)) == .offerGone)
        #expect(town.asked(request) == 1)
    }

    @Test("the first of cancelling and accepting decides (F9)")
    func cancelAndAccept() throws {
        var first = Town(taxis: [0])
        let request = first.request(1)
        let epoch = try #require(first.dispatcher.request(request)?.offer?.epoch)
        var second = first
        first.does(.cancel(request))
        #expect(first.refusal(.accept(request, .taxi(0), epoch: epoch)) == .offerGone)
        #expect(first.queue() == [0])
        second.does(.accept(request, .taxi(0), epoch: epoch))
        second.does(.cancel(request))
        #expect(second.outcome(request) == .cancelled)
        #expect(second.queue() == [0])
    }

    @Test("a driver who goes off duty or falls silent while asked frees the request (F9, G4)")
    func leavesWhileAsked() {
        var town = Town(taxis: [0, 0, 0, 0])
        let request = town.request(1)
        town.does(.goOffDuty(.taxi(0)))
        #expect(town.asked(request) == 1)
        town.does(.loseContact(.taxi(1)))
        #expect(town.asked(request) == 2)
        #expect(town.status(1) == .outOfContact)
        town.does(.regainContact(.taxi(1), .zone(.zone(0))))
        #expect(town.queue() == [3, 1])
    }

    @Test("who falls silent while asked queues last, and the next is asked at once (R53, G1)")
    func silentWhileAsked() throws {
        // Without an offer, a driver who is soon back in contact keeps the turn.
        var kept = Town(taxis: [0, 0, 0])
        kept.does(.loseContact(.taxi(0)))
        kept.does(.regainContact(.taxi(0), .zone(.zone(0))))
        #expect(kept.queue() == [0, 1, 2])

        var town = Town(taxis: [0, 0, 0])
        let request = town.request(1)
        #expect(town.asked(request) == 0)
        let asked = town.dispatcher.now
        town.does(.loseContact(.taxi(0)))
        #expect(town.dispatcher.now == asked)
        #expect(town.asked(request) == 1)
        town.does(.regainContact(.taxi(0), .zone(.zone(0))))
        #expect(town.queue() == [2, 0])
        // The driver who could not be reached is not asked for this request again.
        town.refuses(1)
        #expect(town.asked(request) == 2)
    }

    @Test("only drivers on duty in the zone, free and in contact are asked (R48, I5)")
    func whoIsAsked() {
        var town = Town(taxis: [1, 0, 0, 0, 0, 0])
        let first = town.request(1)
        town.accepts(1)
        let second = town.request(2)
        #expect(town.asked(second) == 2)
        town.does(.goOffDuty(.taxi(3)))
        town.does(.loseContact(.taxi(4)))
        // Of those before the last one, each is barred for another reason.
        let third = town.request(3)
        #expect(town.asked(third) == 5)
        town.refuses(5)
        #expect(town.asked(third) == nil)
        #expect(town.dispatcher.request(first)?.ride?.taxi == .taxi(1))
        #expect(town.asked(second) == 2)
        #expect(town.status(0) == .available)
    }

    @Test("of requests that wait the earliest gets the first taxi that is free (R48, G11)")
    func firstComeFirstServed() {
        var town = Town(taxis: [0, 0])
        let asking = [town.request(1), town.request(2)]
        let waiting = [town.request(3), town.request(4)]
        #expect(waiting.map { town.asked($0) } == [nil, nil])
        // The taxi that is asked later is free first: that changes nothing for the waiting
        // passenger.
        town.does(.cancel(asking[1]))
        #expect(waiting.map { town.asked($0) } == [1, nil])
        town.does(.cancel(asking[0]))
        #expect(waiting.map { town.asked($0) } == [1, 0])
    }

    @Test("a driver asked in one zone who drives to another refuses into its tail (F10, G7)")
    func crossesWhileAsked() {
        var town = Town(taxis: [0, 1])
        let request = town.request(1)
        town.does(.locate(.taxi(0), .zone(.zone(1))))
        #expect(town.asked(request) == 0)
        town.refuses(0)
        #expect(town.queue(0) == [])
        #expect(town.queue(1) == [1, 0])
    }

    @Test("an open offer keeps its deadline when the policy changes (F21)")
    func policyChange() throws {
        var town = Town(taxis: [0, 0])
        let request = town.request(1)
        let deadline = try #require(town.dispatcher.request(request)?.offer?.deadline)
        town.does(.adopt(.milanoA))
        #expect(town.dispatcher.request(request)?.offer?.deadline == deadline)
        town.wait(60)
        let next = try #require(town.dispatcher.request(request)?.offer)
        #expect(next.deadline == town.dispatcher.now.adding(seconds: 120))
    }

    @Test("after a pause of five minutes one driver has missed one offer (F22)")
    func pause() {
        var town = Town(taxis: [0, 0, 0])
        let request = town.request(1)
        town.wait(300)
        #expect(town.asked(request) == 1)
        #expect(town.queue() == [2, 0])
        #expect(town.wait(0).isEmpty)
    }

    @Test("after a restart an open offer has its whole time again, and no strike (G1, defect 3)")
    func restart() throws {
        var town = Town(taxis: [0])
        let request = town.request(1)
        town.events += town.dispatcher.restart(at: town.dispatcher.now.adding(seconds: 3_000))
        #expect(town.wait(0).isEmpty)
        let offer = try #require(town.dispatcher.request(request)?.offer)
        #expect(offer.deadline == town.dispatcher.now.adding(seconds: 60))
        #expect(town.dispatcher.nextDeadline() == offer.deadline)
        town.does(.accept(request, .taxi(0), epoch: offer.epoch))
    }

    @Test("a clock that runs back changes nothing (I28)")
    func clockBack() {
        var town = Town(taxis: [0])
        let request = town.request(1)
        let now = town.dispatcher.now
        #expect(town.wait(-3_600).isEmpty)
        #expect(town.dispatcher.now == now)
        #expect(town.asked(request) == 0)
    }

    @Test("what is said twice changes nothing the second time (I29)")
    func repetitions() throws {
        var town = Town(taxis: [0])
        #expect(town.does(.locate(.taxi(0), .zone(.zone(0)))).isEmpty)
        #expect(town.does(.regainContact(.taxi(0), .zone(.zone(0)))).isEmpty)
        let request = town.request(1)
        let epoch = try #require(town.dispatcher.request(request)?.offer?.epoch)
        #expect(!town.does(.confirmDelivery(request, .taxi(0), epoch: epoch)).isEmpty)
        #expect(town.does(.confirmDelivery(request, .taxi(0), epoch: epoch)).isEmpty)
        town.accepts(0)
        #expect(!town.does(.reachMeetingPoint(.taxi(0))).isEmpty)
        #expect(town.does(.reachMeetingPoint(.taxi(0))).isEmpty)
    }

    @Test("only offers that a device has shown are strikes; the third ends the duty (G4, defect 9)")
    func strikes() throws {
        var town = Town(taxis: [0])
        for isShown in [true, false, true, true] {
            let request = town.request(1)
            let epoch = try #require(town.dispatcher.request(request)?.offer?.epoch)
            if isShown { town.does(.confirmDelivery(request, .taxi(0), epoch: epoch)) }
            town.wait(60)
        }
        #expect(town.status(0) == .unavailable)
        town.does(.goOnDuty(.taxi(0)))
        #expect(town.dispatcher.taxi(.taxi(0))?.ignoredOffers == 0)
    }

    @Test("queues are in the order of the log, also within one moment (R47, R48, defect 1)")
    func sameMoment() {
        var town = Town(taxis: [0, 0, 0, 0])
        for taxi in [3, 1, 0, 2] { town.does(.goOffDuty(.taxi(taxi))) }
        for taxi in [2, 0, 3, 1] { town.does(.goOnDuty(.taxi(taxi))) }
        #expect(town.queue() == [2, 0, 3, 1])
    }

    @Test("a suspension stops requests and keeps reservations for the time after (I18, R12)")
    func suspension() {
        var town = Town(taxis: [0])
        let due = town.dispatcher.now.adding(seconds: 7_200)
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: 9),
            zone: .zone(0),
            hasDestination: true
        )
        town.does(.reserve(form, due: due))
        let request = town.request(1)
        town.does(.suspend(reason: "snow"))
        #expect(town.outcome(request) == .suspended)
        #expect(town.refusal(.request(form)) == .suspended("snow"))
        town.wait(6_600)
        #expect(town.dispatcher.requestCount == 1)
        town.does(.resume)
        town.wait(120)
        #expect(town.asked(RequestNumber(rawValue: 1)) == 0)
    }

    @Test(
        "a reservation due in a suspension is tried when it is over, before its hour (I18, C5)",
        arguments: Policy.shipped,
        [false, true]
    )
    func reservationInSuspension(policy: Policy, isCutShort: Bool) throws {
        var town = Town(taxis: [0], policy: policy)
        let due = town.dispatcher.now.adding(seconds: 7_200)
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: 9),
            zone: .zone(0),
            hasDestination: true
        )
        town.does(.reserve(form, due: due))
        let number = RequestNumber(rawValue: 1)
        // The search starts ten minutes before the reserved time.
        town.wait(isCutShort ? 6_600 : 6_590)
        #expect(town.asked(number) == (isCutShort ? 0 : nil))
        town.does(.suspend(reason: "snow"))
        town.wait(60)
        #expect(town.dispatcher.request(number)?.tries == 0)
        var late = town
        late.wait(600)
        let isOver = policy[.reserveRetries] == 0
        #expect(late.outcome(number) == (isOver ? .suspended : nil))
        town.does(.resume)
        town.wait(120)
        #expect(town.asked(number) == 0)
        #expect(town.dispatcher.request(number)?.tries == 1)
    }

    @Test("the first who joined goes on with the ride when its owner cancels (F26)")
    func ownerCancels() {
        var town = Town(taxis: [0])
        let owner = town.request(1, isShared: true)
        town.accepts(0)
        let estimate = SharingEstimate(
            walkSeconds: 60,
            taxiSeconds: 300,
            detourPercent: 0,
            extraWaitSeconds: 0
        )
        for passenger: UInt64 in [2, 3] {
            let form = RequestForm(
                passenger: PassengerNumber(rawValue: passenger),
                zone: .zone(0),
                hasDestination: true
            )
            town.does(.join(form, owner, estimate))
        }
        town.does(.cancel(owner))
        let heir = RequestNumber(rawValue: owner.rawValue + 1)
        #expect(town.dispatcher.request(heir)?.ride?.taxi == .taxi(0))
        #expect(town.dispatcher.request(heir)?.needs.seats == 2)
        #expect(town.dispatcher.taxi(.taxi(0))?.work == .ride(heir))
    }
}
