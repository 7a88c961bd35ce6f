/// A scanner of comma-separated text (RFC 4180), made for files of many million rows: it walks
/// over the bytes once and makes no text until somebody asks for it.
///
/// Lenient where real files are: a byte-order mark, bare line feeds, blank lines, spaces around
/// values, and quotes left open are all accepted.
package struct CSVScanner {
    private let bytes: [UInt8]
    private var position: Int
    private var fields: [Field] = []
    /// The number of the line where the current row begins, 1 for the first.
    package private(set) var line = 0
    private var nextLine = 1

    /// A value's place: inside the quotes, spaces trimmed.
    private struct Field {
        var start: Int
        var end: Int
        var hasDoubledQuotes: Bool
    }

    /// Fields beyond this many in a row are passed over: no table has so many columns, and each
    /// would take memory.
    private static let fieldLimit = 1_000
    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")

    /// A scanner at the beginning of some bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        fields.reserveCapacity(32)
    }

    /// How many fields the current row has.
    package var fieldCount: Int { fields.count }

    /// Moves to the next row that is not blank; false at the end.
    package mutating func next() -> Bool {
        while position < bytes.count {
            line = nextLine
            readRow()
            if fields.count > 1 || fields.first.map({ $0.end > $0.start }) == true { return true }
        }
        return false
    }

    /// The bytes of a field of the current row; none where the row is shorter or `index` is nil.
    package func raw(_ index: Int?) -> ArraySlice<UInt8> {
        guard let index, index < fields.count else { return [] }
        let field = fields[index]
        return bytes[field.start..<field.end]
    }

    /// Whether a field of the current row is absent or empty.
    package func isEmpty(_ index: Int?) -> Bool {
        guard let index, index < fields.count else { return true }
        return fields[index].start >= fields[index].end
    }

    /// A field of the current row as text, with damaged UTF-8 replaced.
    package func text(_ index: Int?) -> String {
        guard let index, index < fields.count else { return "" }
        let field = fields[index]
        let slice = bytes[field.start..<field.end]
        guard field.hasDoubledQuotes else { return String(decoding: slice, as: UTF8.self) }
        var unescaped: [UInt8] = []
        var skip = false
        for byte in slice {
            if byte == Self.quote && !skip {
                skip = true
                continue
            }
            skip = false
            unescaped.append(byte)
        }
        return String(decoding: unescaped, as: UTF8.self)
    }

    /// A field of the current row as a whole number; nil where it is not one.
    package func number(_ index: Int?) -> Int32? {
        Self.number(raw(index))
    }

    /// A field of the current row as a decimal number; nil where it is not one.
    package func decimal(_ index: Int?) -> Double? {
        guard !isEmpty(index) else { return nil }
        return DecimalText.value(raw(index))
    }

    /// Bytes as a whole number with an optional sign; nil where they are not one.
    package static func number(_ raw: ArraySlice<UInt8>) -> Int32? {
        var digits = raw
        let negative = digits.first == UInt8(ascii: "-")
        if negative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        guard !digits.isEmpty, digits.count <= 10 else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int64(byte - 0x30)
        }
        return Int32(exactly: negative ? -value : value)
    }

    private mutating func readRow() {
        fields.removeAll(keepingCapacity: true)
        nextLine += 1
        while true {
            let ended = readField()
            if ended { return }
        }
    }

    /// Reads one field and what ends it; true where that ends the row.
    private mutating func readField() -> Bool {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
            position += 1
        }
        if position < bytes.count, bytes[position] == Self.quote { return readQuotedField() }
        let start = position
        var byte: UInt8 = 0
        while position < bytes.count {
            byte = bytes[position]
            if byte == Self.comma || byte == 0x0A || byte == 0x0D { break }
            position += 1
        }
        var end = position
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        append(Field(start: start, end: end, hasDoubledQuotes: false))
        return endsRow()
    }

    private mutating func readQuotedField() -> Bool {
        position += 1
        let start = position
        var doubled = false
        while position < bytes.count {
            if bytes[position] == 0x0A { nextLine += 1 }
            if bytes[position] == Self.quote {
                guard position + 1 < bytes.count, bytes[position + 1] == Self.quote else { break }
                doubled = true
                position += 1
            }
            position += 1
        }
        let end = position
        position = min(position + 1, bytes.count)
        while position < bytes.count, bytes[position] != Self.comma, bytes[position] != 0x0A,
            bytes[position] != 0x0D
        {
            position += 1
        }
        append(Field(start: start, end: max(start, end), hasDoubledQuotes: doubled))
        return endsRow()
    }

    private mutating func append(_ field: Field) {
        if fields.count < Self.fieldLimit { fields.append(field) }
    }

    /// Steps over the comma or line end at the position; true for a line end or the end.
    private mutating func endsRow() -> Bool {
        guard position < bytes.count else { return true }
        let byte = bytes[position]
        position += 1
        if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
        return byte != Self.comma
    }
}
