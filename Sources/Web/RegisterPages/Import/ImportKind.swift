import Drivers
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

/// The tables that can be imported from a previous system (R10).
enum ImportKind: String, CaseIterable, Sendable {
    case drivers
    case passengers
    case reservations
    case rides

    /// A column of an import table.
    struct Column: Sendable {
        var name: String
        var isRequired: Bool
        var meaning: Text
        var example: String
    }

    /// The columns in the order of the template.
    var columns: [Column] {
        switch self {
        case .drivers: Self.columns(of: DriverColumn.self)
        case .passengers: Self.columns(of: PassengerColumn.self)
        case .reservations: Self.columns(of: ReservationColumn.self)
        case .rides: Self.columns(of: RideColumn.self)
        }
    }

    private static func columns<Name: ExplainedColumn>(of names: Name.Type) -> [Column] {
        Name.allCases.map { name in
            Column(
                name: name.rawValue,
                isRequired: !Name.optional.contains(name),
                meaning: name.meaning,
                example: name.example
            )
        }
    }

    /// What the table lists, as an icon.
    var icon: Icon {
        switch self {
        case .drivers: .car
        case .passengers: .people
        case .reservations: .calendar
        case .rides: .history
        }
    }

    /// The title of what is imported.
    var title: Text {
        switch self {
        case .drivers: DriverListTexts.bringIn
        case .passengers: ImportingTexts.importATableOfPassengers
        case .reservations:
            ImportingTexts.importATableOfOpen
        case .rides: ImportingTexts.importATableOfPast
        }
    }

    /// An explanation of what each row becomes.
    var lead: Text {
        switch self {
        case .drivers:
            ImportingTexts.eachLineBecomesADriver
        case .passengers:
            ImportingTexts.eachLineBecomesAnAccount
        case .reservations:
            ImportingTexts.eachLineBecomesAReservation
        case .rides:
            ImportingTexts.eachLineBecomesARide
        }
    }

    /// Whether the rows are people, who can be invited.
    var hasPeople: Bool { self == .drivers || self == .passengers }

    /// The address of the page to return to.
    var back: Address {
        switch self {
        case .drivers: Address("/console/drivers")
        case .passengers, .reservations, .rides: Address("/console/import")
        }
    }
}

/// A column whose name comes with an explanation of its content.
private protocol ExplainedColumn: CaseIterable, Hashable, RawRepresentable<String> {
    static var optional: Set<Self> { get }
    var meaning: Text { get }
    var example: String { get }
}

extension ReservationColumn: ExplainedColumn {}

extension RideColumn: ExplainedColumn {}

extension DriverColumn: ExplainedColumn {
    fileprivate var meaning: Text {
        switch self {
        case .name: FormField.name.label
        case .surname: FormField.surname.label
        case .email: FormField.email.label
        case .mobile: FormField.phone.label
        case .taxiCode: FormField.taxiCode.label
        case .plate: FormField.plate.label
        case .taxiLicence: FormField.taxiLicence.label
        case .taxiLicenceExpires: FormField.taxiLicenceExpires.label
        case .drivingLicence: FormField.drivingLicence.label
        case .drivingLicenceExpires: FormField.drivingLicenceExpires.label
        case .userName: FormField.userName.label
        case .language: ImportTexts.language
        case .seats: ImportTexts.seats
        case .wheelchair: ImportTexts.wheelchair
        case .make: ImportTexts.make
        case .colour: ImportTexts.colour
        }
    }

    fileprivate var example: String {
        switch self {
        case .name: "Anna"
        case .surname: "Rossi"
        case .email: "anna.rossi@example.org"
        case .mobile: "+39 333 1234567"
        case .taxiCode: "T00012"
        case .plate: "FA012BC"
        case .taxiLicence: "1234"
        case .taxiLicenceExpires, .drivingLicenceExpires: "2030-01-31"
        case .drivingLicence: "MI1234567A"
        case .userName: "annarossi"
        case .language: "it"
        case .seats: "4"
        case .wheelchair: "no"
        case .make: "Toyota Corolla"
        case .colour: "white"
        }
    }
}

extension PassengerColumn: ExplainedColumn {
    fileprivate var meaning: Text {
        switch self {
        case .email: FormField.email.label
        case .name: FormField.name.label
        case .surname: FormField.surname.label
        case .phone: FormField.phone.label
        case .language: ImportTexts.language
        }
    }

    fileprivate var example: String {
        switch self {
        case .email: "anna.rossi@example.org"
        case .name: "Anna"
        case .surname: "Rossi"
        case .phone: "+39 333 1234567"
        case .language: "it"
        }
    }
}
