import Chronology
package import Dispatching
package import Fares
import Storage

/// A request that has ended, as its passenger sees it.
package struct EndedRequest: Hashable, Sendable {
    /// What became of it.
    package var record: RideRecord
    /// Where he was met; nil where that is no longer known.
    package var meeting: PlaceWords?
    /// Where he wanted to go.
    package var destination: PlaceWords?
    /// What it cost him; nil where nobody drove, or no tariff was in force.
    package var fare: RideFare?
}

/// What a passenger may count on just now.
package struct ServiceNow: Sendable {
    /// Whether the city has confirmed its data (R4).
    package var isOpen: Bool
    /// Why the service is suspended, if it is (R12).
    package var suspension: String?
    /// The rules in force.
    package var policy: Policy
    /// The passenger's live request (R68).
    package var live: RequestNumber?
}

extension TaxiService {
    /// What a passenger may count on just now; nil for whoever is nobody yet.
    package func now(for passenger: PassengerNumber?) async throws -> ServiceNow {
        try checkServing()
        return try await dispatch.read { state in
            ServiceNow(
                isOpen: state.isSetUp,
                suspension: state.suspension,
                policy: state.policy,
                live: passenger.flatMap { state.liveRequest(of: $0) }
            )
        }
    }

    /// A passenger gives up his request (C27, R80).
    ///
    /// - Parameters:
    ///   - number: the request.
    ///   - passenger: who asks.
    ///   - key: lets the caller repeat it.
    /// - Returns: what came of it.
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

    /// How long a page waits for the tables to know what was decided, in seconds.
    private static let recordSeconds: Int64 = 10
    /// The same for a page that would say a little less without them.
    private static let patience: Int64 = 2

    /// Waits until what was decided by now has reached the tables, the meters and the news of
    /// drivers; mostly it has, and never longer than two seconds.
    package func settled() async {
        _ = await isRecorded(within: Self.patience)
    }

    /// Waits until what was decided by now has reached the tables.
    ///
    /// - Throws: ``Failure/notServing`` where it does not in time.
    func record() async throws {
        guard await isRecorded(within: Self.recordSeconds) else { throw Failure.notServing }
    }

    private func isRecorded(within seconds: Int64) async -> Bool {
        await recorded.reached(dispatch.head.sequence, by: clock.now().adding(seconds: seconds))
    }

    /// A request that has ended, for its passenger.
    ///
    /// - Returns: nil where there never was such a request, or it has not ended.
    /// - Throws: ``Failure/notYours`` where it is somebody else's (I27); ``Failure/notServing``
    ///   where the tables do not know in time what became of it; any `DatabaseFailure`.
    package func ended(
        _ number: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> EndedRequest? {
        try await record()
        guard let record = try await store.record(of: number) else { return nil }
        guard record.passenger == passenger else { throw Failure.notYours }
        guard record.ended != nil else { return nil }
        let places = try await store.places(of: [number])[number]
        return EndedRequest(
            record: record,
            meeting: places.map { PlaceWords($0.meetingWords, at: $0.meeting) },
            destination: places.flatMap { places in
                places.destination.map { PlaceWords(places.destinationWords, at: $0) }
            },
            fare: try await store.fare(of: number)
        )
    }
}
