import Dispatching
package import Zones

extension TaxiService {
    /// The zones in force; nil before the city has any.
    package var zonesInForce: ZoneSet? { intake.zones }

    /// What people call a zone, of which the log knows the code.
    ///
    /// - Parameter code: the zone's code.
    /// - Returns: its name; the code where the zones in force have none such, as for what was.
    package func zoneName(_ code: String) -> String {
        guard let zones = zonesInForce, let zone = zones.zone(code: code) else { return code }
        return zones[zone].name
    }

    /// How many drivers are available in each zone, by its code.
    package func queueLengths() async throws -> [String: Int] {
        try checkServing()
        return try await dispatch.read { state in
            let lengths = state.zones.map { ($0.name, $0.entries.count) }
            return Dictionary(lengths, uniquingKeysWith: { first, _ in first })
        }
    }
}
