internal import Columns

/// The rules by which a city dispatches, as one value (spec/taxi.md 1.11).
///
/// Two requirement documents disagree in places; whatever they or the field leave open is a key
/// here, and nothing else. Three policies are shipped: ``milanoA``, ``milanoB`` and ``viavai``.
/// A policy is identified by its ``hash``, which every entry of the log carries.
public struct Policy: Hashable, Sendable {
    /// What people call it, such as `milano-a`.
    public var name: String
    /// One value for each key, in the order of ``Key``; what they mean depends on the kind.
    private var values: [Int64]

    private init(_ name: String, _ preset: (Row) -> Int64) {
        self.name = name
        values = Self.rows.map(preset)
    }

    /// The policy of these values, as a log holds them; keys that it does not have yet stand as in
    /// ``viavai``.
    ///
    /// - Returns: nil when a value is none that its key takes.
    init?(name: String, values: [Int64]) {
        guard values.count <= Self.rows.count else { return nil }
        var all = Self.viavai.values
        for (row, value) in zip(Self.rows, values) {
            guard row.kind.takes(value) else { return nil }
            all[Int(row.key.rawValue)] = value
        }
        self.name = name
        self.values = all
    }

    /// The policy of requirement document A.
    public static let milanoA = Policy("milano-a") { $0.presets.a }
    /// The policy of requirement document B.
    public static let milanoB = Policy("milano-b") { $0.presets.b }
    /// The policy used when none is given.
    public static let viavai = Policy("viavai") { $0.presets.standard }
    /// The policies shipped, by name.
    public static let shipped = [milanoA, milanoB, viavai]

    /// The stored value of a key; see ``Kind``.
    public subscript(key: Key) -> Int64 {
        values[Int(key.rawValue)]
    }

    /// The values as a log holds them: without those keys at the end that came later and say what
    /// ``viavai`` says.
    var loggedValues: [Int64] {
        let last = Self.rows.last { row in
            !row.key.isLater || self[row.key] != row.presets.standard
        }
        return Array(values.prefix(last.map { Int($0.key.rawValue) + 1 } ?? 0))
    }

    /// Whether a flag is set.
    func allows(_ key: Key) -> Bool {
        self[key] != 0
    }

    /// The same policy with another value for a key, under a name of its own.
    ///
    /// - Throws: ``PolicyFailure`` when the value is none that the key takes, or when no request
    ///   could be sure to end.
    public func with(_ key: Key, _ text: String) throws(PolicyFailure) -> Policy {
        var changed = self
        try changed.set(key, text)
        try changed.check()
        return changed
    }

    /// Identifies what the policy says, whatever it is called: the xxHash64 of ``canonicalText``.
    public var hash: UInt64 {
        let bytes = Array(canonicalText.utf8)
        return unsafe bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return 0 }
            return unsafe Checksum.xxHash64(base, count: all.count)
        }
    }

    /// Every key and value, a line each, as a policy file states them; keys that came later only
    /// where they do not say what ``viavai`` says.
    public var canonicalText: String {
        var text = ""
        for row in Self.rows where !row.key.isLater || self[row.key] != row.presets.standard {
            text += "\(row.name): \(row.kind.text(of: self[row.key]))\n"
        }
        return text
    }

    mutating func set(
        _ key: Key,
        _ text: String,
        line: Int? = nil
    ) throws(PolicyFailure) {
        let row = Self.rows[Int(key.rawValue)]
        guard let value = row.kind.value(of: text) else {
            throw .badValue(key: row.name, value: text, allowed: row.kind.allowed, line: line)
        }
        values[Int(key.rawValue)] = value
    }

    /// Whether every request is sure to end: where nobody remembers who refused, the number of
    /// offers must be limited.
    func check() throws(PolicyFailure) {
        if memory == .none && self[.maxOffers] == 0 {
            throw .endless
        }
    }
}

/// Why a text is no policy.
public enum PolicyFailure: Error, Hashable, Sendable {
    /// The key takes no such value; in a policy file, on that line.
    case badValue(key: String, value: String, allowed: String, line: Int?)
    /// There is no key of that name.
    case unknownKey(String, line: Int)
    /// A key stands twice.
    case repeatedKey(String, line: Int)
    /// A line is not `key: value`.
    case badLine(String, line: Int)
    /// No policy of that name is shipped.
    case unknownBase(String, line: Int)
    /// `request.refused_memory: none` needs `request.max_offers` above 0, or a refused request
    /// would be offered for ever.
    case endless

    /// What is wrong, in a sentence.
    public var sentence: String {
        switch self {
        case .badValue(let key, let value, let allowed, let line):
            (line.map { "Line \($0): " } ?? "")
                + "\(key) cannot be \"\(value)\": it takes \(allowed)."
        case .unknownKey(let key, let line): "Line \(line): there is no key \"\(key)\"."
        case .repeatedKey(let key, let line): "Line \(line): \(key) stands twice."
        case .badLine(let text, let line): "Line \(line): \"\(text)\" is not \"key: value\"."
        case .unknownBase(let name, let line):
            "Line \(line): based_on cannot be \"\(name)\": it takes milano-a, milano-b or viavai."
        case .endless:
            "request.refused_memory: none needs request.max_offers above 0, or a request that"
                + " all refuse would never end."
        }
    }
}
