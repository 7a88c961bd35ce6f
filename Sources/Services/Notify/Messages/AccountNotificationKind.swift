/// The kinds of messages about accounts, which people cannot refuse.
///
/// | kinds | channels | lifetime |
/// |---|---|---|
/// | registration, address, password, user name | mail | 5 days |
/// | application or way to sign in connected | mail | 5 days |
/// | account suspended, resumed, erased; roles | mail | 5 days |
/// | log-in code | mail | 1 hour |
/// | guest's code | where it was asked for, SMS or mail; passes quiet hours | 15 minutes |
package enum AccountNotificationKind: String, NotificationKind {
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
    case guestCode = "guest-code"

    /// The table above as data.
    package var rules: DeliveryRules {
        switch self {
        case .confirmRegistration, .confirmReminder, .registrationDeleted, .confirmNewAddress,
            .addressChanging, .passwordForgotten, .passwordChanged, .passwordOld,
            .accountSuspended, .accountErased, .accountResumed, .invitation, .alreadyRegistered,
            .confirmNewUserName, .rolesChanged, .applicationConnected, .signInConnected:
            DeliveryRules([.mail], isChosen: false, minutes: 5 * 1_440)
        case .loginCode:
            DeliveryRules([.mail], isChosen: false, minutes: 60)
        case .guestCode:
            DeliveryRules([.sms, .mail], isChosen: false, isUrgent: true, minutes: 15)
        }
    }
}
