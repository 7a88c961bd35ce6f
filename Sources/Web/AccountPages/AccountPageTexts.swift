import Localization
import Markup
import TaxiPages
import WebCore

extension AccountPageTexts {
    static let notices: [String: Text] = [
        "saved": AccountPageTexts.saved,
        "password": AccountPageTexts.passwordChanged,
        "mail": AccountPageTexts.changeAwaitsConfirmation,
        "aborted": AccountPageTexts.everythingStaysAsItWas,
        "device": AccountPageTexts.thisBrowserShowsNoticesNow,
        "device-gone": AccountPageTexts.theDeviceShowsNoNotices,
    ]
}
