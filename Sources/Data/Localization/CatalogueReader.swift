/// Reads files of texts (docs/localization.md) line by line.
struct CatalogueReader {
    private var raw: [String: RawEntry] = [:]
    /// The file, line and key that are read, for errors.
    private var place = Place()

    private struct Place {
        var file = ""
        var line = 0
        var key = ""

        func error(_ kind: CatalogueError.Kind) -> CatalogueError {
            CatalogueError(file: file, line: line, key: key, kind: kind)
        }
    }

    /// What files say of a key.
    private struct RawEntry {
        var signatures: [(place: Place, parameters: [Parameter]?)] = []
        var texts: [RawText] = []
    }

    /// A form of a text in a language.
    private struct RawText {
        let place: Place
        /// Which of the signatures it stands under.
        let signature: Int
        let language: String
        let form: String
        var text: String
    }

    /// Reads a file and adds its texts.
    mutating func read(_ file: Catalogue.File) throws(CatalogueError) {
        place = Place(file: file.path)
        var group = ""
        // As bytes: telling characters apart takes most of the time.
        let newline = UInt8(ascii: "\n")
        for bytes in file.text.utf8.split(separator: newline, omittingEmptySubsequences: false) {
            let line = Substring(bytes)
            place.line += 1
            if line.trimmed.isEmpty || line.first == "#" { continue }
            if line.first == "[" {
                group = try self.group(line)
                place.key = ""
            } else if line.first != " " {
                try readKey(line, in: group)
            } else if line.hasPrefix("        ") {
                try readMore(line.trimmed)
            } else {
                try readText(line)
            }
        }
    }

    /// `[order]`, or `[form] package` where other modules use the group.
    private func group(_ line: Substring) throws(CatalogueError) -> String {
        let parts = line.dropFirst().split(separator: "]", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isName(parts[0]), ["", "package"].contains(parts[1].trimmed)
        else { throw place.error(.unreadable) }
        return String(parts[0])
    }

    /// `title`, or `wait(_ minutes: number)`.
    private mutating func readKey(_ line: Substring, in group: String) throws(CatalogueError) {
        let name = line.prefix { $0 != "(" }
        place.key = group + "." + name
        guard !group.isEmpty, Self.isName(name) else { throw place.error(.unreadable) }
        var parameters: [Parameter]?
        if name.endIndex != line.endIndex {
            guard line.last == ")" else { throw place.error(.badArguments) }
            parameters = try self.parameters(line[name.endIndex...].dropFirst().dropLast())
        }
        raw[place.key, default: RawEntry()].signatures.append((place, parameters))
    }

    private func parameters(_ text: Substring) throws(CatalogueError) -> [Parameter] {
        var found: [Parameter] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: ":")
            // The name is preceded by a label where Swift's differs from it.
            let names = parts.first?.split(separator: " ") ?? []
            guard parts.count == 2, (1...2).contains(names.count), let name = names.last,
                Self.isName(name), !found.contains(where: { $0.name == name }),
                let kind = Text.Argument.Kind(rawValue: parts[1].trimmed),
                !kind.choosesForm || !found.contains(where: \.kind.choosesForm)
            else { throw place.error(.badArguments) }
            found.append(Parameter(name: String(name), kind: kind))
        }
        return found
    }

    /// `    en: A taxi`, or `    en one: 1 taxi`.
    private mutating func readText(_ line: Substring) throws(CatalogueError) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let head = parts[0].split(separator: " ")
        guard parts.count == 2, (1...2).contains(head.count), line.hasPrefix("    "),
            var entry = raw[place.key]
        else { throw place.error(.unreadable) }
        let (language, form) = (String(head[0]), head.count == 2 ? String(head[1]) : "other")
        if entry.texts.contains(where: { ($0.language, $0.form) == (language, form) }) {
            throw place.error(.duplicate)
        }
        entry.texts.append(
            RawText(
                place: place,
                signature: entry.signatures.count - 1,
                language: language,
                form: form,
                text: parts[1].trimmed
            )
        )
        raw[place.key] = entry
    }

    /// The rest of a sentence that takes more than one line.
    private mutating func readMore(_ text: String) throws(CatalogueError) {
        guard let last = raw[place.key]?.texts.indices.last else { throw place.error(.unreadable) }
        raw[place.key]?.texts[last].text += " " + text
    }

    private static func isName(_ text: Substring) -> Bool {
        text.first?.isLowercase == true
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: false
                }
            }
    }
}

extension CatalogueReader {
    /// What was read, checked.
    func entries() throws(CatalogueError) -> [String: Catalogue.Entry] {
        let languages = Set((raw["language.name"]?.texts ?? []).map(\.language))
        var entries: [String: Catalogue.Entry] = [:]
        for (key, entry) in raw.sorted(by: { $0.key < $1.key }) {
            let first = entry.signatures[0].place
            guard let english = entry.texts.first(where: { $0.language == "en" }) else {
                throw first.error(.noEnglish)
            }
            let parameters = entry.signatures[english.signature].parameters ?? []
            for (number, signature) in entry.signatures.enumerated()
            where number != english.signature {
                let texts = entry.texts.filter { $0.signature == number }
                guard let text = texts.first, text.language != "en" else {
                    throw signature.place.error(.duplicate)
                }
                guard signature.parameters == nil || signature.parameters == parameters else {
                    throw signature.place.error(.otherArguments)
                }
            }
            var order = ["en"]
            for text in entry.texts where !order.contains(text.language) {
                guard languages.contains(text.language) else {
                    throw text.place.error(.unknownLanguage(text.language))
                }
                order.append(text.language)
            }
            var translations: [Catalogue.Translation] = []
            for language in order {
                let texts = entry.texts.filter { $0.language == language }
                translations.append(try translation(language, texts, parameters))
            }
            entries[key] = Catalogue.Entry(parameters: parameters, translations: translations)
        }
        return entries
    }

    private func translation(
        _ language: String,
        _ texts: [RawText],
        _ parameters: [Parameter]
    ) throws(CatalogueError) -> Catalogue.Translation {
        var other: Template?
        var numbers: [Int64: Template] = [:]
        var categories: [PluralCategory: Template] = [:]
        var mentioned: Set<Int> = []
        for text in texts {
            let template: Template
            do {
                template = try Template(text.text, parameters)
            } catch {
                throw text.place.error(error)
            }
            mentioned.formUnion(template.arguments)
            if text.form == "other" {
                other = template
                continue
            }
            guard parameters.contains(where: \.kind.choosesForm) else {
                throw text.place.error(.badForm(text.form))
            }
            if let number = Int64(text.form) {
                numbers[number] = template
            } else if let category = PluralCategory(rawValue: text.form) {
                categories[category] = template
            } else {
                throw text.place.error(.badForm(text.form))
            }
        }
        let place = texts[0].place
        guard let other else { throw place.error(.noOtherForm(language: language)) }
        for (number, parameter) in parameters.enumerated()
        where !parameter.kind.choosesForm && !mentioned.contains(number) {
            throw place.error(.missingArgument(parameter.name, language: language))
        }
        return Catalogue.Translation(
            language: language,
            other: other,
            numbers: numbers,
            categories: categories
        )
    }

    /// The plural and ordinal rules of languages.
    func rules(
        of languages: [Language],
        in entries: [String: Catalogue.Entry]
    ) throws(CatalogueError) -> [String: (plurals: PluralRules, ordinals: PluralRules)] {
        func rules(_ key: String, _ language: String) throws(CatalogueError) -> PluralRules {
            let text = raw[key]?.texts.first { $0.language == language }
            guard let rules = PluralRules(text?.text ?? "other") else {
                throw (text?.place ?? place).error(.badRules(language: language))
            }
            return rules
        }
        var found: [String: (plurals: PluralRules, ordinals: PluralRules)] = [:]
        for language in languages.map(\.rawValue) {
            found[language] = (
                try rules("language.plurals", language), try rules("language.ordinals", language)
            )
        }
        return found
    }
}
