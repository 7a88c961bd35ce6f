import Encoding
import HTTPTypes
package import Localization
package import Markup

/// The choice of another language on every page (R114).
///
/// A page without a form has a link. A form has a button of its own for browsers without scripts:
/// it sends the form to the address of its page, which is shown again in that language with what
/// was typed (`WebResponder.answer`). Nothing is done, so a form that was refused stays as it is.
package struct LanguageChoice: Sendable {
    /// The name of the button.
    static let name = "show-in"
    /// The identifier of the buttons of a form, to which the header's link leads.
    static let mark = Array(" id=\"language\"".utf8)

    /// The language to show the page in.
    let language: Language
    /// The address that the form usually goes to; it tells the forms of a page apart.
    let action: String

    /// Reads the choice from a form; nil if another button sent it.
    init?(_ form: Form) {
        let parts = (form[Self.name] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let language = Language(rawValue: String(parts[0])) else {
            return nil
        }
        self.language = language
        action = String(parts[1])
    }
}

extension WebEnvironment {
    /// The cookie that stores the language that a visitor chose.
    package func languageCookie(_ language: Language) -> Cookie {
        Cookie(
            name: "language",
            value: language.rawValue,
            age: 31_536_000,
            isSecure: settings.hasTLS
        )
    }

    /// The links to other languages of a page without header: a takeover.
    package func languages(_ context: RequestContext) -> HTML {
        "<ul class=\"languages\">\(languageLinks(context))</ul>"
    }

    /// A link for each other language, labelled in that language.
    ///
    /// Scripts keep what was typed (`app.js`). A page whose path is a secret chooses the language
    /// by its own query, so that its address is in no link.
    func languageLinks(_ context: RequestContext) -> HTML {
        let back = context.pageAddress
        return HTML.joined(
            Language.allCases.filter { $0 != context.language }.map { language in
                let address =
                    context.hidesPath
                    ? Address("", query: [LanguageChoice.name: language.rawValue])
                    : Address("/language", query: ["to": language.rawValue, "back": back.text])
                let target =
                    context.hasLanguageButton ? Address("", fragment: "language") : address
                let kept = HTML.when(!context.hidesPath, " data-back=\(back)")
                return """
                    <li><a href=\(target) lang="\(language.rawValue)" \
                    hreflang="\(language.rawValue)"\(kept)>\(Icon.language.html) \
                    <span>\(language.ownName)</span></a></li>
                    """
            }
        )
    }
}

extension RequestContext {
    /// Takes the secrets out of what links back to the page repeat, and the language from the query
    /// if the page chooses it there.
    mutating func hideSecrets(of route: Route, _ page: Route?) {
        let secrets = [route, page].compactMap(\.self).flatMap { $0.fields(in: .query) }
            .filter(\.kind.isSecret)
        if !secrets.isEmpty { sentQuery = sentQuery.without(secrets) }
        hidesPath = route.fields(in: .path).contains(where: \.kind.isSecret)
        hasSecretAddress = hidesPath || !secrets.isEmpty
        if let chosenLanguage { language = chosenLanguage }
    }

    /// The language that the query of a page with a hidden path chooses.
    private var chosenLanguage: Language? {
        guard method == .get else { return nil }
        return sentQuery[LanguageChoice.name].flatMap(Language.init(rawValue:))
    }

    /// The response, with the cookie of the language that the query chose, and without the address
    /// in the referrer if it contains a secret.
    ///
    /// The policy is not `no-referrer`, with which browsers hide the origin of forms.
    func guarded(_ response: Response, _ web: WebEnvironment) -> Response {
        var response = chosenLanguage.map { response.setting(web.languageCookie($0)) } ?? response
        if hasSecretAddress, response.headers[.referrerPolicy] == nil {
            response.headers[.referrerPolicy] = "strict-origin"
        }
        return response
    }

    /// The address of the page: after a form was refused, that of the page with the form.
    var pageAddress: Address {
        guard method == .get else {
            // Most forms go to the address of their page.
            let stated = form["page"] ?? formPage ?? path
            return Address(withinServer: stated) ?? Address("/")
        }
        if hidesPath { return Address("/") }
        let fields = sentQuery.fields.map { name, value in
            "\(PercentEncoding.encoded(name))=\(PercentEncoding.encoded(value))"
        }
        let text = fields.isEmpty ? path : "\(path)?\(fields.joined(separator: "&"))"
        return Address(withinServer: text) ?? Address("/")
    }

    /// The buttons of a form that choose another language without scripts, after all others: the
    /// Enter key presses the first one.
    ///
    /// - Parameter action: the address that the form goes to.
    /// - Returns: the buttons, one for each other language.
    package func languageButtons(_ action: Address) -> HTML {
        let buttons = Language.allCases.filter { $0 != language }.map { other -> HTML in
            """
            <button class="plain" name="\(LanguageChoice.name)" \
            value="\(other.rawValue) \(action.text)" formaction=\(pageAddress) \
            formenctype="application/x-www-form-urlencoded" formnovalidate \
            lang="\(other.rawValue)">\(other.ownName)</button>
            """
        }
        return "<noscript><p id=\"language\">\(buttons)</p></noscript>"
    }

    /// Whether a form of the page lets its reader choose a language without scripts.
    func hasLanguageButton(on page: Page) -> Bool {
        page.hasForm && Array(page.body.text.utf8).range(of: LanguageChoice.mark, from: 0) != nil
    }

    /// Whether the page is shown in another language, with what was typed in one of its forms.
    package var isShownAgain: Bool { typedAction != nil }

    /// The request for a form of a page that is shown again in another language: what was typed
    /// belongs to the form with that action only.
    package func refilling(_ action: Address) -> RequestContext {
        guard let typedAction, typedAction != action.text else { return self }
        var context = self
        context.typedAction = nil
        return context
    }
}

extension Field {
    /// The field with what was typed before the page was shown in another language.
    func refilled(_ context: RequestContext) -> Field {
        guard context.typedAction != nil else { return self }
        var field = self
        if case .several = kind {
            field.value = context.form.all(name).joined(separator: ",")
        } else {
            field.value = context.form[name] ?? value
        }
        return field
    }
}
