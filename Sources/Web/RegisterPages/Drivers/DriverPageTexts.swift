import Dispatching
import Localization
import Markup
import TaxiPages

extension DriverPageTexts {
    static let notices: [String: Text] = [
        "entered": DriverPageTexts.theDriverIsEntered,
        "saved": DriverPageTexts.saved,
        "verified": DriverPageTexts.thePapersAreVerified,
        "refused": DriverPageTexts.thePapersAreNotAccepted,
        "suspended": DriverPageTexts.driverSuspended,
        "resumed": DriverPageTexts.theSuspensionHasEnded,
        "invited": DriverPageTexts.linkSent,
        "manyInvitations": DriverPageTexts.enoughLinksSent,
    ]

    /// What a taxi does now.
    static func work(_ status: TaxiStatus) -> Text {
        switch status {
        case .available: DriverPageTexts.inAQueue
        case .pendingConfirmation: DriverPageTexts.isBeingAsked
        case .riding: DriverPageTexts.hasARide
        case .unavailable, .removed: DriverPageTexts.notInService
        case .outOfCity: DriverPageTexts.outsideTheCity
        case .outOfContact: DriverPageTexts.notHeardFrom
        }
    }
}
