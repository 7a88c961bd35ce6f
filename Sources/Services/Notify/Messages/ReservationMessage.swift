package import Chronology
import Localization

/// Messages to passengers about a reservation.
package enum ReservationMessage: Sendable, Equatable, Codable {
    /// The reservation was made (R77).
    case booked(Trip, page: Link)
    /// The passenger changed the reservation.
    case changed(Trip, page: Link)
    /// The reservation was cancelled by the passenger or by the service.
    case cancelled(Trip, reason: String?)
    /// The reserved time is approaching.
    case reminder(Trip, page: Link)
    /// No taxi was found for the reservation (R79).
    case notServed(Trip, page: Link)

    /// The origin, destination and time of a reservation.
    package struct Trip: Sendable, Equatable, Codable {
        /// The origin in readable form.
        package let origin: String
        /// The destination; nil if the passenger gave none.
        package let destination: String?
        /// When the taxi should arrive.
        package let departure: Moment

        package init(origin: String, destination: String?, departure: Moment) {
            self.origin = origin
            self.destination = destination
            self.departure = departure
        }
    }

    var kind: Kind {
        switch self {
        case .booked: .reservationBooked
        case .changed: .reservationChanged
        case .cancelled: .reservationCancelled
        case .reminder: .reservationReminder
        case .notServed: .reservationNotServed
        }
    }

    func letter(_ time: WrittenTime) -> Letter {
        time.language.pick(english, italian)(time)
    }

    private func english(_ time: WrittenTime) -> Letter {
        switch self {
        case .booked(let trip, let page):
            Letter(
                "Taxi reserved for \(time.moment(trip.departure))",
                "See the reservation",
                page,
                "\(Self.english(trip)) The taxi is chosen shortly before; then we tell you "
                    + "which it is."
            )
        case .changed(let trip, let page):
            Letter(
                "Reservation changed: \(time.moment(trip.departure))",
                "See the reservation",
                page,
                "Your reservation is now for \(time.moment(trip.departure)). "
                    + Self.english(trip)
            )
        case .cancelled(let trip, let reason):
            Letter(
                "Reservation cancelled: \(time.moment(trip.departure))",
                reason.map { "No taxi will come. The reason: \($0)" } ?? "No taxi will come.",
                Self.english(trip)
            )
        case .reminder(let trip, let page):
            Letter(
                "Your taxi is reserved for \(time.clock(trip.departure))",
                "See the reservation",
                page,
                "Be at \(trip.origin) at \(time.clock(trip.departure)). If you do not need the "
                    + "taxi, please cancel it now."
            )
        case .notServed(let trip, let page):
            Letter(
                "No taxi for your reservation at \(time.clock(trip.departure))",
                "Request a taxi now",
                page,
                "We are sorry: no taxi was free for your reservation of "
                    + "\(time.moment(trip.departure)). It is closed.",
                Self.english(trip)
            )
        }
    }

    private static func english(_ trip: Trip) -> String {
        trip.destination.map { "From \(trip.origin) to \($0)." } ?? "From \(trip.origin)."
    }

    private func italian(_ time: WrittenTime) -> Letter {
        switch self {
        case .booked(let trip, let page):
            Letter(
                "Taxi prenotato per \(time.moment(trip.departure))",
                "Vedi la prenotazione",
                page,
                "\(Self.italian(trip)) Il taxi viene scelto poco prima; allora ti diremo qual è."
            )
        case .changed(let trip, let page):
            Letter(
                "Prenotazione cambiata: \(time.moment(trip.departure))",
                "Vedi la prenotazione",
                page,
                "La tua prenotazione ora è per \(time.moment(trip.departure)). "
                    + Self.italian(trip)
            )
        case .cancelled(let trip, let reason):
            Letter(
                "Prenotazione annullata: \(time.moment(trip.departure))",
                reason.map { "Non arriverà nessun taxi. Il motivo: \($0)" }
                    ?? "Non arriverà nessun taxi.",
                Self.italian(trip)
            )
        case .reminder(let trip, let page):
            Letter(
                "Il tuo taxi è prenotato per le \(time.clock(trip.departure))",
                "Vedi la prenotazione",
                page,
                "Alle \(time.clock(trip.departure)) fatti trovare in \(trip.origin). Se il taxi "
                    + "non ti serve, annullalo adesso."
            )
        case .notServed(let trip, let page):
            Letter(
                "Nessun taxi per la tua prenotazione delle \(time.clock(trip.departure))",
                "Chiedi un taxi adesso",
                page,
                "Ci dispiace: nessun taxi era libero per la tua prenotazione di "
                    + "\(time.moment(trip.departure)). È chiusa.",
                Self.italian(trip)
            )
        }
    }

    private static func italian(_ trip: Trip) -> String {
        trip.destination.map { "Da \(trip.origin) a \($0)." } ?? "Da \(trip.origin)."
    }
}
