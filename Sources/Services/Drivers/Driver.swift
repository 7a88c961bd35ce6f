package import Chronology
import Encoding
package import Identity

/// The taxi and the licences of a driver, as typed into a form (R1, R95).
package struct DriverPapers: Codable, Equatable, Sendable {
    /// The code that the city assigned to the taxi.
    package var taxiCode: String
    package var plate: String
    /// The number of the taxi driver's licence.
    package var taxiLicence: String
    /// The last day on which the taxi licence is valid, as `2027-01-31`.
    package var taxiLicenceExpires: String
    package var drivingLicence: String
    /// The last day on which the driving licence is valid, as `2027-01-31`.
    package var drivingLicenceExpires: String
    /// How many passengers the taxi takes, 1 to 9; empty for the default of 4.
    package var seats: String
    /// Whether there is space for a wheelchair: `yes` or `no`; empty for no.
    package var wheelchair: String
    /// Make and model, such as `Toyota Corolla`; empty if not stated.
    package var make: String
    /// The name of a ``VehicleColour``; empty if not stated.
    package var colour: String

    /// Creates papers; the defaults describe an ordinary taxi.
    package init(
        taxiCode: String,
        plate: String,
        taxiLicence: String,
        taxiLicenceExpires: String,
        drivingLicence: String,
        drivingLicenceExpires: String,
        seats: String = "4",
        wheelchair: String = "no",
        make: String = "",
        colour: String = ""
    ) {
        self.taxiCode = taxiCode
        self.plate = plate
        self.taxiLicence = taxiLicence
        self.taxiLicenceExpires = taxiLicenceExpires
        self.drivingLicence = drivingLicence
        self.drivingLicenceExpires = drivingLicenceExpires
        self.seats = seats
        self.wheelchair = wheelchair
        self.make = make
        self.colour = colour
    }

    /// Decodes papers, also those that were sealed before papers stated make and colour.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            taxiCode: try fields.decode(String.self, forKey: .taxiCode),
            plate: try fields.decode(String.self, forKey: .plate),
            taxiLicence: try fields.decode(String.self, forKey: .taxiLicence),
            taxiLicenceExpires: try fields.decode(String.self, forKey: .taxiLicenceExpires),
            drivingLicence: try fields.decode(String.self, forKey: .drivingLicence),
            drivingLicenceExpires: try fields.decode(String.self, forKey: .drivingLicenceExpires),
            seats: try fields.decode(String.self, forKey: .seats),
            wheelchair: try fields.decode(String.self, forKey: .wheelchair),
            make: try fields.decodeIfPresent(String.self, forKey: .make) ?? "",
            colour: try fields.decodeIfPresent(String.self, forKey: .colour) ?? ""
        )
    }
}

/// An administrator's decision about a driver.
package enum Verification: String, CaseIterable, Sendable {
    /// No administrator has reviewed the papers yet.
    case awaiting
    case verified
    case refused

    /// Restores a decision from the database, which permits no other values.
    init(stored text: String) {
        guard let verification = Verification(rawValue: text) else {
            preconditionFailure("no decision about papers is called \(text)")
        }
        self = verification
    }
}

/// Why a driver may not drive.
package enum DrivingObstacle: Hashable, Sendable {
    /// The person is not registered as a driver.
    case noDriver
    /// The account is not confirmed or is suspended.
    case account
    /// The papers wait for an administrator.
    case awaitingVerification
    /// An administrator has refused the papers.
    case refused
    /// The taxi driver's licence has expired (R104).
    case taxiLicenceExpired(CivilDate)
    /// The driving licence has expired (R104).
    case drivingLicenceExpired(CivilDate)
}

/// The taxi of a person and whether the person may drive it.
package struct DriverAssignment: Hashable, Sendable {
    /// The pseudonymous number of the taxi; nil if the person is not a driver.
    package let taxi: PersonNumber?
    /// The reason why the person may not drive; nil if there is none.
    package let obstacle: DrivingObstacle?
}

/// A driver with the taxi and the papers.
package struct Driver: Equatable, Sendable {
    package let person: PersonNumber
    package let name: String
    package let surname: String
    /// The mobile number in the international form.
    package let mobile: String
    package let email: String
    /// The pseudonymous number of the taxi.
    package let taxi: PersonNumber
    /// The papers in force.
    package let papers: DriverPapers
    /// The decision about the papers in force.
    package let verification: Verification
    /// Why the papers were refused; nil if they were not.
    package let refusal: String?
    /// New papers that wait for an administrator; ``papers`` stays in force until then.
    package let proposed: DriverPapers?
    package let isSuspended: Bool
}

/// Valid papers in normalised form, with their expiry dates.
struct CheckedPapers: Equatable, Sendable {
    let papers: DriverPapers
    let taxiLicenceExpires: CivilDate
    let drivingLicenceExpires: CivilDate
    let vehicle: VehicleClass
    let look: VehicleLook

    /// Checks papers and adds any problems to the checked fields.
    init?(_ papers: DriverPapers, _ formats: CountryFormats, _ checked: inout CheckedFields) {
        var problems: [FieldProblem] = []
        func value(_ text: String, _ field: FormField, _ form: (String) -> String?) -> String {
            if text.trimmingWhiteSpace().isEmpty {
                problems.append(FieldProblem(field, .missing))
            } else if let value = form(text) {
                return value
            } else {
                problems.append(FieldProblem(field, .badFormat))
            }
            return ""
        }
        let day: (String) -> String? = { CivilDate(iso8601: $0.trimmingWhiteSpace())?.iso8601 }
        let vehicle = VehicleClass(seats: papers.seats, wheelchair: papers.wheelchair, &problems)
        let look = VehicleLook(make: papers.make, colour: papers.colour, &problems)
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
            wheelchair: VehicleClass.text(vehicle.wheelchair),
            make: look.make ?? "",
            colour: look.colour?.rawValue ?? ""
        )
        checked.add(problems)
        guard problems.isEmpty, let taxi = CivilDate(iso8601: normal.taxiLicenceExpires),
            let driving = CivilDate(iso8601: normal.drivingLicenceExpires)
        else { return nil }
        self.papers = normal
        taxiLicenceExpires = taxi
        drivingLicenceExpires = driving
        self.vehicle = vehicle
        self.look = look
    }

    /// Returns a problem for each licence that has expired on a day.
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
