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
        // A passenger looks often: mostly all is read at once.
        let known = try await keys.keys(of: [taxi] + [driver].compactMap { $0 })
        guard let own = known[taxi] else { return nil }
        let found = try await data.read(isBrief: true) { transaction in
            (
                names: try Self.names(of: own, in: transaction),
                driver: try Self.driver(of: taxi, preferring: driver, in: transaction),
                name: try driver.flatMap { known[$0] }.flatMap {
                    try Self.name(of: $0, in: transaction)
                }
            )
        }
        guard let names = found.names else { return nil }
        var name = found.driver == driver ? found.name : nil
        if let other = found.driver, other != driver, let key = try await keys.key(of: other) {
            name = try await data.read(isBrief: true) { try Self.name(of: key, in: $0) }
        }
        return TaxiSigns(code: names.code, plate: names.plate, driver: name)
    }

    /// Who drives a taxi: somebody who may, else its only driver.
    private static func driver(
        of taxi: PersonNumber,
        preferring driver: PersonNumber?,
        in transaction: Transaction
    ) throws -> PersonNumber? {
        let drivers = try transaction.rows(
            """
            SELECT d.person AS person
            FROM driver d JOIN person p ON p.number = d.person
            WHERE d.taxi = \(taxi) AND d.standing = 'verified' AND p.suspended = 0 LIMIT 50
            """
        ).map { try $0.value("person", as: PersonNumber.self) }
        let only = drivers.count == 1 ? drivers.first : nil
        return drivers.first { $0 == driver } ?? only
    }

    /// Somebody's first name; nil where he gave none.
    static func name(of key: PersonKey, in transaction: Transaction) throws -> String? {
        try Fields.sealed(.name, of: key.person, in: transaction).map {
            try key.open($0, as: PersonField.name.rawValue)
        }
    }
}
