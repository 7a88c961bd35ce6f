package import Chronology
package import Dispatching
package import Fares
import Geo
import Storage

/// An offer as the driver's screen shows it (R50, G10).
package struct OfferShown: Hashable, Sendable {
    /// The request.
    package var request: RequestNumber
    /// What an answer must name.
    package var epoch: Int64
    /// Until when he may answer.
    package var deadline: Moment
    /// The zone of the meeting point.
    package var zone: ZoneNumber
    /// What he must carry.
    package var needs: Capacity
    /// The hour of a reservation.
    package var due: Moment?
    /// Where to meet the passenger, and how to get there; nil where the policy shows the zone
    /// only, or the place is not known.
    package var meeting: MeetingPlace?
    /// The straight line to it in metres, which is known also without streets.
    package var straightMetres: Int64?
    /// Where the passenger wants to go; nil unless the policy shows it before accepting.
    package var destination: PlaceWords?
}

/// One of those who ride in a taxi: who asked for it, or who shares it.
package struct RidingParty: Hashable, Sendable {
    /// The request.
    package var request: RequestNumber
    /// Who made it.
    package var passenger: PassengerNumber
    /// What they need.
    package var needs: Capacity
}

/// A ride as its driver's screen shows it.
package struct RideShown: Hashable, Sendable {
    /// The ride.
    package var request: RequestNumber
    /// How far it has come.
    package var ride: Ride
    /// What the passengers need.
    package var needs: Capacity
    /// Who rides: the owner of the ride, then those who share it in the order in which they joined.
    package var parties: [RidingParty] = []
    /// Where to meet the passenger, and how to get there.
    package var meeting: MeetingPlace?
    /// Where he wants to go, as far as the policy shows it.
    package var destination: MeetingPlace?
    /// Where the passengers of a shared ride get out, in this order, as far as the policy shows it;
    /// empty where one party rides alone.
    package var stops: [MeetingPlace] = []
    /// The hour of a reservation.
    package var due: Moment?
    /// Whether the passenger said where he wants to go, also where the driver is not shown it.
    package var hasDestination = false
    /// The code that driver and passenger compare; nil where the policy has none.
    package var code: String?
}

extension TaxiService {
    /// The driver's open offer; nil where there is none.
    package func offer(to taxi: TaxiNumber) async throws -> OfferShown? {
        try checkServing()
        let asked = try await dispatch.read { state -> (Request, Policy)? in
            guard case .offer(let number) = state.taxi(taxi)?.work else { return nil }
            return state.request(number).map { ($0, state.policy) }
        }
        guard let (request, policy) = asked, let offer = request.offer else { return nil }
        var shown = OfferShown(
            request: request.number,
            epoch: offer.epoch,
            deadline: offer.deadline,
            zone: request.zone,
            needs: request.needs,
            due: request.due
        )
        guard let places = book[request.number]?.places else { return shown }
        if policy.showsPickup {
            shown.meeting = await meeting(
                places.meeting,
                places.meetingWords,
                from: taxi
            )
        }
        if let place = intake.position(of: taxi)?.place {
            shown.straightMetres = Int64(place.distanceMetres(to: places.meeting).rounded())
        }
        if policy.showsDestination(isAccepted: false), let last = places.destination {
            shown.destination = PlaceWords(places.destinationWords, at: last)
        }
        return shown
    }

    /// The driver's ride; nil where there is none.
    package func ride(of taxi: TaxiNumber) async throws -> RideShown? {
        try checkServing()
        let found = try await dispatch.read { state -> (Request, [Request], Policy)? in
            state.request(drivenBy: taxi).map { request in
                (request, request.joiners.compactMap { state.request($0) }, state.policy)
            }
        }
        guard let (request, joiners, policy) = found, let ride = request.ride else { return nil }
        var shown = RideShown(
            request: request.number,
            ride: ride,
            needs: request.needs,
            due: request.due,
            hasDestination: request.form.hasDestination
        )
        shown.parties = ([request] + joiners).map { one in
            RidingParty(request: one.number, passenger: one.form.passenger, needs: one.form.needs)
        }
        if policy[.pinDigits] > 0 { shown.code = codes.code(of: request.acceptedFor) }
        guard let places = book[request.number]?.places else { return shown }
        shown.meeting = await meeting(places.meeting, places.meetingWords, from: taxi)
        guard policy.showsDestination(isAccepted: true) else { return shown }
        let sharers = ([request.number] + request.joiners).compactMap { book[$0]?.places }
        var stops: [MeetingPlace] = []
        for sharer in sharers.inOrder(from: places.meeting) {
            guard let last = sharer.destination else { continue }
            stops.append(await meeting(last, sharer.destinationWords, from: taxi))
        }
        // The ride ends where the last of them gets out.
        shown.destination = stops.last
        if sharers.count > 1 { shown.stops = stops }
        return shown
    }

    /// The driver accepts; what the passenger is promised becomes durable with it (R58).
    ///
    /// Which offer is meant the taxi and the epoch say (I11). The number that comes with them may
    /// be another by now, or be made up: nothing is promised under it.
    ///
    /// - Throws: as `DispatchService.give`.
    package func accept(
        _ number: RequestNumber,
        by taxi: TaxiNumber,
        epoch: Int64,
        key: DispatchService.Key? = nil
    ) async throws -> DispatchService.Receipt {
        try checkServing()
        let open = try await dispatch.read { state -> RequestNumber? in
            guard case .offer(let open)? = state.taxi(taxi)?.work else { return nil }
            return open
        }
        let request = open ?? number
        var promise = RidePromise()
        let now = clock.now()
        if let places = book[request]?.places, let here = intake.position(of: taxi)?.place {
            let ahead = await drives.drive(from: here, to: places.meeting, at: now)
            promise.seconds = ahead?.likely.seconds
            promise.mapped = ahead?.mapped
        }
        let made = promise
        let arrival = promise.seconds.map { now.adding(seconds: $0) }
        let receipt = try await dispatch.give(
            .accept(number, taxi, epoch: epoch),
            key: key
        ) { [book, city] receipt in
            guard let accepted = receipt.accepted else { return [] }
            let driver = Self.noteDriver(of: accepted, by: taxi, at: now, log: city.name)
            // Of another request, as after a change of owners, the arrival is not known.
            guard accepted == request else { return [driver] }
            // Whoever hears that a taxi was found finds its arrival here.
            book.change(request) { page in
                page.promise = made
                page.tell(arrival, at: now)
            }
            return [driver, made.insertion(request, log: city.name)]
        }
        if receipt.accepted == request {
            news.tell(ArrivalTold(request: request, arrival: arrival, isOver: false))
        }
        return receipt
    }

    /// The driver says that so many are aboard, with the code that the passenger showed (R59).
    ///
    /// - Parameters:
    ///   - taxi: the driver's taxi.
    ///   - aboard: how many.
    ///   - code: what was entered; nil where none was.
    ///   - key: lets the caller repeat it: a wrong code then counts once.
    /// - Returns: whether they are aboard; false for a wrong code.
    /// - Throws: as `DispatchService.give`.
    package func board(
        _ taxi: TaxiNumber,
        aboard: UInt8,
        code: String?,
        key: DispatchService.Key? = nil
    ) async throws -> Bool {
        guard let ride = try await carryPositions(of: taxi) else { throw Refusal.notRiding }
        let check =
            code.map { codes.isRight($0, for: ride.acceptedFor) ? CodeCheck.right : .wrong }
            ?? .none
        let receipt = try await dispatch.give(
            .board(taxi, aboard: aboard, code: check),
            key: key
        )
        let isAboard = receipt.events.contains {
            if case .boarded = $0 { true } else { false }
        }
        // At once: whoever reads the log may be behind, and the ride short.
        if isAboard { startMeter(of: taxi, on: ride.number, boardedAt: clock.now()) }
        return isAboard
    }

    /// A place that a driver goes to, with the way from where he is.
    private func meeting(
        _ place: Coordinate,
        _ words: String?,
        from taxi: TaxiNumber
    ) async -> MeetingPlace {
        var ahead: DriveDesk.Ahead?
        if let here = intake.position(of: taxi)?.place {
            ahead = await drives.drive(from: here, to: place, at: clock.now())
        }
        return MeetingPlace(
            words: PlaceWords(words, at: place),
            place: place,
            drive: ahead?.likely
        )
    }
}

extension DispatchService.Receipt {
    /// The request that was accepted by it, if any.
    fileprivate var accepted: RequestNumber? {
        for case .accepted(let request) in events { return request }
        return nil
    }
}

extension Policy {
    /// Whether an offer shows the meeting point, not only its zone (G10).
    fileprivate var showsPickup: Bool { self[.offerPickup] == 0 }

    /// Whether a driver sees the destination (1.12).
    fileprivate func showsDestination(isAccepted: Bool) -> Bool {
        switch self[.offerShowsDestination] {
        case 0: false
        case 1: isAccepted
        default: true
        }
    }
}
