import Localization
import Markup
import TaxiPages
import WebCore

/// The contents of `/design`: tokens, type, icons and components.
struct DesignSheet {
    let context: RequestContext

    init(_ context: RequestContext) {
        self.context = context
    }

    /// What the query asks for, so that all appearances can be seen without scripts.
    var appearance: Page.Appearance {
        var appearance = Page.Appearance()
        appearance.theme = context.query["theme"].flatMap(Page.Appearance.Theme.init(rawValue:))
        appearance.hasHighContrast = context.query["contrast"] == "more"
        appearance.hasLargeText = context.query["text"] == "200"
        return appearance
    }

    /// The sections with their titles, in order.
    private var sections: [(id: HTML, title: Text, content: HTML)] {
        [
            ("colours", DesignTexts.colours, colours),
            ("type", DesignTexts.type, type),
            ("icons", DesignTexts.icons, icons),
            ("buttons", DesignTexts.buttons, buttons),
            ("fields", DesignTexts.fields, fields),
            ("chips", DesignTexts.chips, chips),
            ("lists", DesignTexts.lists, lists),
            ("notices", DesignTexts.notices, notices),
            ("figures", DesignTexts.figures, figures),
            ("tables", DesignTexts.tables, tables),
            ("ride", DesignTexts.ride, ride),
            ("navigation", DesignTexts.navigation, navigation),
            ("trips", DesignTexts.trips, trips),
            ("calendar", DesignTexts.calendar, calendar),
            ("map", DesignTexts.map, marks),
            ("states", DesignTexts.states, states),
        ]
    }

    var body: HTML {
        let sections = sections
        let links = sections.map { section -> HTML in
            "<li><a class=\"chip\" href=\"#\(section.id)\">\(context.say(section.title))</a></li>"
        }
        return """
            <h1>\(context.say(DesignTexts.title))</h1>
            <p class="lead">\(context.say(DesignTexts.lead))</p>
            \(switches)
            <nav aria-label="\(context.say(DesignTexts.sections))">\
            <ul class="chips">\(links)</ul></nav>
            \(sections.map { section -> HTML in
                """
                <section id="\(section.id)"><h2>\(context.say(section.title))</h2>
                \(section.content)</section>
                """
            })
            """
    }

    /// Links that keep the rest of the appearance.
    private var switches: HTML {
        func address(theme: String? = nil, contrast: String? = nil, text: String? = nil) -> Address
        {
            Address(
                "/design",
                query: [
                    "theme": theme ?? context.query["theme"] ?? "",
                    "contrast": contrast ?? context.query["contrast"] ?? "",
                    "text": text ?? context.query["text"] ?? "",
                ]
            )
        }
        let now = appearance
        let themes = Segments(
            label: DesignTexts.appearance,
            [
                (DesignTexts.device, address(theme: ""), now.theme == nil),
                (DesignTexts.light, address(theme: "light"), now.theme == .light),
                (DesignTexts.dark, address(theme: "dark"), now.theme == .dark),
            ]
        )
        let chips = Chips([
            Chip(
                DesignTexts.contrast,
                icon: .sun,
                .link(address(contrast: now.hasHighContrast ? "" : "more")),
                isCurrent: now.hasHighContrast
            ),
            Chip(
                now.hasLargeText ? DesignTexts.normal : DesignTexts.large,
                icon: .eye,
                .link(address(text: now.hasLargeText ? "" : "200")),
                isCurrent: now.hasLargeText
            ),
            Chip(DesignTexts.sheet, icon: .map, .link(Address("/design/sheet"))),
            Chip(DesignTexts.console, icon: .layers, .link(Address("/design/console"))),
            Chip(DesignTexts.takeover, icon: .bell, .link(Address("/design/takeover"))),
        ])
        return themes.html(context) + chips.html(context)
    }

    // MARK: Tokens

    private var colours: HTML {
        let names: [StaticString] = [
            "ink", "muted", "paper", "canvas", "line", "control", "primary", "primary-tint",
            "amber",
            "amber-ink", "amber-tint", "green", "green-tint", "red", "red-tint", "bus", "tram",
            "train", "bicycle", "walking", "plate", "land",
        ]
        let tiles = names.map { name -> HTML in
            let name = HTML(stringLiteral: name)
            return """
                <li><section class="card"><svg viewBox="0 0 160 56" aria-hidden="true" \
                focusable="false"><rect x="1" y="1" width="158" height="54" rx="12" \
                fill="var(--\(name))" stroke="var(--line)"/></svg>\
                <code>--\(name)</code></section></li>
                """
        }
        return "<ul class=\"tiles-of-figures plain-list\">\(tiles)</ul>"
    }

    private var type: HTML {
        """
        <section class="card">
        \(HeroNumber("4", unit: "min", label: "\(context.say(DesignTexts.heroSample))").html)
        <p class="type-title">\(context.say(DesignTexts.titleSample))</p>
        <p class="type-head">\(context.say(DesignTexts.headSample))</p>
        <p>\(context.say(DesignTexts.textSample))</p>
        <p class="hint">\(context.say(DesignTexts.labelSample))</p>
        <p class="type-tiny">\(context.say(DesignTexts.tinySample))</p>
        <p>ÀÉÌÒÙ àéìòù ß ñ ç ø ł ő ş ž € ’ “ ” – … ← → ↑ ↓ ≈ ≤ ≥</p>
        <p class="number">0123456789 · 08:42 · €12,40 · 1111</p>
        </section>
        """
    }

    private var icons: HTML {
        let items = Icon.catalogue.map { name, icon -> HTML in
            "<li><span class=\"badge quiet\">\(icon.html) \(name)</span></li>"
        }
        return "<ul class=\"chips\">\(items)</ul>"
    }
}
