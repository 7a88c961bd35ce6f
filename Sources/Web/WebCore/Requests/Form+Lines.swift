extension String {
    /// What somebody wrote as one line that pages, logs and terminals show as it is: in the place
    /// of control characters, ends of lines and what turns the direction of text around are
    /// blanks, and none at its ends.
    package var asOneLine: String {
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar.turnsDirection ? " " : scalar
            }
        }
        return String(String.UnicodeScalarView(scalars)).trimmed
    }
}

extension Unicode.Scalar {
    fileprivate var turnsDirection: Bool {
        0x202A...0x202E ~= value || 0x2066...0x2069 ~= value
    }
}
