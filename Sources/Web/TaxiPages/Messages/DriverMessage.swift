package import Chronology
package import Localization
package import Notify

/// Messages to drivers and operators.
package enum DriverMessage: Message {
    /// An administrator has verified the driver's registration (R95).
    case verified(page: Link)
    /// An administrator has refused the driver's registration.
    case rejected(reason: String, page: Link)
    /// A licence expires in three months (R104).
    case licenceExpires(last: CivilDate, page: Link)
    /// A licence expired yesterday.
    case licenceExpired(last: CivilDate, page: Link)
    /// A ride is offered to this driver (R50).
    case offer(place: String, until: Moment, page: Link)
    /// An assigned ride was withdrawn; replaces the offer, being of the same kind.
    case rideLost(page: Link)
    /// A passenger joined or left the shared ride; `people` is the current number (R87).
    case sharingChanged(people: Int, place: String, page: Link)

    /// The kind of the message.
    package var kind: any NotificationKind {
        switch self {
        case .verified: TaxiNotificationKind.driverVerified
        case .rejected: TaxiNotificationKind.driverRejected
        case .licenceExpires: TaxiNotificationKind.licenceExpires
        case .licenceExpired: TaxiNotificationKind.licenceExpired
        case .offer, .rideLost: TaxiNotificationKind.offer
        case .sharingChanged: TaxiNotificationKind.sharingChanged
        }
    }

    /// The message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .verified(let page):
            Letter(
                language,
                DriverMessageTexts.verifiedSubject,
                DriverMessageTexts.verifiedAction,
                page,
                DriverMessageTexts.verifiedText(city.name)
            )
        case .rejected(let reason, let page):
            Letter(
                language,
                DriverMessageTexts.rejectedSubject,
                DriverMessageTexts.rejectedAction,
                page,
                DriverMessageTexts.rejectedText(city.name, reason),
                DriverMessageTexts.rejectedRemedy
            )
        case .licenceExpires(let last, let page):
            Letter(
                language,
                DriverMessageTexts.licenceExpiresSubject(last),
                DriverMessageTexts.licenceExpiresAction,
                page,
                DriverMessageTexts.licenceExpiresText(city.name, last),
                DriverMessageTexts.licenceExpiresRemedy
            )
        case .licenceExpired(let last, let page):
            Letter(
                language,
                DriverMessageTexts.licenceExpiredSubject,
                DriverMessageTexts.licenceExpiredAction,
                page,
                DriverMessageTexts.licenceExpiredText(city.name, last)
            )
        case .offer(let place, let until, let page):
            Letter(
                language,
                DriverMessageTexts.offerSubject(place),
                DriverMessageTexts.offerAction,
                page,
                DriverMessageTexts.offerText(place, city.local(until))
            )
        case .rideLost(let page):
            Letter(
                language,
                DriverMessageTexts.rideLostSubject,
                DriverMessageTexts.rideLostAction,
                page,
                DriverMessageTexts.rideLostText
            )
        case .sharingChanged(let people, let place, let page):
            Letter(
                language,
                DriverMessageTexts.sharingChangedSubject(people),
                DriverMessageTexts.sharingChangedAction,
                page,
                DriverMessageTexts.sharingChangedText(place)
            )
        }
    }
}
