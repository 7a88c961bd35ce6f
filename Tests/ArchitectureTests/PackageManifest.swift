/// The targets of Package.swift with their dependencies, parsed from its text.
struct PackageManifest {
    struct Target: Equatable {
        let name: String
        /// The folder of `Sources` that contains it, in lower camel case.
        let layer: String
        let dependencies: [String]
    }

    /// The Swift targets under Sources.
    let modules: [Target]

    init(text: String) {
        var found: [Target] = []
        for call in ["module(", ".target(", ".executableTarget("] {
            var rest = Substring(text)
            while let start = rest.range(of: call) {
                rest = rest[start.upperBound...]
                let arguments = Self.balanced(rest)
                // A target without a layer is not a module: a benchmark or a test helper.
                guard let layer = arguments.firstMatch(of: /(?:in: |path: Layer)\.([a-zA-Z]+)/),
                    let name = Self.literals(in: arguments.prefix { $0 != "[" && $0 != "(" }).first
                else { continue }
                let list = arguments.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
                let ownList = arguments.prefix { $0 != "[" }.suffix(9) != "exclude: "
                found.append(
                    Target(
                        name: name,
                        layer: String(layer.1),
                        dependencies: ownList ? Self.literals(in: list) : []
                    )
                )
            }
        }
        modules = found
    }

    /// Returns the text up to the parenthesis that closes the current one.
    private static func balanced(_ text: Substring) -> Substring {
        var depth = 1
        return text.prefix { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth > 0
        }
    }

    private static func literals(in text: Substring) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}

extension Substring {
    /// Returns the first occurrence of another text.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
