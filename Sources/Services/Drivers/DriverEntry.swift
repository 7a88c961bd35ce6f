import Chronology
import Identity
import Localization
import Storage

/// The data with which the city enters a driver (R1): the person and the papers.
package struct DriverEntry: Equatable, Sendable {
    /// The user name; if empty, the driver may choose one later.
    package var userName: String
    /// The e-mail address that receives the invitation.
    package var email: String
    package var name: String
    package var surname: String
    package var mobile: String
    /// The language of e-mails.
    package var language: String
    package var papers: DriverPapers

    /// Creates an entry from its fields.
    package init(
        userName: String = "",
        email: String,
        name: String,
        surname: String,
        mobile: String,
        language: String = Language.italian.rawValue,
        papers: DriverPapers
    ) {
        self.userName = userName
        self.email = email
        self.name = name
        self.surname = surname
        self.mobile = mobile
        self.language = language
        self.papers = papers
    }
}

/// Digests of the identifiers of a driver that must be unique (R2).
struct DriverLookUps: Equatable, Sendable {
    let taxiCode: [UInt8]
    let plate: [UInt8]
    let taxiLicence: [UInt8]
    let drivingLicence: [UInt8]
    let mobile: [UInt8]

    init(_ papers: CheckedPapers, mobile: String, _ secret: ServerSecret) {
        taxiCode = secret.digest(papers.papers.taxiCode, of: .taxiCode)
        plate = secret.digest(papers.papers.plate, of: .plate)
        taxiLicence = secret.digest(papers.papers.taxiLicence, of: .taxiLicence)
        drivingLicence = secret.digest(papers.papers.drivingLicence, of: .drivingLicence)
        self.mobile = secret.digest(mobile, of: .mobile)
    }

    /// The people and taxis that already use these identifiers.
    struct Holders: Equatable, Sendable {
        /// The current taxi of the driver; nil for a new driver.
        var ownTaxi: PersonNumber?
        var taxiByCode: PersonNumber?
        var taxiByPlate: PersonNumber?
        /// How many other drivers use the taxi with that code.
        var otherDrivers: Int
        var taxiLicence: PersonNumber?
        var drivingLicence: PersonNumber?
        var mobile: PersonNumber?

        /// The taxi that the papers refer to; nil if it is not known yet.
        var taxi: PersonNumber? { taxiByCode ?? (taxiByPlate == ownTaxi ? ownTaxi : nil) }
    }

    /// Finds the people and taxis that already use these identifiers.
    ///
    /// - Parameters:
    ///   - person: the person whose own identifiers are ignored; nil for a new person.
    ///   - transaction: the transaction to read in.
    /// - Returns: the holders of the identifiers.
    /// - Throws: any database error.
    func holders(
        besides person: PersonNumber?,
        in transaction: Transaction
    ) throws -> Holders {
        let own = person ?? PersonNumber(rawValue: 0)
        let row = try transaction.row(
            """
            SELECT
                (SELECT taxi FROM driver WHERE person = \(own)) AS own_taxi,
                (SELECT number FROM taxi WHERE code_key = \(taxiCode)) AS by_code,
                (SELECT number FROM taxi WHERE plate_key = \(plate)) AS by_plate,
                (SELECT count(*) FROM driver d JOIN taxi t ON d.taxi = t.number
                    WHERE t.code_key = \(taxiCode) AND d.person <> \(own)) AS drivers,
                (SELECT person FROM driver WHERE taxi_licence_key = \(taxiLicence)
                    AND person <> \(own)) AS taxi_licence,
                (SELECT person FROM driver WHERE driving_licence_key = \(drivingLicence)
                    AND person <> \(own)) AS driving_licence,
                (SELECT person FROM driver WHERE mobile_key = \(mobile)
                    AND person <> \(own)) AS mobile
            """
        )
        guard let row else { preconditionFailure("a statement without a table returns one row") }
        return Holders(
            ownTaxi: try row.value("own_taxi"),
            taxiByCode: try row.value("by_code"),
            taxiByPlate: try row.value("by_plate"),
            otherDrivers: try row.value("drivers"),
            taxiLicence: try row.value("taxi_licence"),
            drivingLicence: try row.value("driving_licence"),
            mobile: try row.value("mobile")
        )
    }

    /// Returns the conflicts with the holders of the identifiers.
    ///
    /// A driver's own taxi may get another plate or code. Somebody else's taxi may be driven only
    /// where taxis are shared in shifts, and only under its own plate (R13).
    static func problems(_ holders: Holders, areShared: Bool) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        let isOneTaxi = holders.taxiByCode == holders.taxiByPlate
        let mayJoin = isOneTaxi && (areShared || holders.otherDrivers == 0)
        func isTaken(_ taxi: PersonNumber?) -> Bool {
            taxi != nil && taxi != holders.ownTaxi && !mayJoin
        }
        if isTaken(holders.taxiByCode) { problems.append(FieldProblem(.taxiCode, .taken)) }
        if isTaken(holders.taxiByPlate) { problems.append(FieldProblem(.plate, .taken)) }
        if holders.taxiLicence != nil { problems.append(FieldProblem(.taxiLicence, .taken)) }
        if holders.drivingLicence != nil {
            problems.append(FieldProblem(.drivingLicence, .taken))
        }
        if holders.mobile != nil { problems.append(FieldProblem(.phone, .taken)) }
        return problems
    }
}
