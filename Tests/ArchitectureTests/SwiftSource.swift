/// Parses a Swift file as far as necessary to check it: code, imports, and the extent of functions.
struct SwiftSource {
    let path: String
    /// The lines of the file.
    let lines: [Substring]
    /// The text with comments and string contents replaced by spaces; newlines are kept.
    let code: [UInt8]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var blanking = Blanking(bytes: Array(text.utf8))
        blanking.run()
        code = blanking.bytes
    }

    var codeLines: [String] {
        code.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The imported modules in order.
    var imports: [String] {
        let kinds: Set = [
            "struct", "class", "enum", "func", "var", "let", "typealias", "protocol", "actor",
        ]
        return codeLines.flatMap { $0.split(separator: ";") }.compactMap { statement in
            let words = statement.split(whereSeparator: \.isWhitespace)
            guard let position = words.firstIndex(of: "import"),
                words[..<position].allSatisfy({ word in
                    word.hasPrefix("@")
                        || ["public", "package", "internal", "fileprivate", "private"]
                            .contains(word)
                })
            else { return nil }
            let rest = words[(position + 1)...].drop { kinds.contains(String($0)) }
            return rest.first.map { String($0.prefix { $0 != "." }) }
        }
    }

    /// A function, initialiser or subscript with a body.
    struct Function: Equatable {
        /// The number of its first line, counted from 1.
        let line: Int
        /// The number of lines from its keyword to its closing brace.
        let length: Int
    }

    /// The functions with a body, in order.
    var functions: [Function] {
        var found: [Function] = []
        var line = 1
        var position = 0
        while position < code.count {
            if code[position] == UInt8(ascii: "\n") { line += 1 }
            guard isWordStart(position) else {
                position += 1
                continue
            }
            let end = wordEnd(position)
            let word = String(decoding: code[position..<end], as: UTF8.self)
            let called = position > 0 && code[position - 1] == UInt8(ascii: ".")
            if ["func", "init", "deinit", "subscript"].contains(word) && !called,
                let body = body(after: end)
            {
                let extra = code[position...body.upperBound].count { $0 == UInt8(ascii: "\n") }
                found.append(Function(line: line, length: extra + 1))
            }
            position = end
        }
        return found
    }

    /// Returns the braces of the body after a declaration's keyword, or nil if there is
    /// none (in a protocol).
    private func body(after keyword: Int) -> ClosedRange<Int>? {
        let declarations: Set = [
            "func", "init", "deinit", "subscript", "var", "let", "case", "struct", "enum",
            "class", "extension", "protocol", "typealias", "associatedtype",
        ]
        var depth = 0
        var position = keyword
        while position < code.count {
            switch code[position] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "}") where depth <= 0: return nil
            case UInt8(ascii: "{") where depth == 0:
                return closingBrace(of: position).map { position...$0 }
            default:
                if depth == 0 && isWordStart(position) {
                    let end = wordEnd(position)
                    let word = String(decoding: code[position..<end], as: UTF8.self)
                    if declarations.contains(word) { return nil }
                    position = end
                    continue
                }
            }
            position += 1
        }
        return nil
    }

    /// Returns the closures after a text, each with the number of its first line, counted from 1.
    func closures(after beginning: String) -> [(line: Int, code: String)] {
        let wanted = Array(beginning.utf8)
        return code.indices.compactMap { position in
            guard code[position...].starts(with: wanted) else { return nil }
            let opening = position + wanted.count - 1
            guard let closing = closingBrace(of: opening) else { return nil }
            let line = code[..<position].count { $0 == UInt8(ascii: "\n") } + 1
            return (line, String(decoding: code[opening...closing], as: UTF8.self))
        }
    }

    private func closingBrace(of opening: Int) -> Int? {
        var depth = 0
        for position in opening..<code.count {
            if code[position] == UInt8(ascii: "{") { depth += 1 }
            if code[position] == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return position }
            }
        }
        return nil
    }

    private func isWordStart(_ position: Int) -> Bool {
        isWord(code[position]) && (position == 0 || !isWord(code[position - 1]))
    }

    private func wordEnd(_ start: Int) -> Int {
        code[start...].firstIndex { !isWord($0) } ?? code.count
    }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
