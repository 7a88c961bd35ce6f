import Dispatching
import Encoding
import Localization
import TaxiPages
import WebCore

/// The rules as entered in the form, with the errors in them.
struct PolicySheet: Sendable {
    /// The name of the policy.
    var name: String
    /// The entered value of each rule, in the syntax of a policy file.
    var values: [Policy.Key: String]
    /// The error messages, keyed by field.
    var faults: [String: Text] = [:]

    /// Creates a sheet with the values of a policy.
    init(_ policy: Policy) {
        name = policy.name
        values = [:]
        for row in Policy.rows { values[row.key] = row.kind.text(of: policy[row.key]) }
    }

    /// Creates a sheet from a submitted form.
    init(_ form: Form) {
        name = form["name"] ?? ""
        values = [:]
        for row in Policy.rows {
            switch row.kind {
            case .fields:
                values[row.key] = "[" + form.all(row.name).joined(separator: ", ") + "]"
            case .optional:
                let text = form[row.name] ?? ""
                values[row.key] = text.allSatisfy(\.isWhitespace) ? "none" : text
            default: values[row.key] = form[row.name] ?? ""
            }
        }
    }

    /// The policy that the sheet describes; nil if it is invalid, and then ``faults`` lists the
    /// errors.
    mutating func policy() -> Policy? {
        faults = [:]
        for rule in PolicyRule.all {
            let text = (values[rule.key] ?? "").trimmingBlanks()
            // Parse each value separately, so that it cannot inject another line into the policy
            // file.
            if rule.row.kind.value(of: text) == nil { faults[rule.field] = rule.fault }
        }
        name = name.trimmingBlanks()
        if !Self.isName(name) { faults["name"] = PolicyTexts.badName }
        guard faults.isEmpty else { return nil }
        let lines = Policy.rows.map { "\($0.name): \((values[$0.key] ?? "").trimmingBlanks())\n" }
        do {
            let policy = try Policy(text: "name: \(name)\n" + lines.joined())
            if let preset = Policy.shipped.first(where: { $0.name == name }), preset != policy {
                faults["name"] = PolicyTexts.presetName
                return nil
            }
            return policy
        } catch {
            for key in [Policy.Key.refusedMemory, .maxOffers] {
                faults[Policy.rows[Int(key.rawValue)].name] = error.text
            }
            return nil
        }
    }

    /// Whether a text is a valid name of a policy.
    static func isName(_ text: String) -> Bool {
        guard (1...40).contains(text.utf8.count), let first = text.utf8.first else { return false }
        let small = UInt8(ascii: "a")...UInt8(ascii: "z")
        return small.contains(first)
            && text.utf8.allSatisfy { byte in
                small.contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    /// The fields of the form: the name, then each rule with its explanation.
    var fields: [Field] {
        var fields = [
            Field(
                name: "name",
                label: PolicyTexts.name,
                hint: PolicyTexts.nameHint,
                value: name,
                error: faults["name"]
            )
        ]
        for group in PolicyRule.groups {
            for (place, rule) in group.rules.enumerated() {
                var field = field(of: rule)
                field.heading = place == 0 ? group.title : nil
                fields.append(field)
            }
        }
        return fields
    }

    private func field(of rule: PolicyRule) -> Field {
        let text = values[rule.key] ?? ""
        var field = Field(name: rule.field, label: rule.title)
        let hints = [rule.text, rule.range, rule.presets].compactMap(\.self)
        field.hint = Text(joining: hints, separator: " ")
        field.error = faults[rule.field]
        field.value = text
        switch rule.row.kind {
        case .seconds, .hours, .metres, .percent, .count: field.kind = .number
        case .optional:
            field.kind = .number
            field.isRequired = false
            if text == "none" { field.value = "" }
        case .flag:
            field.kind = .choice([("true", PolicyTexts.yes), ("false", PolicyTexts.no)])
        case .choice(let words):
            field.kind = .choice(zip(words, rule.choices).map { (value: $0, label: $1) })
        case .fields(let words):
            field.kind = .several(zip(words, rule.choices).map { (value: $0, label: $1) })
            field.isRequired = false
            field.value = text.dropFirst().dropLast().split(separator: ",")
                .map { $0.trimmingBlanks() }
                .joined(separator: ",")
        }
        return field
    }
}
