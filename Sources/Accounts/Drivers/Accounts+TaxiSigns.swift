import Storage

/// How a passenger knows the right taxi.
package struct TaxiSigns: Hashable, Sendable {
    /// The code that the city gave it.
    package let code: String
    /// Its plate.
    package let plate: String
    /// The first name of its driver; nil where several drive it.
    package let driver: String?
}

extension Accounts {
    /// How a taxi is known: its passengers see this from accepting to the end of the ride.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - driver: whose shift it is, where that is known; else the taxi's only driver counts.
    /// - Returns: nil where it is gone.
    /// - Throws: what the databases throw.
    package func signs(
        of taxi: PersonNumber,
        drivenBy driver: PersonNumber? = nil
    ) async throws -> TaxiSigns? {
        guard let names = try await taxiNames(of: [taxi])[taxi] else { return nil }
        let drivers = try await data.read(isBrief: true) { transaction in
            try transaction.rows(
                """
                SELECT d.person AS person
                FROM driver d JOIN person p ON p.number = d.person
                WHERE d.taxi = \(taxi) AND d.standing = 'verified' AND p.suspended = 0 LIMIT 50
                """
            ).map { try $0.value("person", as: PersonNumber.self) }
        }
        let only = drivers.count == 1 ? drivers.first : nil
        var name: String?
        if let found = drivers.first(where: { $0 == driver }) ?? only,
            let key = try await keys.key(of: found)
        {
            name = try await data.read(isBrief: true) { transaction in
                try Fields.sealed(.name, of: key.person, in: transaction).map {
                    try key.open($0, as: PersonField.name.rawValue)
                }
            }
        }
        return TaxiSigns(code: names.code, plate: names.plate, driver: name)
    }
}
