import Streets

/// The value of a tag `…:conditional`: which value the tag has at which hours.
///
/// `no @ (Mo-Fr 07:30-09:30; PH off); destination @ (22:00-06:00)`: of several clauses that hold at
/// a moment the last counts (OSM wiki, "Conditional restrictions"). A condition about someone that
/// the traveller is not (`@ emergency`) never holds. Others that are no hours, such as weights and
/// seasons, are not understood.
struct ConditionalTag {
    /// The values and their hours, in the order of the text.
    private(set) var clauses: [(value: String, hours: WeekHours)] = []
    /// Whether some clause was not understood.
    private(set) var isUnclear = false

    /// Who a condition may be about, and the traveller never is.
    private static let others: Set<String> = [
        "disabled", "emergency", "permit_holder", "permit", "residents", "resident", "staff",
        "agricultural", "forestry", "delivery", "loading",
    ]
    /// More clauses are not read.
    private static let clauseLimit = 16

    /// Reads the value of a tag about a key; a value that says nothing about it is not understood.
    init(_ text: String, of key: StreetKey) {
        for clause in Self.parts(of: text, ";").prefix(Self.clauseLimit) {
            guard let at = clause.firstIndex(of: "@") else {
                isUnclear = isUnclear || !clause.isEmpty
                continue
            }
            let value = Self.trimmed(clause[..<at])
            let condition = Self.trimmed(clause[clause.index(after: at)...])
            if Self.others.contains(String(condition)) { continue }
            if !value.isEmpty, let hours = Self.hours(condition),
                StreetTags.isKnown(String(value), of: key)
            {
                clauses.append((String(value), hours))
            } else {
                isUnclear = true
            }
        }
    }

    /// The value at a minute of the week; nil where the tag without condition holds.
    func value(at minute: UInt16) -> String? {
        clauses.last { $0.hours.contains(minute) }?.value
    }

    /// The hours at which all parts of a condition hold that `AND` joins.
    private static func hours(_ text: Substring) -> WeekHours? {
        var hours: WeekHours?
        for part in text.split(separator: " AND ", omittingEmptySubsequences: false) {
            var part = trimmed(part)
            if part.hasPrefix("("), part.hasSuffix(")") { part = part.dropFirst().dropLast() }
            guard let own = WeekHours(openingHours: part) else { return nil }
            hours = hours.map { $0.intersection(own) } ?? own
        }
        return hours
    }

    /// The parts of a text at a separator outside of parentheses, trimmed.
    private static func parts(of text: String, _ separator: Character) -> [Substring] {
        var parts: [Substring] = []
        var depth = 0
        var start = text.startIndex
        for index in text.indices {
            switch text[index] {
            case "(": depth += 1
            case ")": depth -= 1
            case separator where depth <= 0:
                parts.append(trimmed(text[start..<index]))
                start = text.index(after: index)
            default: break
            }
        }
        parts.append(trimmed(text[start...]))
        return parts
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return text
    }
}
