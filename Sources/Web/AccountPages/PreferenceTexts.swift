import Identity
import Localization
import Notify
import TaxiPages

extension Preferences.Channel {
    /// What the channel is called.
    var label: Text {
        switch self {
        case .mail: AccountPagesTexts.eMail
        case .push: AccountPagesTexts.notificationOnYourDevice
        case .sms: AccountPagesTexts.sms
        }
    }
}

extension ServiceNotificationKind {
    /// The kinds whose channels people choose.
    static var choices: [NotificationChoice] {
        [
            NotificationChoice(serviceSuspended, AccountPagesTexts.theServiceIsSuspended),
            NotificationChoice(serviceResumed, AccountPagesTexts.serviceHasResumed),
        ]
    }
}
