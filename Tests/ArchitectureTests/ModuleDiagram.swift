/// The modules of a manifest by layer with their dependencies, as a Mermaid diagram.
///
/// An arrow points from a module to one that it depends on. A dependency that is also indirect gets
/// no arrow: with all of them the diagram would be unreadable.
struct ModuleDiagram {
    /// The text between the fences of the code block, in a fixed order.
    let text: String

    init(_ modules: [PackageManifest.Target]) {
        let names = Set(modules.map(\.name))
        let direct = Dictionary(
            modules.map { ($0.name, names.intersection($0.dependencies)) },
            uniquingKeysWith: { $0.union($1) }
        )
        var lines = ["flowchart TD"]
        for layer in ModulePlan.layers.reversed() {
            let members = modules.filter { $0.layer == layer.lowercased() }.map(\.name).sorted()
            lines.append("    subgraph \(layer)")
            lines += members.map { "        \($0)" }
            lines.append("    end")
        }
        for layer in ModulePlan.layers.reversed() {
            for module in modules.sorted(by: { $0.name < $1.name })
            where module.layer == layer.lowercased() {
                let dependencies = direct[module.name, default: []]
                let further = dependencies.reduce(into: Set<String>()) {
                    $0.formUnion(Self.reached(from: $1, by: direct))
                }
                let shown = dependencies.subtracting(further).sorted()
                guard !shown.isEmpty else { continue }
                lines.append("    \(module.name) --> \(shown.joined(separator: " & "))")
            }
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    /// The modules that a module depends on, directly or not.
    private static func reached(
        from module: String,
        by direct: [String: Set<String>]
    ) -> Set<String> {
        var found: Set<String> = []
        var open = Array(direct[module, default: []])
        while let next = open.popLast() {
            if found.insert(next).inserted { open += direct[next, default: []] }
        }
        return found
    }
}
