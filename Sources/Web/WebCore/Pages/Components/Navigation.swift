package import Localization
package import Markup

/// A place in the product that is always one press away: a tab on phones, a link in the header on
/// larger screens, an item of the rail in the console.
package struct Tab: Sendable {
    package var icon: Icon
    package var label: Text
    package var address: Address
    package var isCurrent: Bool

    package init(_ icon: Icon, _ label: Text, _ address: Address, isCurrent: Bool) {
        self.icon = icon
        self.label = label
        self.address = address
        self.isCurrent = isCurrent
    }

    /// The tab's HTML, an item of a list.
    package func html(_ context: RequestContext) -> HTML {
        """
        <li><a href=\(address)\(HTML.when(isCurrent, " aria-current=\"true\""))>\(icon.html) \
        <span>\(context.say(label))</span></a></li>
        """
    }
}

/// The way from the first page to this one.
package struct Breadcrumbs: Sendable {
    /// The steps before this page.
    package var steps: [(text: Text, address: Address)]

    package init(_ steps: [(text: Text, address: Address)]) {
        self.steps = steps
    }

    /// The HTML of the way.
    package func html(_ context: RequestContext) -> HTML {
        let links = steps.map { step -> HTML in
            "<li><a href=\(step.address)>\(context.say(step.text))</a></li>"
        }
        return """
            <nav class="trail wide" aria-label="\(context.say(ComponentTexts.trail))">\
            <ol>\(links)</ol></nav>
            """
    }
}

/// The way to the pages of a long list.
package struct Pagination: Sendable {
    package var before: Address?
    package var after: Address?
    /// What this page shows, such as "21 to 40 of 312".
    package var words: Text

    /// Creates the links.
    package init(before: Address?, after: Address?, _ words: Text) {
        self.before = before
        self.after = after
        self.words = words
    }

    /// The HTML of the links.
    package func html(_ context: RequestContext) -> HTML {
        func link(_ address: Address?, _ text: Text) -> HTML {
            guard let address else { return "<span></span>" }
            return Button(text, .link(address)).html(context)
        }
        return """
            <nav class="pages" aria-label="\(context.say(ComponentTexts.pages))">\
            \(link(before, ComponentTexts.previous)) <span>\(context.say(words))</span> \
            \(link(after, ComponentTexts.following))</nav>
            """
    }
}

/// A map with its caption: the visible equivalent of the text before it.
package struct MapFigure: Sendable {
    package var map: HTML
    package var caption: Text?

    /// Creates a figure around a map or its still picture.
    package init(_ map: HTML, caption: Text? = nil) {
        self.map = map
        self.caption = caption
    }

    /// The HTML of the figure in a page of text; a page with a map of its own takes `page.map`.
    package func html(_ context: RequestContext) -> HTML {
        """
        <figure class="map-figure">\(map)\
        \(caption.map { "<figcaption>\(context.say($0))</figcaption>" as HTML })</figure>
        """
    }
}
