package import Chronology
package import Localization

/// Messages about the service as a whole.
package enum ServiceMessage: Message {
    /// The service is suspended for a while (R12).
    case suspended(reason: String, until: Moment?)
    /// The service has resumed.
    case resumed(page: Link)
    /// To administrators: a backup failed.
    case backupFailed(at: Moment, reason: String)
    /// To administrators: an application did not answer for a day, and is told no more.
    case webhookShut(application: String, host: String, page: Link)
    /// To an administrator: a test of mail delivery.
    case testMail(page: Link)

    /// The kind of the message.
    package var kind: any NotificationKind {
        switch self {
        case .suspended: ServiceNotificationKind.serviceSuspended
        case .resumed: ServiceNotificationKind.serviceResumed
        case .backupFailed: ServiceNotificationKind.backupFailed
        case .webhookShut: ServiceNotificationKind.webhookShut
        case .testMail: ServiceNotificationKind.testMail
        }
    }

    /// The message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .suspended(let reason, let until):
            Letter(
                language,
                ServiceMessageTexts.suspendedSubject(city.name),
                ServiceMessageTexts.suspendedText(reason),
                until.map { ServiceMessageTexts.suspendedEnd(city.local($0)) }
                    ?? ServiceMessageTexts.suspendedEndUnknown
            )
        case .resumed(let page):
            Letter(
                language,
                ServiceMessageTexts.resumedSubject(city.name),
                ServiceMessageTexts.resumedAction,
                page,
                ServiceMessageTexts.resumedText
            )
        case .backupFailed(let moment, let reason):
            Letter(
                language,
                ServiceMessageTexts.backupFailedSubject(city.name),
                ServiceMessageTexts.backupFailedText(city.local(moment), reason),
                ServiceMessageTexts.backupFailedRisk
            )
        case .webhookShut(let application, let host, let page):
            Letter(
                language,
                ServiceMessageTexts.webhookShutSubject(application),
                ServiceMessageTexts.webhookShutAction,
                page,
                ServiceMessageTexts.webhookShutText(application, host),
                ServiceMessageTexts.webhookShutRemedy
            )
        case .testMail(let page):
            Letter(
                language,
                ServiceMessageTexts.testMailSubject(city.name),
                ServiceMessageTexts.testMailAction,
                page,
                ServiceMessageTexts.testMailText(city.name)
            )
        }
    }
}
