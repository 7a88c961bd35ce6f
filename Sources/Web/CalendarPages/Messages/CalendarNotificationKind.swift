import Localization
package import Notify
package import TaxiPages

/// The kinds of messages about a person's calendar.
///
/// | kinds | default channels | quiet hours | lifetime |
/// |---|---|---|---|
/// | departure | the first of push, mail | passes | 15 minutes |
/// | unreachable | the first of push, mail | waits | 1 day |
package enum CalendarNotificationKind: String, NotificationKind {
    case departure
    case unreachable

    /// The table above as data.
    package var rules: DeliveryRules {
        switch self {
        case .departure: DeliveryRules([.push, .mail], isUrgent: true, minutes: 15)
        case .unreachable: DeliveryRules([.push, .mail], minutes: 1_440)
        }
    }
}

extension CalendarNotificationKind {
    /// The kinds whose channels people choose.
    package static var choices: [NotificationChoice] {
        allCases.map { NotificationChoice($0, $0.label) }
    }

    /// What a message of this kind tells.
    private var label: Text {
        switch self {
        case .departure: CalendarMessageTexts.departureChoice
        case .unreachable: CalendarMessageTexts.unreachableChoice
        }
    }
}
