import Encoding
import Localization

extension Language {
    /// Parses a language tag such as `it-CH` (RFC 5646), ignoring surrounding spaces.
    init?(tag: Substring.UTF8View) {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let primary = tag.drop(while: isBlank).prefix { $0 != UInt8(ascii: "-") && !isBlank($0) }
        let found = Self.allCases.first { language in
            // Setting bit 0x20 makes the comparison of letters case-insensitive.
            language.rawValue.utf8.elementsEqual(primary.lazy.map { $0 | 0x20 })
        }
        guard let found else { return nil }
        self = found
    }
}
