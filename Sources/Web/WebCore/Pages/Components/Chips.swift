package import Localization
package import Markup

/// A small round button: a saved place, a filter, an answer to a question.
package struct Chip: Sendable {
    package var label: Text
    package var icon: Icon?
    package var target: Button.Target
    /// Whether it is the current filter.
    package var isCurrent = false

    package init(_ label: Text, icon: Icon? = nil, _ target: Button.Target, isCurrent: Bool = false)
    {
        self.label = label
        self.icon = icon
        self.target = target
        self.isCurrent = isCurrent
    }

    package func html(_ context: RequestContext) -> HTML {
        let content: HTML = "\(icon?.html) <span>\(context.say(label))</span>"
        switch target {
        case .link(let address):
            return """
                <a class="chip" href=\(address)\(HTML.when(isCurrent, " aria-current=\"page\""))>\
                \(content)</a>
                """
        case .submit(let name, let value):
            return "<button class=\"chip\" name=\"\(name)\" value=\"\(value)\">\(content)</button>"
        }
    }
}

/// Chips side by side.
package struct Chips: Sendable {
    package var chips: [Chip]
    /// Whether they stay on one line, which scrolls.
    package var isLine = false

    /// Creates a group of chips.
    package init(_ chips: [Chip], isLine: Bool = false) {
        self.chips = chips
        self.isLine = isLine
    }

    /// The HTML of the chips, as a list.
    package func html(_ context: RequestContext) -> HTML {
        let items = chips.map { "<li>\($0.html(context))</li>" as HTML }
        return "<ul class=\"chips\(HTML.when(isLine, " line"))\">\(items)</ul>"
    }
}

/// A choice of one option, as chips or as segments of one bar.
package struct ChipChoice: Sendable {
    /// One option of the choice.
    package struct Option: Sendable {
        package var value: String
        package var label: Text
        package var icon: Icon?

        /// Creates an option.
        package init(_ value: String, _ label: Text, icon: Icon? = nil) {
            self.value = value
            self.label = label
            self.icon = icon
        }
    }

    package var name: String
    /// What is chosen, above the options.
    package var legend: Text
    package var options: [Option]
    package var value: String
    /// Whether the options are segments of one bar: for two to four short words.
    package var isSegmented = false

    /// Creates a choice.
    package init(
        name: String,
        legend: Text,
        _ options: [Option],
        value: String,
        isSegmented: Bool = false
    ) {
        self.name = name
        self.legend = legend
        self.options = options
        self.value = value
        self.isSegmented = isSegmented
    }

    /// The HTML of the choice: radio buttons, which work without scripts.
    package func html(_ context: RequestContext) -> HTML {
        let (group, label): (HTML, HTML) =
            isSegmented ? ("segments", "segment") : ("chips", "chip")
        let items = options.enumerated().map { place, option -> HTML in
            let identifier = place == 0 ? "field-\(name)" : "field-\(name)-\(place)"
            let input: HTML = """
                <input type="radio" id="\(identifier)" name="\(name)" value="\(option.value)"\
                \(HTML.when(option.value == value, " checked"))>\
                <label class="\(label)" for="\(identifier)">\(option.icon?.html) \
                \(context.say(option.label))</label>
                """
            return isSegmented ? "<div>\(input)</div>" : input
        }
        return """
            <fieldset class="field"><legend>\(context.say(legend))</legend>
            <div class="\(group)">\(items)</div></fieldset>
            """
    }
}

/// Links to the views of a page as segments of one bar.
package struct Segments: Sendable {
    package var label: Text
    package var links: [(text: Text, address: Address, isCurrent: Bool)]

    /// Creates the bar; its label names it for screen readers.
    package init(label: Text, _ links: [(text: Text, address: Address, isCurrent: Bool)]) {
        self.label = label
        self.links = links
    }

    package func html(_ context: RequestContext) -> HTML {
        let items = links.map { link -> HTML in
            """
            <li><a class="segment" href=\(link.address)\
            \(HTML.when(link.isCurrent, " aria-current=\"page\""))>\
            \(context.say(link.text))</a></li>
            """
        }
        return """
            <nav aria-label="\(context.say(label))"><ul class="segments">\(items)</ul></nav>
            """
    }
}

/// What something does or how it is: an icon and a word on a tint, never colour alone.
package struct StateChip: Sendable {
    package var word: Text
    package var icon: Icon
    package var tone: Tone

    /// Creates a chip for a state.
    package init(_ word: Text, icon: Icon, tone: Tone = .plain) {
        self.word = word
        self.icon = icon
        self.tone = tone
    }

    package func html(_ context: RequestContext) -> HTML {
        "<span class=\"badge \(tone.style)\">\(icon.html) \(context.say(word))</span>"
    }
}

/// What a colour says; an icon and a word say it too.
package enum Tone: Sendable, CaseIterable {
    case plain
    case good
    /// Happening now, or needs attention soon.
    case live
    case bad
    case quiet

    var style: HTML {
        switch self {
        case .plain: .empty
        case .good: "good"
        case .live: "live"
        case .bad: "bad"
        case .quiet: "quiet"
        }
    }
}
