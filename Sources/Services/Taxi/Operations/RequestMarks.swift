package import Dispatching
package import Geo

/// A request on the operator's map: somebody who waits, and the taxi that comes to him.
package struct RequestMark: Hashable, Sendable {
    /// The request.
    package var line: RequestLine
    /// Where its passenger waits.
    package var place: Coordinate
    /// Where the taxi is that comes; nil where none does, or none was heard from.
    package var taxi: Coordinate?
}

extension TaxiService {
    /// Where people wait for taxis, for the operator's map: those who are not aboard yet.
    ///
    /// Where a ride goes is not in it: nobody needs to know (R130).
    ///
    /// - Parameters:
    ///   - zone: only those in this zone; nil for all.
    ///   - limit: how many at most.
    /// - Returns: the requests, in the order of their numbers.
    /// - Throws: ``Failure/notServing``.
    package func requestMarks(
        in zone: ZoneNumber? = nil,
        limit: Int
    ) async throws -> [RequestMark] {
        try checkServing()
        let lines = try await dispatch.read { state in
            state.requests.filter { $0.isWaitedFor && (zone == nil || zone == $0.zone) }
                .sorted { $0.number < $1.number }.prefix(limit).map { state.line(of: $0) }
        }
        return lines.compactMap { line in
            book[line.request.number]?.places.map { places in
                let taxi = line.request.ride?.taxi
                let place = taxi.flatMap { intake.position(of: $0)?.place }
                return RequestMark(line: line, place: places.meeting, taxi: place)
            }
        }
    }
}

extension Request {
    /// Whether somebody waits at its meeting point.
    package var isWaitedFor: Bool {
        switch RequestFilter(self) {
        case .waiting, .parked: true
        case .riding: ride?.stage != .aboard
        case .reserved, nil: false
        }
    }
}
