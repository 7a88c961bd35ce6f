import Encoding
import Identity

extension String {
    /// The text on a single line, safe for pages, logs and terminals: control characters and line
    /// breaks become spaces, both ends are trimmed, and invisible characters are removed.
    package var asOneLine: String {
        let scalars = withoutInvisible.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars)).trimmingBlanks()
    }

    /// The text without characters that are invisible or change the direction of text.
    package var withoutInvisible: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isInvisible }))
    }
}
