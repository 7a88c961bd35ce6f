/// A scanner of comma-separated text (RFC 4180) for files of many million rows: it passes over the
/// bytes once and creates strings only on request.
///
/// A byte-order mark, bare line feeds and blank lines are accepted in any case.
public struct CSVScanner {
    /// What else is accepted.
    public enum Mode: Sendable {
        /// What occurs in published files: carriage returns as line ends, spaces around values,
        /// text after a closing quote, and quotes that are never closed.
        ///
        /// A quote also counts as unclosed, and is ignored, where the field continues over several
        /// lines and then ends in neither a comma nor a line end: otherwise it would swallow the
        /// rows up to the first quote of another field.
        case tolerant
        /// What spreadsheets write: semicolons between the fields if the first line has no comma,
        /// as in Italian ones.
        ///
        /// Spaces belong to the values. Rows with anything else are ``CSVScanner/isMalformed``; of
        /// a quote that is never closed, the rest of its line is skipped.
        case strict
    }

    private let bytes: [UInt8]
    private let isStrict: Bool
    private let separator: UInt8
    private var position: Int
    private var fields: [Field] = []
    /// The number of the line where the current row begins, 1 for the first.
    public private(set) var line = 0
    private var nextLine = 1
    /// The line and the field, from 0, of the current row's first unclosed quote; nil
    /// where there is none.
    ///
    /// Blank rows before the row count as part of it.
    public private(set) var openQuote: (line: Int, field: Int)?
    /// Whether the current row breaks the rules of ``Mode/strict``; always false for a tolerant
    /// scanner.
    public private(set) var isMalformed = false

    /// A value's place: inside the quotes and, for a tolerant scanner, without the spaces.
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
    public static let quotedFieldLimit = 1 << 16
    private static let quote = UInt8(ascii: "\"")

    /// A scanner at the beginning of some bytes.
    public init(_ bytes: [UInt8], _ mode: Mode = .tolerant) {
        self.bytes = bytes
        isStrict = mode == .strict
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let comma = UInt8(ascii: ",")
        let hasComma = !isStrict || bytes.prefix { $0 != 0x0A }.contains(comma)
        separator = hasComma ? comma : UInt8(ascii: ";")
        fields.reserveCapacity(32)
    }

    /// How many fields the current row has.
    public var fieldCount: Int { fields.count }

    /// Moves to the next row that is not blank; false at the end.
    public mutating func next() -> Bool {
        openQuote = nil
        while position < bytes.count {
            line = nextLine
            readRow()
            let isBlank = fields.count == 1 && fields[0].start >= fields[0].end
            if !isBlank || isMalformed { return true }
        }
        return false
    }

    /// The bytes of a field of the current row; none if the row is shorter or `index` is nil.
    public func raw(_ index: Int?) -> ArraySlice<UInt8> {
        guard let index, index < fields.count else { return [] }
        let field = fields[index]
        return bytes[field.start..<field.end]
    }

    /// Whether a field of the current row is absent or empty.
    public func isEmpty(_ index: Int?) -> Bool {
        guard let index, index < fields.count else { return true }
        return fields[index].start >= fields[index].end
    }

    /// A field of the current row as text, with damaged UTF-8 replaced.
    public func text(_ index: Int?) -> String {
        String(decoding: unescaped(index), as: UTF8.self)
    }

    /// The bytes of a field of the current row, with doubled quotes as one.
    public func unescaped(_ index: Int?) -> ArraySlice<UInt8> {
        guard let index, index < fields.count else { return [] }
        let field = fields[index]
        let slice = bytes[field.start..<field.end]
        guard field.hasDoubledQuotes else { return slice }
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
        return unescaped[...]
    }

    /// A field of the current row as a whole number; nil if it is not one.
    public func number(_ index: Int?) -> Int32? {
        Self.number(raw(index))
    }

    /// Bytes as a whole number with an optional sign; nil if they are not one.
    public static func number(_ raw: ArraySlice<UInt8>) -> Int32? {
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
        isMalformed = false
        nextLine += 1
        while true {
            let ended = readField()
            if ended { return }
        }
    }

    /// Reads one field and its terminator; returns true if that ends the row.
    private mutating func readField() -> Bool {
        if !isStrict {
            while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
                position += 1
            }
        }
        if position < bytes.count, bytes[position] == Self.quote {
            if readQuotedField() { return endsRow() }
            openQuote = openQuote ?? (nextLine - 1, fields.count)
            if isStrict {
                skipLine()
                return true
            }
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
        if isStrict {
            let isLast = position == bytes.count || byte == 0x0A
            if isLast, end > start, bytes[end - 1] == 0x0D { end -= 1 }
        } else {
            while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        }
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
        while rest < bytes.count, isBlank(bytes[rest]) { rest += 1 }
        let isClosed = rest == bytes.count || endsField(bytes[rest])
        if isStrict {
            isMalformed = isMalformed || !isClosed
        } else if !isClosed, lines > 0 {
            return false
        }
        while rest < bytes.count, !endsField(bytes[rest]) { rest += 1 }
        nextLine += lines
        position = rest
        append(Field(start: start, end: end, hasDoubledQuotes: doubled))
        return true
    }

    /// Skips the rest of a line that cannot be read.
    private mutating func skipLine() {
        isMalformed = true
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
        if position < bytes.count { position += 1 }
    }

    private func endsField(_ byte: UInt8) -> Bool {
        byte == separator || byte == 0x0A || byte == 0x0D && !isStrict
    }

    /// Whether a byte may stand between a closing quote and the end of its field.
    private func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D && isStrict
    }

    private mutating func append(_ field: Field) {
        if fields.count < Self.fieldLimit { fields.append(field) }
    }

    /// Steps over the separator or line end at the position; true for a line end or the end.
    private mutating func endsRow() -> Bool {
        guard position < bytes.count else { return true }
        let byte = bytes[position]
        position += 1
        if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
        return byte != separator
    }
}
