import Drivers
package import Identity
package import Localization
package import WebCore

/// What is wrong with a field, in words.
extension FieldProblem.Kind {
    /// What is wrong, and what to write instead.
    package func text(for field: FormField) -> Text {
        switch self {
        case .missing:
            field == .consent
                ? AccountTexts.withoutYourConsentWeCannot : AccountTexts.fillThisIn
        case .tooShort(let least):
            AccountTexts.writeAtLeastCharacters(least)
        case .tooLong(let most):
            AccountTexts.writeAtMostCharacters(most)
        case .badFormat: Self.format(of: field)
        case .noDigit: AccountTexts.useAtLeastOneDigit
        case .noCapital:
            AccountTexts.useAtLeastOneCapital
        case .differs:
            AccountTexts.notTheSame
        case .unchanged:
            AccountTexts.unchangedValue
        case .taken: AccountTexts.valueTaken
        case .repeated(let line):
            AccountTexts.repeatedInLine(line)
        case .expired: AccountTexts.thisDayHasPassed
        case .webAddress:
            AccountTexts.leaveOutWebAddresses
        }
    }

    private static func format(of field: FormField) -> Text {
        switch field {
        case .userName:
            AccountTexts.beginWithALetterThen
        case .email:
            AccountTexts.badEmail
        case .phone:
            AccountTexts.badPhone
        case .birthDate: AccountTexts.writeABirthDate
        case .taxiLicenceExpires, .drivingLicenceExpires:
            AccountTexts.badDay
        case .plate: AccountTexts.badPlate
        case .seats: AccountTexts.badSeats
        case .wheelchair: AccountTexts.writeYesOrNo
        case .colour: AccountTexts.badColour
        case .name, .surname, .address, .reason, .make:
            AccountTexts.invisibleCharacters
        default:
            AccountTexts.badFormat
        }
    }
}

extension FormField {
    /// What stands inside the field; nil for fields whose kind has an icon.
    var icon: Icon? {
        switch self {
        case .userName, .name, .surname, .gender: .person
        case .birthDate: .calendar
        case .language: .language
        case .address: .home
        case .seats: .people
        case .wheelchair: .wheelchair
        case .taxiCode, .plate, .make, .colour: .car
        case .taxiLicence, .drivingLicence: .licence
        default: nil
        }
    }

    /// What the field is called on pages.
    package var label: Text {
        switch self {
        case .userName: AccountTexts.userName
        case .email: AccountTexts.eMail
        case .password: AccountTexts.password
        case .passwordAgain: AccountTexts.passwordAgain
        case .oldPassword: AccountTexts.yourPresentPassword
        case .name: AccountTexts.name
        case .surname: AccountTexts.surname
        case .address: AccountTexts.address
        case .phone: AccountTexts.mobilePhone
        case .birthDate: AccountTexts.birthDate
        case .gender: AccountTexts.gender
        case .language: AccountTexts.languageOfOurMails
        case .preferences: AccountTexts.messages
        case .consent: AccountTexts.consent
        case .taxiCode: AccountTexts.taxiCode
        case .plate: AccountTexts.plate
        case .taxiLicence: AccountTexts.taxiLicence
        case .taxiLicenceExpires: AccountTexts.taxiLicenceValidUntil
        case .drivingLicence: AccountTexts.drivingLicence
        case .drivingLicenceExpires: AccountTexts.drivingLicenceValidUntil
        case .seats: AccountTexts.seatsForPassengers
        case .wheelchair: AccountTexts.roomForAWheelchair
        case .make: AccountTexts.make
        case .colour: AccountTexts.colour
        case .reason: AccountTexts.reason
        case .line: AccountTexts.line
        default: Text(same: rawValue)
        }
    }
}

extension AccountFailure {
    /// What to say on the page of the form; nil if it is said at fields or on a page of its own.
    package var text: Text? {
        switch self {
        case .invalid: nil
        case .wrongCredentials:
            AccountTexts.theNameOrThePassword
        case .wait:
            AccountTexts.afterAWrongPasswordPlease
        case .unconfirmed:
            AccountTexts.openLinkFirst
        case .suspended(let reason):
            AccountTexts.thisAccountIsSuspendedAsk(reason)
        case .badToken:
            AccountTexts.linkExpired
        case .tooManyMessages:
            AccountTexts.mailJustSent
        case .tooManyFromNetwork:
            AccountTexts.tooManyMessages
        case .lastAdministrator:
            AccountTexts.youAreTheOnlyAdministrator
        case .changedMeanwhile:
            AccountTexts.somebodyChangedThisMeanwhileLook
        case .notProceeded:
            AccountTexts.tickTheBoxToSay
        default: nil
        }
    }

    /// The failure of the whole request, where it is one.
    package var failure: Failure? {
        switch self {
        case .busy(let seconds): .busy(retryAfter: seconds)
        case .notAllowed: .notAllowed
        case .passwordNeeded: .askPassword
        case .noSuchPerson: .notFound
        default: nil
        }
    }
}

extension Gender {
    /// What the gender is called on pages.
    package var label: Text {
        switch self {
        case .woman: AccountTexts.woman
        case .man: AccountTexts.man
        case .another: AccountTexts.another
        }
    }
}
