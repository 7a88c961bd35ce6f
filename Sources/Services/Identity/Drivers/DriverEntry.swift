import Chronology
import Localization
import Storage

/// A driver as the city enters one (R1): the person and the papers.
package struct DriverEntry: Equatable, Sendable {
    /// The user name, or empty: the driver may choose one later.
    package var userName: String
    /// The e-mail address, to which the invitation goes.
    package var email: String
    /// The given name.
    package var name: String
    /// The family name.
    package var surname: String
    /// The mobile number.
    package var mobile: String
    /// The language of mails.
    package var language: String
    /// The taxi and the licences.
    package var papers: DriverPapers

    /// An entry.
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

/// The identifiers of a driver that nobody else may have (R2), as they are looked up.
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

    /// Who has these identifiers.
    struct Holders: Equatable, Sendable {
        /// The taxi that the driver has now; nil for a new driver.
        var ownTaxi: PersonNumber?
        var taxiByCode: PersonNumber?
        var taxiByPlate: PersonNumber?
        /// How many others drive the taxi of that code.
        var otherDrivers: Int
        var taxiLicence: PersonNumber?
        var drivingLicence: PersonNumber?
        var mobile: PersonNumber?

        /// The taxi that these papers mean; nil for one that is not known yet.
        var taxi: PersonNumber? { taxiByCode ?? (taxiByPlate == ownTaxi ? ownTaxi : nil) }
    }

    /// Looks for who has these identifiers.
    ///
    /// - Parameters:
    ///   - person: whose own they may be; nil for somebody new.
    ///   - transaction: where to look.
    /// - Returns: who has them.
    /// - Throws: what the database throws.
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
        guard let row else { throw AccountFailure.sealBroken }
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

    /// What is wrong because others have these identifiers.
    ///
    /// A driver's own taxi may get another plate or code. Another's taxi may be driven only where
    /// taxis are shared by shifts, and only under its own plate (R13).
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
