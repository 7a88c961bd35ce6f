package import Chronology

/// What a driver needs to drive: the taxi and the licences, as typed into a form (R1, R95).
package struct DriverPapers: Codable, Equatable, Sendable {
    /// The code that the city gave the taxi.
    package var taxiCode: String
    /// The taxi's plate.
    package var plate: String
    /// The number of the taxi driver's licence.
    package var taxiLicence: String
    /// The last day on which it is valid, as `2027-01-31`.
    package var taxiLicenceExpires: String
    /// The number of the driving licence.
    package var drivingLicence: String
    /// The last day on which it is valid, as `2027-01-31`.
    package var drivingLicenceExpires: String
    /// How many passengers the taxi takes, 1 to 9; empty for the usual 4.
    package var seats: String
    /// Whether there is room for a wheelchair: `yes` or `no`; empty for no.
    package var wheelchair: String

    /// Papers; of a taxi like most where nothing is said about it.
    package init(
        taxiCode: String,
        plate: String,
        taxiLicence: String,
        taxiLicenceExpires: String,
        drivingLicence: String,
        drivingLicenceExpires: String,
        seats: String = "4",
        wheelchair: String = "no"
    ) {
        self.taxiCode = taxiCode
        self.plate = plate
        self.taxiLicence = taxiLicence
        self.taxiLicenceExpires = taxiLicenceExpires
        self.drivingLicence = drivingLicence
        self.drivingLicenceExpires = drivingLicenceExpires
        self.seats = seats
        self.wheelchair = wheelchair
    }
}

/// What an administrator has decided about a driver.
package enum Verification: String, CaseIterable, Sendable {
    /// Nobody has looked at the papers yet.
    case awaiting
    case verified
    case refused
}

/// Why a driver may not drive.
package enum DrivingObstacle: Hashable, Sendable {
    /// The person is not a driver.
    case noDriver
    /// The account is not confirmed or is suspended.
    case account
    /// The papers wait for an administrator.
    case awaitingVerification
    /// An administrator has not accepted the papers.
    case refused
    /// The taxi driver's licence has expired (R104).
    case taxiLicenceExpired(CivilDate)
    /// The driving licence has expired (R104).
    case drivingLicenceExpired(CivilDate)
}

/// The taxi of a person, and whether the person may drive it.
package struct DriverSeat: Hashable, Sendable {
    /// The taxi's own number; nil for who is no driver.
    package let taxi: PersonNumber?
    /// Why the person may not drive; nil where he may.
    package let obstacle: DrivingObstacle?
}

/// A driver with the taxi.
package struct Driver: Equatable, Sendable {
    /// The person.
    package let person: PersonNumber
    /// The given name.
    package let name: String
    /// The family name.
    package let surname: String
    /// The mobile number.
    package let mobile: String
    /// The e-mail address.
    package let email: String
    /// The taxi's own number.
    package let taxi: PersonNumber
    /// The papers in force.
    package let papers: DriverPapers
    /// What was decided about them.
    package let verification: Verification
    /// Why they were not accepted; nil where they were.
    package let refusal: String?
    /// New papers that wait for an administrator; the old ones hold until then.
    package let proposed: DriverPapers?
    /// Whether the account is suspended.
    package let isSuspended: Bool
}

/// Papers in order: normalised, with their days.
struct CheckedPapers: Equatable, Sendable {
    let papers: DriverPapers
    let taxiLicenceExpires: CivilDate
    let drivingLicenceExpires: CivilDate
    let vehicle: VehicleClass

    /// Checks papers; what is wrong is added to the checked fields.
    init?(_ papers: DriverPapers, _ formats: CountryFormats, _ checked: inout CheckedFields) {
        var problems: [FieldProblem] = []
        func value(_ text: String, _ field: FormField, _ form: (String) -> String?) -> String {
            if text.trimmed.isEmpty {
                problems.append(FieldProblem(field, .missing))
            } else if let value = form(text) {
                return value
            } else {
                problems.append(FieldProblem(field, .badFormat))
            }
            return ""
        }
        let day: (String) -> String? = { CivilDate(iso8601: $0.trimmed)?.iso8601 }
        let vehicle = VehicleClass(seats: papers.seats, wheelchair: papers.wheelchair, &problems)
        let normal = DriverPapers(
            taxiCode: value(papers.taxiCode, .taxiCode, formats.taxiCode),
            plate: value(papers.plate, .plate, formats.plate),
            taxiLicence: value(papers.taxiLicence, .taxiLicence, formats.taxiLicence),
            taxiLicenceExpires: value(papers.taxiLicenceExpires, .taxiLicenceExpires, day),
            drivingLicence: value(papers.drivingLicence, .drivingLicence, formats.drivingLicence),
            drivingLicenceExpires: value(
                papers.drivingLicenceExpires,
                .drivingLicenceExpires,
                day
            ),
            seats: "\(vehicle.seats)",
            wheelchair: VehicleClass.text(vehicle.wheelchair)
        )
        checked.add(problems)
        guard problems.isEmpty, let taxi = CivilDate(iso8601: normal.taxiLicenceExpires),
            let driving = CivilDate(iso8601: normal.drivingLicenceExpires)
        else { return nil }
        self.papers = normal
        taxiLicenceExpires = taxi
        drivingLicenceExpires = driving
        self.vehicle = vehicle
    }

    /// Problems of papers that are no longer valid on a day.
    func expired(on today: CivilDate) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if taxiLicenceExpires < today {
            problems.append(FieldProblem(.taxiLicenceExpires, .expired))
        }
        if drivingLicenceExpires < today {
            problems.append(FieldProblem(.drivingLicenceExpires, .expired))
        }
        return problems
    }
}
