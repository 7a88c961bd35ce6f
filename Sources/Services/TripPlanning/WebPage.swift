/// The addresses of pages that feeds name.
package enum WebPage {
    /// The longest address, in bytes.
    private static let limit = 2_000

    /// An address that a browser may open; nil for any other.
    ///
    /// Feeds come from outside: another scheme could run a script or open a program.
    package static func address(_ text: String) -> String? {
        let lower = text.lowercased()
        let isPage = lower.hasPrefix("https://") || lower.hasPrefix("http://")
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPage && isPlain && text.utf8.count <= limit ? text : nil
    }
}
