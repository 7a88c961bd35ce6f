package import Chronology
package import Localization
package import Markup
package import Taxi
package import WebCore

extension TaxiStand {
    /// The shape of the state's marker.
    ///
    /// Colour alone never distinguishes states (ui.md 4.1, 4).
    private var path: HTML {
        switch self {
        case .free: "M8 1a7 7 0 100 14a7 7 0 000-14z"
        case .offered: "M8 1l7 7-7 7-7-7z"
        case .coming: "M2 1l13 7-13 7z"
        case .there: "M1 2h14l-7 13z"
        case .aboard: "M2 2h12v12H2z"
        case .off: "M2 2h4v12H2zM10 2h4v12h-4z"
        case .lost: "M2 4l2-2 4 4 4-4 2 2-4 4 4 4-2 2-4-4-4 4-2-2 4-4z"
        case .outside: "M1 6h14v4H1z"
        }
    }

    /// The marker's shape, which the state's label must accompany.
    package var symbol: HTML {
        """
        <svg class="stand \(rawValue)" viewBox="0 0 16 16" aria-hidden="true" \
        focusable="false"><path d="\(path)"/></svg>
        """
    }

    /// The marker's shape with the state's label.
    package func html(_ context: RequestContext) -> HTML {
        "\(symbol) \(context.say(label))"
    }
}

extension TaxiPageModule {
    /// The state of a taxi, with the time since the last contact if it is lost.
    package func standText(_ stand: TaxiStand, heard: Moment?, _ context: RequestContext) -> HTML {
        guard stand == .lost, let heard else { return stand.html(context) }
        let seconds = (context.now.milliseconds - heard.milliseconds) / 1_000
        return "\(stand.html(context)) \(context.say(CommonTexts.duration(seconds: seconds)))"
    }
}

extension TaxiStand {
    /// The state in one or two words.
    package var label: Text {
        switch self {
        case .free: MapTexts.free
        case .offered: MapTexts.offeredARide
        case .coming: MapTexts.toPickup
        case .there: MapTexts.atPickup
        case .aboard: MapTexts.onBoard
        case .off: MapTexts.breakText
        case .lost: MapTexts.lostSignal
        case .outside: MapTexts.outOfTheCity
        }
    }
}
