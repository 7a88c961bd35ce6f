import OpenData

/// The tags of one element, looked up by ``StreetKey`` in constant time.
///
/// The strings of a block are resolved once; each element then only fills a small table.
struct StreetTags {
    private var keys: [UInt8] = []
    private var words: [StreetWord] = []
    private var strings: OSMStrings?
    /// The number of each key's value, plus 1; 0 if the key is absent.
    private var values = [UInt32](repeating: 0, count: StreetKey.allCases.count)
    /// The tags `…:conditional` of the element for keys that some profile uses.
    private(set) var conditionals: [(key: StreetKey, text: String)] = []
    /// The keys of such tags, by the numbers of their strings in the block.
    private var conditionalKeys: [UInt32: StreetKey] = [:]
    /// Values that replace those of the element.
    private var replaced: [StreetKey: String] = [:]

    private static let noKey = UInt8.max
    private static let conditionalKey = UInt8.max - 1

    private static let keyNumbers: [String: UInt8] = Dictionary(
        uniqueKeysWithValues: StreetKey.allCases.enumerated().map {
            ($0.element.rawValue, UInt8($0.offset))
        }
    )
    private static let wordNumbers: [String: StreetWord] = Dictionary(
        uniqueKeysWithValues: StreetWord.allCases.map { ($0.rawValue, $0) }
    )

    /// Resolves the texts of a block.
    mutating func begin(_ block: OSMBlock) {
        strings = block.strings
        keys.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
        conditionalKeys.removeAll()
        for number in 0..<UInt32(block.strings.count) {
            let text = block.strings[number]
            let conditional = StreetKey.conditional(text)
            if let conditional { conditionalKeys[number] = conditional }
            keys.append(
                Self.keyNumbers[text] ?? (conditional == nil ? Self.noKey : Self.conditionalKey)
            )
            words.append(Self.word(text))
        }
    }

    /// Reads an element of the block.
    mutating func read(_ tags: OSMTags) {
        for position in values.indices { values[position] = 0 }
        conditionals.removeAll()
        replaced.removeAll()
        let numbers = tags.numbers
        for position in stride(from: numbers.startIndex, to: numbers.endIndex, by: 2) {
            let key = keys[Int(numbers[position])]
            if key < values.count {
                values[Int(key)] = numbers[position + 1] + 1
            } else if key == Self.conditionalKey, let strings,
                let key = conditionalKeys[numbers[position]]
            {
                conditionals.append((key, strings[numbers[position + 1]]))
            }
        }
    }

    /// Replaces the value of a key until the next element is read.
    mutating func replace(_ key: StreetKey, by value: String) {
        replaced[key] = value
    }

    /// Whether a value is known for a key.
    static func isKnown(_ value: String, of key: StreetKey) -> Bool {
        key.isSpeed ? StreetSpeed.limit(value) != nil : word(value) != .other
    }

    /// The value of a key as a known word.
    subscript(key: StreetKey) -> StreetWord {
        if !replaced.isEmpty, let value = replaced[key] { return Self.word(value) }
        let value = values[Self.position(key)]
        return value == 0 ? .absent : words[Int(value) - 1]
    }

    /// The value of a key as written; nil if it is absent.
    func text(_ key: StreetKey) -> String? {
        if !replaced.isEmpty, let value = replaced[key] { return value }
        let value = values[Self.position(key)]
        guard value > 0, let strings else { return nil }
        return strings[value - 1]
    }

    /// Whether the element has a key.
    func has(_ key: StreetKey) -> Bool {
        replaced[key] != nil || values[Self.position(key)] > 0
    }

    @inline(__always)
    private static func position(_ key: StreetKey) -> Int {
        // An enumeration without payloads is stored as the number of its case.
        Int(unsafe unsafeBitCast(key, to: UInt8.self))
    }

    /// The word at the start of a value: in a list such as `yes;no` the first entry counts.
    private static func word(_ text: String) -> StreetWord {
        if let word = wordNumbers[text] { return word }
        guard let first = text.split(separator: ";").first else { return .other }
        let trimmed = first.split(separator: " ").first.map(String.init) ?? ""
        return wordNumbers[trimmed] ?? .other
    }
}
