import Chronology
import Dispatching
import Drivers
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
        guard let moment = zone.moment(written: (text ?? "").trimmed) else {
            reject(field, TripWords.badTime)
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
        let texts = [latitude, longitude].map { ($0 ?? "").trimmed }
        if texts == ["", ""], !isRequired { return nil }
        let degrees = texts.compactMap(Double.init)
        guard degrees.count == 2, abs(degrees[0]) <= 90, abs(degrees[1]) <= 180,
            degrees != [0, 0]
        else {
            reject(field, TripWords.badPlace)
            return nil
        }
        return Coordinate(
            latitude: Int32((degrees[0] * 1e7).rounded()),
            longitude: Int32((degrees[1] * 1e7).rounded())
        )
    }

    /// Parses the required capacity: 1 to 9 seats, one if not specified.
    mutating func needs(_ seats: String?, _ wheelchair: String?) -> Capacity {
        let text = (seats ?? "").trimmed
        var count: UInt8 = 1
        if !text.isEmpty {
            if let number = UInt8(text), (1...9).contains(number) {
                count = number
            } else {
                reject(FormField.seats.label, FieldProblem.Kind.badFormat.words(for: .seats))
            }
        }
        switch (wheelchair ?? "").trimmed.lowercased() {
        case "", "no", "0", "false": return Capacity(seats: count)
        case "yes", "si", "sì", "1", "true": return Capacity(seats: count, wheelchair: true)
        default:
            let reason = FieldProblem.Kind.badFormat.words(for: .wheelchair)
            reject(FormField.wheelchair.label, reason)
            return Capacity(seats: count)
        }
    }
}

enum TripWords {
    static let due = Text("Hour", "Ora")
    static let asked = Text("Asked for at", "Richiesta alle")
    static let ended = Text("Ended at", "Terminata alle")
    static let origin = Text("Meeting point", "Punto d'incontro")
    static let destination = Text("Destination", "Destinazione")
    static let badTime = Text(
        "Write day and hour such as 2026-11-30 08:30.",
        "Scrivi giorno e ora come 2026-11-30 08:30."
    )
    static let badPlace = Text(
        "Write degrees such as 45.46427 and 9.18951.",
        "Scrivi i gradi come 45.46427 e 9.18951."
    )
    static let unknownPerson = Text(
        "Nobody has this address: import the passengers first.",
        "Nessuno ha questo indirizzo: importa prima i passeggeri."
    )
    static let unknownTaxi = Text(
        "No taxi has this code: import the drivers first.",
        "Nessun taxi ha questo codice: importa prima i tassisti."
    )
    static let known = Text("This is there already.", "Questo c'è già.")
    static let outside = Text("This lies outside all zones.", "Si trova fuori da tutte le zone.")
    static let endsFirst = Text(
        "It ended before it was asked for, or later than now.",
        "È terminata prima della richiesta, o dopo adesso."
    )
    static func tooSoon(_ hours: Int64) -> Text {
        Text(
            "It must be at least \(hours) hours ahead.",
            "Deve essere almeno \(hours) ore nel futuro."
        )
    }
    static func tooFar(_ hours: Int64) -> Text {
        Text(
            "It may be at most \(hours) hours ahead.",
            "Può essere al massimo \(hours) ore nel futuro."
        )
    }
    static func refused(_ refusal: Refusal) -> Text {
        switch refusal {
        case .setupIncomplete:
            Text(
                "First confirm that the city's data is complete.",
                "Prima conferma che i dati della città sono completi."
            )
        case .suspended:
            Text("The service is suspended.", "Il servizio è sospeso.")
        case .liveRequest:
            Text("The passenger has another request.", "Il passeggero ha un'altra richiesta.")
        case .destinationMissing:
            Text("A destination is needed.", "Serve una destinazione.")
        default:
            Text(
                "The rules in force do not allow it (\(refusal)).",
                "Le regole in vigore non lo permettono (\(refusal))."
            )
        }
    }
}

extension ReservationColumn {
    /// The meaning of the column.
    var meaning: Text {
        switch self {
        case .email: FormField.email.label
        case .due: TripWords.due
        case .originLatitude, .originLongitude, .origin: TripWords.origin
        case .destinationLatitude, .destinationLongitude, .destination: TripWords.destination
        case .seats: ImportWords.neededSeats
        case .wheelchair: ImportWords.wheelchair
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
        case .asked: TripWords.asked
        case .ended: TripWords.ended
        case .originLatitude, .originLongitude, .origin: TripWords.origin
        case .destinationLatitude, .destinationLongitude, .destination: TripWords.destination
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
