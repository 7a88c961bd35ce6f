package import Chronology
package import Identity
import Storage

/// A taxi that may be on the road, as far as the dispatcher needs to know it.
package struct FleetTaxi: Equatable, Sendable {
    /// The pseudonymous number of the taxi.
    package let taxi: PersonNumber
    /// The capacity of the vehicle.
    package let vehicle: VehicleClass
    /// The last day on which at least one of its drivers has valid licences.
    package let lastDay: CivilDate
}

extension DriverRegistry {
    /// The earlier expiry date of a driver's two licences.
    static let licencesEnd: SQL = """
        CASE WHEN d.taxi_licence_expires < d.driving_licence_expires
            THEN d.taxi_licence_expires ELSE d.driving_licence_expires END
        """

    /// Lists all taxis with a verified, active driver, in the order of their numbers.
    ///
    /// Taxis whose licences have expired are included; the dispatcher compares
    /// ``FleetTaxi/lastDay``.
    package func fleet() async throws -> [FleetTaxi] {
        try await data.read(within: .seconds(60)) { transaction in
            try transaction.rows(
                """
                SELECT t.number AS number, t.seats AS seats, t.wheelchair AS wheelchair,
                    max(\(Self.licencesEnd)) AS last_day
                FROM driver d JOIN taxi t ON t.number = d.taxi JOIN person p ON p.number = d.person
                WHERE d.standing = 'verified' AND p.suspended = 0
                GROUP BY t.number, t.seats, t.wheelchair ORDER BY t.number
                """
            ).map { row in
                FleetTaxi(
                    taxi: try row.value("number"),
                    vehicle: VehicleClass(
                        seats: try row.value("seats"),
                        wheelchair: try row.value("wheelchair")
                    ),
                    lastDay: try row.day("last_day")
                )
            }
        }
    }

    /// Returns how people recognise taxis; deleted taxis are left out.
    package func taxiNames(of taxis: [PersonNumber]) async throws -> [PersonNumber: TaxiNames] {
        let keys = try await keys.keys(of: taxis)
        return try await data.read(isBrief: taxis.count <= KeyStore.few) { transaction in
            var names: [PersonNumber: TaxiNames] = [:]
            for key in keys.values {
                names[key.person] = try Self.names(of: key, in: transaction)
            }
            return names
        }
    }

    /// Returns how people recognise a taxi; nil if it is deleted.
    static func names(of key: PersonKey, in transaction: Transaction) throws -> TaxiNames? {
        try transaction.row(
            "SELECT code, plate, make, colour FROM taxi WHERE number = \(key.person)"
        ).map { row in
            TaxiNames(
                code: try key.open(row.value("code"), as: PersonField.taxiCode.rawValue),
                plate: try key.open(row.value("plate"), as: PersonField.plate.rawValue),
                look: try VehicleLook(row, under: key)
            )
        }
    }

    /// Finds a taxi by its code in any spelling; nil if there is none.
    package func findTaxi(_ code: String) async throws -> PersonNumber? {
        guard let code = settings.formats.taxiCode(code) else { return nil }
        let digest = secret.digest(code, of: .taxiCode)
        return try await data.read { transaction in
            try transaction.row("SELECT number FROM taxi WHERE code_key = \(digest)")?
                .value("number")
        }
    }

    /// Returns the taxi of a driver; nil if the person is not a driver.
    package func taxi(of person: PersonNumber) async throws -> PersonNumber? {
        try await data.read(isBrief: true) { transaction in
            try transaction.row("SELECT taxi FROM driver WHERE person = \(person)")?.value("taxi")
        }
    }
}
