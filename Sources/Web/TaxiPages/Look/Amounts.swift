package import Fares
import Localization
package import WebCore

extension TaxiPageModule {
    /// Formats an amount of money for the visitor's language.
    package func money(_ money: Money, _ context: RequestContext) -> String {
        context.language == .italian ? money.text.replacing(".", with: ",") : money.text
    }
}

/// Rounds seconds up to whole minutes; at least one.
package func wholeMinutes(_ seconds: Int64) -> Int64 {
    max(1, (seconds + 59) / 60)
}
