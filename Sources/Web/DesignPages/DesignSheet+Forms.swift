import Localization
import Markup
import TaxiPages
import WebCore

extension DesignSheet {
    private func button(
        _ label: Text,
        _ look: Button.Look,
        _ icon: Icon? = nil,
        isLarge: Bool = false,
        isWide: Bool = false
    ) -> HTML {
        var button = Button(label, .link(Address("/design")), look: look, icon: icon)
        button.isLarge = isLarge
        button.isWide = isWide
        return button.html(context)
    }

    var buttons: HTML {
        var order = Button(DesignTexts.order, .link(Address("/design")), look: .primary)
        order.details = [DesignTexts.wait, DesignTexts.fare]
        order.isWide = true
        return """
            <div class="cards"><section class="card">\(order.html(context))
            <p class="actions">\(button(DesignTexts.share, .secondary, .share))
            \(button(DesignTexts.cancel, .destructive, .close))
            \(button(DesignTexts.more, .plain))</p>
            <p class="actions"><span class="button" aria-disabled="true" role="link">\
            \(context.say(DesignTexts.unavailable))</span></p></section>
            <section class="card">\(button(DesignTexts.accept, .primary, .check, isLarge: true))
            <form action="/design">
            \(Toggle(DesignTexts.free, name: "theme", isOn: true, icon: .taxi).html(context))
            </form><form action="/design">
            \(Toggle(DesignTexts.wheelchair, name: "contrast", isOn: false, icon: .wheelchair)
                .html(context))
            </form></section></div>
            """
    }

    var fields: HTML {
        var name = Field(name: "name", label: DesignTexts.name, hint: DesignTexts.nameHint)
        name.icon = .person
        var mail = Field(
            name: "email",
            label: DesignTexts.email,
            kind: .email,
            value: "anna",
            error: DesignTexts.emailError
        )
        mail.icon = .mail
        let from = Field(name: "from", label: DesignTexts.from, value: "Via Dante 7")
        let to = Field(name: "to", label: DesignTexts.to, value: "Duomo")
        let route = RouteField(
            from: from,
            to: to,
            locating: """
                <button type="button" class="round">\(Icon.locate.html)<span class="hidden">\
                \(context.say(DesignTexts.locate))</span></button>
                """,
            submits: DesignTexts.continueOn
        )
        let suggestions = Suggestion.list(
            [
                Suggestion(
                    icon: .history,
                    name: "Duomo",
                    detail: "Piazza del Duomo",
                    distance: "1.2 km"
                ),
                Suggestion(
                    icon: .train,
                    name: "Centrale",
                    detail: "Piazza Duca",
                    distance: "2.4 km"
                ),
                Suggestion(icon: .pin, name: "Via Dante 7", detail: "Centro", distance: "300 m"),
            ],
            of: to,
            selected: 0,
            context
        )
        let search = SearchBox(
            action: Address("/design"),
            field: Field(name: "find", label: DesignTexts.find)
        )
        let when = FoldedRow(
            .clock,
            DesignTexts.when,
            value: "\(context.say(DesignTexts.now))",
            content: ""
        )
        let people = FoldedRow(
            .people,
            DesignTexts.passengers,
            value: "1",
            isOpen: true,
            content: ChipChoice(
                name: "seats",
                legend: DesignTexts.passengers,
                (1...4).map { ChipChoice.Option("\($0)", Text(same: "\($0)")) },
                value: "1"
            ).html(context)
        )
        return """
            <div class="cards"><form class="card" action="/design">\(route.html(context))
            \(suggestions)
            \(FoldedRow.list([when, people], context))</form>
            <form class="card" action="/design">\(name.html(context))\(mail.html(context))
            \(Field(
                name: "needs",
                label: DesignTexts.passengers,
                kind: .several([("wheelchair", DesignTexts.wheelchair)]),
                value: "wheelchair"
            ).html(context))</form>
            <div class="card">\(search.html(context))</div></div>
            """
    }

    var chips: HTML {
        let places = Chips([
            Chip(DesignTexts.home, icon: .home, .link(Address("/design"))),
            Chip(DesignTexts.work, icon: .work, .link(Address("/design"))),
            Chip(DesignTexts.station, icon: .history, .link(Address("/design"))),
        ])
        let choice = ChipChoice(
            name: "when",
            legend: DesignTexts.when,
            [
                ChipChoice.Option("now", DesignTexts.now, icon: .clock),
                ChipChoice.Option("later", DesignTexts.later, icon: .calendar),
            ],
            value: "now"
        )
        var segments = choice
        segments.name = "time"
        segments.isSegmented = true
        let states = [
            StateChip(DesignTexts.free, icon: .check, tone: .good),
            StateChip(DesignTexts.coming, icon: .navigate, tone: .live),
            StateChip(DesignTexts.aboard, icon: .person),
            StateChip(DesignTexts.lost, icon: .offline, tone: .bad),
            StateChip(DesignTexts.off, icon: .moon, tone: .quiet),
        ]
        let modes = zip(Leg.Mode.allCases, ["5", "14", "57", "12", "M1", "S6", "8"]).map {
            "<li>\(Leg($0, $1).html)</li>" as HTML
        }
        return """
            <div class="cards"><div class="card">\(places.html(context))\(choice.html(context))
            \(segments.html(context))</div>
            <div class="card"><ul class="chips">\
            \(states.map { "<li>\($0.html(context))</li>" as HTML })</ul>
            <ul class="chips">\(modes)</ul></div></div>
            """
    }
}
