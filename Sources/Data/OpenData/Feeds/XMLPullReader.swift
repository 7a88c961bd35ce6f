/// Why bytes are not XML that can be read, and where.
package struct XMLFailure: Error, Hashable, Sendable {
    /// The number of the line, from 1.
    package let line: Int
    /// The error that occurred there.
    package let problem: Problem

    /// The kinds of errors in an XML document.
    package enum Problem: Error, Hashable, Sendable {
        /// The document ends before its last element does.
        case unexpectedEnd
        /// Markup that is malformed.
        case badMarkup
        /// A document type, which could define entities without bound.
        case documentType
        /// An element ends that is not the one that began last.
        case mismatchedTag
        /// An entity that XML does not predefine, or a character that does not exist.
        case badEntity
        /// Elements are nested beyond the limit.
        case tooDeep(limit: Int)
        /// The bytes are not UTF-8.
        case notUTF8
        /// There is text or an element outside of the root.
        case outsideRoot
    }
}

extension XMLFailure: CustomStringConvertible {
    /// One line for people, which names the place.
    package var description: String {
        let text =
            switch problem {
            case .unexpectedEnd: "it ends too early"
            case .badMarkup: "it has malformed markup"
            case .documentType: "it has a document type, which is not accepted"
            case .mismatchedTag: "an element ends that did not begin"
            case .badEntity: "it has an unknown entity"
            case .tooDeep(let limit): "it is nested more than \(limit) deep"
            case .notUTF8: "it is not UTF-8"
            case .outsideRoot: "it has content outside of its root"
            }
        return "\(text) (line \(line))"
    }
}

/// Reads an XML document piece by piece, as far as RSS needs it: elements, text and CDATA.
///
/// Attributes, comments and processing instructions are passed over. A document type is refused, so
/// that there are no entities but the five of XML itself. Foundation's parser is not used because
/// it takes truncated documents for whole ones and links libxml2 and ICU into the program.
struct XMLPullReader {
    /// A piece of a document.
    enum Piece: Equatable {
        /// An element begins, with its qualified name; one without content ends at once.
        case start(String)
        /// Text within an element, unescaped; that of one element may come in several pieces.
        case text(String)
        /// The element ends that began last.
        case end(String)
    }

    /// How deep elements may be nested.
    static let depthLimit = 32

    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    private var isAfterRoot = false
    /// The name of an element without content, whose end is delivered next.
    private var pendingEnd: String?

    init(_ bytes: [UInt8]) throws(XMLFailure) {
        self.bytes = bytes
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw failure(.notUTF8)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next piece; nil at the end of the document.
    mutating func next() throws(XMLFailure) -> Piece? {
        if let name = pendingEnd {
            pendingEnd = nil
            return try close(name)
        }
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                if let text = try text() { return .text(text) }
            } else if starts("<?") {
                try pass(to: "?>")
            } else if starts("<!--") {
                try pass(to: "-->")
            } else if starts("<![CDATA[") {
                guard !open.isEmpty else { throw failure(.outsideRoot) }
                position += 9
                let start = position
                try pass(to: "]]>")
                return .text(String(decoding: bytes[start..<(position - 3)], as: UTF8.self))
            } else if starts("<!") {
                throw failure(.documentType)
            } else if starts("</") {
                position += 2
                let name = name()
                skipSpace()
                guard position < bytes.count else { throw failure(.unexpectedEnd) }
                guard bytes[position] == UInt8(ascii: ">") else { throw failure(.badMarkup) }
                position += 1
                return try close(name)
            } else {
                return try start()
            }
        }
        guard isAfterRoot else { throw failure(.unexpectedEnd) }
        return nil
    }

    /// A problem with the line where reading stopped.
    private func failure(_ problem: XMLFailure.Problem) -> XMLFailure {
        let read = bytes.prefix(position)
        return XMLFailure(line: 1 + read.count { $0 == UInt8(ascii: "\n") }, problem: problem)
    }

    private mutating func start() throws(XMLFailure) -> Piece {
        guard !isAfterRoot else { throw failure(.outsideRoot) }
        position += 1
        let name = name()
        guard !name.isEmpty else { throw failure(.badMarkup) }
        try passAttributes()
        open.append(name)
        guard open.count <= Self.depthLimit else {
            throw failure(.tooDeep(limit: Self.depthLimit))
        }
        if bytes[position] == UInt8(ascii: "/") {
            position += 1
            guard position < bytes.count else { throw failure(.unexpectedEnd) }
            guard bytes[position] == UInt8(ascii: ">") else { throw failure(.badMarkup) }
            pendingEnd = name
        }
        position += 1
        return .start(name)
    }

    private mutating func close(_ name: String) throws(XMLFailure) -> Piece {
        guard open.popLast() == name else { throw failure(.mismatchedTag) }
        isAfterRoot = open.isEmpty
        return .end(name)
    }

    /// Text up to the next markup; nil if it is only blanks outside of the root.
    private mutating func text() throws(XMLFailure) -> String? {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        let raw = bytes[start..<position]
        if open.isEmpty {
            guard raw.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
                throw failure(.outsideRoot)
            }
            return nil
        }
        return try unescaped(raw)
    }

    private func unescaped(_ raw: ArraySlice<UInt8>) throws(XMLFailure) -> String {
        guard raw.contains(UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
        var content: [UInt8] = []
        var rest = raw
        while let byte = rest.first {
            rest = rest.dropFirst()
            guard byte == UInt8(ascii: "&") else {
                content.append(byte)
                continue
            }
            // The longest numeric reference that means a character is `&#1114111;`.
            guard let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")),
                let character = Self.character(String(decoding: rest[..<end], as: UTF8.self))
            else { throw failure(.badEntity) }
            content.append(contentsOf: String(character).utf8)
            rest = rest[(end + 1)...]
        }
        return String(decoding: content, as: UTF8.self)
    }

    private static func character(_ entity: String) -> Character? {
        switch entity {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard entity.hasPrefix("#") else { return nil }
            let digits = entity.dropFirst()
            let isHexadecimal = digits.hasPrefix("x")
            let code =
                isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
            return code.flatMap { $0 == 0 ? nil : UnicodeScalar($0) }.map { Character($0) }
        }
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count, Self.isName(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...0xFF:
            true
        default: false
        }
    }

    /// Passes over attributes, up to `>` or `/`.
    private mutating func passAttributes() throws(XMLFailure) {
        var quote: UInt8?
        while position < bytes.count {
            let byte = bytes[position]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
                return
            } else if byte == UInt8(ascii: "<") {
                throw failure(.badMarkup)
            }
            position += 1
        }
        throw failure(.unexpectedEnd)
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
    }

    private func starts(_ text: StaticString) -> Bool {
        bytes[position...].starts(with: String(describing: text).utf8)
    }

    private mutating func pass(to text: String) throws(XMLFailure) {
        let wanted = Array(text.utf8)
        while position + wanted.count <= bytes.count {
            if bytes[position] == wanted[0], bytes[position...].starts(with: wanted) {
                position += wanted.count
                return
            }
            position += 1
        }
        position = bytes.count
        throw failure(.unexpectedEnd)
    }
}
