package import Localization
package import Markup

/// A form field: label, hint, error and current value, in this order (ui.md 4.1, 9).
package struct Field: Sendable {
    /// The kinds of form fields.
    package enum Kind: Sendable {
        case text
        case email
        case telephone
        case newPassword
        case currentPassword
        case number
        case date
        case time
        /// A date and a time on the city's clocks, such as `2026-11-30T08:30`.
        case moment
        case longText
        case file(accept: StaticString)
        case choice([(value: String, label: Text)])
        /// A choice of one option; all options are visible.
        case oneOf([(value: String, label: Text)])
        /// A choice of any number of options; the field's value lists the selected ones, separated
        /// by commas.
        case several([(value: String, label: Text)])
    }

    package var name: String
    /// The heading above the field, if it starts a new group.
    package var heading: Text?
    package var label: Text
    package var kind = Kind.text
    package var hint: Text?
    package var value = ""
    /// The error message for the entered value.
    package var error: Text?
    /// The value of the HTML `autocomplete` attribute.
    package var autocomplete: StaticString = "off"
    package var isRequired = true
    /// An example of what to type, beside the label.
    package var placeholder: Text?
    /// How to type the value: text browsers, which offer no way to choose it, show what is hidden.
    package var example: Text?
    /// The icon inside the field, at its beginning.
    package var icon: Icon?
    /// Whether an optional field does not say so, because its whole form is optional.
    package var hidesOptional = false

    /// Creates a form field.
    package init(
        name: String,
        heading: Text? = nil,
        label: Text,
        kind: Kind = .text,
        hint: Text? = nil,
        value: String = "",
        error: Text? = nil,
        autocomplete: StaticString = "off",
        isRequired: Bool = true
    ) {
        self.name = name
        self.heading = heading
        self.label = label
        self.kind = kind
        self.hint = hint
        self.value = value
        self.error = error
        self.autocomplete = autocomplete
        self.isRequired = isRequired
    }

    /// The element's id on the page, the target of links in the error summary.
    package var identifier: String { "field-\(name)" }

    /// The field's HTML, with label, hint and error.
    package func html(_ context: RequestContext) -> HTML {
        refilled(context).element(context)
    }

    private func element(_ context: RequestContext) -> HTML {
        if case .several(let choices) = kind { return boxes(choices, "checkbox", context) }
        if case .oneOf(let choices) = kind { return boxes(choices, "radio", context) }
        return """
            \(heading.map { "<h2>\(context.say($0))</h2>" as HTML })
            <div class="\(error == nil ? "field" : "field wrong")">
            <label for="\(identifier)">\(context.say(label))\(optional(context))</label>
            \(hint.map { hint($0, context) })
            \(example.map { "<span hidden>\(context.say($0))</span>" as HTML })
            \(error.map { message($0, context) })
            \(sign.map { "<span class=\"iconed\">\($0.html)\(control(context))</span>" as HTML }
                ?? control(context))
            </div>
            """
    }

    /// The icon inside the field: its own, or that of its kind.
    private var sign: Icon? {
        if let icon { return icon }
        return switch kind {
        case .email: .mail
        case .telephone: .phone
        case .newPassword, .currentPassword: .lock
        default: nil
        }
    }

    func hint(_ text: Text, _ context: RequestContext) -> HTML {
        "<span class=\"hint\" id=\"\(identifier)-hint\">\(context.say(text))</span>"
    }

    /// A group of radio buttons or checkboxes.
    private func boxes(
        _ choices: [(value: String, label: Text)],
        _ type: HTML,
        _ context: RequestContext
    ) -> HTML {
        let chosen = value.split(separator: ",").map(String.init)
        let boxes = choices.enumerated().map { place, choice -> HTML in
            // The first box uses the field's id, the target of the link in the error summary.
            let box = place == 0 ? identifier : "\(identifier)-\(place)"
            return """
                <div class="choice"><input type="\(type)" id="\(box)" name="\(name)" \
                value="\(choice.value)"\(HTML.when(chosen.contains(choice.value), " checked"))>
                <label for="\(box)">\(context.say(choice.label))</label></div>
                """
        }
        return """
            \(heading.map { "<h2>\(context.say($0))</h2>" as HTML })
            <fieldset class="\(error == nil ? "field" : "field wrong")"\(described)>
            <legend>\(context.say(label))\(optional(context))</legend>
            \(hint.map { hint($0, context) })
            \(error.map { message($0, context) })
            \(boxes)
            </fieldset>
            """
    }

    func optional(_ context: RequestContext) -> HTML? {
        isRequired || hidesOptional
            ? nil : " <span class=\"hint\">(\(context.say(FormTexts.optional)))</span>"
    }

    func message(_ error: Text, _ context: RequestContext) -> HTML {
        """
        <span class="error" id="\(identifier)-error">\
        <span class="hidden">\(context.say(FormTexts.error)): </span>\(context.say(error))</span>
        """
    }

    /// The ids of the hint and error for `aria-describedby`.
    private var described: HTML? {
        let identifiers = [
            hint.map { _ in "\(identifier)-hint" }, error.map { _ in "\(identifier)-error" },
        ]
        .compactMap(\.self)
        guard !identifiers.isEmpty else { return nil }
        return " aria-describedby=\"\(identifiers.joined(separator: " "))\""
    }

    func control(_ context: RequestContext) -> HTML {
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
                \(HTML.when(choice.value == value, " selected"))>\(context.say(choice.label))\
                </option>
                """
            }
            return "<select \(common)>\(options)</select>"
        case .newPassword, .currentPassword:
            return """
                <input \(common) type="password" autocomplete="\(autofill)" \
                data-show="\(context.say(FormTexts.show))" \
                data-hide="\(context.say(FormTexts.hide))">
                """
        case .file(let accept):
            return "<input \(common) type=\"file\" accept=\"\(accept.description)\">"
        default:
            return """
                <input \(common) type="\(type)" value="\(value)" autocomplete="\(autofill)"\
                \(placeholder.map { " placeholder=\"\(context.say($0))\"" as HTML })\
                \(HTML.when(isCode, " autocapitalize=\"off\" spellcheck=\"false\""))>
                """
        }
    }

    /// Whether an option is always selected: such a field is never empty and needs no `required`
    /// attribute.
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
        case .moment: "datetime-local"
        default: "text"
        }
    }
}

/// A form: error summary first, then the fields and one primary button.
package struct FormPage: Sendable {
    package var action: Address
    package var fields: [Field]
    package var button: Text
    /// The button's label while the form is being sent.
    package var busy: Text
    /// An error that concerns the form as a whole.
    package var problem: Text?
    /// Additional markup between the fields and the button.
    package var extra: HTML = .empty
    /// The fields within `extra`, for the error summary.
    package var extraFields: [Field] = []
    package var hasFiles = false
    /// Whether the primary button destroys something.
    package var isDestructive = false
    /// Buttons after the primary one that submit the same fields for another action.
    package var otherButtons: HTML = .empty
    /// Additional rows of such buttons below the first.
    package var moreButtons: HTML = .empty

    /// Creates a form with its primary button.
    package init(
        action: Address,
        fields: [Field],
        button: Text,
        busy: Text,
        problem: Text? = nil,
        extra: HTML = .empty,
        extraFields: [Field] = [],
        hasFiles: Bool = false,
        otherButtons: HTML = .empty,
        moreButtons: HTML = .empty
    ) {
        self.action = action
        self.fields = fields
        self.button = button
        self.busy = busy
        self.problem = problem
        self.extra = extra
        self.extraFields = extraFields
        self.hasFiles = hasFiles
        self.otherButtons = otherButtons
        self.moreButtons = moreButtons
    }

    /// The form's HTML, with the error summary.
    package func html(_ context: RequestContext) -> HTML {
        """
        \(summary(context))
        <form class="fields" method="post" action=\(action) novalidate\
        \(HTML.when(hasFiles, " enctype=\"multipart/form-data\""))>
        \(context.formToken)
        \(fields.map { $0.html(context.refilling(action)) })
        \(extra)
        <p class="actions"><button class="primary\(HTML.when(isDestructive, " danger"))" \
        data-busy="\(context.say(busy))">\
        \(context.say(button))</button>\(otherButtons)</p>
        \(moreButtons)
        \(fields.isEmpty && extra == .empty ? nil : context.languageButtons(action))
        </form>
        """
    }

    /// The error summary, which receives the focus and links to each invalid field.
    package func summary(_ context: RequestContext) -> HTML? {
        let wrong = (fields + extraFields).filter { $0.error != nil }
        guard !wrong.isEmpty || problem != nil else { return nil }
        let items = wrong.map { field -> HTML in
            """
            <li><a href="#\(field.identifier)">\(context.say(field.label)): \
            \(field.error.map(context.say) ?? "")</a></li>
            """
        }
        return """
            <div class="notice bad" role="alert" tabindex="-1" data-focus>
            <h2>\(context.say(FormTexts.problem))</h2>
            \(problem.map { "<p>\(context.say($0))</p>" as HTML })
            \(HTML.when(!items.isEmpty, "<ul>\(items)</ul>"))
            </div>
            """
    }
}
