package import Chronology
package import Localization
package import Notify

/// Messages to passengers about a reservation.
package enum ReservationMessage: Message {
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
    package struct Trip: Sendable, Equatable {
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

    /// The kind of the message.
    package var kind: any NotificationKind {
        switch self {
        case .booked: TaxiNotificationKind.reservationBooked
        case .changed: TaxiNotificationKind.reservationChanged
        case .cancelled: TaxiNotificationKind.reservationCancelled
        case .reminder: TaxiNotificationKind.reservationReminder
        case .notServed: TaxiNotificationKind.reservationNotServed
        }
    }

    /// The message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .booked(let trip, let page):
            Letter(
                language,
                ReservationMessageTexts.bookedSubject(city.local(trip.departure)),
                ReservationMessageTexts.bookedAction,
                page,
                ReservationMessageTexts.bookedText(trip.ends)
            )
        case .changed(let trip, let page):
            Letter(
                language,
                ReservationMessageTexts.changedSubject(city.local(trip.departure)),
                ReservationMessageTexts.changedAction,
                page,
                ReservationMessageTexts.changedText(city.local(trip.departure), trip.ends)
            )
        case .cancelled(let trip, let reason):
            Letter(
                language,
                ReservationMessageTexts.cancelledSubject(city.local(trip.departure)),
                reason.map { ReservationMessageTexts.cancelledText($0) }
                    ?? ReservationMessageTexts.cancelledTextUnknown,
                trip.ends
            )
        case .reminder(let trip, let page):
            Letter(
                language,
                ReservationMessageTexts.reminderSubject(city.local(trip.departure)),
                ReservationMessageTexts.reminderAction,
                page,
                ReservationMessageTexts.reminderText(trip.origin, city.local(trip.departure))
            )
        case .notServed(let trip, let page):
            Letter(
                language,
                ReservationMessageTexts.notServedSubject(city.local(trip.departure)),
                ReservationMessageTexts.notServedAction,
                page,
                ReservationMessageTexts.notServedText(city.local(trip.departure)),
                trip.ends
            )
        }
    }
}

extension ReservationMessage.Trip {
    /// The origin, and the destination where there is one, as a sentence.
    fileprivate var ends: Text {
        destination.map { ReservationMessageTexts.trip(origin, $0) }
            ?? ReservationMessageTexts.tripUnknown(origin)
    }
}
