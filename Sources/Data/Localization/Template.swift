/// A sentence with places for its arguments: `A taxi in about {minutes} min`.
struct Template {
    private enum Part {
        case literal(String)
        case argument(Int)
    }

    private let parts: [Part]

    /// The numbers of the arguments that the sentence mentions.
    var arguments: Set<Int> {
        Set(
            parts.compactMap { part in
                if case .argument(let number) = part { number } else { nil }
            }
        )
    }

    /// Reads a sentence.
    ///
    /// A text in quotation marks may begin or end with a blank; `\n` begins a new line, and `{{`
    /// and `}}` are braces.
    init(_ text: String, _ parameters: [Parameter]) throws(CatalogueError.Kind) {
        var text = Substring(text)
        if text.utf8.count > 1, text.first == "\"", text.last == "\"" {
            text = text.dropFirst().dropLast()
        }
        let signs = [UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\")]
        guard text.utf8.contains(where: signs.contains) else {
            parts = [.literal(String(text))]
            return
        }
        var parts: [Part] = []
        var literal = ""
        while let character = text.popFirst() {
            switch (character, text.first) {
            case ("{", "{"), ("}", "}"):
                text.removeFirst()
                literal.append(character)
            case ("\\", "n"):
                text.removeFirst()
                literal.append("\n")
            case ("}", _): throw .braces
            case ("{", _):
                guard let end = text.firstIndex(of: "}") else { throw .braces }
                let name = String(text[..<end])
                guard let number = parameters.firstIndex(where: { $0.name == name }) else {
                    throw .unknownArgument(name)
                }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                parts.append(.argument(number))
                text = text[text.index(after: end)...]
            default: literal.append(character)
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.parts = parts
    }

    /// The sentence with its arguments in place.
    func filled(_ written: (Int) -> String) -> String {
        // Most sentences have no argument.
        if parts.count == 1, case .literal(let text) = parts[0] { return text }
        return parts.reduce(into: "") { sentence, part in
            switch part {
            case .literal(let text): sentence += text
            case .argument(let number): sentence += written(number)
            }
        }
    }
}

/// An argument that a key declares.
struct Parameter: Equatable {
    let name: String
    let kind: Text.Argument.Kind
}
