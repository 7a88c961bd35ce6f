import Chronology
import Storage

/// The statements that store a driver and the taxi.
struct DriverRows {
    let papers: CheckedPapers
    let lookUps: DriverLookUps

    /// Stores a driver; the taxi as well where it is new or the driver's own.
    ///
    /// - Parameters:
    ///   - key: the key of the person.
    ///   - ownTaxi: the key of the taxi that the driver has now; nil for a new driver.
    ///   - newTaxi: a key for a taxi that is not known yet.
    ///   - verification: what was decided.
    ///   - areShared: whether several drivers may share a taxi.
    ///   - transaction: where it is stored.
    /// - Throws: `invalid` where somebody has an identifier.
    func store(
        _ key: PersonKey,
        ownTaxi: PersonKey? = nil,
        newTaxi: PersonKey,
        _ verification: Verification,
        areShared: Bool,
        in transaction: Transaction
    ) throws {
        let holders = try lookUps.holders(besides: key.person, in: transaction)
        let problems = DriverLookUps.problems(holders, areShared: areShared)
        if !problems.isEmpty { throw AccountFailure.invalid(problems) }
        let taxi = holders.taxi ?? newTaxi.person
        var statements: [SQL] = []
        for taxiKey in [ownTaxi, newTaxi] where taxiKey?.person == taxi {
            if let taxiKey { statements.append(try insertTaxi(taxiKey)) }
        }
        statements.append(insertDriver(key.person, taxi, verification))
        try transaction.execute(statements + Fields.store(fields, key))
    }

    /// The statement that stores a taxi, or its new plate and code.
    func insertTaxi(_ key: PersonKey) throws -> SQL {
        let code = try key.seal(papers.papers.taxiCode, as: PersonField.taxiCode.rawValue)
        let plate = try key.seal(papers.papers.plate, as: PersonField.plate.rawValue)
        return """
            INSERT INTO taxi (number, code_key, plate_key, code, plate, seats, wheelchair)
            VALUES (
                \(key.person), \(lookUps.taxiCode), \(lookUps.plate), \(code), \(plate),
                \(papers.vehicle.seats), \(papers.vehicle.wheelchair)
            )
            ON CONFLICT (number) DO UPDATE SET
                code_key = excluded.code_key, plate_key = excluded.plate_key,
                code = excluded.code, plate = excluded.plate, seats = excluded.seats,
                wheelchair = excluded.wheelchair
            """
    }

    /// The statement that stores a driver's row, or overwrites it.
    func insertDriver(
        _ person: PersonNumber,
        _ taxi: PersonNumber,
        _ verification: Verification
    ) -> SQL {
        """
        INSERT INTO driver (
            person, taxi, taxi_licence_key, driving_licence_key, mobile_key,
            taxi_licence_expires, driving_licence_expires, standing
        ) VALUES (
            \(person), \(taxi), \(lookUps.taxiLicence), \(lookUps.drivingLicence),
            \(lookUps.mobile), \(papers.taxiLicenceExpires), \(papers.drivingLicenceExpires),
            \(verification.rawValue)
        )
        ON CONFLICT (person) DO UPDATE SET
            taxi = excluded.taxi, taxi_licence_key = excluded.taxi_licence_key,
            driving_licence_key = excluded.driving_licence_key,
            mobile_key = excluded.mobile_key,
            taxi_licence_expires = excluded.taxi_licence_expires,
            driving_licence_expires = excluded.driving_licence_expires,
            standing = excluded.standing, reminded_of = NULL, refused_of = NULL
        """
    }

    /// The sealed fields of the driver that are not the taxi's.
    var fields: [PersonField: String] {
        [
            .taxiLicence: papers.papers.taxiLicence,
            .drivingLicence: papers.papers.drivingLicence,
        ]
    }
}
