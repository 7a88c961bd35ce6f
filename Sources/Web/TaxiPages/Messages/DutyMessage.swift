package import Localization
package import Notify

/// Messages to drivers about changes of their duty or queue position that they did
/// not make themselves.
///
/// The reason and the position are sentences that the web module writes in the driver's language.
package enum DutyMessage: Message {
    /// The driver was taken off duty (G1, G4, R104).
    case ended(reason: String, page: Link)
    /// An operator restored the driver's queue position.
    case turnRestored(standing: String, page: Link)
    /// The driver returned to the city and is queued again (R27).
    case cameBack(standing: String, page: Link)

    /// The kind of the message.
    package var kind: any NotificationKind { TaxiNotificationKind.dutyChanged }

    /// The message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .ended(let reason, let page):
            Letter(
                language,
                DutyMessageTexts.endedSubject,
                short: Text(same: reason),
                DutyMessageTexts.endedAction,
                page,
                DutyMessageTexts.endedText(reason)
            )
        case .turnRestored(let standing, let page):
            Letter(
                language,
                DutyMessageTexts.turnRestoredSubject,
                short: DutyMessageTexts.turnRestoredShort(standing),
                DutyMessageTexts.turnRestoredAction,
                page,
                DutyMessageTexts.turnRestoredText(standing)
            )
        case .cameBack(let standing, let page):
            Letter(
                language,
                DutyMessageTexts.cameBackSubject,
                short: DutyMessageTexts.cameBackShort(standing),
                DutyMessageTexts.cameBackAction,
                page,
                DutyMessageTexts.cameBackText(standing)
            )
        }
    }
}
