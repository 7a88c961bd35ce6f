import Chronology
import Testing

@testable import Dispatching

/// Shared rides from which a party leaves (R83 to R91, C27, F26).
@Suite("Shared rides")
struct SharingTests {
    /// A town with an open shared ride and joiners.
    private static func town(
        taxis: [UInt32] = [0],
        policy: Policy = .viavai,
        accepted: Bool = false,
        joiners: [UInt64] = [2]
    ) -> (town: Town, owner: RequestNumber) {
        var town = Town(taxis: taxis, policy: policy)
        let owner = town.request(1, isShared: true)
        if accepted { town.accepts(0) }
        for passenger in joiners { town.does(join(passenger, owner)) }
        return (town, owner)
    }

    /// Joins a ride with a walk of one minute.
    static func join(
        _ passenger: UInt64,
        _ owner: RequestNumber,
        _ needs: Capacity = Capacity(seats: 1)
    ) -> Command {
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: passenger),
            zone: .zone(0),
            needs: needs,
            hasDestination: true
        )
        let estimate = SharingEstimate(
            walkSeconds: 60,
            taxiSeconds: 300,
            detourPercent: 0,
            extraWaitSeconds: 0
        )
        return .join(form, owner, estimate)
    }

    private static func next(_ number: RequestNumber) -> RequestNumber {
        RequestNumber(rawValue: number.rawValue + 1)
    }

    @Test("a driver may accept the offer shown after the ride passed to another (I11, F9)")
    func acceptAfterPassing() throws {
        var (town, owner) = Self.town()
        let epoch = try #require(town.dispatcher.request(owner)?.offer?.epoch)
        town.does(.cancel(owner))
        town.does(.confirmDelivery(owner, .taxi(0), epoch: epoch))
        #expect(town.refusal(.accept(owner, .taxi(0), epoch: epoch - 1)) == .offerGone)
        town.does(.accept(owner, .taxi(0), epoch: epoch))
        #expect(town.dispatcher.request(Self.next(owner))?.ride?.taxi == .taxi(0))
        #expect(town.refusal(.accept(owner, .taxi(0), epoch: epoch)) == .offerGone)
    }

    @Test("the driver may refuse it too, and the ride looks for the next taxi")
    func refuseAfterPassing() throws {
        var (town, owner) = Self.town(taxis: [0, 0])
        let epoch = try #require(town.dispatcher.request(owner)?.offer?.epoch)
        town.does(.cancel(owner))
        town.does(.refuse(owner, .taxi(0), epoch: epoch))
        #expect(town.asked(Self.next(owner)) == 1)
    }

    @Test("nobody joins with more than a taxi of the zone can carry while the search goes on")
    func roomWhileHeld() {
        var town = Town(taxis: [0])
        town.does(.change(.taxi(0), TaxiForm(code: "T0", capacity: Capacity(seats: 2))))
        _ = town.request(9)
        let owner = town.request(1, isShared: true)
        #expect(town.dispatcher.request(owner)?.isHeld == true)
        #expect(town.refusal(Self.join(2, owner, Capacity(seats: 2))) == .seatsLeft(1))
        let chair = Capacity(seats: 1, wheelchair: true)
        #expect(town.refusal(Self.join(2, owner, chair)) == .tooSmall)
        town.does(Self.join(2, owner))
    }

    @Test("who came last goes elsewhere when only smaller taxis are left, not the owner")
    func ownerKeepsHisTurn() {
        var (town, owner) = Self.town(taxis: [0, 0, 0], joiners: [2, 3])
        for taxi in [1, 2] {
            let form = TaxiForm(code: "T\(taxi)", capacity: Capacity(seats: 2))
            town.does(.change(.taxi(taxi), form))
        }
        town.refuses(0)
        let first = Self.next(owner)
        #expect(town.outcome(Self.next(first)) == .allRefused)
        #expect(town.asked(owner) == 1)
        #expect(town.dispatcher.request(first)?.phase == .joined(owner))
        #expect(town.dispatcher.request(owner)?.needs.seats == 2)
    }

    @Test(
        "who rides along may cancel as long as the owner may (C27)",
        arguments: [
            ("never", false, false), ("until_accept", true, false), ("until_arrival", true, true),
        ]
    )
    func cancelling(until: String, before: Bool, after: Bool) throws {
        let policy = try Policy.viavai.with(.cancelRequest, until)
        for (accepted, isAllowed) in [(false, before), (true, after)] {
            var (town, owner) = Self.town(policy: policy, accepted: accepted)
            let refusal: Refusal? = isAllowed ? nil : .tooLateToCancel
            #expect(town.refusal(.cancel(Self.next(owner))) == refusal)
            #expect(town.refusal(.cancel(owner)) == refusal)
        }
        var (town, owner) = Self.town(policy: policy, accepted: true)
        town.does(.reachMeetingPoint(.taxi(0)))
        #expect(town.refusal(.cancel(Self.next(owner))) == .tooLateToCancel)
    }

    @Test("F26: where nobody came, none of those who share the ride is aboard or owns it")
    func nobody() {
        var (town, owner) = Self.town(taxis: [0, 0], accepted: true, joiners: [2, 3])
        town.does(.reachMeetingPoint(.taxi(0)))
        #expect(town.refusal(.reportNoShow(.taxi(0))) != nil)
        town.wait(300)
        town.does(.reportNoShow(.taxi(0)))
        let second = Self.next(owner)
        for number in [owner, second, Self.next(second)] {
            #expect(town.outcome(number) == .noShow)
        }
        #expect(town.queue() == [0, 1])
    }

    @Test("R87, F26: the taxi does not wait for who rides along and is late; the others travel")
    func late() throws {
        var (town, owner) = Self.town(accepted: true, joiners: [2, 3])
        let second = Self.next(owner)
        #expect(town.refusal(.leaveBehind(.taxi(0), second)) == .meetingPointNotReached)
        town.does(.reachMeetingPoint(.taxi(0)))
        #expect(
            town.refusal(.leaveBehind(.taxi(0), Self.next(Self.next(second)))) == .noSuchRequest
        )
        town.does(.leaveBehind(.taxi(0), second))
        #expect(town.outcome(second) == .noShow)
        #expect(town.refusal(.leaveBehind(.taxi(0), second)) == .noSuchRequest)
        let ride = try #require(town.dispatcher.request(owner))
        #expect(ride.needs.seats == 2 && ride.joiners == [Self.next(second)])
        // The party that was left behind may request another taxi.
        _ = town.request(2)
        town.does(.board(.taxi(0), aboard: 2, code: .right))
        #expect(town.refusal(.leaveBehind(.taxi(0), Self.next(second))) == .alreadyAboard)
    }

    @Test("who rides alone is not left behind: that nobody came is said after the wait")
    func alone() {
        var (town, owner) = Self.town(accepted: true, joiners: [])
        town.does(.reachMeetingPoint(.taxi(0)))
        town.wait(300)
        #expect(town.refusal(.leaveBehind(.taxi(0), owner)) == .noSuchRequest)
    }

    @Test("R87: also a city without no-shows leaves behind who is late, but no owner")
    func withoutNoShow() throws {
        let policy = try Policy.viavai.with(.noShow, "false")
        var (town, owner) = Self.town(policy: policy, accepted: true)
        town.does(.reachMeetingPoint(.taxi(0)))
        town.wait(300)
        #expect(town.refusal(.leaveBehind(.taxi(0), owner)) == .noShowDisabled)
        town.does(.leaveBehind(.taxi(0), Self.next(owner)))
    }

    @Test("a ride that passed on twice is still the one that was accepted, also in a snapshot")
    func acceptedFor() throws {
        var (town, owner) = Self.town(accepted: true, joiners: [2, 3])
        town.does(.cancel(owner))
        town.does(.cancel(Self.next(owner)))
        let third = Self.next(Self.next(owner))
        #expect(town.dispatcher.request(third)?.acceptedFor == owner)
        let read = try Dispatcher(snapshot: town.dispatcher.snapshot)
        #expect(read.request(third)?.acceptedFor == owner)
        #expect(read.stateHash == town.dispatcher.stateHash)
    }

    @Test("when the owner does not come the others travel, and the last no-show ends the ride")
    func noShow() {
        var (town, owner) = Self.town(taxis: [0, 0], accepted: true, joiners: [2, 3])
        town.does(.reachMeetingPoint(.taxi(0)))
        #expect(town.refusal(.leaveBehind(.taxi(0), owner)) != nil)
        town.wait(300)
        town.does(.leaveBehind(.taxi(0), owner))
        let second = Self.next(owner)
        #expect(town.outcome(owner) == .noShow)
        #expect(town.status(0) == .riding)
        #expect(town.dispatcher.taxi(.taxi(0))?.work == .ride(second))
        var others = town
        others.does(.board(.taxi(0), aboard: 2, code: .right))
        others.does(.reachDestination(.taxi(0)))
        others.does(.endRide(.taxi(0), reason: nil))
        #expect(others.outcome(second) == .completed)
        #expect(others.outcome(Self.next(second)) == .completed)
        town.does(.leaveBehind(.taxi(0), second))
        town.does(.reportNoShow(.taxi(0)))
        #expect(town.outcome(Self.next(second)) == .noShow)
        #expect(town.queue() == [0, 1])
    }

    @Test("a dispatcher who withdraws the owner's request leaves the others their taxi")
    func withdrawn() {
        var (town, owner) = Self.town(accepted: true)
        town.does(.withdraw(owner, reason: "he called"))
        #expect(town.outcome(owner) == .withdrawn)
        #expect(town.dispatcher.request(Self.next(owner))?.ride?.taxi == .taxi(0))
    }
}
