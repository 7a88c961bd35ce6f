/// What is wrong with a file of texts, and where.
struct CatalogueError: Error, Equatable, CustomStringConvertible {
    /// The path of the file.
    let file: String
    /// The line, from 1.
    let line: Int
    /// The key that the line belongs to; empty before the first.
    let key: String
    let kind: Kind

    enum Kind: Error, Equatable {
        /// The line is none of the forms of docs/localization.md.
        case unreadable
        /// The key declares arguments in another way than `name: kind`.
        case badArguments
        /// The arguments of a translation differ from those of the English text.
        case otherArguments
        /// The key, or the same form of it, is there already in this language.
        case duplicate
        /// There is no English text.
        case noEnglish
        /// The language has no `language.name`.
        case unknownLanguage(String)
        /// The text mentions an argument that the key does not declare.
        case unknownArgument(String)
        /// The translation never mentions an argument.
        case missingArgument(String, language: String)
        /// A brace is not closed, or not opened.
        case braces
        /// The form is no plural category and no number, or the key has no count.
        case badForm(String)
        /// There are forms, but none for all other numbers.
        case noOtherForm(language: String)
        /// `language.plurals` or `language.ordinals` cannot be read.
        case badRules(language: String)
    }

    var description: String { "\(file):\(line): \(key): \(kind)" }
}
