import Chronology
package import Dispatching
package import Fares
import Storage

/// An ended request as its passenger's page shows it.
package struct EndedRequest: Hashable, Sendable {
    /// The outcome and the times of the request.
    package var record: RideRecord
    /// The places of the ride; nil if no longer known.
    package var places: RidePlaces?
    /// The passenger's fare; nil without a ride or a tariff.
    package var fare: RideFare?

    /// The pickup point in readable form.
    package var meeting: PlaceDescription? {
        places.map { PlaceDescription($0.meetingDescription, at: $0.meeting) }
    }

    /// The destination in readable form.
    package var destination: PlaceDescription? {
        places.flatMap { places in
            places.destination.map { PlaceDescription(places.destinationDescription, at: $0) }
        }
    }
}

extension TaxiService {
    /// Cancels a passenger's request (C27, R80).
    ///
    /// - Parameters:
    ///   - number: the request to cancel.
    ///   - passenger: the passenger who cancels.
    ///   - key: the idempotency key.
    /// - Returns: the receipt of the command.
    /// - Throws: ``Failure/notYours``; as `DispatchService.give`.
    package func cancel(
        _ number: RequestNumber,
        for passenger: PassengerNumber,
        key: DispatchService.Key? = nil
    ) async throws -> DispatchService.Receipt {
        try checkServing()
        let owner = try await dispatch.read { $0.request(number)?.form.passenger }
        guard let owner else { throw Refusal.noSuchRequest }
        guard owner == passenger else { throw Failure.notYours }
        return try await dispatch.give(.cancel(number), key: key)
    }

    /// How long a page waits for the tables to include a decision, in seconds.
    private static let recordSeconds: Int64 = 10
    /// The same limit for pages that can be shown without it.
    private static let patience: Int64 = 2

    /// Waits until earlier decisions have reached the tables, meters and driver news, which is
    /// usually immediate, but never longer than two seconds.
    package func settled() async {
        _ = await isRecorded(within: Self.patience)
    }

    /// Waits until earlier decisions have reached the tables.
    ///
    /// - Throws: ``Failure/notServing`` if that takes too long.
    func record() async throws {
        guard await isRecorded(within: Self.recordSeconds) else { throw Failure.notServing }
    }

    private func isRecorded(within seconds: Int64) async -> Bool {
        await recorded.reached(dispatch.head.sequence, by: clock.now().adding(seconds: seconds))
    }

    /// Returns an ended request for its passenger.
    ///
    /// - Returns: nil if the request does not exist or has not ended.
    /// - Throws: ``Failure/notYours`` if it belongs to another passenger (I27);
    ///   ``Failure/notServing`` if the tables do not include its outcome in time; any
    ///   `DatabaseFailure`.
    package func ended(
        _ number: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> EndedRequest? {
        try await record()
        guard let record = try await store.record(of: number) else { return nil }
        guard record.passenger == passenger else { throw Failure.notYours }
        guard record.ended != nil else { return nil }
        return EndedRequest(
            record: record,
            places: try await store.places(of: [number])[number],
            fare: try await store.fare(of: number)
        )
    }
}
