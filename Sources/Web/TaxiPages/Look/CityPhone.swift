package import Markup
package import WebCore

extension TaxiPageModule {
    /// The staff's telephone number for problems with a ride; nil if the city gave none.
    ///
    /// Passengers and drivers do not see each other's numbers (R69, R130). The staff has both.
    package func staffPhone(_ context: RequestContext) -> HTML? {
        guard let phone = settings.phone,
            let address = Address(outside: "tel:\(phone.replacing(" ", with: ""))")
        else { return nil }
        return """
            <p class="hint">\(context.say(PhoneTexts.problem)) \
            <a href=\(address)>\(context.say(PhoneTexts.call(phone)))</a></p>
            """
    }

    /// The same as a row of a list.
    package func contactRow(_ context: RequestContext) -> Row? {
        guard let phone = settings.phone,
            let address = Address(outside: "tel:\(phone.replacing(" ", with: ""))")
        else { return nil }
        return Row(
            .phone,
            "\(context.say(PhoneTexts.call(phone)))",
            detail: "\(context.say(PhoneTexts.problem))",
            address: address
        )
    }
}
