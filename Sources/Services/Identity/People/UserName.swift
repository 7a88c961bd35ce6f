/// A log-in name: a letter and 2 to 20 letters or digits, all ASCII (R96).
///
/// Names that differ in case only are equal.
package struct UserName: Hashable, Sendable {
    /// How many characters follow the first.
    private static let rest = 2...20

    /// The name as its owner wrote it.
    package let text: String

    /// Parses a user name; nil if the format is wrong.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, first.isLetter, Self.rest.contains(bytes.count - 1),
            bytes.allSatisfy({ $0.isLetter || $0.isDigit })
        else { return nil }
        self.text = text
    }

    /// The text used for comparisons.
    package var normalised: String { text.lowercased() }

    /// Names are equal if they differ in case only.
    package static func == (left: Self, right: Self) -> Bool {
        left.normalised == right.normalised
    }

    /// Hashes the text used for comparisons.
    package func hash(into hasher: inout Hasher) { hasher.combine(normalised) }
}

extension UInt8 {
    /// Whether the byte is `a` to `z` or `A` to `Z`.
    var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= self
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= self
    }

    /// Whether the byte is `0` to `9`.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= self }
}
