package import Dispatching
package import Geo

/// A waiting passenger and the assigned taxi on the operator's map.
package struct RequestMark: Hashable, Sendable {
    package var line: RequestLine
    /// The pickup point.
    package var place: Coordinate
    /// The position of the assigned taxi; nil if there is none or it is unknown.
    package var taxi: Coordinate?
}

extension TaxiService {
    /// Lists the pickup points of passengers who wait, for the operator's map.
    ///
    /// Destinations are not included, because operators do not need them (R130).
    ///
    /// - Parameters:
    ///   - zone: only requests in this zone; nil for all.
    ///   - limit: the largest number of results.
    /// - Returns: the requests in the order of their numbers.
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
    /// Whether a passenger is waiting at the pickup point.
    package var isWaitedFor: Bool {
        switch RequestFilter(self) {
        case .waiting, .parked: true
        case .riding: ride?.stage != .aboard
        case .reserved, nil: false
        }
    }
}
