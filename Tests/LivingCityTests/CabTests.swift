import Chronology
import Geo
import Positions
import SeededRandom
import Simulation
import Testing

@testable import Dispatching
@testable import LivingCity

/// Checks how a demo driver reacts to the dispatcher's state of the taxi.
@Suite("A taxi of the demo")
struct CabTests {
    private static let here = Coordinate(latitude: 454_600_000, longitude: 91_500_000)
    private static let there = Coordinate(latitude: 454_700_000, longitude: 91_500_000)
    private static let start = Moment(milliseconds: 1_800_000_000_000)
    private static let number = TaxiNumber(rawValue: 3)
    private static let zone = ZoneNumber(rawValue: 0)

    private var chance = SeededRandom(seed: 1)

    private mutating func cab(isVisitors: Bool = false) -> Cab {
        Cab(
            Self.number,
            driver: 9,
            isVisitors: isVisitors,
            at: Self.here,
            now: Self.start,
            &chance
        )
    }

    /// All actions of the driver in a period while the dispatcher's state stays the same.
    private mutating func deeds(
        of cab: inout Cab,
        _ seen: SeenTaxi,
        seconds: Range<Int64>
    ) -> [Deed] {
        seconds.compactMap { cab.deed(seen, at: Self.start.adding(seconds: $0), &chance) }
    }

    private static func request(_ phase: Request.Phase, number: UInt64 = 5) -> Request {
        Request(
            number: RequestNumber(rawValue: number),
            form: RequestForm(passenger: PassengerNumber(rawValue: 7), zone: zone),
            needs: Capacity(seats: 1),
            zone: zone,
            due: nil,
            arrival: 1,
            phase: phase,
            isLive: true
        )
    }

    private static func offered(_ mood: Mood = .usual) -> SeenTaxi {
        let offer = Offer(taxi: number, epoch: 11, deadline: start.adding(seconds: 60))
        var seen = SeenTaxi(isOnDuty: true, isReachable: true, zone: zone)
        seen.request = request(.offered(offer))
        seen.mood = mood
        return seen
    }

    private static func riding(
        _ stage: Ride.Stage,
        comes: Bool = true,
        request number: UInt64 = 5
    ) -> SeenTaxi {
        var seen = SeenTaxi(isOnDuty: true, isReachable: true, zone: zone)
        let ride = Ride(taxi: Self.number, stage: stage, reachedAt: start)
        seen.request = request(.riding(ride), number: number)
        seen.comes = comes
        return seen
    }

    @Test("a driver goes on duty once in contact, and tries again if refused")
    mutating func comesOnDuty() {
        var cab = cab()
        let unheard = SeenTaxi()
        #expect(deeds(of: &cab, unheard, seconds: 0..<60).isEmpty)
        let heard = SeenTaxi(isReachable: true, zone: Self.zone)
        #expect(deeds(of: &cab, heard, seconds: 60..<120) == [.goOnDuty, .goOnDuty, .goOnDuty])
    }

    @Test("an offer is shown, then answered once", arguments: [UInt64](1...40))
    mutating func answers(seed: UInt64) {
        chance = SeededRandom(seed: seed)
        var cab = cab()
        let found = deeds(of: &cab, Self.offered(), seconds: 0..<60)
        let request = RequestNumber(rawValue: 5)
        let shown = Deed.show(request, epoch: 11)
        let possible: [[Deed]] = [
            [], [shown],
            [shown, .accept(request, epoch: 11)],
            [shown, .refuse(request, epoch: 11)],
        ]
        #expect(possible.contains(found), "\(found)")
    }

    @Test("a visitor's call is answered, and left to a visitor's taxi", arguments: 1...20)
    mutating func isKind(seed: Int) {
        chance = SeededRandom(seed: UInt64(seed))
        var kind = cab()
        #expect(deeds(of: &kind, Self.offered(.kind), seconds: 0..<30).count == 2)
        var yielding = cab()
        let refused = Deed.refuse(RequestNumber(rawValue: 5), epoch: 11)
        #expect(deeds(of: &yielding, Self.offered(.yielding), seconds: 0..<5).last == refused)
    }

    @Test("a driver goes to the meeting point, waits for the passenger, and drives on")
    mutating func rides() {
        var cab = cab()
        let request = RequestNumber(rawValue: 5)
        let first = deeds(of: &cab, Self.riding(.onTheWay), seconds: 0..<1)
        #expect(first == [.headForMeetingPoint(request)])
        let way = Drive(start: Self.start, milliseconds: 100_000, points: [Self.here, Self.there])
        cab.head(for: Self.there, of: request, isDestination: false, along: way)
        #expect(deeds(of: &cab, Self.riding(.onTheWay), seconds: 1..<120).isEmpty)
        #expect(cab.place(at: Self.start.adding(seconds: 120)) == Self.there)
        let waiting = deeds(of: &cab, Self.riding(.atMeetingPoint), seconds: 120..<245)
        #expect(waiting.first == .board(request))
        let aboard = deeds(of: &cab, Self.riding(.aboard), seconds: 300..<301)
        #expect(aboard == [.headForDestination(request)])
        let back = Drive(
            start: Self.start.adding(seconds: 300),
            milliseconds: 100_000,
            points: [Self.there, Self.here]
        )
        cab.head(for: Self.here, of: request, isDestination: true, along: back)
        let end = deeds(of: &cab, Self.riding(.aboard), seconds: 301..<500)
        #expect(end.prefix(6).allSatisfy { $0 == .endRide } && end.count >= 7)
        #expect(end.dropFirst(6).allSatisfy { $0 == .closeRide }, "the operator helps: \(end)")
    }

    @Test("a passenger who does not come is dropped")
    mutating func drops() {
        var cab = cab()
        let found = deeds(of: &cab, Self.riding(.atMeetingPoint, comes: false), seconds: 0..<200)
        #expect(!found.isEmpty && found.allSatisfy { $0 == .reportNoShow })
        // The joiner is at the pickup point and now owns the ride.
        let heir = Self.riding(.atMeetingPoint, request: 6)
        let next = deeds(of: &cab, heir, seconds: 200..<400)
        #expect(next.first == .board(RequestNumber(rawValue: 6)))
    }

    @Test("a visitor's taxi decides nothing, and drives where its ride leads (issue 5, point 1)")
    mutating func visitors() {
        var cab = cab(isVisitors: true)
        let free = SeenTaxi(isOnDuty: false, isReachable: true, zone: Self.zone)
        #expect(deeds(of: &cab, free, seconds: 0..<600).isEmpty)
        #expect(deeds(of: &cab, Self.offered(), seconds: 600..<660).isEmpty)
        let request = RequestNumber(rawValue: 5)
        let found = deeds(of: &cab, Self.riding(.onTheWay), seconds: 660..<661)
        #expect(found == [.headForMeetingPoint(request)])
        #expect(deeds(of: &cab, Self.riding(.atMeetingPoint), seconds: 661..<900).isEmpty)
        let outside = SeenTaxi(isOnDuty: true, isReachable: true)
        #expect(deeds(of: &cab, outside, seconds: 900..<901) == [.wander])
    }

    @Test("what streets leave of a way is driven straight, and reports come as often as they must")
    mutating func reports() {
        var cab = cab()
        let request = RequestNumber(rawValue: 5)
        let middle = Coordinate(latitude: 454_650_000, longitude: 91_500_000)
        let way = Drive(start: Self.start, milliseconds: 60_000, points: [Self.here, middle])
        cab.head(for: Self.there, of: request, isDestination: false, along: way)
        var reported: [Coordinate] = []
        for second in Int64(0)..<300 {
            let now = Self.start.adding(seconds: second)
            if let batch = cab.report(.viavai, at: now) { reported += batch.reports.map(\.place) }
            _ = cab.deed(Self.riding(.onTheWay), at: now, &chance)
        }
        #expect(reported.last == Self.there)
        #expect((20...60).contains(reported.count), "\(reported.count)")
        for (one, next) in zip(reported, reported.dropFirst()) {
            #expect(one.distanceMetres(to: next) < 350, "a car drives, it does not leap")
        }
    }
}
