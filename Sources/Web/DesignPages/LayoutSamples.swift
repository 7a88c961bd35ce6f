import Localization
import Markup
import TaxiPages
import WebCore

/// What the pages that show the layouts have on their sheets.
struct LayoutSamples {
    private let context: RequestContext
    private let parts: DesignSheet

    init(_ context: RequestContext) {
        self.context = context
        parts = DesignSheet(context)
    }

    private func say(_ text: Text) -> HTML { "\(context.say(text))" }

    private func dock(_ label: Text, _ details: [Text] = [], isLarge: Bool = false) -> HTML {
        var button = Button(label, .link(Address("/design")), look: .primary)
        button.details = details
        button.isWide = true
        button.isLarge = isLarge
        return Dock(button.html(context)).html
    }

    /// Ordering: the question, the places, how many and when, and the button with the fare.
    var sheet: HTML {
        let places = Chips(
            [
                Chip(DesignTexts.home, icon: .home, .link(Address("/design"))),
                Chip(DesignTexts.work, icon: .work, .link(Address("/design"))),
                Chip(DesignTexts.station, icon: .history, .link(Address("/design"))),
            ],
            isLine: true
        )
        let route = RouteField(
            from: Field(name: "from", label: DesignTexts.from, value: "Via Dante 7 (±12 m)"),
            to: Field(name: "to", label: DesignTexts.to, value: "Stazione Centrale"),
            locating: """
                <button type="button" class="round">\(Icon.locate.html)<span class="hidden">\
                \(context.say(DesignTexts.locate))</span></button>
                """,
            submits: DesignTexts.continueOn
        )
        let rows = FoldedRow.list(
            [
                FoldedRow(.clock, DesignTexts.when, value: say(DesignTexts.now), content: ""),
                FoldedRow(.people, DesignTexts.passengers, value: "1", content: ""),
            ],
            context
        )
        return """
            <h1>\(say(DesignTexts.question))</h1>
            \(places.html(context))
            <form action="/design/sheet">\(route.html(context))\(rows)</form>
            \(dock(DesignTexts.order, [DesignTexts.wait, DesignTexts.fare]))
            """
    }

    /// An offer to a driver.
    var takeover: HTML {
        """
        <div class="takeover-head">\(Ring(seconds: 18, of: 30).html(context))
        <div><h1>\(say(DesignTexts.newRide))</h1><p>\(say(DesignTexts.newRideText))</p></div></div>
        \(Rows([
            Row(.flag, "Stazione Centrale", detail: "4,2 km"),
            Row(.people, "2", detail: say(DesignTexts.passengers)),
        ]).html)
        \(dock(DesignTexts.accept, isLarge: true))
        """
    }

    /// The operator's list, with a search.
    var console: HTML {
        let search = SearchBox(
            action: Address("/design/console"),
            field: Field(name: "find", label: DesignTexts.find)
        )
        let rows = Rows([
            Row(
                .phone,
                "Via Dante 7",
                detail: "08:41 · Centro",
                value: StateChip(DesignTexts.waiting, icon: .clock, tone: .live).html(context),
                address: Address("/design/console")
            ),
            Row(
                .taxi,
                "Duomo",
                detail: "08:36 · T00042",
                value: StateChip(DesignTexts.aboard, icon: .person).html(context),
                address: Address("/design/console")
            ),
        ])
        return """
            <h1>\(say(DesignTexts.requests))</h1>
            \(search.html(context))
            \(rows.html)
            """
    }

    /// The selected request.
    var drawer: HTML {
        let story = Timeline([
            Timeline.Entry(
                "<time>08:41</time>",
                .phone,
                say(DesignTexts.ordered),
                detail: "Via Dante 7"
            ),
            Timeline.Entry("<time>08:42</time>", .check, say(DesignTexts.accepted), tone: .good),
        ])
        return "<h2>Via Dante 7</h2>\(story.html)"
    }
}
