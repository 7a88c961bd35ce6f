import Chronology
import Testing

@testable import Dispatching

/// What happens when a zone has no driver for a request, under the policy `viavai`; the documents
/// ask only the zone (R47, R55).
@Suite("Neighbouring zones")
struct NeighbourTests {
    private static func form(_ near: (zone: UInt32, seconds: Int32)...) -> RequestForm {
        RequestForm(
            passenger: PassengerNumber(rawValue: 1),
            zone: .zone(0),
            hasDestination: true,
            neighbours: near.map { NeighbouringZone(zone: .zone($0.zone), seconds: $0.seconds) }
        )
    }

    private static func rule(_ town: Town) -> OfferRule? {
        var last: OfferRule?
        for case .offer(.offered(_, _, _, let rule)) in town.events { last = rule }
        return last
    }

    @Test("an empty zone asks the nearest zone in the order of its queue, then the next zone")
    func order() {
        var town = Town(zones: 3, taxis: [1, 1, 2])
        town.does(.request(Self.form((2, 200), (1, 300))))
        let request = RequestNumber(rawValue: 1)
        for taxi in [2, 0, 1] {
            #expect(town.asked(request) == taxi)
            #expect(Self.rule(town) == .neighbour)
            town.refuses(taxi)
        }
        #expect(town.outcome(request) == .allRefused)
        #expect(town.queue(1) == [0, 1] && town.queue(2) == [2], "each at the tail of its own")
    }

    @Test("of two equally near zones, the driver who waits longest is asked")
    func waitingTime() {
        for zones: [UInt32] in [[1, 2], [2, 1]] {
            var town = Town(zones: 3, taxis: zones)
            town.does(.request(Self.form((1, 200), (2, 200))))
            #expect(town.asked(RequestNumber(rawValue: 1)) == 0, "\(zones)")
        }
    }

    @Test("the own zone is asked first, also when another is nearer to the meeting point")
    func ownFirst() {
        var town = Town(zones: 2, taxis: [1, 0])
        town.does(.request(Self.form((1, 0))))
        #expect(town.asked(RequestNumber(rawValue: 1)) == 1)
        #expect(Self.rule(town) == .firstInQueue)
        town.refuses(1)
        #expect(town.asked(RequestNumber(rawValue: 1)) == 0, "the queue is exhausted")
    }

    @Test("nobody is asked who is further away than the policy allows, or under the documents")
    func reach() {
        var far = Town(taxis: [1])
        far.does(.request(Self.form((1, 3_601))))
        #expect(far.outcome(RequestNumber(rawValue: 1)) == .noTaxi)
        for policy in [Policy.milanoA, .milanoB] {
            var town = Town(taxis: [1], policy: policy)
            town.does(.request(Self.form((1, 10))))
            #expect(town.outcome(RequestNumber(rawValue: 1)) == .noTaxi, "\(policy.name) (R55)")
        }
    }

    @Test("a request waits for a driver of a neighbouring zone who is being asked (R56)")
    func held() {
        var town = Town(taxis: [1])
        let first = town.request(2, zone: 1)
        town.does(.request(Self.form((1, 300))))
        let second = RequestNumber(rawValue: 2)
        #expect(town.dispatcher.request(second)?.isHeld == true)
        town.does(.cancel(first))
        #expect(town.asked(second) == 0)
        #expect(Self.rule(town) == .neighbour)
    }

    @Test("requests held in the driver's own zone come before those of another (G11)")
    func ownPassengersFirst() {
        var town = Town(taxis: [1])
        let asking = town.request(2, zone: 1)
        let own = town.request(3, zone: 1)
        town.does(.request(Self.form((1, 300))))
        town.does(.cancel(asking))
        #expect(town.asked(own) == 0)
    }

    private static func sent() -> Town {
        var town = Town(taxis: [1, 1])
        town.does(.request(form((1, 300))))
        town.accepts(0)
        town.does(.locate(.taxi(0), .zone(.zone(0))))
        town.does(.cancel(RequestNumber(rawValue: 1)))
        return town
    }

    @Test("a driver who was sent to another zone keeps the place at home if the ride is cancelled")
    func wayBack() {
        var town = Self.sent()
        #expect(town.queue(0) == [0], "and may be asked there meanwhile")
        town.wait(600)
        let events = town.does(.locate(.taxi(0), .zone(.zone(1))))
        #expect(town.queue(1) == [0, 1])
        var cause: QueueCause?
        for case .taxi(.enqueued(_, _, _, let why)) in events { cause = why }
        #expect(cause == .returned)
    }

    @Test("who does not return, or takes another ride, gives the place at home up")
    func place() {
        var late = Self.sent()
        late.wait(4_200)
        late.does(.locate(.taxi(0), .zone(.zone(1))))
        #expect(late.queue(1) == [1, 0])
        var busy = Self.sent()
        _ = busy.request(2, zone: 0)
        busy.accepts(0)
        #expect(busy.dispatcher.taxi(.taxi(0))?.homeTurn == nil)
    }

    @Test("a driver still in the own zone has the turn that the policy gives (C12), at least it")
    func stillAtHome() throws {
        for restore in ["tail", "place", "head"] {
            let policy = try Policy.viavai.with(.noShowRestore, restore)
            var town = Town(taxis: [1, 1], policy: policy)
            town.does(.request(Self.form((1, 300))))
            town.accepts(0)
            town.does(.cancel(RequestNumber(rawValue: 1)))
            #expect(town.queue(1) == [0, 1], "\(restore)")
        }
    }

    @Test("a snapshot keeps neighbours and the place at home")
    func snapshot() throws {
        var town = Self.sent()
        town.does(.request(Self.form((1, 300))))
        let again = try Dispatcher(snapshot: town.dispatcher.snapshot)
        #expect(again.stateHash == town.dispatcher.stateHash)
        #expect(again.taxi(.taxi(0))?.homeTurn?.zone == .zone(1))
    }

    @Test("neighbours that are unknown, repeated or out of order are refused")
    func invalid() {
        var town = Town(zones: 3, taxis: [0])
        for form in [
            Self.form((0, 10)), Self.form((9, 10)), Self.form((1, 10), (1, 20)),
            Self.form((1, 20), (2, 10)), Self.form((2, 10), (1, 10)), Self.form((1, -1)),
        ] {
            #expect(town.refusal(.request(form)) == .invalid("neighbours"))
        }
        #expect(town.dispatcher.requestCount == 0)
    }
}
