import Fares
import Localization
import WebCore

extension Site {
    /// An amount as people of the visitor's language write it.
    func money(_ money: Money, _ visit: Visit) -> String {
        visit.language == .italian ? money.text.replacing(".", with: ",") : money.text
    }
}
