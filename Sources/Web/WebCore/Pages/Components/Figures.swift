package import Localization
package import Markup

/// The one large figure of a screen: minutes until arrival, the place in the queue.
package struct HeroNumber: Sendable {
    package var label: HTML
    package var value: HTML
    package var unit: HTML?

    /// Creates the figure with what it means.
    package init(_ value: HTML, unit: HTML? = nil, label: HTML) {
        self.value = value
        self.unit = unit
        self.label = label
    }

    /// The figure's HTML.
    package var html: HTML {
        """
        <p class="hero-number"><b>\(value)\(unit.map { " <small>\($0)</small>" as HTML })</b> \
        \(label)</p>
        """
    }
}

/// The steps of something on one line.
package struct Steps: Sendable {
    package var names: [Text]
    package var current: Int

    /// Creates the line; `current` counts from 0.
    package init(_ names: [Text], current: Int) {
        self.names = names
        self.current = current
    }

    /// The HTML of the line, a list that tells screen readers the current step.
    package func html(_ context: RequestContext) -> HTML {
        let items = names.enumerated().map { place, name -> HTML in
            let mark: HTML =
                place == current
                ? " aria-current=\"step\"" : place < current ? " class=\"done\"" : ""
            return "<li\(mark)>\(context.say(name))</li>"
        }
        return "<ol class=\"progress\">\(items)</ol>"
    }
}

/// A ring that runs down, with the seconds that are left.
package struct Ring: Sendable {
    package var seconds: Int
    package var of: Int
    /// Further attributes of the seconds, for a script.
    package var attributes: HTML = .empty

    /// Creates a ring of which `seconds` of `of` are left.
    package init(seconds: Int, of whole: Int) {
        precondition(whole > 0, "a ring needs a duration")
        self.seconds = seconds
        of = whole
    }

    /// The ring's HTML; its circle has a length of 100, which a script shortens.
    package func html(_ context: RequestContext) -> HTML {
        let left = max(0, min(100, seconds * 100 / of))
        return """
            <div class="ring"><svg viewBox="0 0 120 120" aria-hidden="true" focusable="false">\
            <circle cx="60" cy="60" r="54"/><circle class="left" cx="60" cy="60" r="54" \
            pathLength="100" stroke-dasharray="\(left) 100"/></svg>\
            <b role="timer" aria-live="off"\(attributes)>\
            \(context.say(ComponentTexts.seconds(seconds)))</b></div>
            """
    }
}

/// A figure of statistics, with its change to the time before.
package struct StatisticTile: Sendable {
    package var label: Text
    package var value: String
    package var unit: String
    /// The change to the time before, with its tone, as a state.
    package var change: StateChip?

    package init(_ label: Text, _ value: String, unit: String = "", change: StateChip? = nil) {
        self.label = label
        self.value = value
        self.unit = unit
        self.change = change
    }

    /// Tiles in as many columns as fit.
    package static func grid(_ tiles: [StatisticTile], _ context: RequestContext) -> HTML {
        let items = tiles.map { tile -> HTML in
            """
            <dl class="tile"><div><dt>\(context.say(tile.label))</dt>\
            <dd class="value">\(tile.value)\
            \(HTML.when(!tile.unit.isEmpty, " <small>\(tile.unit)</small>"))</dd>\
            \(tile.change.map { "<dd>\($0.html(context))</dd>" as HTML })</div></dl>
            """
        }
        return "<div class=\"tiles-of-figures\">\(items)</div>"
    }
}

/// What happened, or what a day has, along a line.
package struct Timeline: Sendable {
    /// A point of the line.
    package struct Entry: Sendable {
        package var time: HTML
        package var icon: Icon
        package var title: HTML
        package var detail: HTML?
        package var tone: Tone

        package init(
            _ time: HTML,
            _ icon: Icon,
            _ title: HTML,
            detail: HTML? = nil,
            tone: Tone = .plain
        ) {
            self.time = time
            self.icon = icon
            self.title = title
            self.detail = detail
            self.tone = tone
        }
    }

    package var entries: [Entry]

    /// Creates a line; the order is that of its entries.
    package init(_ entries: [Entry]) {
        self.entries = entries
    }

    package var html: HTML {
        let items = entries.map { entry -> HTML in
            """
            <li class="\(entry.tone.style)">\(entry.time) \(entry.icon.html)\
            <span><b>\(entry.title)</b>\
            \(entry.detail.map { " <small>\($0)</small>" as HTML })</span></li>
            """
        }
        return "<ol class=\"timeline\">\(items)</ol>"
    }
}
