import Chronology
import Testing

@testable import Dispatching

/// A driver who has accepted cannot come, and the passenger gets the next taxi (ui.md 4.5).
@Suite("Rides that are given back")
struct GivenBackTests {
    @Test("the next driver is asked at once, and who gave it back is off duty and not asked again")
    func nextTaxi() throws {
        var town = Town(taxis: [0, 0])
        let request = town.request(1)
        town.accepts(0)
        town.does(.reachMeetingPoint(.taxi(0)))
        town.does(.giveBack(.taxi(0), .breakdown))
        #expect(town.asked(request) == 1)
        #expect(town.status(0) == .unavailable)
        let asking = try #require(town.dispatcher.request(request))
        #expect(asking.hasLostTaxi && asking.asked == [.taxi(0), .taxi(1)])
        // Back on duty, the driver is at the tail and gets no offer of the ride given back.
        town.does(.goOnDuty(.taxi(0)))
        town.refuses(1)
        #expect(town.outcome(request) == .allRefused)
        #expect(town.queue() == [0, 1])
    }

    @Test("who accepts next drives as the first would have: nothing of that ride is left")
    func accepted() throws {
        var town = Town(taxis: [0, 0])
        let request = town.request(1)
        town.accepts(0)
        town.does(.reachMeetingPoint(.taxi(0)))
        town.does(.board(.taxi(0), aboard: 1, code: .wrong))
        town.does(.giveBack(.taxi(0), .breakdown))
        town.accepts(1)
        let ride = try #require(town.dispatcher.request(request)?.ride)
        #expect(ride.taxi == .taxi(1) && ride.stage == .onTheWay)
        #expect(ride.reachedAt == nil && ride.wrongCodes == 0)
        #expect(town.dispatcher.request(request)?.hasLostTaxi == false)
        #expect(town.refusal(.board(.taxi(0), aboard: 1, code: .right)) == .notRiding)
        town.does(.reachMeetingPoint(.taxi(1)))
        town.does(.board(.taxi(1), aboard: 1, code: .right))
        town.does(.reachDestination(.taxi(1)))
        town.does(.endRide(.taxi(1), reason: nil))
        #expect(town.outcome(request) == .completed)
    }

    @Test("it keeps its place: of two that wait for one taxi it comes first (G11)")
    func place() {
        var town = Town(taxis: [0, 0, 0])
        let first = town.request(1)
        town.accepts(0)
        let second = town.request(2)
        let third = town.request(3)
        #expect(town.asked(second) == 1 && town.asked(third) == 2)
        let fourth = town.request(4)
        town.does(.giveBack(.taxi(0), .breakdown))
        #expect(town.dispatcher.request(first)?.isHeld == true)
        #expect(town.dispatcher.request(fourth)?.isHeld == true)
        town.refuses(1)
        #expect(town.asked(first) == 1)
    }

    @Test("nobody gives back who has passengers aboard, no ride, or no reason")
    func refused() {
        var town = Town(taxis: [0, 0])
        #expect(town.refusal(.giveBack(.taxi(0), .breakdown)) == .notRiding)
        let request = town.request(1)
        #expect(town.refusal(.giveBack(.taxi(0), .breakdown)) == .notRiding)
        town.accepts(0)
        #expect(town.refusal(.giveBack(.taxi(0), .dispatcher)) == .invalid("cause"))
        #expect(town.refusal(.replace(request, .taxi(0), reason: "")) == .reasonMissing)
        // A different taxi than the one that the dispatcher saw is not replaced.
        #expect(town.refusal(.replace(request, .taxi(1), reason: "x")) == .wrongPhase)
        let none = RequestNumber(rawValue: 99)
        #expect(town.refusal(.replace(none, .taxi(0), reason: "x")) == .noSuchRequest)
        town.does(.reachMeetingPoint(.taxi(0)))
        town.does(.board(.taxi(0), aboard: 1, code: .right))
        #expect(town.refusal(.giveBack(.taxi(0), .breakdown)) == .alreadyAboard)
        #expect(town.refusal(.replace(request, .taxi(0), reason: "x")) == .alreadyAboard)
        #expect(town.dispatcher.request(request)?.ride?.taxi == .taxi(0))
    }

    @Test("a dispatcher replaces a driver who is out of contact, and the driver is told why")
    func replaced() {
        var town = Town(taxis: [0, 0])
        let request = town.request(1)
        town.accepts(0)
        town.does(.loseContact(.taxi(0)))
        let events = town.does(.replace(request, .taxi(0), reason: "an accident"))
        #expect(town.asked(request) == 1)
        #expect(events.contains(.taxi(.wentOffDuty(.taxi(0), .replaced, reason: "an accident"))))
        // The turn is no longer kept, because the driver is off duty.
        town.does(.regainContact(.taxi(0), .zone(.zone(0))))
        #expect(town.status(0) == .unavailable && town.queue().isEmpty)
    }

    @Test("a shared ride goes on to the next taxi with all who share it")
    func shared() throws {
        var town = Town(taxis: [0, 0])
        let owner = town.request(1, isShared: true)
        town.accepts(0)
        town.does(SharingTests.join(2, owner))
        let joiner = RequestNumber(rawValue: owner.rawValue + 1)
        town.does(.giveBack(.taxi(0), .breakdown))
        #expect(town.dispatcher.request(owner)?.joiners == [joiner])
        // A party that inherits the ride meanwhile is notified as well.
        town.does(.cancel(owner))
        #expect(town.dispatcher.request(joiner)?.hasLostTaxi == true)
        town.accepts(1)
        #expect(town.dispatcher.request(joiner)?.ride?.taxi == .taxi(1))
    }

    @Test("a reservation is tried again until its tries are over (R79)")
    func reservation() throws {
        var town = Town(taxis: [0])
        let request = try Self.reserve(in: &town)
        town.accepts(0)
        town.does(.giveBack(.taxi(0), .breakdown))
        guard case .reserved = town.dispatcher.request(request)?.phase else {
            Issue.record("it does not wait for its next try")
            return
        }
        town.does(.goOnDuty(.taxi(0)))
        town.wait(Policy.viavai[.reserveRetry])
        #expect(town.asked(request) == 0)
    }

    @Test("a redraw that left it outside all zones let it have its taxi, but no other (G5)")
    func outside() {
        var town = Town(taxis: [0, 0])
        let request = town.request(1)
        town.accepts(0)
        let zone = Place.zone(.zone(0))
        town.does(
            .drawZones(
                ZoneDrawing(
                    names: ["a"],
                    hash: 2,
                    places: [zone, zone],
                    requests: [.init(request: request, zone: nil)]
                )
            )
        )
        #expect(town.dispatcher.request(request)?.ride != nil)
        town.does(.giveBack(.taxi(0), .breakdown))
        #expect(town.outcome(request) == .outsideCity)
    }

    @Test("during a suspension there is no other taxi, and the passenger is told so (I18)")
    func suspended() {
        var town = Town(taxis: [0, 0])
        let request = town.request(1)
        town.accepts(0)
        town.does(.suspend(reason: "a storm"))
        town.does(.giveBack(.taxi(0), .breakdown))
        #expect(town.outcome(request) == .suspended)
    }

    @Test("the search begins anew, with all its tries, offers and taxis (C3, C6, C17)")
    func limits() throws {
        // Held ten times, accepted, lost: the request is held again and not closed.
        let often = try Policy.viavai.with(.heldTries, "1")
        var town = Town(taxis: [0, 0], policy: often)
        let first = town.request(1)
        let second = town.request(2)
        let third = town.request(3)
        #expect(town.dispatcher.request(third)?.isHeld == true)
        town.refuses(0)
        #expect(town.asked(third) == 0 && town.dispatcher.request(third)?.heldTries == 1)
        town.accepts(0)
        town.does(.giveBack(.taxi(0), .breakdown))
        #expect(town.dispatcher.request(third)?.isHeld == true)
        #expect(town.asked(first) == nil && town.asked(second) == 1)
        // One offer, accepted, lost: the next driver gets an offer.
        var single = Town(taxis: [0, 0], policy: try Policy.viavai.with(.maxOffers, "1"))
        let request = single.request(1)
        single.accepts(0)
        single.does(.giveBack(.taxi(0), .breakdown))
        #expect(single.asked(request) == 1)
    }

    @Test("a reservation asks the drivers queued now, and giving it back is no refusal (C6)")
    func reservationLimits() throws {
        let policy = try Policy.viavai.with(.reserveSnapshot, "true")
            .with(.reserveAllRefused, "fail")
        for hasOther in [true, false] {
            var town = Town(taxis: [0], policy: policy)
            let request = try Self.reserve(in: &town)
            town.accepts(0)
            if hasOther {
                town.does(.register(TaxiForm(code: "late")))
                town.does(.regainContact(.taxi(1), .zone(.zone(0))))
                town.does(.goOnDuty(.taxi(1)))
            }
            town.does(.giveBack(.taxi(0), .breakdown))
            if hasOther {
                #expect(town.asked(request) == 1)
                town.refuses(1)
                #expect(town.outcome(request) == .allRefused)
            } else {
                #expect(town.outcome(request) == nil)
            }
        }
    }

    @Test("a snapshot keeps that a taxi was lost, in the byte that said only who is live before")
    func snapshot() throws {
        var town = Town(taxis: [0, 0])
        let number = town.request(1)
        town.accepts(0)
        town.does(.giveBack(.taxi(0), .breakdown))
        let read = try Dispatcher(snapshot: town.dispatcher.snapshot)
        #expect(read.request(number)?.hasLostTaxi == true)
        #expect(read.stateHash == town.dispatcher.stateHash)
        let request = try #require(town.dispatcher.request(number))
        var before = ByteWriter()
        before.put(request.number)
        before.put(request.form)
        before.put(request.needs)
        before.put(request.zone)
        before.put(request.due)
        before.put(request.arrival)
        before.put(request.phase)
        var whole = ByteWriter()
        whole.put(request)
        // The values 0 and 1 are those of older logs.
        for (mark, isLive, hasLostTaxi) in [
            (0, false, false), (1, true, false), (2, false, true), (3, true, true),
        ] as [(UInt8, Bool, Bool)] {
            var bytes = whole.bytes
            bytes[before.bytes.count] = mark
            var reader = ByteReader(bytes)
            let other = try Request(from: &reader)
            #expect(other.isLive == isLive && other.hasLostTaxi == hasLostTaxi)
        }
        #expect(whole.bytes[before.bytes.count] == 3)
        var wrong = whole.bytes
        wrong[before.bytes.count] = 4
        var reader = ByteReader(wrong)
        #expect(throws: CodingFailure.invalid(at: before.bytes.count)) {
            _ = try Request(from: &reader)
        }
    }

    /// Creates a reservation of passenger 1 whose search has just started.
    private static func reserve(in town: inout Town) throws -> RequestNumber {
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: 1),
            zone: .zone(0),
            hasDestination: true
        )
        let hour = town.dispatcher.now.adding(seconds: 4 * 3_600)
        town.does(.reserve(form, due: hour))
        let request = RequestNumber(rawValue: town.dispatcher.lastRequest)
        let next = town.dispatcher.nextDeadline()
        let first = try #require(next)
        town.wait((first.milliseconds - town.dispatcher.now.milliseconds) / 1_000)
        return request
    }
}
