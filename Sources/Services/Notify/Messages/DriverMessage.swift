package import Chronology
import Localization

/// Messages to drivers and operators.
package enum DriverMessage: Sendable, Equatable, Codable {
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

    var kind: Kind {
        switch self {
        case .verified: .driverVerified
        case .rejected: .driverRejected
        case .licenceExpires: .licenceExpires
        case .licenceExpired: .licenceExpired
        case .offer, .rideLost: .offer
        case .sharingChanged: .sharingChanged
        }
    }

    func letter(in language: Language, from city: City) -> Letter {
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
                DriverMessageTexts.rejectedText2
            )
        case .licenceExpires(let last, let page):
            Letter(
                language,
                DriverMessageTexts.licenceExpiresSubject(last),
                DriverMessageTexts.licenceExpiresAction,
                page,
                DriverMessageTexts.licenceExpiresText(city.name, last),
                DriverMessageTexts.licenceExpiresText2
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
