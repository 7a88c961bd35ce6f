import Chronology
import Streets
import Transit

/// A question for the quickest way on the streets between two endpoints.
struct StreetWayQuery: Equatable {
    let origin: Endpoint
    let destination: Endpoint
    let profile: Profile
    let means: Means
    /// When one leaves, or arrives.
    let time: Instant
    let isArriveBy: Bool
    /// How many metres one walks at most; nil for any number.
    let maxWalkMetres: UInt32?
    /// Whether it is a change of vehicles, on streets that are open at any hour.
    let isChange: Bool
}

/// The last ways on the streets that a planner found.
///
/// A question about all means of transport asks for the direct ways several times, and the answer
/// draws each of them.
final class RecentWays {
    /// The number of ways that are kept: those of a question.
    private static let limit = 16

    /// The ways; once there are enough, each new one takes the place of the oldest.
    private var all: [(query: StreetWayQuery, way: Planner.StreetWay?)] = []
    private var oldest = 0

    /// The way that answers a query.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - find: finds the way if it is not known.
    /// - Returns: the way; nil if there is none.
    func way(_ query: StreetWayQuery, _ find: () -> Planner.StreetWay?) -> Planner.StreetWay? {
        if let known = all.first(where: { $0.query == query }) { return known.way }
        let way = find()
        if all.count < Self.limit {
            all.append((query, way))
        } else {
            all[oldest] = (query, way)
            oldest = (oldest + 1) % Self.limit
        }
        return way
    }
}
