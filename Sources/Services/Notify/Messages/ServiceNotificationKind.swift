/// The kinds of messages about the service as a whole.
///
/// | kinds | channels | quiet hours | lifetime |
/// |---|---|---|---|
/// | service suspended, resumed | the first of push, mail | waits | 1 day |
/// | backup, webhook | always mail | | 5 days |
/// | test mail | always mail | | 1 hour |
package enum ServiceNotificationKind: String, NotificationKind {
    case serviceSuspended = "service-suspended"
    case serviceResumed = "service-resumed"
    case backupFailed = "backup-failed"
    case webhookShut = "webhook-shut"
    case testMail = "test-mail"

    /// The table above as data.
    package var rules: DeliveryRules {
        switch self {
        case .serviceSuspended, .serviceResumed: DeliveryRules([.push, .mail], minutes: 1_440)
        case .backupFailed, .webhookShut:
            DeliveryRules([.mail], isChosen: false, minutes: 5 * 1_440)
        case .testMail: DeliveryRules([.mail], isChosen: false, minutes: 60)
        }
    }
}
