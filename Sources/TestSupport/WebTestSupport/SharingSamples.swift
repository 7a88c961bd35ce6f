package import Dispatching
import Testing

/// Rides that others may join.
package enum SharingSamples {
    package static func fields(_ from: Double, _ to: Double) -> [String: String] {
        [
            "from": RideTown.typed(from), "to": RideTown.typed(to), "seats": "1",
            "share": "share",
        ]
    }

    /// Orders a taxi that others may join; returns the path of the ride.
    package static func own(
        _ town: RideTown,
        _ visitor: Visitor,
        by taxi: TaxiNumber
    ) async throws -> String {
        _ = try await town.fill(visitor, fields(500, 1_500))
        let sent = try await visitor.submit([:], on: "/taxi/check?own=1", to: "/taxi/request")
        let path = try #require(sent.header("location"), "\(sent.text)")
        try await town.accept(taxi)
        return path
    }
}
