/// Replaces comments and the contents of string literals with spaces, so that only code is left.
///
/// It supports nested block comments, multi-line and raw strings, and code in interpolations.
struct Blanking {
    var bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func run() {
        code(untilParenthesis: false)
    }

    /// Skips code up to the end, or up to the parenthesis that closes an interpolation.
    private mutating func code(untilParenthesis: Bool) {
        var depth = 0
        while position < bytes.count {
            if starts(with: "//") {
                lineComment()
            } else if starts(with: "/*") {
                blockComment()
            } else if let hashes = stringStart() {
                string(hashes: hashes)
            } else {
                if bytes[position] == UInt8(ascii: "(") { depth += 1 }
                if bytes[position] == UInt8(ascii: ")") {
                    if depth == 0 && untilParenthesis { return }
                    depth -= 1
                }
                position += 1
            }
        }
    }

    private mutating func lineComment() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { blank(count: 1) }
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                blank(count: 2)
            } else if starts(with: "*/") {
                depth -= 1
                blank(count: 2)
            } else {
                blank(count: 1)
            }
        } while depth > 0 && position < bytes.count
    }

    /// Returns the number of `#` before the quote of a string that starts here.
    private func stringStart() -> Int? {
        let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        let quote = position + hashes
        return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
    }

    private mutating func string(hashes: Int) {
        position += hashes
        let quotes = starts(with: "\"\"\"") ? 3 : 1
        let pounds = String(repeating: "#", count: hashes)
        let closing = String(repeating: "\"", count: quotes) + pounds
        position += quotes
        while position < bytes.count {
            if starts(with: closing) {
                position += closing.utf8.count
                return
            }
            if quotes == 1 && bytes[position] == UInt8(ascii: "\n") { return }
            if starts(with: "\\" + pounds + "(") {
                blank(count: 1 + hashes)
                position += 1
                code(untilParenthesis: true)
                position += 1
            } else if starts(with: "\\" + pounds) {
                blank(count: 2 + hashes)
            } else {
                blank(count: 1)
            }
        }
    }

    private func starts(with text: String) -> Bool {
        bytes[min(position, bytes.count)...].starts(with: text.utf8)
    }

    private mutating func blank(count: Int) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] != UInt8(ascii: "\n") { bytes[position] = UInt8(ascii: " ") }
            position += 1
        }
    }
}
