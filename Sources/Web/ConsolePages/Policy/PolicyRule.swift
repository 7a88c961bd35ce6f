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
    func text(of value: Int64) -> Text {
        switch row.kind {
        case .seconds: PolicyPagesTexts.s(value)
        case .hours: PolicyPagesTexts.h(value)
        case .metres: PolicyPagesTexts.m(value)
        case .percent: Text(same: "\(value) %")
        case .count: Text(same: "\(value)")
        case .optional: value < 0 ? PolicyTexts.noLimit : Text(same: "\(value)")
        case .flag: value == 0 ? PolicyTexts.no : PolicyTexts.yes
        case .choice:
            choices.indices.contains(Int(clamping: value))
                ? choices[Int(clamping: value)] : Text(same: "\(value)")
        case .fields:
            PolicyTexts.list(
                choices.indices.filter { value >> Int64($0) & 1 == 1 }.map { choices[$0] }
            )
        }
    }

    /// A description of the valid values; nil for choices.
    var range: Text? {
        switch row.kind {
        case .seconds(let least, let most):
            PolicyPagesTexts.secondsTo(least, most)
        case .hours(let least, let most):
            PolicyPagesTexts.hoursTo(least, most)
        case .metres(let least, let most):
            PolicyPagesTexts.metresTo(least, most)
        case .percent(let least, let most):
            PolicyPagesTexts.percentTo(least, most)
        case .count(let least, let most):
            PolicyPagesTexts.aNumberTo(least, most)
        case .optional(let least, let most):
            PolicyPagesTexts.aNumberToOrEmpty(least, most)
        case .flag, .choice, .fields: nil
        }
    }

    /// The values in the built-in presets; a single value if all presets agree.
    var presets: Text {
        let values = Policy.shipped.map { $0[key] }
        if Set(values).count == 1, let value = values.first {
            return PolicyTexts.allPresets(text(of: value))
        }
        return PolicyTexts.presets(
            Policy.shipped.map { ($0.name, text(of: $0[key])) }
        )
    }

    /// The error message for an invalid value.
    var fault: Text {
        range.map { PolicyTexts.fault($0) } ?? PolicyTexts.chooseOne
    }
}
