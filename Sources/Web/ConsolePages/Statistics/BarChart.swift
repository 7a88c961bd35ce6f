import Markup
import TaxiPages

/// A bar chart in which a part of each bar is highlighted.
///
/// It is hidden from screen readers because a table next to it contains the same data.
struct BarChart: Sendable {
    /// A bar and the highlighted part at its bottom.
    struct Bar: Sendable {
        var whole: Double
        var part: Double
    }

    /// The title, which explains the two kinds of bars.
    var title: String
    /// The labels under the bars; if there are many bars, some labels are omitted.
    var names: [String]
    var bars: [Bar]

    private static let (width, height) = (480, 180)
    private static let (left, bottom) = (40, 24)

    /// The chart as inline SVG.
    var html: HTML {
        let most = Self.ceiling(bars.map { max($0.whole, $0.part) }.max() ?? 0)
        let plot = Self.height - Self.bottom - 12
        let step = (Self.width - Self.left) / max(1, bars.count)
        func x(_ place: Int) -> Int { Self.left + place * step + 1 }
        // Draw all bars of a kind as one path, because a statistics page has many bars.
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

    /// The smallest number of the sequence 1, 2, 5, 10, 20, … that is not below a value.
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
