/// A scanner of comma-separated text (RFC 4180) for files of many million rows: it passes over the
/// bytes once and creates strings only on request.
///
/// It tolerates what occurs in real files: a byte-order mark, bare line feeds, blank lines and
/// spaces around values are all accepted. A quote counts as unclosed, and is ignored, where the
/// field continues over several lines and then ends in neither a comma nor a line end: otherwise it
/// would swallow the rows up to the first quote of another field.
package struct CSVScanner {
    private let bytes: [UInt8]
    private var position: Int
    private var fields: [Field] = []
    /// The number of the line where the current row begins, 1 for the first.
    package private(set) var line = 0
    private var nextLine = 1
    /// The line and the field, from 0, of the current row's first unclosed quote; nil
    /// where there is none.
    ///
    /// Blank rows before the row count as part of it.
    package private(set) var openQuote: (line: Int, field: Int)?

    /// A value's place: inside the quotes, spaces trimmed.
    private struct Field {
        var start: Int
        var end: Int
        var hasDoubledQuotes: Bool
    }

    /// Fields beyond this number in a row are skipped: no table has so many columns, and
    /// each would take memory.
    private static let fieldLimit = 1_000
    /// The greatest length of a quoted field in bytes, many times that of the longest description:
    /// an unclosed quote must not swallow the rest of a file.
    package static let quotedFieldLimit = 1 << 16
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
        openQuote = nil
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

    /// Reads one field and its terminator; returns true where that ends the row.
    private mutating func readField() -> Bool {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
            position += 1
        }
        if position < bytes.count, bytes[position] == Self.quote {
            if readQuotedField() { return endsRow() }
            openQuote = openQuote ?? (nextLine - 1, fields.count)
            position += 1
        }
        readPlainField()
        return endsRow()
    }

    private mutating func readPlainField() {
        let start = position
        var byte: UInt8 = 0
        while position < bytes.count {
            byte = bytes[position]
            if endsField(byte) { break }
            position += 1
        }
        var end = position
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        append(Field(start: start, end: end, hasDoubledQuotes: false))
    }

    /// Reads the field whose quote is at the position; returns false without reading where
    /// that quote is unclosed.
    private mutating func readQuotedField() -> Bool {
        let start = position + 1
        let limit = min(bytes.count, start + Self.quotedFieldLimit + 1)
        var end = start
        var lines = 0
        var doubled = false
        while end < limit {
            if bytes[end] == 0x0A { lines += 1 }
            if bytes[end] == Self.quote {
                guard end + 1 < bytes.count, bytes[end + 1] == Self.quote else { break }
                doubled = true
                end += 1
            }
            end += 1
        }
        guard end < limit else { return false }
        var rest = end + 1
        while rest < bytes.count, bytes[rest] == 0x20 || bytes[rest] == 0x09 { rest += 1 }
        let isClosed = rest == bytes.count || endsField(bytes[rest])
        guard isClosed || lines == 0 else { return false }
        while rest < bytes.count, !endsField(bytes[rest]) { rest += 1 }
        nextLine += lines
        position = rest
        append(Field(start: start, end: end, hasDoubledQuotes: doubled))
        return true
    }

    private func endsField(_ byte: UInt8) -> Bool {
        byte == Self.comma || byte == 0x0A || byte == 0x0D
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
