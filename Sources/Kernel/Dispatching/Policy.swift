internal import Columns

/// The rules by which a city dispatches, as one value (spec/taxi.md 1.11).
///
/// Two requirement documents disagree in places; a key exists for exactly what they or common
/// practice leave open. Three policies are shipped: ``milanoA``, ``milanoB`` and ``viavai``. A
/// policy is identified by its ``hash``, which every entry of the log carries.
public struct Policy: Hashable, Sendable {
    /// The name of the policy, such as `milano-a`.
    public var name: String
    /// One value for each key, in the order of ``Key``; the meaning depends on the kind.
    private var values: [Int64]

    private init(_ name: String, _ preset: (Row) -> Int64) {
        self.name = name
        values = Self.rows.map(preset)
    }

    /// Creates a policy from the values in a log; keys that are missing at the end take their
    /// ``Row/former`` values.
    ///
    /// - Returns: nil when a value is invalid for its key.
    init?(name: String, values: [Int64]) {
        guard values.count <= Self.rows.count else { return nil }
        var all = Self.former.values
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
    /// ``viavai`` as it was in the first logs.
    static let former = Policy("viavai") { $0.former }
    /// The shipped policies.
    public static let shipped = [milanoA, milanoB, viavai]

    /// The stored value of a key; see ``Kind``.
    public subscript(key: Key) -> Int64 {
        values[Int(key.rawValue)]
    }

    /// The values to log: without the later keys at the end that have their ``Row/former`` values.
    var loggedValues: [Int64] {
        let last = Self.rows.last { row in
            !row.key.isLater || self[row.key] != row.former
        }
        return Array(values.prefix(last.map { Int($0.key.rawValue) + 1 } ?? 0))
    }

    /// The same policy with another value for a key, under a derived name.
    ///
    /// - Throws: ``PolicyFailure`` when the value is invalid, or when a request might never end.
    public func with(_ key: Key, _ text: String) throws(PolicyFailure) -> Policy {
        var changed = self
        try changed.set(key, text)
        try changed.check()
        return changed
    }

    /// Identifies the rules of the policy regardless of its name: the xxHash64
    /// of ``canonicalText``.
    public var hash: UInt64 {
        let bytes = Array(canonicalText.utf8)
        return unsafe bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return 0 }
            return unsafe Checksum.xxHash64(base, count: all.count)
        }
    }

    /// Every key and value, one per line, as in a policy file; later keys only where they
    /// differ from their ``Row/former`` values.
    public var canonicalText: String {
        var text = ""
        for row in Self.rows where !row.key.isLater || self[row.key] != row.former {
            text += "\(row.name): \(row.kind.text(of: self[row.key]))\n"
        }
        return text
    }

    /// The policy as lines of a policy file that mean the same in every version of the program:
    /// later keys stand there unless they have the same value by default and in older logs.
    public var fileText: String {
        var text = ""
        for row in Self.rows {
            let isImplied = self[row.key] == row.former && self[row.key] == row.presets.standard
            if row.key.isLater && isImplied { continue }
            text += "\(row.name): \(row.kind.text(of: self[row.key]))\n"
        }
        return "name: \(name)\n" + text
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

    /// Throws if a request might never end: where refusals are not remembered, the number of
    /// offers must be limited.
    func check() throws(PolicyFailure) {
        if refusedMemory == .none && self[.maxOffers] == 0 {
            throw .endless
        }
    }
}

/// Why a text is not a valid policy.
public enum PolicyFailure: Error, Hashable, Sendable {
    /// The value is invalid for the key; `line` is set for a policy file.
    case badValue(key: String, value: String, allowed: String, line: Int?)
    /// A line names a key that does not exist.
    case unknownKey(String, line: Int)
    /// A key appears twice.
    case repeatedKey(String, line: Int)
    /// A line does not have the form `key: value`.
    case badLine(String, line: Int)
    /// No shipped policy has the name given by `based_on`.
    case unknownBase(String, line: Int)
    /// `request.refused_memory: none` needs `request.max_offers` above 0, or a refused request
    /// would be offered forever.
    case endless

    /// A description of the failure, in a sentence.
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
