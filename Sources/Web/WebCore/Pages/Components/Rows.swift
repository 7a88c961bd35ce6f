package import Localization
package import Markup

/// A line of a list: an icon, what it is about, and its value at the end.
package struct Row: Sendable {
    package var icon: Icon
    /// What the title is the value of, in small letters above it.
    package var label: HTML?
    package var title: HTML
    package var detail: HTML?
    /// What stands at the end: a price, a time, a state.
    package var value: HTML?
    /// A form at the end, in place of a value.
    package var form: HTML?
    /// Where the row leads.
    package var address: Address?

    package init(
        _ icon: Icon,
        label: HTML? = nil,
        _ title: HTML,
        detail: HTML? = nil,
        value: HTML? = nil,
        form: HTML? = nil,
        address: Address? = nil
    ) {
        precondition(form == nil || address == nil, "a link contains a form")
        self.icon = icon
        self.label = label
        self.title = title
        self.detail = detail
        self.value = value
        self.form = form
        self.address = address
    }

    package var html: HTML {
        // A form may stand in a block only.
        let end =
            form.map { "<div class=\"end\">\($0)</div>" as HTML }
            ?? value.map { "<span class=\"end\">\($0)</span>" as HTML }
        let content: HTML = """
            \(icon.html)<span>\(label.map { "<small>\($0)</small> " as HTML })<b>\(title)</b>\
            \(detail.map { " <small>\($0)</small>" as HTML })</span> \
            \(end ?? (address == nil ? nil : Icon.next.styled(" next")))
            """
        guard let address else { return "<div class=\"row\">\(content)</div>" }
        return "<a class=\"row\" href=\(address)>\(content)</a>"
    }

    /// A value that breaks after the @ of an e-mail address where a line is too short for it.
    package static func breakable(_ value: String) -> HTML {
        let parts = value.split(separator: "@", omittingEmptySubsequences: false)
        let after = parts.dropFirst().map { "@<wbr>\(String($0))" as HTML }
        return "\(String(parts[0]))\(after)"
    }
}

/// Rows below each other on one card.
package struct Rows: Sendable {
    package var rows: [Row]

    /// Creates a list of rows.
    package init(_ rows: [Row]) {
        self.rows = rows
    }

    package var html: HTML {
        "<ul class=\"rows\">\(rows.map { "<li>\($0.html)</li>" as HTML })</ul>"
    }
}

/// Questions that are folded to one line each, with the current answer.
package struct FoldedRow: Sendable {
    package var icon: Icon
    package var label: Text
    /// The current answer.
    package var value: HTML
    /// The fields of the question.
    package var content: HTML
    /// Whether it is unfolded, because its fields have an error.
    package var isOpen: Bool

    /// Creates a folded question.
    package init(
        _ icon: Icon,
        _ label: Text,
        value: HTML,
        isOpen: Bool = false,
        content: HTML
    ) {
        self.icon = icon
        self.label = label
        self.value = value
        self.isOpen = isOpen
        self.content = content
    }

    /// Creates a folded question from its fields; it is unfolded if one of them has an error.
    ///
    /// - Parameters:
    ///   - icon: its icon.
    ///   - label: the question.
    ///   - value: the current answer.
    ///   - isOpen: whether it is unfolded for another reason.
    ///   - fields: the fields of the question.
    ///   - context: the visitor's request, with what the fields are filled with.
    package init(
        _ icon: Icon,
        _ label: Text,
        value: HTML,
        isOpen: Bool = false,
        fields: [Field],
        _ context: RequestContext
    ) {
        self.init(
            icon,
            label,
            value: value,
            isOpen: isOpen || fields.contains { $0.error != nil },
            content: HTML.joined(fields.map { $0.html(context) })
        )
    }

    /// Several of them on one card.
    package static func list(_ rows: [FoldedRow], _ context: RequestContext) -> HTML {
        "<div class=\"rows\">\(rows.map { $0.html(context) })</div>"
    }

    private func html(_ context: RequestContext) -> HTML {
        """
        <details class="folded"\(HTML.when(isOpen, " open"))><summary>\(icon.html)\
        <span>\(context.say(label))</span> <b>\(value)</b> \(Icon.next.styled(" next"))\
        </summary><div>\(content)</div></details>
        """
    }
}
