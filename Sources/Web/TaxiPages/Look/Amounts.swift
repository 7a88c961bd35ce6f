package import Fares
import Localization
package import WebCore

extension TaxiPageModule {
    /// An amount as people of the visitor's language write it.
    package func money(_ money: Money, _ visit: Visit) -> String {
        visit.language == .italian ? money.text.replacing(".", with: ",") : money.text
    }
}

/// Seconds in whole minutes, of which the last has begun; at least one.
package func wholeMinutes(_ seconds: Int64) -> Int64 {
    max(1, (seconds + 59) / 60)
}
