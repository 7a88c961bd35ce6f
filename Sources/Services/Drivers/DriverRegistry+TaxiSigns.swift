package import Identity
import Storage

/// The code, plate and look of a taxi, which everybody can see on the street.
package struct TaxiNames: Hashable, Sendable {
    /// The code assigned by the city, which is painted on the vehicle.
    package let code: String
    package let plate: String
    /// Make and colour, as far as the papers state them.
    package let look: VehicleLook
}

/// The marks by which a passenger recognises the right taxi.
package struct TaxiSigns: Hashable, Sendable {
    /// The code assigned by the city, which is painted on the vehicle.
    package let code: String
    package let plate: String
    /// Make and colour, as far as the papers state them.
    package let look: VehicleLook
    /// The first name of the driver; nil if the taxi has several drivers and the shift is unknown.
    package let driver: String?
}

extension DriverRegistry {
    /// Returns the recognition marks that a passenger sees from acceptance to the end of the ride.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - driver: the driver on shift, if known; otherwise the taxi's only driver.
    /// - Returns: nil if the taxi is deleted.
    /// - Throws: any database error.
    package func signs(
        of taxi: PersonNumber,
        drivenBy driver: PersonNumber? = nil
    ) async throws -> TaxiSigns? {
        // Passengers poll this often, so the usual case needs a single read.
        let known = try await keys.keys(of: [taxi] + [driver].compactMap { $0 })
        guard let own = known[taxi] else { return nil }
        let found = try await data.read(isBrief: true) { transaction in
            (
                names: try Self.names(of: own, in: transaction),
                driver: try Self.driver(of: taxi, preferring: driver, in: transaction),
                name: try driver.flatMap { known[$0] }.flatMap {
                    try Accounts.name(of: $0, in: transaction)
                }
            )
        }
        guard let names = found.names else { return nil }
        var name = found.driver == driver ? found.name : nil
        if let other = found.driver, other != driver, let key = try await keys.key(of: other) {
            name = try await data.read(isBrief: true) { try Accounts.name(of: key, in: $0) }
        }
        return TaxiSigns(code: names.code, plate: names.plate, look: names.look, driver: name)
    }

    /// Returns the driver of a taxi: a permitted one, or else the only one.
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
}
