import Encoding

/// Encodes text as printable ASCII in short lines (RFC 2045, 6.7).
enum QuotedPrintable {
    /// The longest line without its line ending.
    private static let columns = 76

    /// Encodes a text with `\n` line endings into lines that end with CRLF.
    static func encoded(_ text: String) -> String {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.map { encoded(line: Array($0)) }.joined(separator: "\r\n")
    }

    private static func encoded(line bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var column = 0
        for (place, byte) in bytes.enumerated() {
            // The soft line break itself takes one column, and an encoded byte three.
            if column + 3 > columns - 1 {
                text += Array("=\r\n".utf8)
                column = 0
            }
            let isLast = place == bytes.count - 1
            // Servers may remove trailing spaces, and some change a point or "From " at the
            // beginning of a line, so these characters are encoded too.
            let isFragile =
                isLast && (byte == 0x20 || byte == 0x09)
                || column == 0 && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "F"))
            let isPlain = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "=") && !isFragile
            let digits = Hex.upperCaseDigits(byte)
            let piece = isPlain ? [byte] : [0x3D, digits.high, digits.low]
            text += piece
            column += piece.count
        }
        return String(decoding: text, as: UTF8.self)
    }
}
