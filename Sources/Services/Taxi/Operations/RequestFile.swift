import Chronology
package import Dispatching
import Fares
import Storage

/// All that an operator sees of one request, live or ended.
package struct RequestFile: Sendable {
    /// The live request; nil where it has ended.
    package var live: RequestLine?
    /// What the tables know of it; nil for one that has just arrived.
    package var record: RideRecord?
    /// What happened, in order.
    package var story: [Told]
    /// Why the service is suspended, if it is.
    package var suspension: String?
}

extension TaxiService {
    /// A request with its story, for an operator.
    ///
    /// Where its passenger goes is not in it, and where he was met only while it is live: nobody
    /// needs to know (R130).
    ///
    /// - Parameter number: the request.
    /// - Returns: nil where there never was such a request.
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
            PlaceWords($0.meetingWords, at: $0.meeting)
        }
        return RequestFile(
            live: line,
            record: record,
            story: try await store.story(of: number),
            suspension: suspension
        )
    }
}
