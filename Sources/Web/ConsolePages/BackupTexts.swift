import Backups
import Chronology
import Localization
import TaxiPages

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
    var text: Text {
        switch self {
        case .whole: ConsoleTexts.verifiedWhenMade
        case .withoutKeys:
            ConsoleTexts.verifiedWhenMadeItsKeys
        case .damaged: ConsoleTexts.damaged
        }
    }
}
