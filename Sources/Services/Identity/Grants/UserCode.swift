/// The short code that a person copies from a device (RFC 8628, 6.1).
///
/// It has eight consonants: no vowels, so that it forms no word, and neither digits nor Y, which
/// are taken for letters. 25,600,000,000 are possible.
package struct UserCode: Hashable, Sendable {
    /// The letters that codes are made of.
    static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")
    /// How many letters a code has.
    static let count = 8

    private let letters: String

    /// A random code of ``count`` letters.
    static func random() -> UserCode {
        UserCode(
            letters: String((0..<count).map { _ in alphabet[Int.random(in: alphabet.indices)] })
        )
    }

    private init(letters: String) { self.letters = letters }

    /// Reads a code as a person types it: in small letters too, with blanks and hyphens anywhere.
    package init?(_ text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let letters = text.uppercased().filter { !" -\u{2010}\u{2011}\u{2013}\u{A0}".contains($0) }
        guard letters.count == Self.count, letters.allSatisfy(Self.alphabet.contains) else {
            return nil
        }
        self.letters = letters
    }

    /// The code as devices and pages show it: two groups of four letters.
    package var text: String { "\(letters.prefix(4))-\(letters.suffix(4))" }

    /// The digest that the database contains.
    func digest(under secret: ServerSecret) -> [UInt8] {
        secret.digest(letters, of: .userCode)
    }
}
