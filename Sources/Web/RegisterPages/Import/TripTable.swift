import Chronology
import Dispatching
import Drivers
import Encoding
import Geo
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The columns of the table of open reservations from a previous system.
enum ReservationColumn: String, CaseIterable, Sendable {
    case email
    case due
    case originLatitude = "origin_latitude"
    case originLongitude = "origin_longitude"
    case origin
    case destinationLatitude = "destination_latitude"
    case destinationLongitude = "destination_longitude"
    case destination
    case seats
    case wheelchair

    /// The columns that may be omitted.
    static let optional: Set<ReservationColumn> = [.origin, .destination, .seats, .wheelchair]
}

/// The columns of the table of past rides from a previous system.
enum RideColumn: String, CaseIterable, Sendable {
    case email
    case taxiCode = "taxi_code"
    case asked
    case ended
    case originLatitude = "origin_latitude"
    case originLongitude = "origin_longitude"
    case origin
    case destinationLatitude = "destination_latitude"
    case destinationLongitude = "destination_longitude"
    case destination

    /// The columns that may be omitted.
    static let optional: Set<RideColumn> = [
        .email, .taxiCode, .originLatitude, .originLongitude, .origin, .destinationLatitude,
        .destinationLongitude, .destination,
    ]
}

/// Parses the values of a row about a trip and collects the errors.
struct TripLine {
    /// The time zone of the table's times.
    let zone: ZoneTable
    /// The errors found so far.
    private(set) var problems: [(field: Text, reason: Text)] = []

    /// Creates a parser for one row.
    init(zone: ZoneTable) {
        self.zone = zone
    }

    /// Records an error in a field.
    mutating func reject(_ field: Text, _ reason: Text) {
        problems.append((field: field, reason: reason))
    }

    /// Parses a local time such as `2026-11-30 08:30`, with a space or a T.
    mutating func moment(_ text: String?, _ field: Text) -> Moment? {
        guard let moment = zone.moment(written: (text ?? "").trimmingBlanks()) else {
            reject(field, TripTexts.badTime)
            return nil
        }
        return moment
    }

    /// Parses a place in degrees; nil if both fields are empty or if they are invalid.
    mutating func place(
        _ latitude: String?,
        _ longitude: String?,
        _ field: Text,
        isRequired: Bool
    ) -> Coordinate? {
        let texts = [latitude, longitude].map { ($0 ?? "").trimmingBlanks() }
        if texts == ["", ""], !isRequired { return nil }
        let degrees = texts.compactMap(Double.init)
        guard degrees.count == 2, abs(degrees[0]) <= 90, abs(degrees[1]) <= 180,
            degrees != [0, 0]
        else {
            reject(field, TripTexts.badPlace)
            return nil
        }
        return Coordinate(
            latitude: Int32((degrees[0] * 1e7).rounded()),
            longitude: Int32((degrees[1] * 1e7).rounded())
        )
    }

    /// Parses the required capacity: 1 to 9 seats, one if not specified.
    mutating func needs(_ seats: String?, _ wheelchair: String?) -> Capacity {
        let text = (seats ?? "").trimmingBlanks()
        var count: UInt8 = 1
        if !text.isEmpty {
            if let number = UInt8(text), (1...9).contains(number) {
                count = number
            } else {
                reject(FormField.seats.label, FieldProblem.Kind.badFormat.text(for: .seats))
            }
        }
        switch (wheelchair ?? "").trimmingBlanks().lowercased() {
        case "", "no", "0", "false": return Capacity(seats: count)
        case "yes", "si", "sì", "1", "true": return Capacity(seats: count, wheelchair: true)
        default:
            let reason = FieldProblem.Kind.badFormat.text(for: .wheelchair)
            reject(FormField.wheelchair.label, reason)
            return Capacity(seats: count)
        }
    }
}

extension TripTexts {
    static func refused(_ refusal: Refusal) -> Text {
        switch refusal {
        case .setupIncomplete:
            TripTexts.firstConfirmThatTheCitys
        case .suspended:
            TripTexts.theServiceIsSuspended
        case .liveRequest:
            TripTexts.thePassengerHasAnotherRequest
        case .destinationMissing:
            TripTexts.aDestinationIsNeeded
        default:
            TripTexts.notAllowedByRules(String(describing: refusal))
        }
    }
}

extension ReservationColumn {
    /// The meaning of the column.
    var meaning: Text {
        switch self {
        case .email: FormField.email.label
        case .due: TripTexts.due
        case .originLatitude, .originLongitude, .origin: TripTexts.origin
        case .destinationLatitude, .destinationLongitude, .destination: TripTexts.destination
        case .seats: ImportTexts.neededSeats
        case .wheelchair: ImportTexts.wheelchair
        }
    }

    /// An example of a valid value.
    var example: String {
        switch self {
        case .email: "anna.rossi@example.org"
        case .due: "2026-11-30 08:30"
        case .originLatitude: "45.46427"
        case .originLongitude: "9.18951"
        case .origin: "Piazza del Duomo"
        case .destinationLatitude: "45.48515"
        case .destinationLongitude: "9.20335"
        case .destination: "Stazione Centrale"
        case .seats: "2"
        case .wheelchair: "no"
        }
    }
}

extension RideColumn {
    /// The meaning of the column.
    var meaning: Text {
        switch self {
        case .email: FormField.email.label
        case .taxiCode: FormField.taxiCode.label
        case .asked: TripTexts.asked
        case .ended: TripTexts.ended
        case .originLatitude, .originLongitude, .origin: TripTexts.origin
        case .destinationLatitude, .destinationLongitude, .destination: TripTexts.destination
        }
    }

    /// An example of a valid value.
    var example: String {
        switch self {
        case .taxiCode: "T00012"
        case .asked: "2026-10-30 08:30"
        case .ended: "2026-10-30 08:52"
        default: ReservationColumn(rawValue: rawValue)?.example ?? ""
        }
    }
}
