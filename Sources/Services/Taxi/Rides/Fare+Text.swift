package import Fares

extension Fare {
    /// The fare as text for tables and receipts.
    ///
    /// Each part is a line with its name and its amount in minor units, separated by tabs.
    package var text: String {
        lines.map { line in
            let words: [String] =
                switch line.kind {
                case .initialDay: ["initial-day"]
                case .initialNight: ["initial-night"]
                case .initialHoliday: ["initial-holiday"]
                case .travelled: ["travelled"]
                case .minimum: ["minimum"]
                case .surcharge(let name, let count): ["surcharge", Self.plain(name), "\(count)"]
                case .fixed(let one, let other): ["fixed", Self.plain(one), Self.plain(other)]
                }
            return (words + ["\(line.amount)"]).joined(separator: "\t")
        }
        .joined(separator: "\n")
    }

    /// Replaces separators in a name by blanks.
    private static func plain(_ name: String) -> String {
        String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    /// Parses the parts of a fare; nil if the text is invalid.
    package init?(text: String, currency: Currency) {
        var lines: [Line] = []
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = part.split(separator: "\t", omittingEmptySubsequences: false)
            guard let last = words.last, let amount = Int64(last),
                let kind = Self.kind(words.dropLast().map { String($0) })
            else { return nil }
            lines.append(Line(kind: kind, amount: amount))
        }
        self.init(lines: lines, currency: currency)
    }

    private static func kind(_ words: [String]) -> Line.Kind? {
        switch (words.first, words.count) {
        case ("initial-day", 1): .initialDay
        case ("initial-night", 1): .initialNight
        case ("initial-holiday", 1): .initialHoliday
        case ("travelled", 1): .travelled
        case ("minimum", 1): .minimum
        case ("surcharge", 3): Int64(words[2]).map { .surcharge(words[1], count: $0) }
        case ("fixed", 3): .fixed(words[1], words[2])
        default: nil
        }
    }
}
