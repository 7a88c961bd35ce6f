import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// What lies on maps, and the states of what is pressed or filled in.
extension DesignSheet {
    private func say(_ text: Text) -> HTML { "\(context.say(text))" }

    // MARK: Maps

    /// The marks of a ride as `map.js` draws them, and those of taxis with their words.
    var marks: HTML {
        let pins: [(kind: HTML, width: HTML, shape: HTML, name: Text)] = [
            (
                "meeting", "40",
                """
                <path d="M20 46C13 37 4 29 4 19a16 16 0 0132 0c0 10-9 18-16 27z"/>\
                <text x="20" y="26">A</text>
                """,
                DesignTexts.from
            ),
            (
                "destination", "40",
                """
                <path d="M10 4h20a6 6 0 016 6v20a6 6 0 01-6 6h-4l-6 10-6-10h-4a6 6 0 01-6-6V10a6 6 \
                0 016-6z"/><text x="20" y="26">B</text>
                """,
                DesignTexts.to
            ),
            ("stop", "24", "<path d=\"M12 36a9 9 0 100-18 9 9 0 000 18z\"/>", DesignTexts.stop),
            (
                "taxi", "28",
                """
                <path class="body" d="M8 2h12q6 0 7 8v30q0 6-6 6H7q-6 0-6-6V10q1-8 7-8z"/>\
                <path class="glass" d="M5 18q9-6 18 0l-2 6H7zM7 38h14l2 4q-9 4-18 0z"/>\
                <rect class="sign" x="9" y="28" width="10" height="5" rx="1.5"/>
                """,
                DesignTexts.taxi
            ),
        ]
        let items = pins.map { pin -> HTML in
            """
            <li><svg class="drawn \(pin.kind)" viewBox="0 0 \(pin.width) 48" width="\(pin.width)" \
            height="48" aria-hidden="true" focusable="false">\(pin.shape)</svg> \
            \(say(pin.name))</li>
            """
        }
        let taxis = TaxiStand.allCases.map { "<li>\($0.html(context))</li>" as HTML }
        return """
            <div class="cards"><div class="card"><ul class="chips">\(items)</ul></div>
            <div class="card"><ul class="legend">\(taxis)</ul></div></div>
            """
    }

    // MARK: States

    /// Buttons that wait, are pressed, have the focus and cannot be used, and boxes.
    var states: HTML {
        let boxes = Field(
            name: "boxes",
            label: DesignTexts.states,
            kind: .several([("on", DesignTexts.saved), ("off", DesignTexts.off)]),
            value: "on"
        )
        let choice = Field(
            name: "one",
            label: DesignTexts.when,
            kind: .oneOf([("now", DesignTexts.now), ("later", DesignTexts.later)]),
            value: "now"
        )
        return """
            <div class="cards"><div class="card"><p class="actions">\
            <button type="button" class="primary" aria-busy="true">\
            \(say(DesignTexts.busy))</button> \
            <button type="button" class="chip" aria-pressed="true">\
            \(say(DesignTexts.home))</button> \
            <a class="button focus" href="/design">\(say(DesignTexts.focus))</a> \
            <span class="button" aria-disabled="true" role="link">\
            \(say(DesignTexts.unavailable))</span></p></div>
            <form class="card" action="/design">\
            \(boxes.html(context))\(choice.html(context))</form>\
            </div>
            """
    }
}
