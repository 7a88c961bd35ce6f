package import Notify

/// The kinds of messages to passengers and drivers.
///
/// | kinds | default channels | quiet hours | lifetime |
/// |---|---|---|---|
/// | driver verified or rejected | mail | waits | 5 days |
/// | licence | always mail | | 5 days |
/// | offer | push | passes | 2 minutes |
/// | duty changed | the first of push, mail | passes | 30 minutes |
/// | taxi found, arrived | the first of push, SMS, mail | passes | 30 minutes |
/// | sharing changed | the first of push, SMS, mail | passes | 30 minutes |
/// | passenger missed, dropped | the first of push, SMS, mail | passes | 30 minutes |
/// | reservation booked, changed, receipt | mail, else push, SMS | waits | 5 days |
/// | reservation cancelled, not served | the first of push, SMS, mail | passes | 1 day |
/// | reservation reminder | the first of push, SMS, mail | passes | 2 hours |
package enum TaxiNotificationKind: String, NotificationKind {
    case driverVerified = "driver-verified"
    case driverRejected = "driver-rejected"
    case licenceExpires = "licence-expires"
    case licenceExpired = "licence-expired"
    case offer
    case dutyChanged = "duty-changed"
    case reservationBooked = "reservation-booked"
    case reservationChanged = "reservation-changed"
    case reservationCancelled = "reservation-cancelled"
    case reservationReminder = "reservation-reminder"
    case reservationNotServed = "reservation-not-served"
    case taxiFound = "taxi-found"
    case taxiArrived = "taxi-arrived"
    case passengerMissed = "passenger-missed"
    case rideDropped = "ride-dropped"
    case sharingChanged = "sharing-changed"
    case receipt

    /// The table above as data.
    package var rules: DeliveryRules {
        switch self {
        case .driverVerified, .driverRejected:
            DeliveryRules([.mail], minutes: 5 * 1_440)
        case .licenceExpires, .licenceExpired:
            DeliveryRules([.mail], isChosen: false, minutes: 5 * 1_440)
        case .offer:
            // The dispatcher asks another driver if this one cannot be reached.
            DeliveryRules([.push], isUrgent: true, isReported: true, minutes: 2)
        case .dutyChanged:
            DeliveryRules([.push, .mail], isUrgent: true, minutes: 30)
        case .taxiFound, .taxiArrived, .passengerMissed, .rideDropped, .sharingChanged:
            DeliveryRules([.push, .sms, .mail], isUrgent: true, minutes: 30)
        case .reservationBooked, .reservationChanged, .receipt:
            DeliveryRules([.mail, .push, .sms], minutes: 5 * 1_440)
        case .reservationCancelled, .reservationNotServed:
            DeliveryRules([.push, .sms, .mail], isUrgent: true, minutes: 1_440)
        case .reservationReminder:
            DeliveryRules([.push, .sms, .mail], isUrgent: true, minutes: 120)
        }
    }
}
