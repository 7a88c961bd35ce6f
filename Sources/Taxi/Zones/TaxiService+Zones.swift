import Dispatching
package import Zones

extension TaxiService {
    /// The zones in force; nil before the city has any.
    package var zonesInForce: ZoneSet? { intake.zones }

    /// How many drivers are available in each zone, by its code.
    package func queueLengths() async throws -> [String: Int] {
        try checkServing()
        return try await dispatch.read { state in
            let lengths = state.zones.map { ($0.name, $0.entries.count) }
            return Dictionary(lengths, uniquingKeysWith: { first, _ in first })
        }
    }
}
