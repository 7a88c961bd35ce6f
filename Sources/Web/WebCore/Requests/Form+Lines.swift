import Identity

extension String {
    /// What somebody wrote as one line that pages, logs and terminals show as it is: in the place
    /// of control characters and ends of lines are blanks, none at its ends, and nothing is
    /// invisible.
    package var asOneLine: String {
        let scalars = withoutInvisible.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars)).trimmed
    }

    /// The text without characters that show nothing or turn the direction of others around.
    package var withoutInvisible: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isInvisible }))
    }
}
