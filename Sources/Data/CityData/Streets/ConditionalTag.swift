import Encoding
import OpenData
import Streets

/// The value of a tag `…:conditional`: which value the tag has at which hours.
///
/// For example `no @ (Mo-Fr 07:30-09:30; PH off); destination @ (22:00-06:00)`. Of several clauses
/// that apply at a moment the last one counts (OSM wiki, "Conditional restrictions"). A condition
/// about people other than travellers (`@ emergency`) never applies. Conditions other than hours,
/// such as weights and seasons, are not understood.
struct ConditionalTag {
    /// The values and their hours, in the order of the text.
    private(set) var clauses: [(value: String, hours: WeekHours)] = []
    /// Whether some clause was not understood.
    private(set) var isUnclear = false

    /// The groups of people to which travellers never belong.
    private static let others: Set<String> = [
        "disabled", "emergency", "permit_holder", "permit", "residents", "resident", "staff",
        "agricultural", "forestry", "delivery", "loading",
    ]
    /// The greatest number of clauses that are read.
    private static let clauseLimit = 16

    /// Reads the value of a tag for a key; a value that does not fit the key is not understood.
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

    /// The value at a minute of the week; nil if the tag without a condition applies.
    func value(at minute: UInt16) -> String? {
        clauses.last { $0.hours.contains(minute) }?.value
    }

    /// The hours at which all parts of a condition joined by `AND` hold.
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

    /// The trimmed parts of a text between separators outside parentheses.
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
        Substring(text.trimmingBlanks())
    }
}
