/// The rules by which a language chooses the form of a sentence for a whole number.
///
/// They are written as CLDR has them (Unicode Technical Standard 35, part 3, "Language Plural
/// Rules"): `one: n % 10 = 1 and n % 100 != 11; few: n % 10 = 2..4, 9`. What fits none is `other`.
struct PluralRules {
    private var rules: [(category: PluralCategory, conditions: [[Relation]])] = []

    /// A comparison of the number, or of its remainder, with ranges.
    private struct Relation {
        let modulus: UInt64?
        let isEqual: Bool
        let ranges: [ClosedRange<UInt64>]

        func holds(for number: UInt64) -> Bool {
            let value = modulus.map { number % $0 } ?? number
            return ranges.contains { $0.contains(value) } == isEqual
        }
    }

    /// Reads rules; nil if they are written otherwise.
    init?(_ text: String) {
        for rule in text.split(separator: ";") {
            let parts = rule.split(separator: ":", maxSplits: 1)
            guard let category = parts.first.flatMap({ PluralCategory(rawValue: $0.trimmed) })
            else { return nil }
            if category == .other { continue }
            guard parts.count == 2, let conditions = Self.conditions(parts[1]) else { return nil }
            rules.append((category, conditions))
        }
    }

    /// The category of a number.
    func category(of number: Int64) -> PluralCategory {
        rules.first { rule in
            rule.conditions.contains { all in
                all.allSatisfy { $0.holds(for: number.magnitude) }
            }
        }?.category ?? .other
    }

    /// Alternatives, each of relations that must all hold.
    private static func conditions(_ text: Substring) -> [[Relation]]? {
        var alternatives: [[Relation]] = [[]]
        var words: [Substring] = []
        let all: [Substring] = text.split(separator: " ") + ["or"]
        for word in all {
            guard word == "and" || word == "or" else {
                words.append(word)
                continue
            }
            guard let relation = relation(words) else { return nil }
            alternatives[alternatives.count - 1].append(relation)
            words = []
            if word == "or" { alternatives.append([]) }
        }
        return alternatives.dropLast()
    }

    /// `n = 1`, or `n % 10 != 2..4, 9`.
    private static func relation(_ words: [Substring]) -> Relation? {
        var rest = words[...]
        guard rest.popFirst() == "n" else { return nil }
        var modulus: UInt64?
        if rest.first == "%" {
            guard let number = rest.dropFirst().first.flatMap({ UInt64($0) }), number > 0 else {
                return nil
            }
            modulus = number
            rest = rest.dropFirst(2)
        }
        guard let sign = rest.popFirst(), sign == "=" || sign == "!=", !rest.isEmpty else {
            return nil
        }
        var ranges: [ClosedRange<UInt64>] = []
        for item in rest.joined().split(separator: ",") {
            let ends = item.split(separator: ".").map { UInt64($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last,
                ends.count <= 2
            else { return nil }
            ranges.append(first...last)
        }
        return Relation(modulus: modulus, isEqual: sign == "=", ranges: ranges)
    }
}

/// The categories that plural and ordinal rules distinguish (CLDR).
enum PluralCategory: String {
    case zero, one, two, few, many, other
}

extension Substring {
    /// The text without blanks around it.
    var trimmed: String {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
