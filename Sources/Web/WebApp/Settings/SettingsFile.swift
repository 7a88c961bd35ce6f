import Yams

/// The parsed entries of a settings file before validation: names, values and line numbers.
struct SettingsFile: Sendable {
    struct Line: Hashable, Sendable {
        /// The nested names joined by periods: `tls.certificate`.
        var name: String
        /// The value as written, or the elements of a list joined by commas.
        var value: String
        /// The line number, starting at 1.
        var line: Int
    }

    /// The entries in the order of the file.
    let lines: [Line]

    /// Parses a file: a YAML mapping of names to values, lists of values or nested mappings.
    ///
    /// - Throws: if the text is not valid YAML or not such a mapping, or if a name occurs twice.
    init(text: String, file: String) throws(SettingsFault) {
        var lines: [Line] = []
        do {
            if let root = try Yams.compose(yaml: text) {
                try Self.collect(root, under: "", file: file, into: &lines)
            }
        } catch let fault as SettingsFault {
            throw fault
        } catch let error as YamlError {
            throw SettingsFault(file: file, line: Self.line(of: error), problem: .notYAML)
        } catch {
            throw SettingsFault(file: file, line: nil, problem: .notYAML)
        }
        var seen: Set<String> = []
        for line in lines where !seen.insert(line.name).inserted {
            throw SettingsFault(
                file: file,
                line: line.line,
                name: line.name,
                problem: .givenTwice
            )
        }
        self.lines = lines
    }

    /// The maximum nesting depth of names; the deepest known name has two parts.
    private static let deepest = 4

    private static func collect(
        _ node: Node,
        under name: String,
        file: String,
        into lines: inout [Line],
        depth: Int = 0
    ) throws {
        let line = node.mark?.line ?? 1
        switch node {
        case .scalar(let scalar) where !name.isEmpty:
            lines.append(Line(name: name, value: scalar.string, line: line))
        case .sequence(let elements) where !name.isEmpty:
            let values = elements.compactMap(\.scalar?.string)
            guard values.count == elements.count else {
                throw SettingsFault(file: file, line: line, name: name, problem: .notAMapping)
            }
            lines.append(Line(name: name, value: values.joined(separator: ","), line: line))
        case .mapping(let mapping) where depth < deepest:
            for (key, value) in mapping {
                guard let part = key.scalar?.string, !part.isEmpty else {
                    throw SettingsFault(file: file, line: line, problem: .notAMapping)
                }
                let whole = name.isEmpty ? part : "\(name).\(part)"
                try collect(value, under: whole, file: file, into: &lines, depth: depth + 1)
            }
        default:
            // An empty file is an empty mapping; so is a file that contains only comments.
            if case .scalar(let scalar) = node, name.isEmpty, scalar.string.isEmpty { return }
            throw SettingsFault(
                file: file,
                line: line,
                name: name.isEmpty ? nil : name,
                problem: .notAMapping
            )
        }
    }

    private static func line(of error: YamlError) -> Int? {
        switch error {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _),
            .composer(_, _, let mark, _):
            mark.line
        default: nil
        }
    }
}
