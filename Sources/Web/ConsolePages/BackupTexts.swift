import Backups
import Chronology
import Localization
import TaxiPages
import WebCore

/// The words of the pages about backups.
extension BackupTexts {
    /// The answer to whether the city is safe.
    static func newest(on moment: Moment, zone: ZoneTable) -> Text {
        let local = LocalTime(Instant(moment), in: zone)
        let numbers = local.date.numbers
        let minute = local.second / 60 % 60
        return BackupTexts.newest(
            numbers.day,
            LaterTexts.months[Int(numbers.month) - 1],
            numbers.year,
            "\(local.second / 3_600):\(minute < 10 ? "0" : "")\(minute)"
        )
    }
}

extension Backup.State {
    /// What is known of the backup.
    var chip: StateChip {
        switch self {
        case .whole: StateChip(ConsoleTexts.verifiedWhenMade, icon: .check, tone: .good)
        case .withoutKeys: StateChip(ConsoleTexts.verifiedWhenMadeItsKeys, icon: .key)
        case .damaged: StateChip(ConsoleTexts.damaged, icon: .warning, tone: .bad)
        }
    }
}
