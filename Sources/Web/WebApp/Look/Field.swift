import Localization
import Markup

/// A field of a form: label, hint, error and what was typed, in this order (ui.md 4.1, 9).
struct Field: Sendable {
    /// What is typed into it.
    enum Kind: Sendable {
        case text
        case email
        case telephone
        case newPassword
        case currentPassword
        case number
        case date
        case time
        case longText
        case file(accept: StaticString)
        case choice([(value: String, label: Text)])
        /// One of these, all of them in sight.
        case oneOf([(value: String, label: Text)])
        /// Any of these; the field's value is those chosen, with commas between.
        case several([(value: String, label: Text)])
    }

    var name: String
    /// What stands above the field where a new group begins.
    var heading: Text?
    var label: Text
    var kind = Kind.text
    var hint: Text?
    var value = ""
    /// What is wrong with what was typed.
    var error: Text?
    /// What browsers may fill in (HTML, autofill).
    var autocomplete: StaticString = "off"
    var isRequired = true

    /// The field's identifier on the page, where the summary of errors leads.
    var identifier: String { "field-\(name)" }

    /// The field as it stands on a page.
    func html(_ visit: Visit) -> HTML {
        if case .several(let choices) = kind { return boxes(choices, "checkbox", visit) }
        if case .oneOf(let choices) = kind { return boxes(choices, "radio", visit) }
        return """
            \(heading.map { "<h2>\(visit.say($0))</h2>" as HTML })
            <div class="\(error == nil ? "field" : "field wrong")">
            <label for="\(identifier)">\(visit.say(label))\(optional(visit))</label>
            \(hint.map { "<span class=\"hint\" id=\"\(identifier)-hint\">\(visit.say($0))</span>" })
            \(error.map { message($0, visit) })
            \(control(visit))
            </div>
            """
    }

    /// A group of boxes, of which one or any number may be ticked.
    private func boxes(
        _ choices: [(value: String, label: Text)],
        _ type: HTML,
        _ visit: Visit
    ) -> HTML {
        let chosen = value.split(separator: ",").map(String.init)
        let boxes = choices.enumerated().map { place, choice -> HTML in
            // The first box has the field's own identifier: the summary of errors leads there.
            let box = place == 0 ? identifier : "\(identifier)-\(place)"
            return """
                <div class="choice"><input type="\(type)" id="\(box)" name="\(name)" \
                value="\(choice.value)"\(HTML.when(chosen.contains(choice.value), " checked"))>
                <label for="\(box)">\(visit.say(choice.label))</label></div>
                """
        }
        return """
            \(heading.map { "<h2>\(visit.say($0))</h2>" as HTML })
            <fieldset class="\(error == nil ? "field" : "field wrong")"\(described)>
            <legend>\(visit.say(label))\(optional(visit))</legend>
            \(hint.map { "<span class=\"hint\" id=\"\(identifier)-hint\">\(visit.say($0))</span>" })
            \(error.map { message($0, visit) })
            \(boxes)
            </fieldset>
            """
    }

    private func optional(_ visit: Visit) -> HTML? {
        isRequired ? nil : " <span class=\"hint\">(\(visit.say(FormWords.optional)))</span>"
    }

    private func message(_ error: Text, _ visit: Visit) -> HTML {
        """
        <span class="error" id="\(identifier)-error">\
        <span class="hidden">\(visit.say(FormWords.error)): </span>\(visit.say(error))</span>
        """
    }

    /// What describes the field to readers: its hint and its error.
    private var described: HTML? {
        let identifiers = [
            hint.map { _ in "\(identifier)-hint" }, error.map { _ in "\(identifier)-error" },
        ]
        .compactMap(\.self)
        guard !identifiers.isEmpty else { return nil }
        return " aria-describedby=\"\(identifiers.joined(separator: " "))\""
    }

    private func control(_ visit: Visit) -> HTML {
        let common: HTML = """
            id="\(identifier)" name="\(name)"\(described)\
            \(HTML.when(error != nil, " aria-invalid=\"true\""))\
            \(HTML.when(isRequired && !isChoice, " required"))
            """
        switch kind {
        case .longText: return "<textarea \(common)>\n\(value)</textarea>"
        case .choice(let choices):
            let options = choices.map { choice -> HTML in
                """
                <option value="\(choice.value)"\
                \(HTML.when(choice.value == value, " selected"))>\(visit.say(choice.label))</option>
                """
            }
            return "<select \(common)>\(options)</select>"
        case .newPassword, .currentPassword:
            return """
                <input \(common) type="password" autocomplete="\(autofill)" \
                data-show="\(visit.say(FormWords.show))" data-hide="\(visit.say(FormWords.hide))">
                """
        case .file(let accept):
            return "<input \(common) type=\"file\" accept=\"\(accept.description)\">"
        default:
            return """
                <input \(common) type="\(type)" value="\(value)" autocomplete="\(autofill)"\
                \(HTML.when(isCode, " autocapitalize=\"off\" spellcheck=\"false\""))>
                """
        }
    }

    /// Whether one of some is always chosen: it is never empty, and HTML wants no `required` then.
    private var isChoice: Bool {
        if case .choice = kind { true } else { false }
    }

    private var isCode: Bool {
        switch kind {
        case .email: true
        default: autofill == "username"
        }
    }

    private var autofill: String {
        switch kind {
        case .newPassword: "new-password"
        case .currentPassword: "current-password"
        case .email: "email"
        case .telephone: "tel"
        default: autocomplete.description
        }
    }

    private var type: String {
        switch kind {
        case .email: "email"
        case .telephone: "tel"
        case .number: "number"
        case .date: "date"
        case .time: "time"
        default: "text"
        }
    }
}

/// A form: what is wrong with it on top, its fields, its one primary button.
struct FormPage: Sendable {
    var action: Address
    var fields: [Field]
    var button: Text
    /// What the button says while the form is on its way.
    var busy: Text
    /// What is wrong with the form as a whole.
    var problem: Text?
    /// Further markup between the fields and the button.
    var extra: HTML = .empty
    /// The fields that stand in that markup, for the list of what is wrong.
    var extraFields: [Field] = []
    var hasFiles = false
    /// Buttons after the primary one, which send the same fields for something else.
    var otherButtons: HTML = .empty
    /// Further rows of such buttons, below.
    var moreButtons: HTML = .empty

    /// The form as it stands on a page.
    func html(_ visit: Visit) -> HTML {
        """
        \(summary(visit))
        <form class="fields" method="post" action=\(action) novalidate\
        \(HTML.when(hasFiles, " enctype=\"multipart/form-data\""))>
        \(visit.formToken)
        \(fields.map { $0.html(visit) })
        \(extra)
        <p class="actions"><button class="primary" data-busy="\(visit.say(busy))">\
        \(visit.say(button))</button>\(otherButtons)</p>
        \(moreButtons)
        </form>
        """
    }

    /// The list of what is wrong, which takes the focus, with a link to each field.
    func summary(_ visit: Visit) -> HTML? {
        let wrong = (fields + extraFields).filter { $0.error != nil }
        guard !wrong.isEmpty || problem != nil else { return nil }
        let items = wrong.map { field -> HTML in
            """
            <li><a href="#\(field.identifier)">\(visit.say(field.label)): \
            \(field.error.map(visit.say) ?? "")</a></li>
            """
        }
        return """
            <div class="notice bad" role="alert" tabindex="-1" data-focus>
            <h2>\(visit.say(FormWords.problem))</h2>
            \(problem.map { "<p>\(visit.say($0))</p>" as HTML })
            \(HTML.when(!items.isEmpty, "<ul>\(items)</ul>"))
            </div>
            """
    }
}

enum FormWords {
    static let optional = Text("optional", "facoltativo")
    static let error = Text("Error", "Errore")
    static let problem = Text("There is a problem", "C'è un problema")
    static let show = Text("Show password", "Mostra password")
    static let hide = Text("Hide password", "Nascondi password")
}
