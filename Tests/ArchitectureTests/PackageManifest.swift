import Foundation

/// The targets of Package.swift with their dependencies, parsed from its text.
struct PackageManifest {
    struct Target: Equatable {
        let name: String
        /// The folder of `Sources` that contains it, in lower camel case.
        let layer: String
        let dependencies: [String]
    }

    /// The targets under Sources.
    let modules: [Target]

    init(text: String) {
        // The manifest's functions create targets, so only their calls are targets.
        let text = text.replacing(/(?ms)^func .*?^\}|\/\/[^\n]*|^func [^\n]*\}$/, with: "")
        let lists = Self.lists(in: text)
        modules = ["module(", ".target(", ".executableTarget(", "pages(", "support(", "program("]
            .flatMap { call in
                text.ranges(of: call).compactMap { start in
                    Self.target(call, Self.balanced(text[start.upperBound...]), lists)
                }
            }
    }

    /// Creates a target from the arguments of a call; nil for one without a layer, such as a test.
    private static func target(
        _ call: String,
        _ arguments: Substring,
        _ lists: [String: [String]]
    ) -> Target? {
        let layer =
            switch call {
            case "pages(": "web"
            case "support(": "testSupport"
            default:
                arguments.firstMatch(of: /(?:in: |: Layer)\.([a-zA-Z]+)/).map { String($0.1) }
            }
        guard let layer, let first = arguments.firstMatch(of: /"([^"]+)"/) else { return nil }
        let rest = String(arguments[first.range.upperBound...])
            .replacing(/(?:exclude|resources): \[[^\]]*\]/, with: "")
            .replacing(/embedding: "[^"]*"|publicHeadersPath: "[^"]*"/, with: "")
            .replacing(/(?:path|at): Layer\.\w+\.path\(of: "\w+"\)/, with: "")
        let shared = call == "pages(" ? ["TaxiPages"] + (lists["taxiPages"] ?? []) : []
        return Target(
            name: String(first.1) + (call == "pages(" ? "Pages" : ""),
            layer: layer,
            dependencies: shared + names(in: rest, lists)
        )
    }

    /// The named lists of dependencies, each after those that it contains.
    private static func lists(in text: String) -> [String: [String]] {
        var lists: [String: [String]] = [:]
        for match in text.matches(
            of: /(?ms)^let (\w+)(?:: \[?Target\.Dependency\]?)? =(.*?)(?=^let |^$|^\}|\z)/
        ) {
            let name = String(match.1)
            guard name != "kernel", name != "services", name != "package" else { continue }
            lists[name] = names(in: String(match.2), lists)
        }
        return lists
    }

    /// The modules named in an expression, directly or through a list.
    private static func names(in expression: String, _ lists: [String: [String]]) -> [String] {
        let plain = expression.replacing(/package: "[^"]*"/, with: "")
        return plain.matches(of: /"([^"]+)"|\b([a-z]\w*)\b/).flatMap { match -> [String] in
            if let literal = match.1 { return [String(literal)] }
            return match.2.flatMap { lists[String($0)] } ?? []
        }
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
}
