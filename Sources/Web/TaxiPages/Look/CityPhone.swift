package import Localization
package import Markup
package import WebCore

extension TaxiPageModule {
    /// The staff's telephone number for problems with a ride; nil if the city gave none.
    ///
    /// Passengers and drivers do not see each other's numbers (R69, R130). The staff has both.
    package func staffPhone(_ visit: Visit) -> HTML? {
        guard let phone = settings.phone,
            let address = Address(outside: "tel:\(phone.replacing(" ", with: ""))")
        else { return nil }
        return """
            <p class="hint">\(visit.say(PhoneWords.problem)) \
            <a href=\(address)>\(visit.say(PhoneWords.call(phone)))</a></p>
            """
    }
}

package enum PhoneWords {
    package static let problem = Text(
        "A problem, or something left in the taxi?",
        "Un problema, o qualcosa dimenticato nel taxi?"
    )
    package static func call(_ phone: String) -> Text {
        Text("Call the city's staff: \(phone)", "Chiama il personale della città: \(phone)")
    }
}
