package import Localization
package import Markup
package import WebCore

/// A taxi's number plate, drawn as one: passengers compare it with the car.
package struct NumberPlate: Sendable {
    package var number: String

    package init(_ number: String) {
        self.number = number
    }

    /// The plate's HTML.
    package var html: HTML { "<span class=\"number-plate\">\(number)</span>" }
}

/// The code that a passenger says to the driver, one box for each digit.
package struct RideCode: Sendable {
    package var code: String

    package init(_ code: String) {
        self.code = code
    }

    /// The code's HTML, which reads as one word.
    package var html: HTML {
        "<span class=\"code\">\(code.map { "<b>\(String($0))</b>" as HTML })</span>"
    }
}

/// Where a ride begins and ends: two places joined by a line.
package struct Journey: Sendable {
    /// The ends, each with what it is.
    package var ends: [(label: Text, place: String)]

    /// Creates the list of one or two ends.
    package init(_ ends: [(label: Text, place: String)]) {
        self.ends = ends
    }

    /// The HTML of the list; nil if no place is known.
    package func html(_ context: RequestContext) -> HTML? {
        guard !ends.isEmpty else { return nil }
        let items = ends.map { end -> HTML in
            "<div><dt>\(context.say(end.label))</dt><dd>\(end.place)</dd></div>"
        }
        return "<dl class=\"journey\">\(items)</dl>"
    }
}

/// A receipt with its breakdown; the proof that it is genuine is folded.
package struct ReceiptCard: Sendable {
    package var title: HTML
    /// Where and when, below the title.
    package var detail: HTML
    /// The taxi and the way, above the breakdown.
    package var ride: HTML?
    /// The parts of the fare.
    package var lines: [(label: Text, amount: String)]
    package var total: (label: Text, amount: String)
    /// What shows that the receipt is genuine.
    package var proof: HTML?

    /// Creates a receipt.
    package init(
        title: HTML,
        detail: HTML,
        ride: HTML? = nil,
        lines: [(label: Text, amount: String)],
        total: (label: Text, amount: String),
        proof: HTML? = nil
    ) {
        self.title = title
        self.detail = detail
        self.ride = ride
        self.lines = lines
        self.total = total
        self.proof = proof
    }

    /// The receipt's HTML.
    package func html(_ context: RequestContext) -> HTML {
        func line(_ label: Text, _ amount: String, _ style: HTML) -> HTML {
            "<div\(style)><dt>\(context.say(label))</dt><dd>\(amount)</dd></div>"
        }
        let proof = proof.map { proof -> HTML in
            """
            <details class="folded"><summary>\(Icon.shield.html)\
            <span>\(context.say(LookTexts.verify))</span>\(Icon.next.html)</summary>\
            <div>\(proof)</div></details>
            """
        }
        return """
            <section class="card receipt"><h2>\(title)</h2><p class="lead">\(detail)</p>\(ride)
            <dl class="lines">\(lines.map { line($0.label, $0.amount, .empty) })\
            \(line(total.label, total.amount, " class=\"total\""))</dl>\(proof)</section>
            """
    }
}

/// A means of transport in its colour, with a line or the minutes.
package struct Leg: Sendable {
    /// How people travel.
    package enum Mode: Sendable, CaseIterable {
        case walking
        case bicycle
        case bus
        case tram
        case metro
        case train
        case taxi

        /// The icon of the mode.
        package var icon: Icon {
            switch self {
            case .walking: .walking
            case .bicycle: .bicycle
            case .bus: .bus
            case .tram: .tram
            case .metro: .metro
            case .train: .train
            case .taxi: .taxi
            }
        }

        fileprivate var style: HTML {
            switch self {
            case .walking: "walking"
            case .bicycle: "bicycle"
            case .bus: "bus"
            case .tram: "tram"
            case .metro: "metro"
            case .train: "train"
            case .taxi: "taxi"
            }
        }
    }

    package var mode: Mode
    package var label: String

    /// Creates a capsule.
    package init(_ mode: Mode, _ label: String) {
        self.mode = mode
        self.label = label
    }

    /// The capsule's HTML.
    package var html: HTML {
        "<span class=\"leg \(mode.style)\">\(mode.icon.html) \(label)</span>"
    }
}
