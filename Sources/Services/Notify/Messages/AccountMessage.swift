package import Chronology
package import Localization

/// Messages about a person's account, which are always sent by mail.
package enum AccountMessage: Message {
    /// The link to replace a forgotten password (R100).
    case passwordForgotten(page: Link, until: Moment)
    /// A notice after each change of the password.
    case passwordChanged(at: Moment, recover: Link)
    /// A reminder that the password is at least `days` days old.
    case passwordOld(days: Int, page: Link)
    /// The code for a log-in from a new address after many failures.
    case loginCode(code: String, until: Moment)
    /// The code that proves the telephone number or e-mail address of a guest (G9).
    case guestCode(code: String, until: Moment)
    /// An administrator has suspended the account.
    case suspended(reason: String)
    /// An application may act on the person's behalf from now on (R5).
    case applicationConnected(name: String, at: Moment, page: Link)
    /// The person can sign in with a provider from now on (V7).
    case signInConnected(name: String, at: Moment, page: Link)
    /// All data of the account was destroyed (R103).
    case erased

    /// The kind of the message.
    package var kind: any NotificationKind {
        switch self {
        case .passwordForgotten: AccountNotificationKind.passwordForgotten
        case .passwordChanged: AccountNotificationKind.passwordChanged
        case .passwordOld: AccountNotificationKind.passwordOld
        case .loginCode: AccountNotificationKind.loginCode
        case .guestCode: AccountNotificationKind.guestCode
        case .suspended: AccountNotificationKind.accountSuspended
        case .applicationConnected: AccountNotificationKind.applicationConnected
        case .signInConnected: AccountNotificationKind.signInConnected
        case .erased: AccountNotificationKind.accountErased
        }
    }

    /// The message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .passwordForgotten(let page, let until):
            Letter(
                language,
                AccountMessageTexts.passwordForgottenSubject,
                AccountMessageTexts.passwordForgottenAction,
                page,
                AccountMessageTexts.passwordForgottenText(city.name, city.local(until)),
                AccountMessageTexts.passwordForgottenIfNotYou
            )
        case .passwordChanged(let moment, let recover):
            Letter(
                language,
                AccountMessageTexts.passwordChangedSubject,
                AccountMessageTexts.passwordChangedAction,
                recover,
                AccountMessageTexts.passwordChangedText(city.name, city.local(moment))
            )
        case .passwordOld(let days, let page):
            Letter(
                language,
                AccountMessageTexts.passwordOldSubject(days),
                AccountMessageTexts.passwordOldAction,
                page,
                AccountMessageTexts.passwordOldText(city.name, days)
            )
        case .loginCode(let code, let until):
            Letter(
                language,
                AccountMessageTexts.loginCodeSubject(code),
                AccountMessageTexts.loginCodeText(code, city.name, city.local(until)),
                AccountMessageTexts.loginCodeIfNotYou
            )
        case .guestCode(let code, let until):
            Letter(
                language,
                AccountMessageTexts.guestCodeSubject(code),
                short: AccountMessageTexts.guestCodeShort(code, city.local(until)),
                AccountMessageTexts.guestCodeText(code, city.name, city.local(until)),
                AccountMessageTexts.guestCodeIfNotYou
            )
        case .suspended(let reason):
            Letter(
                language,
                AccountMessageTexts.suspendedSubject,
                AccountMessageTexts.suspendedText(city.name, reason),
                AccountMessageTexts.suspendedObjection
            )
        case .applicationConnected(let name, let moment, let page):
            Letter(
                language,
                AccountMessageTexts.applicationConnectedSubject(name),
                AccountMessageTexts.applicationConnectedAction,
                page,
                AccountMessageTexts.applicationConnectedText(name, city.name, city.local(moment)),
                AccountMessageTexts.applicationConnectedIfNotYou
            )
        case .signInConnected(let name, let moment, let page):
            signInLetter(in: language, from: city, name, moment, page)
        case .erased:
            Letter(
                language,
                AccountMessageTexts.erasedSubject,
                AccountMessageTexts.erasedText(city.name)
            )
        }
    }
    private func signInLetter(
        in language: Language,
        from city: City,
        _ name: String,
        _ moment: Moment,
        _ page: Link
    ) -> Letter {
        Letter(
            language,
            AccountMessageTexts.signInConnectedSubject(name),
            AccountMessageTexts.signInConnectedAction,
            page,
            AccountMessageTexts.signInConnectedText(name, city.name, city.local(moment)),
            AccountMessageTexts.signInConnectedIfNotYou
        )
    }
}
