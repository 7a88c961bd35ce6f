extension JSONValue {
    /// The default limit for the nesting of arrays and objects: deeper than any format in use, and
    /// shallow enough for the stack.
    package static let depthLimit = 64

    /// Parses JSON strictly by RFC 8259; a byte order mark is skipped.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - depthLimit: how deeply arrays and objects may be nested.
    /// - Throws: the error and the line where it occurred.
    package init(
        parsing bytes: [UInt8],
        depthLimit: Int = JSONValue.depthLimit
    ) throws(JSONFailure) {
        var parser = JSONParser(bytes: bytes, depthLimit: depthLimit)
        do {
            self = try parser.document()
        } catch {
            throw parser.failure(error)
        }
    }
}

/// Reads JSON from the first byte to the last.
private struct JSONParser {
    typealias Problem = JSONFailure.Problem

    let bytes: [UInt8]
    let depthLimit: Int
    var position = 0

    init(bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// A problem with the place where reading stopped.
    func failure(_ problem: Problem) -> JSONFailure {
        let read = bytes[..<min(position, bytes.count)]
        let lineStart = read.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return JSONFailure(
            line: 1 + read.count { $0 == UInt8(ascii: "\n") },
            column: 1 + read.count - lineStart,
            problem: problem
        )
    }

    mutating func document() throws(Problem) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        if position < bytes.count { throw .unexpectedByte(bytes[position]) }
        return value
    }

    private mutating func value(depth: Int) throws(Problem) -> JSONValue {
        skipSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .list(try list(depth: depth + 1))
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(Problem) -> JSONObject {
        guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit) }
        position += 1
        var members: [JSONObject.Member] = []
        skipSpace()
        if try peek() == UInt8(ascii: "}") {
            position += 1
            return JSONObject()
        }
        while true {
            skipSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw .unexpectedByte(try peek()) }
            let name = try string()
            skipSpace()
            guard try peek() == UInt8(ascii: ":") else { throw .unexpectedByte(try peek()) }
            position += 1
            members.append(JSONObject.Member(name, try value(depth: depth)))
            if try isLast(before: UInt8(ascii: "}")) { return JSONObject(members) }
        }
    }

    private mutating func list(depth: Int) throws(Problem) -> [JSONValue] {
        guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit) }
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if try peek() == UInt8(ascii: "]") {
            position += 1
            return values
        }
        while true {
            values.append(try value(depth: depth))
            if try isLast(before: UInt8(ascii: "]")) { return values }
        }
    }

    /// Passes a comma (false) or the closing bracket (true).
    private mutating func isLast(before closing: UInt8) throws(Problem) -> Bool {
        skipSpace()
        let byte = try peek()
        guard byte == closing || byte == UInt8(ascii: ",") else { throw .unexpectedByte(byte) }
        position += 1
        return byte == closing
    }

    private mutating func word(
        _ word: StaticString,
        _ value: JSONValue
    ) throws(Problem) -> JSONValue {
        for expected in String(describing: word).utf8 {
            let byte = try peek()
            guard byte == expected else { throw .unexpectedByte(byte) }
            position += 1
        }
        return value
    }

    private func peek() throws(Problem) -> UInt8 {
        guard position < bytes.count else { throw .unexpectedEnd }
        return bytes[position]
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}

// Numbers.
extension JSONParser {
    private mutating func number() throws(Problem) -> JSONValue {
        let start = position
        guard try peek() == UInt8(ascii: "-") || isDigit else {
            throw .unexpectedByte(try peek())
        }
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
            position += 1
            if isDigit { throw .badNumber }
        } else {
            try digits()
        }
        var isWhole = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try digits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            if position < bytes.count, [0x2B, 0x2D].contains(bytes[position]) { position += 1 }
            try digits()
        }
        if isWhole, let whole = whole(start..<position) { return .integer(whole) }
        guard let value = DecimalText.value(bytes[start..<position]) else { throw .badNumber }
        return .number(value)
    }

    private var isDigit: Bool {
        position < bytes.count && (0x30...0x39).contains(bytes[position])
    }

    private mutating func digits() throws(Problem) {
        guard isDigit else {
            throw position < bytes.count ? .badNumber : .unexpectedEnd
        }
        while isDigit { position += 1 }
    }

    /// The whole number in a range; nil if it does not fit or is minus zero.
    private func whole(_ range: Range<Int>) -> Int64? {
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in bytes[range].dropFirst(isNegative ? 1 : 0) {
            let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isTooMuch) = tenfold.subtractingReportingOverflow(Int64(byte - 0x30))
            if isTooLarge || isTooMuch { return nil }
            value = sum
        }
        if isNegative { return value == 0 ? nil : value }
        return value == .min ? nil : -value
    }
}

// Strings.
extension JSONParser {
    private mutating func string() throws(Problem) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let text = try text(bytes[start..<position])
                position += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw .unexpectedByte(bytes[position])
            default: position += 1
            }
        }
        throw .unexpectedEnd
    }

    /// Parses the rest of a string with escapes; the part before the first escape is already known.
    private mutating func escapedString(from start: Int) throws(Problem) -> String {
        var content = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(content[...])
                position += 1
                return text
            case UInt8(ascii: "\\"): try escape(&content)
            case 0..<0x20: throw .unexpectedByte(byte)
            default:
                content.append(byte)
                position += 1
            }
        }
        throw .unexpectedEnd
    }

    private mutating func escape(_ content: inout [UInt8]) throws(Problem) {
        position += 1
        let byte = try peek()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            content.append(contentsOf: String(try unicode()).utf8)
            return
        default: throw .badEscape
        }
        position += 1
    }

    /// The character of one `\u` escape, or of two that are a surrogate pair.
    private mutating func unicode() throws(Problem) -> Character {
        var code = try hexadecimal()
        if (0xD800...0xDBFF).contains(code) {
            guard bytes[position...].starts(with: [0x5C, 0x75]) else { throw .badEscape }
            position += 2
            let low = try hexadecimal()
            guard (0xDC00...0xDFFF).contains(low) else { throw .badEscape }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = UnicodeScalar(code) else { throw .badEscape }
        return Character(scalar)
    }

    private mutating func hexadecimal() throws(Problem) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            let byte = try peek()
            switch byte {
            case 0x30...0x39: code = code << 4 | UInt32(byte - 0x30)
            case 0x41...0x46, 0x61...0x66: code = code << 4 | UInt32((byte | 0x20) - 0x57)
            default: throw .badEscape
            }
            position += 1
        }
        return code
    }

    private func text(_ content: ArraySlice<UInt8>) throws(Problem) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw .notUTF8 }
        return text
    }
}
