import Chronology
import Identity
import Storage

/// The statements that store a driver and the taxi.
struct DriverRows {
    let papers: CheckedPapers
    let lookUps: DriverLookUps

    /// Stores a driver, and the taxi if it is new or the driver's own.
    ///
    /// - Parameters:
    ///   - key: the person's key.
    ///   - ownTaxi: the key of the driver's current taxi; nil for a new driver.
    ///   - newTaxi: a key to use if the taxi is not known yet.
    ///   - verification: the decision about the papers.
    ///   - areShared: whether several drivers may share a taxi.
    ///   - transaction: the transaction to write in.
    /// - Throws: `invalid` if an identifier is already in use.
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

    /// The statement that inserts a taxi or updates what the papers say of it.
    func insertTaxi(_ key: PersonKey) throws -> SQL {
        let code = try key.seal(papers.papers.taxiCode, as: PersonField.taxiCode.rawValue)
        let plate = try key.seal(papers.papers.plate, as: PersonField.plate.rawValue)
        let make = try papers.look.make.map { try key.seal($0, as: PersonField.make.rawValue) }
        let colour = try papers.look.colour.map {
            try key.seal($0.rawValue, as: PersonField.colour.rawValue)
        }
        return """
            INSERT INTO taxi (
                number, code_key, plate_key, code, plate, seats, wheelchair, make, colour
            ) VALUES (
                \(key.person), \(lookUps.taxiCode), \(lookUps.plate), \(code), \(plate),
                \(papers.vehicle.seats), \(papers.vehicle.wheelchair), \(make), \(colour)
            )
            ON CONFLICT (number) DO UPDATE SET
                code_key = excluded.code_key, plate_key = excluded.plate_key,
                code = excluded.code, plate = excluded.plate, seats = excluded.seats,
                wheelchair = excluded.wheelchair, make = excluded.make,
                colour = excluded.colour
            """
    }

    /// The statement that inserts or replaces a driver's row.
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

    /// The sealed fields that belong to the driver and not to the taxi.
    var fields: [PersonField: String] {
        [
            .taxiLicence: papers.papers.taxiLicence,
            .drivingLicence: papers.papers.drivingLicence,
        ]
    }
}
