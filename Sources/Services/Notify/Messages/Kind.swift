/// The kinds of messages, with the rules that all messages of a kind share.
///
/// People choose channels for each kind except those that are always sent by mail because the
/// account or the law depends on them. A message older than its lifetime is dropped.
///
/// | kinds | default channels | quiet hours | lifetime |
/// |---|---|---|---|
/// | registration, address, password, user name | always mail | | 5 days |
/// | application connected | always mail | | 5 days |
/// | account suspended, resumed, erased; roles | always mail | | 5 days |
/// | licence, backup, webhook | always mail | | 5 days |
/// | log-in code, test mail | always mail | | 1 hour |
/// | guest's code | always where it was asked for, SMS or mail | passes | 15 minutes |
/// | driver verified or rejected | mail | waits | 5 days |
/// | offer | push | passes | 2 minutes |
/// | duty changed | the first of push, mail | passes | 30 minutes |
/// | taxi found, arrived | the first of push, SMS, mail | passes | 30 minutes |
/// | sharing changed | the first of push, SMS, mail | passes | 30 minutes |
/// | passenger missed, dropped | the first of push, SMS, mail | passes | 30 minutes |
/// | reservation booked, changed, receipt | mail, else push, SMS | waits | 5 days |
/// | reservation cancelled, not served | the first of push, SMS, mail | passes | 1 day |
/// | reservation reminder | the first of push, SMS, mail | passes | 2 hours |
/// | departure | the first of push, mail | passes | 15 minutes |
/// | service suspended, resumed | the first of push, mail | waits | 1 day |
package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    case confirmRegistration = "confirm-registration"
    case confirmReminder = "confirm-reminder"
    case registrationDeleted = "registration-deleted"
    case confirmNewAddress = "confirm-new-address"
    case addressChanging = "address-changing"
    case passwordForgotten = "password-forgotten"
    case passwordChanged = "password-changed"
    case passwordOld = "password-old"
    case loginCode = "login-code"
    case accountSuspended = "account-suspended"
    case accountErased = "account-erased"
    case accountResumed = "account-resumed"
    case invitation
    case alreadyRegistered = "already-registered"
    case confirmNewUserName = "confirm-new-user-name"
    case rolesChanged = "roles-changed"
    case applicationConnected = "application-connected"
    case signInConnected = "sign-in-connected"
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
    case departure
    case unreachable
    case serviceSuspended = "service-suspended"
    case serviceResumed = "service-resumed"
    case backupFailed = "backup-failed"
    case webhookShut = "webhook-shut"
    case testMail = "test-mail"
    case guestCode = "guest-code"

    /// The rules of the kind: the table above as data.
    package var rules: Rules {
        switch self {
        case .confirmRegistration, .confirmReminder, .registrationDeleted, .confirmNewAddress,
            .addressChanging, .passwordForgotten, .passwordChanged, .passwordOld,
            .accountSuspended, .accountErased, .accountResumed, .invitation, .alreadyRegistered,
            .confirmNewUserName, .rolesChanged, .applicationConnected, .signInConnected,
            .licenceExpires, .licenceExpired, .backupFailed, .webhookShut:
            Rules([.mail], isChosen: false, minutes: 5 * 1_440)
        case .loginCode, .testMail:
            Rules([.mail], isChosen: false, minutes: 60)
        case .guestCode:
            Rules([.sms, .mail], isChosen: false, isUrgent: true, minutes: 15)
        case .driverVerified, .driverRejected:
            Rules([.mail], minutes: 5 * 1_440)
        case .offer:
            Rules([.push], isUrgent: true, minutes: 2)
        case .dutyChanged:
            Rules([.push, .mail], isUrgent: true, minutes: 30)
        case .taxiFound, .taxiArrived, .passengerMissed, .rideDropped, .sharingChanged:
            Rules([.push, .sms, .mail], isUrgent: true, minutes: 30)
        case .reservationBooked, .reservationChanged, .receipt:
            Rules([.mail, .push, .sms], minutes: 5 * 1_440)
        case .reservationCancelled, .reservationNotServed:
            Rules([.push, .sms, .mail], isUrgent: true, minutes: 1_440)
        case .reservationReminder:
            Rules([.push, .sms, .mail], isUrgent: true, minutes: 120)
        case .unreachable:
            Rules([.push, .mail], minutes: 1_440)
        case .departure:
            Rules([.push, .mail], isUrgent: true, minutes: 15)
        case .serviceSuspended, .serviceResumed:
            Rules([.push, .mail], minutes: 1_440)
        }
    }

    /// The rules that all messages of a kind share.
    package struct Rules: Sendable, Equatable {
        /// The default channels; the first one that reaches the person is used.
        package let channels: [Channel]
        /// Whether people may choose other channels or none.
        package let isChosen: Bool
        /// Whether the message ignores quiet hours.
        package let isUrgent: Bool
        /// The lifetime of a message in milliseconds.
        package let lifetime: Int64

        init(
            _ channels: [Channel],
            isChosen: Bool = true,
            isUrgent: Bool = false,
            minutes: Int64
        ) {
            self.channels = channels
            self.isChosen = isChosen
            self.isUrgent = isUrgent
            lifetime = minutes * 60_000
        }
    }
}
