import Chronology

@testable import Dispatching

/// One command or event of every case, with the bytes that the first version of the log gave it.
///
/// Logs are permanent: the bytes here never change, and a new case adds a row.
enum EveryCase {
    private static let taxi = TaxiNumber(rawValue: 300)
    private static let zone = ZoneNumber(rawValue: 2)
    private static let number = RequestNumber(rawValue: 70_000)
    private static let other = RequestNumber(rawValue: 9)
    private static let moment = Moment(milliseconds: 1_767_222_000_000)
    private static let taxiForm = TaxiForm(
        code: "MI 12",
        capacity: Capacity(seats: 6, wheelchair: true),
        licensedUntil: moment
    )
    private static let form = RequestForm(
        passenger: PassengerNumber(rawValue: 4_711),
        isGuest: true,
        zone: zone,
        needs: Capacity(seats: 3),
        hasDestination: true
    )
    private static let far = RequestForm(
        passenger: PassengerNumber(rawValue: 4_711),
        isGuest: true,
        zone: zone,
        needs: Capacity(seats: 3),
        hasDestination: true,
        neighbours: [NeighbouringZone(zone: ZoneNumber(rawValue: 1), seconds: 300)]
    )
    private static let outside = RequestForm(
        passenger: PassengerNumber(rawValue: 1),
        zone: nil,
        isShared: true
    )
    private static let drawing = ZoneDrawing(
        names: ["Duomo", "Città Studi"],
        hash: 0xFEDC_BA98_7654_3210,
        places: [.unknown, .outside, .zone(zone)],
        requests: [
            ZoneDrawing.Redrawn(request: number, zone: zone),
            ZoneDrawing.Redrawn(request: other, zone: nil),
        ]
    )
    private static let estimate = SharingEstimate(
        walkSeconds: 120,
        taxiSeconds: 400,
        detourPercent: -1,
        extraWaitSeconds: 60
    )
    private static let rank = Rank(isRestored: true, sequence: 1_234_567)

    static let commands: [(command: Command, bytes: String)] = [
        (
            .adopt(olderB),
            "01086d696c616e6f2d623478020200060400000002140460b009f00100000000280ab401640000c8"
                + "010000d8040002000202b401b0090006061e0a1e020850b009d8046e02000000"
        ),
        (
            .drawZones(drawing),
            "02020544756f6d6f0c43697474c3a020537475646990e4d0b287d3aeeefe010300010402f0a20401"
                + "020900"
        ),
        (.register(taxiForm), "03054d49203132060180e69deaee66"),
        (.change(taxi, taxiForm), "04ac02054d49203132060180e69deaee66"),
        (.remove(taxi), "05ac02"),
        (.completeSetup, "06"),
        (.suspend(reason: "strike"), "0706737472696b65"),
        (.resume, "08"),
        (.goOnDuty(taxi), "09ac02"),
        (.goOffDuty(taxi), "0aac02"),
        (.locate(taxi, .zone(zone)), "0bac0204"),
        (.loseContact(taxi), "0cac02"),
        (.regainContact(taxi, .outside), "0dac0201"),
        (.confirmDelivery(number, taxi, epoch: 77), "0ef0a204ac029a01"),
        (.reportUndeliverable(number, taxi, epoch: 78), "0ff0a204ac029c01"),
        (.accept(number, taxi, epoch: 79), "10f0a204ac029e01"),
        (.refuse(number, taxi, epoch: 80), "11f0a204ac02a001"),
        (.reachMeetingPoint(taxi), "12ac02"),
        (.board(taxi, aboard: 3, code: .wrong), "13ac020302"),
        (.reportNoShow(taxi), "14ac02"),
        (.reachDestination(taxi), "15ac02"),
        (.endRide(taxi, reason: nil), "16ac0200"),
        (.endRide(taxi, reason: "flat"), "16ac020104666c6174"),
        (.request(form), "17e72401010203000100"),
        (.request(far), "17e724010102030001020101d804"),
        (.reserve(outside, due: moment), "180100000100000180e69deaee66"),
        (.cancel(number), "19f0a204"),
        (.join(form, number, estimate), "1ae72401010203000100f0a204f001a0060178"),
        (.assign(number, taxi, reason: "è urgente"), "1bf0a204ac020ac3a820757267656e7465"),
        (.park(number, reason: "call back"), "1cf0a2040963616c6c206261636b"),
        (.unpark(number), "1df0a204"),
        (.restoreTurn(taxi, reason: "fault"), "1eac02056661756c74"),
        (.takeOffDuty(taxi, reason: "paper"), "1fac02057061706572"),
        (.withdraw(number, reason: "prank"), "20f0a204057072616e6b"),
        (.closeRide(taxi, reason: "stuck"), "21ac0205737475636b"),
        (.stateArrival(taxi, isDestination: true), "22ac0201"),
        (.leaveBehind(taxi, other), "23ac0209"),
        (.giveBack(taxi, .road), "24ac0202"),
        (.replace(number, taxi, reason: "late"), "25f0a204ac02046c617465"),
    ]

    /// The policy `milano-a` as it was before arrivals had to be measured.
    private static let older = {
        let policy = try? Policy.milanoA.with(.statedArrival, "true")
        return (try? policy?.with(.earlyUse, CommandGenerator.everything)) ?? .milanoA
    }()
    /// The policy `milano-b` as it was before it said what is open before the opening.
    private static let olderB =
        (try? Policy.milanoB.with(.earlyUse, CommandGenerator.everything)) ?? .milanoB

    static let events: [(event: Event, bytes: String)] = [
        (
            .city(.policyAdopted(older)),
            "01086d696c616e6f2d6134f0010200020600000014021404d005b009f00128020002010a00010202"
                + "c8010002000000020000b401b0090006061e0a1e000850b009d8041e00020004"
        ),
        (
            .city(.zonesDrawn(drawing)),
            "02020544756f6d6f0c43697474c3a020537475646990e4d0b287d3aeeefe010300010402f0a20401"
                + "020900"
        ),
        (.city(.taxiRegistered(taxi, taxiForm)), "03ac02054d49203132060180e69deaee66"),
        (.city(.taxiChanged(taxi, taxiForm)), "04ac02054d49203132060180e69deaee66"),
        (.city(.taxiRemoved(taxi)), "05ac02"),
        (.city(.setupCompleted), "06"),
        (.city(.suspended(reason: "strike")), "0706737472696b65"),
        (.city(.resumed), "08"),
        (.city(.restarted), "09"),
        (.taxi(.wentOnDuty(taxi)), "0aac02"),
        (.taxi(.wentOffDuty(taxi, .dispatcher, reason: "paper")), "0bac0204057061706572"),
        (.taxi(.placed(taxi, .zone(zone))), "0cac0204"),
        (.taxi(.contactLost(taxi, keptUntil: .never)), "0dac02feffffffffffffffff01"),
        (.taxi(.contactRegained(taxi)), "0eac02"),
        (.taxi(.enqueued(taxi, zone, rank, .redrawn)), "0fac0202018eda96010d"),
        (.taxi(.dequeued(taxi, .leftCity)), "10ac0209"),
        (.taxi(.turnRestored(taxi, reason: "fault")), "11ac02056661756c74"),
        (.request(.requested(number, form)), "12f0a204e72401010203000100"),
        (
            .request(.reserved(number, outside, due: moment, firstTry: moment)),
            "13f0a2040100000100000180e69deaee6680e69deaee66"
        ),
        (.request(.joined(number, form, other)), "14f0a204e7240101020300010009"),
        (.request(.reservationTried(number)), "15f0a204"),
        (
            .request(.reservationPostponed(number, .suspended, nextTry: moment)),
            "16f0a2040280e69deaee66"
        ),
        (.request(.held(number, nextTry: moment)), "17f0a20480e69deaee66"),
        (.request(.heldTried(number)), "18f0a204"),
        (.request(.parked(number, reason: "call back")), "19f0a2040963616c6c206261636b"),
        (.request(.unparked(number)), "1af0a204"),
        (
            .request(.assigned(number, taxi, reason: "è urgente")),
            "1bf0a204ac020ac3a820757267656e7465"
        ),
        (.request(.ended(number, .outsideCity, reason: "")), "1cf0a2040900"),
        (.request(.ownerChanged(from: number, to: other)), "1df0a20409"),
        (
            .offer(.offered(number, taxi, deadline: moment, .reservation)),
            "1ef0a204ac0280e69deaee6602"
        ),
        (.offer(.offerRenewed(number, deadline: moment)), "1ff0a20480e69deaee66"),
        (.offer(.offerDelivered(number)), "20f0a204"),
        (.offer(.offerClosed(number, .undeliverable)), "21f0a20402"),
        (.offer(.accepted(number)), "22f0a204"),
        (.ride(.meetingPointReached(number)), "23f0a204"),
        (.ride(.codeRejected(number)), "24f0a204"),
        (.ride(.boarded(number, aboard: 200)), "25f0a204c801"),
        (.ride(.destinationReached(number)), "26f0a204"),
        (.taxi(.turnKept(taxi, zone, rank)), "27ac0202018eda9601"),
        (
            .taxi(.homeTurnKept(taxi, zone, rank, until: moment)),
            "2aac0202018eda960180e69deaee66"
        ),
        (.request(.requested(number, far)), "12f0a204e724010102030001020101d804"),
        (.ride(.arrivalStated(number)), "28f0a204"),
        (.ride(.givenBack(number, .accident, reason: "hit")), "29f0a2040103686974"),
    ]
}
