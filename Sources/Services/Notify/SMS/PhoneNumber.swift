/// A telephone number in international form (ITU-T E.164): `+390212345`.
package struct PhoneNumber: Sendable, Hashable {
    /// A plus sign and 7 to 15 digits.
    package let text: String

    /// Parses a number; spaces, points, hyphens, slashes and parentheses are removed.
    ///
    /// - Parameter text: the text typed; the result is nil for anything but an
    ///   international number.
    package init?(_ text: String) {
        let kept = text.utf8.filter { !Array(" .-/()".utf8).contains($0) }
        let digits = kept.dropFirst()
        guard kept.first == UInt8(ascii: "+"), (7...15).contains(digits.count),
            digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.text = String(decoding: kept, as: UTF8.self)
    }
}
