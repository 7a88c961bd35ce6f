import Dispatching
package import Zones

extension TaxiService {
    /// The zones in force; nil before the city has any.
    package var zonesInForce: ZoneSet? { intake.zones }

    /// Returns the name of a zone.
    ///
    /// - Parameter code: the zone's code in the log.
    /// - Returns: its name, or the code if the zones in force do not include it.
    package func zoneName(_ code: String) -> String {
        guard let zones = zonesInForce, let zone = zones.zone(code: code) else { return code }
        return zones[zone].name
    }

    /// Returns the number of available drivers in each zone, by the zone's code.
    package func queueLengths() async throws -> [String: Int] {
        try checkServing()
        return try await dispatch.read { state in
            let lengths = state.zones.map { ($0.name, $0.entries.count) }
            return Dictionary(lengths, uniquingKeysWith: { first, _ in first })
        }
    }
}
