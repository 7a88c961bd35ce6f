import Encoding

extension Policy {
    /// Reads a policy file: lines of `key: value` with comments after `#`,
    /// which is also valid YAML.
    ///
    /// `name` is the policy's name; `based_on` names the shipped policy that supplies the values of
    /// all keys not in the file (`viavai` if absent).
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - isStored: whether the text is the record of an adopted policy, which may be older than
    ///     some keys; those have their ``Row/former`` values.
    /// - Throws: ``PolicyFailure`` at the first invalid line.
    public init(text: String, isStored: Bool = false) throws(PolicyFailure) {
        var base = isStored ? Policy.former : .viavai
        var name: String?
        var settings: [(key: Key, value: String, line: Int)] = []
        var seen: [String] = []
        var line = 0
        for raw in text.split(
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == "\n" || $0 == "\r\n" }
        ) {
            line += 1
            let content = raw.prefix { $0 != "#" }.unquoted
            if content.isEmpty || content == "---" { continue }
            guard let colon = content.firstIndex(of: ":") else {
                throw .badLine(content, line: line)
            }
            let key = content[..<colon].unquoted
            let value = content[content.index(after: colon)...].unquoted
            if seen.contains(key) { throw .repeatedKey(key, line: line) }
            seen.append(key)
            switch key {
            case "name": name = value
            case "based_on":
                guard let found = Policy.shipped.first(where: { $0.name == value }) else {
                    throw .unknownBase(value, line: line)
                }
                base = found
            default:
                guard let row = Policy.rows.first(where: { $0.name == key }) else {
                    throw .unknownKey(key, line: line)
                }
                settings.append((row.key, value, line))
            }
        }
        self = base
        self.name = name ?? base.name
        for setting in settings { try set(setting.key, setting.value, line: setting.line) }
        try check()
    }
}

extension Policy.Kind {
    /// Formats a stored value as in a policy file.
    public func text(of value: Int64) -> String {
        switch self {
        case .seconds, .count, .hours, .metres, .percent: String(value)
        case .optional: value < 0 ? "none" : String(value)
        case .flag: value == 0 ? "false" : "true"
        case .choice(let words):
            value >= 0 && value < words.count ? words[Int(value)] : String(value)
        case .fields(let words):
            "["
                + words.indices.filter { value >> Int64($0) & 1 == 1 }.map { words[$0] }
                .joined(separator: ", ") + "]"
        }
    }

    /// Parses a value of a policy file; nil if it is invalid.
    public func value(of text: String) -> Int64? {
        switch self {
        case .seconds(let least, let most), .count(let least, let most),
            .hours(let least, let most), .metres(let least, let most),
            .percent(let least, let most):
            return number(text, least, most)
        case .optional(let least, let most):
            return text == "none" || text == "null" ? -1 : number(text, least, most)
        case .flag:
            return text == "true" ? 1 : text == "false" ? 0 : nil
        case .choice(let words):
            return words.firstIndex(of: text).map { Int64($0) }
        case .fields(let words):
            guard text.first == "[", text.last == "]" else { return nil }
            var bits: Int64 = 0
            for part in text.dropFirst().dropLast().split(separator: ",") {
                let word = part.filter { !$0.isWhitespace }
                guard let place = words.firstIndex(of: word) else { return nil }
                bits |= 1 << Int64(place)
            }
            return bits
        }
    }

    /// Whether a stored value is valid for the kind.
    func takes(_ value: Int64) -> Bool {
        self.value(of: text(of: value)) == value
    }

    /// A description of the valid values.
    public var allowed: String {
        switch self {
        case .seconds(let least, let most): "seconds from \(least) to \(most)"
        case .count(let least, let most): "a number from \(least) to \(most)"
        case .hours(let least, let most): "hours from \(least) to \(most)"
        case .metres(let least, let most): "metres from \(least) to \(most)"
        case .percent(let least, let most): "percent from \(least) to \(most)"
        case .optional(let least, let most): "none or a number from \(least) to \(most)"
        case .flag: "true or false"
        case .choice(let words): words.joined(separator: ", ")
        case .fields(let words): "a list in [ ] of " + words.joined(separator: ", ")
        }
    }

    private func number(_ text: String, _ least: Int64, _ most: Int64) -> Int64? {
        guard let value = Int64(text), value >= least, value <= most else { return nil }
        return value
    }
}
