import Backups
import Chronology
import Foundation
import Localization
import TaxiPages

/// The words of the pages about backups.
extension BackupTexts {
    /// The answer to whether the city is safe.
    static func newest(on moment: Moment, zone: TimeZone) -> Text {
        func words(_ locale: String) -> String {
            Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000).formatted(
                Date.FormatStyle(
                    date: .long,
                    time: .shortened,
                    locale: Locale(identifier: locale),
                    timeZone: zone
                )
            )
        }
        return Text(
            "The newest backup was made on \(words("en_GB")).",
            "L'ultima copia è stata fatta il \(words("it_IT"))."
        )
    }
}

extension Backup.State {
    /// What is known of the backup.
    var words: Text {
        switch self {
        case .whole: ConsoleTexts.verifiedWhenMade
        case .withoutKeys:
            ConsoleTexts.verifiedWhenMadeItsKeys
        case .damaged: ConsoleTexts.damaged
        }
    }
}
