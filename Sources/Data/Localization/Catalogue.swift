import CTexts

/// All texts of the product in all languages.
struct Catalogue: Sendable {
    /// A file of texts, with its path for error messages.
    struct File {
        let path: String
        let text: String
    }

    /// The languages, in the order in which `language.name` has them.
    let languages: [Language]
    private let entries: [String: Entry]
    private let rules: [String: (plurals: PluralRules, ordinals: PluralRules)]

    /// A text with all its translations.
    struct Entry: Sendable {
        let parameters: [Parameter]
        /// In English first; a language has one translation at most.
        let translations: [Translation]
    }

    /// The forms of a text in one language.
    struct Translation: Sendable {
        let language: String
        let other: Template
        let numbers: [Int64: Template]
        let categories: [PluralCategory: Template]
    }

    /// The catalogue that the program carries.
    ///
    /// Tests read the same files, so a file with an error never reaches a program.
    static let embedded: Catalogue = {
        do {
            return try Catalogue(embeddedFiles)
        } catch {
            preconditionFailure("the embedded texts cannot be read: \(error)")
        }
    }()

    /// The files that are linked into the program.
    static var embeddedFiles: [File] {
        var files: [File] = []
        while let file = unsafe viavai_text_file(files.count) {
            let bytes = unsafe UnsafeBufferPointer(
                start: file.pointee.bytes,
                count: file.pointee.size
            )
            files.append(
                File(
                    path: unsafe String(cString: file.pointee.path),
                    text: unsafe String(decoding: bytes, as: UTF8.self)
                )
            )
        }
        return files
    }

    /// Reads the texts of all files.
    init(_ files: [File]) throws(CatalogueError) {
        var reader = CatalogueReader()
        for file in files { try reader.read(file) }
        entries = try reader.entries()
        languages = (entries["language.name"]?.translations ?? []).map {
            Language(tag: $0.language)
        }
        rules = try reader.rules(of: languages, in: entries)
    }

    /// All keys, in order.
    var keys: [String] { entries.keys.sorted() }

    /// The languages in which a key has no text.
    func untranslated(_ key: String) -> [Language] {
        let known = entries[key]?.translations.map(\.language) ?? []
        return languages.filter { !known.contains($0.rawValue) }
    }

    /// The text of a key in a language, or in English where it is not translated.
    func text(_ key: String, _ arguments: [Text.Argument], in language: Language) -> String {
        guard let entry = entries[key] else { preconditionFailure("no text has the key \(key)") }
        let areDeclared =
            entry.parameters.count == arguments.count
            && zip(entry.parameters, arguments).allSatisfy { $0.kind.value == $1.kind }
        precondition(areDeclared, "the text \(key) has other arguments")
        let translation =
            entry.translations.first { $0.language == language.rawValue } ?? entry.translations[0]
        return form(of: translation, entry.parameters, arguments).filled { number in
            arguments[number].written(in: language, from: self)
        }
    }

    /// An item of a text that is a list with commas.
    func item(_ number: Int, of key: String, in language: Language) -> String {
        let items = text(key, [], in: language).split(separator: ",")
        precondition(items.indices.contains(number), "\(key) has no item \(number)")
        return items[number].trimmed
    }

    /// The form of a text that fits its count or rank.
    private func form(
        of translation: Translation,
        _ parameters: [Parameter],
        _ arguments: [Text.Argument]
    ) -> Template {
        guard let place = parameters.firstIndex(where: \.kind.choosesForm),
            case .integer(let number) = arguments[place], let rules = rules[translation.language]
        else { return translation.other }
        if let exact = translation.numbers[number] { return exact }
        let isRank = parameters[place].kind == .rank
        let category = (isRank ? rules.ordinals : rules.plurals).category(of: number)
        return translation.categories[category] ?? translation.other
    }
}
