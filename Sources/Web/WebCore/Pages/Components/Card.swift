package import Localization
package import Markup

/// Something that belongs together, on a surface of its own.
package struct Card: Sendable {
    package var title: HTML?
    package var content: HTML

    /// Creates a card; its title is a heading of the second level.
    package init(_ title: HTML? = nil, content: HTML) {
        self.title = title
        self.content = content
    }

    package var html: HTML {
        "<section class=\"card\">\(title.map { "<h2>\($0)</h2>" as HTML })\(content)</section>"
    }

    /// Cards in as many columns as fit.
    package static func grid(_ cards: [Card]) -> HTML {
        "<ul class=\"cards\">\(cards.map { "<li>\($0.html)</li>" as HTML })</ul>"
    }
}

/// A message in the course of a page.
package struct Notice: Sendable {
    /// What a notice is about.
    package enum Kind: Sendable {
        case information
        case success
        case warning
        case error
    }

    package var kind: Kind
    package var title: Text?
    package var text: HTML
    /// Whether screen readers say it at once: an error, or the outcome of what was just done.
    package var isAnnounced: Bool

    /// Creates a notice.
    package init(_ kind: Kind, title: Text? = nil, isAnnounced: Bool = false, _ text: HTML) {
        self.kind = kind
        self.title = title
        self.text = text
        self.isAnnounced = isAnnounced
    }

    /// The notice's HTML.
    package func html(_ context: RequestContext) -> HTML {
        let style: HTML =
            switch kind {
            case .information: "notice"
            case .success: "notice good"
            case .warning: "notice warn"
            case .error: "notice bad"
            }
        let role: HTML = kind == .error ? " role=\"alert\"" : " role=\"status\""
        return """
            <div class="\(style)"\(HTML.when(isAnnounced, role))>\
            \(title.map { "<h2>\(context.say($0))</h2>" as HTML })<p>\(text)</p></div>
            """
    }
}

/// What a list shows when it has nothing, with the next thing to do.
package struct EmptyState: Sendable {
    package var icon: Icon
    package var title: Text
    package var text: Text
    package var action: Button?

    /// Creates an empty state.
    package init(_ icon: Icon, _ title: Text, _ text: Text, action: Button? = nil) {
        self.icon = icon
        self.title = title
        self.text = text
        self.action = action
    }

    /// The HTML of the empty state.
    package func html(_ context: RequestContext) -> HTML {
        """
        <div class="empty">\(icon.html)<h2>\(context.say(title))</h2>\
        <p>\(context.say(text))</p>\
        \(action.map { "<p class=\"actions\">\($0.html(context))</p>" as HTML })</div>
        """
    }
}

/// A card of its own in the middle of a page: a form to sign in, a message, a question before
/// something that cannot be undone.
package struct Dialog: Sendable {
    package var icon: Icon?
    package var title: Text
    package var text: HTML
    /// The buttons, usually a form with the destructive one, and a link back.
    package var actions: HTML
    /// What is between text and buttons, such as a form.
    package var content: HTML = .empty
    /// Whether the icon is red, because something failed or is destroyed.
    package var isBad = false

    /// Creates a dialog; its title is the heading of the page.
    package init(_ title: Text, icon: Icon? = nil, text: HTML = .empty, actions: HTML = .empty) {
        self.icon = icon
        self.title = title
        self.text = text
        self.actions = actions
    }

    /// The dialog's HTML; its title is the heading of the page, unless a page shows more than it.
    package func html(_ context: RequestContext, level: Int = 1) -> HTML {
        """
        <section class="dialog">\(icon?.styled(isBad ? " bad" : ""))\
        <h\(level)>\(context.say(title))</h\(level)>\
        \(HTML.when(text != .empty, "<p class=\"lead\">\(text)</p>"))\(content)\
        \(HTML.when(actions != .empty, "<div class=\"actions\">\(actions)</div>"))</section>
        """
    }
}

/// A short message at the lower edge: no connection, done.
package struct Toast: Sendable {
    package var icon: Icon
    package var text: Text

    /// Creates a message.
    package init(_ icon: Icon, _ text: Text) {
        self.icon = icon
        self.text = text
    }

    /// The HTML of the message; `isInPlace` keeps it in the flow of the page.
    package func html(_ context: RequestContext, isInPlace: Bool = false) -> HTML {
        """
        <div class="toast\(HTML.when(isInPlace, " here"))" role="status">\(icon.html)\
        <span>\(context.say(text))</span></div>
        """
    }
}
