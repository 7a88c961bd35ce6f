import Chronology
import Dispatching
import Identity
import Notify
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Issue 5 (2); I27, R130: whom an entry of the dispatcher concerns.
@Suite("Whom entries concern")
struct EventAudienceTests {
    private static let (taxi, other) = (TaxiNumber(rawValue: 1), TaxiNumber(rawValue: 2))
    private static let (own, shared) = (RequestNumber(rawValue: 10), RequestNumber(rawValue: 11))
    private static let stranger = RequestNumber(rawValue: 12)
    private static let zone = ZoneNumber(rawValue: 3)
    private static let rank = Rank(sequence: 5)
    private static let moment = Moment(milliseconds: 1_000)
    /// A passenger, a guest who shares the ride, and an unrelated person.
    private static let (pia, gus) = (
        Topic.person(PersonNumber(rawValue: 7)), Topic.guest(PersonNumber(rawValue: 8))
    )
    private static let ugo = Topic.person(PersonNumber(rawValue: 9))

    private static func form(_ passenger: UInt64, isGuest: Bool = false) -> RequestForm {
        RequestForm(
            passenger: PassengerNumber(rawValue: passenger),
            isGuest: isGuest,
            zone: zone,
            isShared: true
        )
    }

    private static func entry(_ events: [Dispatching.Event]) -> Entry {
        Entry(at: moment, policy: 0, input: .time, events: events)
    }

    /// An audience in which Pia's ride has a taxi, a guest shares it, and Ugo looks for a ride to
    /// join.
    private static func audience() -> EventAudience {
        var audience = EventAudience(Dispatcher())
        _ = audience.follow(
            entry([
                .request(.requested(own, form(7))),
                .offer(.offered(own, taxi, deadline: moment, .firstInQueue)),
                .offer(.accepted(own)), .request(.joined(shared, form(8, isGuest: true), own)),
                .request(.requested(stranger, form(9))),
                .offer(.offered(stranger, other, deadline: moment, .firstInQueue)),
            ])
        )
        return audience
    }

    /// Each event, and who is notified of it.
    private static let table: [(Dispatching.Event, Set<Topic>, Set<TaxiNumber>)] = [
        (.request(.requested(RequestNumber(rawValue: 13), form(9))), [ugo], []),
        (
            .request(
                .reserved(RequestNumber(rawValue: 13), form(9), due: moment, firstTry: moment)
            ),
            [ugo], []
        ),
        (.request(.joined(RequestNumber(rawValue: 13), form(9), own)), [pia, gus, ugo], [taxi]),
        (.request(.reservationTried(stranger)), [ugo], []),
        (.request(.held(stranger, nextTry: moment)), [ugo], []),
        (.request(.heldTried(stranger)), [ugo], []),
        (.request(.parked(stranger, reason: "")), [ugo], []),
        (.request(.unparked(stranger)), [ugo], []),
        (.request(.assigned(stranger, other, reason: "")), [ugo], []),
        (.request(.ownerChanged(from: own, to: shared)), [pia, gus], [taxi]),
        (.request(.ended(own, .completed, reason: "")), [pia, gus], [taxi]),
        (.request(.ended(shared, .cancelled, reason: "")), [pia, gus], [taxi]),
        (.request(.ended(stranger, .cancelled, reason: "")), [ugo], [other]),
        (.offer(.offered(own, other, deadline: moment, .firstInQueue)), [pia, gus], [other]),
        (.offer(.offerRenewed(stranger, deadline: moment)), [], [other]),
        (.offer(.offerDelivered(stranger)), [], []),
        (.offer(.offerClosed(stranger, .refused)), [ugo], [other]),
        (.offer(.accepted(stranger)), [ugo], [other]),
        (.ride(.meetingPointReached(own)), [pia, gus], [taxi]),
        (.ride(.codeRejected(own)), [], [taxi]),
        (.ride(.boarded(own, aboard: 1)), [pia, gus], [taxi]),
        (.ride(.destinationReached(own)), [], [taxi]),
        (.ride(.arrivalStated(own)), [], []),
        (.ride(.givenBack(own, .breakdown, reason: "")), [pia, gus], [taxi]),
        (.taxi(.placed(other, .outside)), [], [other]),
        (.taxi(.contactLost(other, keptUntil: moment)), [], [other]),
        (.taxi(.contactRegained(other)), [], [other]),
        (.taxi(.enqueued(other, zone, rank, .wentOnDuty)), [], [other]),
        (.taxi(.dequeued(other, .leftCity)), [], [other]),
        (.taxi(.turnRestored(other, reason: "")), [], [other]),
        (.taxi(.turnKept(other, zone, rank)), [], [other]),
        (.taxi(.homeTurnKept(other, zone, rank, until: moment)), [], [other]),
        (.city(.taxiRemoved(other)), [], [other]),
    ]

    @Test("each entry is told to those whom it concerns, and to nobody else", arguments: 0..<33)
    func whom(row: Int) {
        let (event, passengers, taxis) = Self.table[row]
        var audience = Self.audience()
        let recipients = audience.follow(Self.entry([event]))
        #expect(recipients.passengers == passengers, "\(event)")
        #expect(recipients.taxis == taxis, "\(event)")
        #expect(recipients.shifts.isEmpty && !recipients.isEverybody)
    }

    @Test("the table has every row")
    func rows() { #expect(Self.table.count == 33) }

    @Test("what is the city's is told to everybody, and a shift to all who share the taxi")
    func everybody() {
        var audience = Self.audience()
        for event: Dispatching.Event in [
            .city(.policyAdopted(.viavai)), .city(.setupCompleted), .city(.suspended(reason: "x")),
            .city(.resumed), .city(.restarted),
        ] {
            let recipients = audience.follow(Self.entry([event]))
            #expect(
                recipients.isEverybody && recipients.passengers.isEmpty && recipients.taxis.isEmpty
            )
        }
        for event: Dispatching.Event in [
            .taxi(.wentOnDuty(Self.taxi)), .taxi(.wentOffDuty(Self.taxi, .driver, reason: "")),
        ] {
            let recipients = audience.follow(Self.entry([event]))
            #expect(
                recipients.shifts == [Self.taxi] && recipients.passengers.isEmpty
                    && !recipients.isEverybody
            )
        }
    }

    @Test("an entry that comes twice changes nothing more")
    func twice() {
        var audience = Self.audience()
        let joined = Self.entry([
            .request(.joined(Self.shared, Self.form(8, isGuest: true), Self.own))
        ])
        for _ in 0..<2 { _ = audience.follow(joined) }
        #expect(audience.riders(Self.own).map(\.topic) == [Self.pia, Self.gus])
        #expect(audience.riders(Self.own).map(\.request) == [Self.own, Self.shared])
    }

    @Test("a ride has its taxi from accepting to its end (R61); its new owner follows on")
    func rides() {
        var audience = Self.audience()
        #expect(audience.rides.map(\.ride) == [Self.own])
        #expect(audience.rides.map(\.stage) == [.onTheWay])
        _ = audience.follow(Self.entry([.request(.ownerChanged(from: Self.own, to: Self.shared))]))
        #expect(audience.rides.map(\.ride) == [Self.shared])
        let ended = audience.follow(
            Self.entry([.request(.ended(Self.own, .cancelled, reason: ""))])
        )
        #expect(ended.passengers == [Self.pia] && ended.taxis.isEmpty)
        #expect(audience.riders(Self.own).isEmpty)
        _ = audience.follow(Self.entry([.ride(.meetingPointReached(Self.shared))]))
        #expect(audience.rides.map(\.stage) == [.atMeetingPoint])
        _ = audience.follow(Self.entry([.ride(.boarded(Self.shared, aboard: 1))]))
        #expect(audience.rides.map(\.ride) == [Self.shared])
        #expect(audience.rides.map(\.stage) == [.aboard])
        _ = audience.follow(Self.entry([.request(.ended(Self.shared, .completed, reason: ""))]))
        #expect(audience.rides.isEmpty && audience.riders(Self.shared).isEmpty)
    }

    @Test("who is shown rides to join gets events of shared ones only, to their end (R84)")
    func sharing() {
        let alone = RequestNumber(rawValue: 20)
        var form = Self.form(9)
        form.isShared = false
        var audience = Self.audience()
        func isShared(_ events: [Dispatching.Event]) -> Bool {
            audience.follow(Self.entry(events)).isShared
        }
        #expect(!isShared([.request(.requested(alone, form))]))
        #expect(
            !isShared([.offer(.offered(alone, Self.other, deadline: Self.moment, .firstInQueue))])
        )
        #expect(!isShared([.offer(.accepted(alone)), .ride(.meetingPointReached(alone))]))
        #expect(!isShared([.request(.ended(alone, .cancelled, reason: ""))]))
        #expect(isShared([.offer(.offerClosed(Self.stranger, .refused))]))
        #expect(isShared([.request(.held(Self.stranger, nextTry: Self.moment))]))
        #expect(!isShared([.offer(.offerDelivered(Self.stranger))]))
        #expect(isShared([.ride(.meetingPointReached(Self.own))]))
        #expect(isShared([.request(.ownerChanged(from: Self.own, to: Self.shared))]))
        #expect(isShared([.request(.ended(Self.shared, .cancelled, reason: ""))]))
        #expect(!isShared([.ride(.destinationReached(Self.shared))]))
    }

    @Test("who looks for a ride to join is told of changes and, slowly, that estimates age")
    func sharingPages() {
        let pages = OpenSharingPages()
        func after(_ seconds: Int64) -> Moment { Self.moment.adding(seconds: seconds) }
        pages.register(Self.pia, at: after(0))
        pages.register(Self.ugo, at: after(2))
        #expect(pages.due(at: after(4)).isEmpty)
        pages.noteChange()
        #expect(pages.due(at: after(4)).isEmpty)
        #expect(pages.due(at: after(5)) == [Self.pia])
        #expect(pages.due(at: after(7)) == [Self.ugo])
        #expect(pages.due(at: after(24)).isEmpty)
        // Pia's page has reloaded, the other has not: it gets events for a minute, and then no
        // more.
        pages.register(Self.pia, at: after(25))
        #expect(pages.due(at: after(27)) == [Self.ugo])
        #expect(pages.due(at: after(45)) == [Self.pia])
        #expect(pages.due(at: after(47)) == [Self.ugo])
        pages.noteChange()
        #expect(pages.due(at: after(62)) == [Self.pia])
        #expect(pages.due(at: after(200)).isEmpty)
    }

    @Test("queues are looked at where somebody came or went")
    func queues() {
        var audience = Self.audience()
        let came = audience.follow(
            Self.entry([.taxi(.enqueued(Self.taxi, Self.zone, Self.rank, .rideEnded))])
        )
        #expect(came.queues == [Self.zone])
        let asked = audience.follow(
            Self.entry([
                .offer(.offered(Self.stranger, Self.taxi, deadline: Self.moment, .firstInQueue))
            ])
        )
        #expect(asked.queues == [Self.zone])
        #expect(
            audience.follow(Self.entry([.taxi(.dequeued(Self.taxi, .leftCity))])).queues.isEmpty
        )
    }

    @Test("a driver's page is for one taxi; a shift that begins clears all pages of the taxi")
    func driverPages() {
        let pages = OpenDriverPages()
        let (anna, beppe) = (PersonNumber(rawValue: 1), PersonNumber(rawValue: 2))
        let now = Moment(milliseconds: 1_000)
        pages.register(anna, for: Self.taxi, at: now)
        pages.register(beppe, for: Self.taxi, at: now)
        #expect(pages.taxi(of: anna, since: now) == Self.taxi)
        #expect(pages.taxi(of: anna, since: now.adding(seconds: 1)) == nil)
        #expect(pages.drivers(of: Self.taxi) == [anna, beppe])
        #expect(pages.clear(Self.taxi) == [anna, beppe])
        #expect(pages.drivers(of: Self.taxi).isEmpty)
        #expect(pages.taxi(of: anna, since: now) == nil)
        pages.register(anna, for: Self.taxi, at: now)
        pages.registerWaiting(beppe, for: Self.taxi, at: now)
        #expect(pages.drivers(of: Self.taxi) == [anna])
        #expect(pages.taxi(of: beppe, since: now) == nil)
        // The other driver is waiting for the end of the shift.
        #expect(pages.clear(Self.taxi) == [anna, beppe])
        pages.register(anna, for: Self.other, at: now)
        #expect(pages.clear(Self.taxi) == [beppe])
        pages.remove(beppe)
        #expect(pages.clear(Self.taxi).isEmpty)
        #expect(pages.drivers(of: Self.other) == [anna])
    }
}
