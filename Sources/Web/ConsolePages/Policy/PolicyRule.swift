import Dispatching
import Localization
import TaxiPages

/// A rule of a policy, with its explanation in the console.
struct PolicyRule: Sendable {
    let key: Policy.Key
    /// The title of the rule.
    let title: Text
    /// An explanation of its effect in plain language.
    let text: Text
    /// The labels of a choice's or list's values, in the order of its kind.
    let choices: [Text]

    init(_ key: Policy.Key, _ title: Text, _ text: Text, _ choices: [Text] = []) {
        self.key = key
        self.title = title
        self.text = text
        self.choices = choices
    }

    /// The definition of the key.
    var row: Policy.Row { Policy.rows[Int(key.rawValue)] }

    /// The name of the rule's form field.
    var field: String { row.name }

    /// A group of rules with a heading.
    struct Group: Sendable {
        let title: Text
        let rules: [PolicyRule]
    }

    /// All groups of rules in display order.
    static let groups = [
        offers, requests, reservations, boarding, ending, drivers, positions, sharing, accounts,
        operation,
    ]

    /// All rules in display order.
    static let all = groups.flatMap(\.rules)

    /// The display text of a value.
    func words(of value: Int64) -> Text {
        switch row.kind {
        case .seconds: Text("\(value) s", "\(value) s")
        case .hours: Text("\(value) h", "\(value) ore")
        case .metres: Text("\(value) m", "\(value) m")
        case .percent: Text(same: "\(value) %")
        case .count: Text(same: "\(value)")
        case .optional: value < 0 ? PolicyWords.noLimit : Text(same: "\(value)")
        case .flag: value == 0 ? PolicyWords.no : PolicyWords.yes
        case .choice:
            choices.indices.contains(Int(clamping: value))
                ? choices[Int(clamping: value)] : Text(same: "\(value)")
        case .fields:
            PolicyWords.list(
                choices.indices.filter { value >> Int64($0) & 1 == 1 }.map { choices[$0] }
            )
        }
    }

    /// A description of the valid values; nil for choices.
    var range: Text? {
        switch row.kind {
        case .seconds(let least, let most):
            Text("Seconds, \(least) to \(most).", "Secondi, da \(least) a \(most).")
        case .hours(let least, let most):
            Text("Hours, \(least) to \(most).", "Ore, da \(least) a \(most).")
        case .metres(let least, let most):
            Text("Metres, \(least) to \(most).", "Metri, da \(least) a \(most).")
        case .percent(let least, let most):
            Text("Percent, \(least) to \(most).", "Percento, da \(least) a \(most).")
        case .count(let least, let most):
            Text("A number, \(least) to \(most).", "Un numero, da \(least) a \(most).")
        case .optional(let least, let most):
            Text(
                "A number, \(least) to \(most), or empty for no limit.",
                "Un numero, da \(least) a \(most), o vuoto per nessun limite."
            )
        case .flag, .choice, .fields: nil
        }
    }

    /// The values in the built-in presets; a single value if all presets agree.
    var presets: Text {
        let values = Policy.shipped.map { $0[key] }
        if Set(values).count == 1, let value = values.first {
            return PolicyWords.allPresets(words(of: value))
        }
        return PolicyWords.presets(
            Policy.shipped.map { ($0.name, words(of: $0[key])) }
        )
    }

    /// The error message for an invalid value.
    var fault: Text {
        range.map { PolicyWords.fault($0) } ?? PolicyWords.chooseOne
    }
}
