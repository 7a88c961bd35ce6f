package import Chronology
package import Dispatching
package import Fares
import Storage

/// A party in a taxi: the owner of the ride or a joiner.
package struct RidingParty: Hashable, Sendable {
    package var request: RequestNumber
    package var passenger: PassengerNumber
    /// The required seats and wheelchair space.
    package var needs: Capacity
}

/// A ride as the driver's page shows it.
package struct RideShown: Hashable, Sendable {
    package var request: RequestNumber
    /// The progress of the ride.
    package var ride: Ride
    /// The seats and wheelchair space that the passengers need.
    package var needs: Capacity
    /// The owner of the ride, then the joiners in the order in which they joined.
    package var parties: [RidingParty] = []
    /// The pickup point and the way to it.
    package var meeting: MeetingPlace?
    /// The destination, as far as the policy shows it.
    package var destination: MeetingPlace?
    /// The stops of a shared ride in order, as far as the policy shows them; empty
    /// for a single party.
    package var stops: [MeetingPlace] = []
    /// The reserved time, for a reservation.
    package var due: Moment?
    /// Whether the passenger gave a destination, even if the driver may not see it.
    package var hasDestination = false
    /// The boarding code that driver and passenger compare; nil if the policy uses none.
    package var code: String?
}

extension TaxiService {
    /// Returns the driver's ride; nil if there is none.
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
        if policy.pinDigits != .none { shown.code = codes.code(of: request.acceptedFor) }
        guard let places = book[request.number]?.places else { return shown }
        shown.meeting = await meeting(places.meeting, places.meetingDescription, from: taxi)
        guard policy.showsDestination(isAccepted: true) else { return shown }
        let sharers = ([request.number] + request.joiners).compactMap { book[$0]?.places }
        var stops: [MeetingPlace] = []
        for sharer in sharers.inOrder(from: places.meeting) {
            guard let last = sharer.destination else { continue }
            stops.append(await meeting(last, sharer.destinationDescription, from: taxi))
        }
        // The ride ends at the last stop.
        shown.destination = stops.last
        if sharers.count > 1 { shown.stops = stops }
        return shown
    }

    /// Accepts an offer; the arrival promised to the passenger becomes durable with it (R58).
    ///
    /// Taxi and epoch identify the offer (I11). The request number may be outdated or forged, so
    /// nothing is stored under it without a check.
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
            // The request differs, for example after a change of owner, so its arrival is unknown.
            guard accepted == request else { return [driver] }
            // Subscribers that learn of the acceptance find the arrival time here.
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

    /// Records that passengers have boarded, with the code that the passenger showed (R59).
    ///
    /// - Parameters:
    ///   - taxi: the driver's taxi.
    ///   - aboard: the number of passengers.
    ///   - code: the entered code; nil if none was entered.
    ///   - key: the idempotency key, which also prevents counting a wrong code twice.
    /// - Returns: whether boarding was recorded; false for a wrong code.
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
            if case .ride(.boarded) = $0 { true } else { false }
        }
        // Started here, because following the log may lag behind and the ride may be short.
        if isAboard { startMeter(of: taxi, on: ride.number, boardedAt: clock.now()) }
        return isAboard
    }

}

extension DispatchService.Receipt {
    /// The request that the events say was accepted, if any.
    fileprivate var accepted: RequestNumber? {
        for case .offer(.accepted(let request)) in events { return request }
        return nil
    }
}
