package import Markup
package import WebCore

extension TaxiPageModule {
    /// Whom to call when something goes wrong with a ride; nil where the city gave no number.
    ///
    /// Passengers and drivers do not see each other's numbers (R69, R130): the staff knows both.
    package func staffPhone(_ visit: Visit) -> HTML? {
        guard let phone = settings.phone,
            let address = Address(outside: "tel:\(phone.replacing(" ", with: ""))")
        else { return nil }
        return """
            <p class="hint">\(visit.say(PhoneTexts.problem)) \
            <a href=\(address)>\(visit.say(PhoneTexts.call(phone)))</a></p>
            """
    }
}
