import Chronology
package import Dispatching
import Fares
package import Geo
import Storage

/// The operator's view of one request, live or ended.
package struct RequestFile: Sendable {
    /// The live request; nil if it has ended.
    package var live: RequestLine?
    /// The stored record; nil for a request that has only just arrived.
    package var record: RideRecord?
    /// The events of the request in order.
    package var story: [Told]
    /// The reason of a suspension of the service, if any.
    package var suspension: String?
    /// The pickup point of a live request, for the map; nil if unknown.
    package var meeting: Coordinate?
}

extension TaxiService {
    /// Returns a request with its events, for an operator.
    ///
    /// The destination is not included, and the pickup point only while the request is live,
    /// because operators do not need them (R130).
    ///
    /// - Parameter number: the number of the request.
    /// - Returns: nil if there is no such request.
    /// - Throws: ``Failure/notServing``; any `DatabaseFailure`.
    package func file(of number: RequestNumber) async throws -> RequestFile? {
        try checkServing()
        try await record()
        var (line, suspension) = try await dispatch.read { state in
            (state.request(number).map { state.line(of: $0) }, state.suspension)
        }
        let record = try await store.record(of: number)
        if line == nil, record == nil { return nil }
        line?.asked = record?.asked
        line?.meeting = book[number]?.places.map {
            PlaceDescription($0.meetingDescription, at: $0.meeting)
        }
        return RequestFile(
            live: line,
            record: record,
            story: try await store.story(of: number),
            suspension: suspension,
            meeting: line == nil ? nil : book[number]?.places?.meeting
        )
    }
}
