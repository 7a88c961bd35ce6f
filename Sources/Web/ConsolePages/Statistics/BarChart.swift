import Markup
import TaxiPages

/// A chart of bars, each with a part of it told apart; it stands beside a table that says the same,
/// so readers are spared it.
struct BarChart: Sendable {
    /// A bar from the bottom, and the part of it that is drawn fuller.
    struct Bar: Sendable {
        var whole: Double
        var part: Double
    }

    /// What it shows, with what the two kinds of bars mean.
    var title: String
    /// What stands under the bars; not under all where they are many.
    var names: [String]
    var bars: [Bar]

    private static let (width, height) = (480, 180)
    private static let (left, bottom) = (40, 24)

    /// The chart.
    var html: HTML {
        let most = Self.ceiling(bars.map { max($0.whole, $0.part) }.max() ?? 0)
        let plot = Self.height - Self.bottom - 12
        let step = (Self.width - Self.left) / max(1, bars.count)
        func x(_ place: Int) -> Int { Self.left + place * step + 1 }
        // One path for all bars of a kind: a page of statistics has many.
        func drawn(_ style: HTML, _ value: (Bar) -> Double) -> HTML {
            let path = bars.enumerated().map { place, bar in
                let tall = Int((min(value(bar), most) / most * Double(plot)).rounded())
                let wide = max(1, step - 3)
                return "M\(x(place)) \(Self.height - Self.bottom)v\(-tall)h\(wide)v\(tall)z"
            }
            return "<path class=\"\(style)\" d=\"\(path.joined())\"/>"
        }
        let names = names.enumerated().filter { $0.offset % 6 == 0 }.map { place, name -> HTML in
            " <text x=\"\(x(place))\" y=\"\(Self.height - 6)\">\(name)</text>"
        }
        return """
            <figure class="chart"><figcaption><p>\(title)</p></figcaption>
            <svg viewBox="0 0 \(Self.width) \(Self.height)" aria-hidden="true" focusable="false">
            <path d="M\(Self.left) 12H\(Self.width)M\(Self.left) \(Self.height - Self.bottom)\
            H\(Self.width)"/>
            <text x="0" y="18">\(Self.text(most))</text>
            <text x="0" y="\(Self.height - Self.bottom)">0</text>
            \(drawn("whole", \.whole))\(drawn("part", \.part))\(names)</svg></figure>
            """
    }

    /// The smallest of 1, 2, 5, 10, 20, … that is no less.
    static func ceiling(_ value: Double) -> Double {
        var unit = 1.0
        while unit < 1e12 {
            for factor in [1.0, 2, 5] where unit * factor >= value { return unit * factor }
            unit *= 10
        }
        return unit
    }

    private static func text(_ value: Double) -> String { "\(Int(value))" }
}
