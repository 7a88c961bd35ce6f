package import Chronology
package import Localization

/// Messages about a registration or an e-mail address, which are always sent by mail.
package enum RegistrationMessage: Message {
    /// The first mail after a registration (R98).
    case confirmRegistration(page: Link, until: Moment)
    /// The reminder after two days without confirmation (R98).
    case confirmReminder(page: Link, until: Moment)
    /// The registration was deleted after seven days without confirmation (R98).
    case registrationDeleted
    /// To a new address, which takes effect once confirmed (R102).
    case confirmNewAddress(page: Link)
    /// To the old address, when a change is requested (R102).
    case addressChanging(stop: Link)

    /// The kind of the message.
    package var kind: any NotificationKind {
        switch self {
        case .confirmRegistration: AccountNotificationKind.confirmRegistration
        case .confirmReminder: AccountNotificationKind.confirmReminder
        case .registrationDeleted: AccountNotificationKind.registrationDeleted
        case .confirmNewAddress: AccountNotificationKind.confirmNewAddress
        case .addressChanging: AccountNotificationKind.addressChanging
        }
    }

    /// The message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .confirmRegistration(let page, let until):
            Letter(
                language,
                RegistrationMessageTexts.confirmRegistrationSubject,
                RegistrationMessageTexts.confirmRegistrationAction,
                page,
                RegistrationMessageTexts.confirmRegistrationText(city.name, city.local(until)),
                RegistrationMessageTexts.confirmRegistrationIfNotYou
            )
        case .confirmReminder(let page, let until):
            Letter(
                language,
                RegistrationMessageTexts.confirmReminderSubject,
                RegistrationMessageTexts.confirmReminderAction,
                page,
                RegistrationMessageTexts.confirmReminderText(city.name, city.local(until)),
                RegistrationMessageTexts.confirmReminderIfNotYou
            )
        case .registrationDeleted:
            Letter(
                language,
                RegistrationMessageTexts.registrationDeletedSubject,
                RegistrationMessageTexts.registrationDeletedText(city.name),
                RegistrationMessageTexts.registerAgain
            )
        case .confirmNewAddress(let page):
            Letter(
                language,
                RegistrationMessageTexts.confirmNewAddressSubject,
                RegistrationMessageTexts.confirmNewAddressAction,
                page,
                RegistrationMessageTexts.confirmNewAddressText(city.name)
            )
        case .addressChanging(let stop):
            Letter(
                language,
                RegistrationMessageTexts.addressChangingSubject,
                RegistrationMessageTexts.addressChangingAction,
                stop,
                RegistrationMessageTexts.addressChangingText(city.name),
                RegistrationMessageTexts.addressChangingIfNotYou
            )
        }
    }
}
