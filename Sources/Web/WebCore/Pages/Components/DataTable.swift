package import Localization
package import Markup

/// A table with sorting and right-aligned numbers, which becomes cards on phones.
package struct DataTable: Sendable {
    /// A column of the table.
    package struct Column: Sendable {
        package var head: Text
        package var isNumber: Bool
        /// Where the heading sorts by this column.
        package var sorts: Address?
        /// The current order, if the table is sorted by this column.
        package var order: Order?

        /// Creates a column.
        package init(
            _ head: Text,
            isNumber: Bool = false,
            sorts: Address? = nil,
            order: Order? = nil
        ) {
            self.head = head
            self.isNumber = isNumber
            self.sorts = sorts
            self.order = order
        }
    }

    /// The direction in which a table is sorted.
    package enum Order: Sendable {
        case ascending
        case descending
    }

    package var caption: Text
    package var columns: [Column]
    /// The cells of each row; the first cell is the row's heading.
    package var rows: [[HTML]]
    /// Whether only screen readers get the caption, because a visible heading says the same.
    package var hidesCaption: Bool

    package init(
        caption: Text,
        _ columns: [Column],
        rows: [[HTML]],
        hidesCaption: Bool = false
    ) {
        precondition(rows.allSatisfy { $0.count == columns.count }, "a row lacks a cell")
        self.caption = caption
        self.columns = columns
        self.rows = rows
        self.hidesCaption = hidesCaption
    }

    /// The table's HTML.
    package func html(_ context: RequestContext) -> HTML {
        let names = columns.map { context.say($0.head) }
        let rows = rows.map { row -> HTML in
            let cells = zip(columns, zip(names, row)).dropFirst().map { column, cell -> HTML in
                """
                <td\(HTML.when(column.isNumber, " class=\"number\"")) data-label="\(cell.0)">\
                <span>\(cell.1)</span></td>
                """
            }
            return "<tr><th scope=\"row\">\(row[0])</th>\(cells)</tr>"
        }
        return """
            <div class="scroll"><table class="as-cards">
            <caption\(HTML.when(hidesCaption, " class=\"hidden\""))>\(context.say(caption))\
            </caption>
            <thead><tr>\(columns.map { head($0, context) })</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }

    private func head(_ column: Column, _ context: RequestContext) -> HTML {
        let style = HTML.when(column.isNumber, " class=\"number\"")
        let order: HTML? = column.order.map {
            $0 == .ascending ? " aria-sort=\"ascending\"" : " aria-sort=\"descending\""
        }
        let mark = column.order.map { ($0 == .ascending ? Icon.up : Icon.down).html }
        let words: HTML = "\(context.say(column.head))\(mark)"
        let link = column.sorts.map { "<a href=\($0)>\(words)</a>" as HTML }
        return "<th scope=\"col\"\(style)\(order)>\(link ?? words)</th>"
    }
}

/// A chart of one size with its axes, units and legend.
///
/// A table with the same data stands beside it, so screen readers skip the drawing.
package struct Chart: Sendable {
    /// How a series is drawn.
    package enum Style: Sendable {
        case bars
        case partOfBars
        case line
        /// The same series in the time before.
        case before

        fileprivate var name: HTML {
            switch self {
            case .bars: "whole"
            case .partOfBars: "part"
            case .line: "curve"
            case .before: "before"
            }
        }
    }

    /// A series of values, one for each name on the horizontal axis.
    package struct Series: Sendable {
        package var label: Text
        package var style: Style
        /// Nil where nothing is known, and nothing is drawn.
        package var values: [Double?]

        /// Creates a series.
        package init(_ label: Text, _ style: Style, _ values: [Double?]) {
            self.label = label
            self.style = style
            self.values = values
        }
    }

    package var title: Text
    /// The unit of the vertical axis.
    package var unit: Text
    /// The names on the horizontal axis, of which every n-th is written.
    package var names: [String]
    /// Every how many names one is written.
    package var stride: Int
    /// The upper end of the vertical axis; nil for the next round number above all values.
    package var most: Double?
    package var series: [Series]

    private static let (width, height, left, bottom, top) = (480, 220, 44, 26, 12)

    package init(
        _ title: Text,
        unit: Text,
        names: [String],
        every stride: Int = 1,
        upTo most: Double? = nil,
        _ series: [Series]
    ) {
        self.title = title
        self.unit = unit
        self.names = names
        self.stride = max(1, stride)
        self.most = most
        self.series = series
    }

    /// The chart's HTML.
    package func html(_ context: RequestContext) -> HTML {
        let known = series.flatMap(\.values).compactMap(\.self)
        let head: HTML = """
            <figcaption><p>\(context.say(title))</p>\
            <span class="hint">\(context.say(unit))</span></figcaption>
            """
        // An axis without values would be an invention.
        guard let highest = known.max(), highest > 0 || most != nil else {
            let words = context.say(ComponentTexts.noData)
            return "<figure class=\"chart\">\(head)<p class=\"hint\">\(words)</p></figure>"
        }
        let most = most ?? Self.ceiling(highest)
        let ground = Self.height - Self.bottom
        let lines = (0...4).map { place -> HTML in
            let y = ground - place * (ground - Self.top) / 4
            return """
                <path d="M\(Self.left) \(y)H\(Self.width)"/> \
                <text class="far" x="\(Self.left - 6)" y="\(y + 4)">\
                \(Self.written(most / 4 * Double(place)))</text>
                """
        }
        let step = (Self.width - Self.left) / max(1, names.count)
        let written = names.enumerated().filter { $0.offset % stride == 0 }.map { place, name in
            let middle = Self.left + place * step + step / 2
            return " <text x=\"\(middle)\" y=\"\(Self.height - 6)\">\(name)</text>" as HTML
        }
        let legend = series.map { one -> HTML in
            """
            <li><svg viewBox="0 0 16 12" aria-hidden="true"><path class="\(one.style.name)" \
            d="\(one.style.isBars ? "M0 0h16v12H0z" : "M0 6h16")"/></svg> \
            \(context.say(one.label))</li>
            """
        }
        return """
            <figure class="chart">\(head)
            <svg viewBox="0 0 \(Self.width) \(Self.height)" aria-hidden="true" focusable="false">\
            \(lines)\(series.map { drawn($0, most, step, ground) })\(written)</svg>
            \(HTML.when(series.count > 1, "<ul class=\"legend\">\(legend)</ul>"))</figure>
            """
    }

    private func drawn(_ series: Series, _ most: Double, _ step: Int, _ ground: Int) -> HTML {
        var isOpen = false
        let path = series.values.enumerated().map { place, value -> String in
            guard let value else {
                isOpen = false
                return ""
            }
            let tall = Int((value / most * Double(ground - Self.top)).rounded())
            let x = Self.left + place * step
            if series.style.isBars {
                let wide = max(1, step - 3)
                return "M\(x + 1) \(ground)v\(-tall)h\(wide)v\(tall)z"
            }
            defer { isOpen = true }
            return "\(isOpen ? "L" : "M")\(x + step / 2) \(ground - tall)"
        }
        return "<path class=\"\(series.style.name)\" d=\"\(path.joined())\"/>"
    }

    /// The smallest round number that is not below a value and whose quarters are whole.
    ///
    /// The lines of a chart then stand at whole numbers: 4, 8, 12, 16, 20, 40, 60, 80, 100, …
    static func ceiling(_ value: Double) -> Double {
        var unit = 4.0
        while unit < 1e12 {
            for factor in [1.0, 1.5, 2, 2.5, 3, 4, 5] {
                let end = unit * factor
                if end >= value, end.truncatingRemainder(dividingBy: 4) == 0 { return end }
            }
            unit *= 10
        }
        return unit
    }

    private static func written(_ value: Double) -> String { "\(Int(value))" }
}

extension Chart.Style {
    fileprivate var isBars: Bool {
        switch self {
        case .bars, .partOfBars: true
        case .line, .before: false
        }
    }
}
