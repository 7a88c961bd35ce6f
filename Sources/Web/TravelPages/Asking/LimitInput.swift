import Agenda
import Encoding
package import Fares
package import Localization
import OpenData
package import WebCore

/// The limits on money and emissions as people type them.
package struct LimitInput {
    /// The amount as typed.
    package var money: String
    /// The grams as typed.
    package var grams: String

    /// Creates the contents of the fields.
    package init(money: String, grams: String) {
        self.money = money
        self.grams = grams
    }

    /// Takes the fields `money` and `grams` of a form.
    package init(_ form: Form) {
        money = (form["money"] ?? "").trimmingBlanks()
        grams = (form["grams"] ?? "").trimmingBlanks()
    }

    /// The amount in minor units; nil if the field is empty, or wrong, which is noted.
    package func money(in currency: Currency, _ problems: inout [String: Text]) -> Int64? {
        guard !money.isEmpty else { return nil }
        let text = Array(money.replacing(",", with: ".").utf8)
        guard let units = CurrencyText.minorUnits(text[...], digits: currency.digits), units >= 0
        else {
            problems["money"] = CostsTexts.badMoney
            return nil
        }
        return units
    }

    /// The grams; nil if the field is empty, or wrong, which is noted.
    package func grams(_ problems: inout [String: Text]) -> Int64? {
        guard !grams.isEmpty else { return nil }
        let limits = TravelSettings.gramsLimits
        guard let number = Int64(grams), limits.contains(number) else {
            problems["grams"] = CostsTexts.badGrams(limits.upperBound)
            return nil
        }
        return number
    }

    /// An amount as it is typed, without its currency.
    package static func text(of money: Money) -> String {
        money.text.split(separator: " ").first.map(String.init) ?? ""
    }
}
