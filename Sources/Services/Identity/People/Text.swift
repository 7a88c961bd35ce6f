import Encoding
import Foundation

extension String {
    /// The text without leading and trailing blanks.
    var trimmed: String { trimmingWhiteSpace() }

    /// The text in Unicode normalisation form C, independent of the keyboard.
    var composed: String { precomposedStringWithCanonicalMapping }

    /// Whether it fits in one line of a page, an e-mail or a log: no control characters, no line or
    /// paragraph separators, nothing that reverses the text direction.
    var isOneLine: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: !(0x202A...0x202E ~= scalar.value || 0x2066...0x2069 ~= scalar.value)
            }
        }
    }
}
