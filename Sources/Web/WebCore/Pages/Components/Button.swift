package import Localization
package import Markup

/// A button: a link that looks like one, or a control that submits its form.
///
/// A screen has one primary button.
package struct Button: Sendable {
    /// How much attention a button asks for.
    package enum Look: Sendable {
        case primary
        case secondary
        case destructive
        /// Without a border, for what is rarely used.
        case plain
    }

    /// What pressing a button does.
    package enum Target: Sendable {
        case link(Address)
        /// Submits the form, with a field if the form has several buttons.
        case submit(name: String = "", value: String = "")
    }

    package var label: Text
    package var target: Target
    package var look: Look
    package var icon: Icon?
    /// What the label promises, as in "Order · 4 min · about €8".
    package var details: [Text] = []
    /// The label while the form is being sent.
    package var busy: Text?
    /// Where it sends its form, if not to the form's own address, as text browsers do.
    package var action: Address?
    /// Whether it is pressed in a vehicle: 88 px high.
    package var isLarge = false
    /// Whether it is as wide as its container.
    package var isWide = false

    /// Creates a button.
    package init(
        _ label: Text,
        _ target: Target = .submit(),
        look: Look = .secondary,
        icon: Icon? = nil
    ) {
        self.label = label
        self.target = target
        self.look = look
        self.icon = icon
    }

    /// The button's HTML.
    package func html(_ context: RequestContext) -> HTML {
        let words: HTML = """
            <span>\(context.say(label))\
            \(details.map { " <small>· \(context.say($0))</small>" as HTML })</span>
            """
        // What leads on points away from its label.
        let content: HTML =
            icon == .next ? "\(words) \(Icon.next.html)" : "\(icon?.html) \(words)"
        switch target {
        case .link(let address):
            return "<a class=\"button \(style)\" href=\(address)>\(content)</a>"
        case .submit(let name, let value):
            let field: HTML = " name=\"\(name)\" value=\"\(value)\""
            let action = action.map { " formaction=\($0)" as HTML }
            let busy = busy.map { " data-busy=\"\(context.say($0))\"" as HTML }
            return """
                <button class="\(style)"\(HTML.when(!name.isEmpty, field))\(action)\(busy)>\
                \(content)</button>
                """
        }
    }

    private var style: HTML {
        let look: HTML =
            switch look {
            case .primary: "primary"
            case .secondary: "secondary"
            case .destructive: "danger"
            case .plain: "plain"
            }
        return look + HTML.when(isLarge, " huge") + HTML.when(isWide, " block")
    }
}

/// The primary action of a sheet, which stays on screen above the tabs.
package struct Dock: Sendable {
    package var content: HTML

    /// Creates a dock around a button or a form with one.
    package init(_ content: HTML) {
        self.content = content
    }

    /// The dock's HTML, the last part of a sheet or of the form in it.
    package var html: HTML { "<div class=\"dock\">\(content)</div>" }
}

/// A setting that is on or off: a button that submits the other state.
package struct Toggle: Sendable {
    package var label: Text
    package var isOn: Bool
    package var icon: Icon?
    /// The name of the field, whose value is `on` or `off`.
    package var name: String

    /// Creates a toggle within a form.
    package init(_ label: Text, name: String, isOn: Bool, icon: Icon? = nil) {
        self.label = label
        self.name = name
        self.isOn = isOn
        self.icon = icon
    }

    /// The toggle's HTML; it says its state in a word too.
    package func html(_ context: RequestContext) -> HTML {
        """
        <button class="toggle" name="\(name)" value="\(isOn ? "off" : "on")" \
        aria-pressed="\(isOn ? "true" : "false")">\(icon?.html) <span>\(context.say(label))</span> \
        <b>\(context.say(isOn ? ComponentTexts.on : ComponentTexts.off))</b></button>
        """
    }
}
