package import Localization
package import Markup

/// Two places joined by a line, with a button that swaps them and one for the user's position.
package struct RouteField: Sendable {
    package var from: Field
    /// Where to; nil if the destination is not asked for.
    package var to: Field?
    /// Whether the ends can be swapped; the field `swap` is submitted then.
    package var canSwap: Bool
    /// The content at the end of the first field: the button for the user's position.
    package var locating: HTML?
    /// The primary button of the form, which Enter in one of the fields presses.
    package var submits: Text

    /// Creates the fields of a form that `submits` sends.
    package init(
        from: Field,
        to: Field?,
        canSwap: Bool = true,
        locating: HTML? = nil,
        submits: Text
    ) {
        self.from = from
        self.to = to
        self.canSwap = canSwap && to != nil
        self.locating = locating
        self.submits = submits
    }

    /// The HTML of the fields.
    ///
    /// Enter presses the first button of a form, which must not be the one that swaps: a button
    /// that nobody sees comes first.
    package func html(_ context: RequestContext) -> HTML {
        let swap: HTML = """
            <button class="swap round" name="swap" value="yes">\(Icon.swap.html)\
            <span class="hidden">\(context.say(ComponentTexts.swap))</span></button>
            """
        return """
            <button class="hidden" tabindex="-1">\(context.say(submits))</button>
            <div class="route">\(end(from, locating, context))\
            \(to.map { end($0, nil, context) })\
            \(HTML.when(canSwap, swap))</div>
            """
    }

    /// One end: its mark, label, error, input, what is inside the input, and the hint.
    private func end(_ field: Field, _ inside: HTML?, _ context: RequestContext) -> HTML {
        let field = field.refilled(context)
        return """
            <div class="end\(HTML.when(field.error != nil, " wrong"))">
            <span class="mark" aria-hidden="true"></span>\
            <label for="\(field.identifier)">\(context.say(field.label))\
            \(field.optional(context))</label>
            \(field.error.map { field.message($0, context) })
            \(field.control(context))
            \(inside.map { "<span class=\"locate\">\($0)</span>" as HTML })
            \(field.hint.map { field.hint($0, context) })
            </div>
            """
    }
}

/// A place that is suggested while somebody types.
package struct Suggestion: Sendable {
    package var icon: Icon
    package var name: String
    /// The kind of the place and its street.
    package var detail: String
    /// How far away it is.
    package var distance: String

    /// Creates a suggestion.
    package init(icon: Icon, name: String, detail: String, distance: String) {
        self.icon = icon
        self.name = name
        self.detail = detail
        self.distance = distance
    }

    /// The suggestions below a field, as the list of a combobox.
    ///
    /// - Parameters:
    ///   - suggestions: the suggestions, the best first.
    ///   - field: the field that asked for them.
    ///   - selected: the suggestion on which the arrow keys are.
    ///   - context: the visitor's request.
    /// - Returns: the list.
    package static func list(
        _ suggestions: [Suggestion],
        of field: Field,
        selected: Int?,
        _ context: RequestContext
    ) -> HTML {
        let items = suggestions.enumerated().map { place, suggestion in
            suggestion.item(
                " id=\"\(field.identifier)-\(place)\"",
                isSelected: place == selected
            )
        }
        return """
            <ul class="suggestions" role="listbox" id="\(field.identifier)-list" \
            aria-label="\(context.say(field.label))">\(items)</ul>
            """
    }

    /// The suggestion as an item of the list; a script that adds it to a list gives it an `id`.
    package func item(_ attributes: HTML = .empty, isSelected: Bool = false) -> HTML {
        """
        <li role="option"\(attributes) aria-selected="\(isSelected ? "true" : "false")">\
        \(icon.html)<b>\(name)</b><span class="number">\(distance)</span>\
        <small>\(detail)</small></li>
        """
    }
}

/// A field that searches, with its button.
package struct SearchBox: Sendable {
    package var action: Address
    package var field: Field

    /// Creates a search that a GET request answers.
    package init(action: Address, field: Field) {
        self.action = action
        self.field = field
        self.field.icon = .search
        self.field.isRequired = false
        self.field.hidesOptional = true
    }

    /// The HTML of the search.
    package func html(_ context: RequestContext) -> HTML {
        """
        <form class="search" role="search" action=\(action)>\(field.html(context))\
        <button>\(context.say(ComponentTexts.search))</button></form>
        """
    }
}
