import Foundation
import Testing

/// design.md, "Layers and modules"; style.md, rule 2.
@Suite("Architecture")
struct ArchitectureTests {
    private static let manifest = PackageManifest(text: Checkout.text("Package.swift"))

    @Test("the plan has no cycle")
    func acyclic() {
        #expect(ModulePlan.viavai.cycle.isEmpty)
        #expect(ModulePlan(allowed: ["A": ["B"], "B": ["A"]], kernel: []).cycle == ["A", "B"])
    }

    @Test("every target depends only on what the plan allows")
    func declared() {
        #expect(Self.manifest.modules.count >= 10, "Package.swift was not understood")
        for module in Self.manifest.modules {
            let found = ModulePlan.viavai.complaints(
                about: module.dependencies,
                of: module.name,
                in: "Package.swift"
            )
            #expect(found.isEmpty)
        }
    }

    @Test("every file imports only what the plan allows its module")
    func imported() {
        let sources = Checkout.swiftFiles.filter { $0.hasPrefix("Sources/") }
        #expect(sources.count > 20, "the sources were not found")
        for path in sources {
            let module = String(path.split(separator: "/")[2])
            let source = SwiftSource(path: path, text: Checkout.text(path))
            let found = ModulePlan.viavai.complaints(about: source.imports, of: module, in: path)
            #expect(found.isEmpty)
        }
    }

    /// The layer of each module's folder.
    private static let layers: [String: String] = {
        let places = Checkout.files.filter { $0.hasPrefix("Sources/") }.map {
            $0.split(separator: "/").map(String.init)
        }
        return Dictionary(places.filter { $0.count > 3 }.map { ($0[2], $0[1]) }) { first, _ in
            first
        }
    }()

    @Test("every module of the plan exists in its layer, and every folder is one or a C library")
    func complete() {
        let folders = Self.layers.filter { $0.value != "System" }
        #expect(Set(folders.keys) == Set(ModulePlan.viavai.allowed.keys))
        #expect(Set(Self.manifest.modules.map(\.name)) == Set(ModulePlan.viavai.allowed.keys))
        for module in Self.manifest.modules {
            #expect(folders[module.name]?.lowercased() == module.layer.lowercased(), "\(module)")
        }
        for (library, layer) in Self.layers where layer == "System" {
            #expect(Checkout.exists("Sources/System/\(library)/module.modulemap"))
        }
    }

    @Test("dependencies lead to the own layer or to one before it")
    func layered() {
        #expect(ModulePlan.viavai.upward(Self.layers).isEmpty)
        let wrong = ModulePlan(allowed: ["A": ["B", "C"], "B": [], "C": []], kernel: [])
        let found = wrong.upward(["A": "Kernel", "B": "Data", "C": "Kernel"])
        #expect(found == ["A may not import B, which is of a later layer"])
    }

    @Test(
        "the basis of all pages and messages names no product (issue 29, point 2)",
        arguments: ["Services/Notify", "Web/HTTPServer", "Web/LiveUpdates", "Web/WebCore"]
    )
    func productFree(folder: String) throws {
        let files = Checkout.files.filter { $0.hasPrefix("Sources/\(folder)/") }
        #expect(files.contains { $0.hasSuffix(".swift") }, "the sources were not found")
        for path in files {
            let words = Self.productWords(
                in: Checkout.text(path),
                // The zones of Notify are those of clocks.
                besides: folder == "Services/Notify" ? /(?i)zones?/ : /(?i)time zones?|data-zone/
            )
            for word in words { Issue.record("\(path): \(word)") }
        }
    }

    /// The words of a text that only a product about taxis has.
    private static func productWords(
        in text: String,
        besides permitted: Regex<Substring>
    ) -> [String] {
        // By default there is no boundary between a point and a letter, as in `api.rides.call`.
        let words = /(?i)taxi|driver|passenger|\b(?:ride|zone)s?\b/.wordBoundaryKind(.simple)
        return text.replacing(permitted, with: "").matches(of: words).map { String($0.output) }
    }

    @Test("words of a product are found in names and in the plural, and not within other words")
    func productWordForms() {
        let found = Self.productWords(
            in: "api.rides.call, ride/3: a Taxi's zones; override, deride, time zone, rideless",
            besides: /(?i)time zones?/
        )
        #expect(found == ["rides", "ride", "Taxi", "zones"])
    }

    /// With `VIAVAI_DIAGRAM=write` the page gets the diagram of the manifest.
    @Test("the diagram of docs/architecture.md shows the modules of the manifest and no other")
    func drawn() throws {
        let path = "docs/architecture.md"
        let page = Checkout.text(path)
        let block = try #require(page.firstMatch(of: /(?s)```mermaid\n(.*?)```/)).1
        let diagram = ModuleDiagram(Self.manifest.modules).text
        if ProcessInfo.processInfo.environment["VIAVAI_DIAGRAM"] == "write" {
            try page.replacing(block, with: diagram)
                .write(to: Checkout.root.appending(path: path), atomically: true, encoding: .utf8)
        } else {
            #expect(block == diagram, "VIAVAI_DIAGRAM=write writes:\n\(diagram)")
        }
    }

    @Test("a diagram has an arrow for each dependency that no other one implies")
    func diagramForms() {
        let manifest = PackageManifest(
            text: """
                module("A", in: .kernel), module("B", in: .kernel, ["A"]),
                module("C", in: .data, ["A", "B", .product(name: "P", package: "q")]),
                module("D", in: .data, ["A"]), module("E", in: .web, ["A", "C", "D"]),
                """
        )
        let arrows = ModuleDiagram(manifest.modules).text.split(separator: "\n").filter {
            $0.contains("-->")
        }
        #expect(arrows == ["    E --> C & D", "    C --> B", "    D --> A", "    B --> A"])
        #expect(ModuleDiagram(manifest.modules).text.contains("subgraph Web\n        E\n    end"))
    }

    @Test("every module of the kernel is compiled for the browser (design.md, \"Layers\")")
    func everywhere() throws {
        let line = Checkout.text("scripts/wasm").split(separator: "\n").first {
            $0.hasPrefix("modules=(")
        }
        let names = try #require(line).dropFirst("modules=(".count).dropLast()
        let compiled = Set(names.split(separator: " ").map(String.init))
        #expect(compiled == ModulePlan.viavai.kernel)
        #expect(compiled == Set(Self.layers.filter { $0.value == "Kernel" }.keys))
    }

    @Test(
        "a dependency that is not allowed is found",
        arguments: [
            ("Geo", "Foundation"), ("Geo", "Glibc"), ("Geo", "Streets"), ("Transit", "Streets"),
            ("Streets", "OpenData"), ("OpenData", "CityData"), ("CityData", "ArgumentParser"),
            ("Attic", "Geo"), ("Geo", "Synchronization"),
        ]
    )
    func notAllowed(module: String, dependency: String) {
        let found = ModulePlan.viavai.complaints(about: [dependency], of: module, in: "here")
        #expect(found.count == 1)
    }

    @Test("imports are found in every form, and only where they are code")
    func importForms() {
        let source = SwiftSource(
            path: "",
            text: """
                public import Geo
                @testable import Streets; import struct Foundation.URL
                // import Nothing
                /* import /* nested */ Nothing */
                #if canImport(Glibc)
                    @preconcurrency package import Glibc
                #endif
                let text = "import Nothing \\("import " + name) import Nothing"
                let raw = #"import " \\( import"#
                """ + "\nlet long = \"\"\"\n    import Nothing\n    \"\"\"\nimport Columns\n"
        )
        #expect(source.imports == ["Geo", "Streets", "Foundation", "Glibc", "Columns"])
    }

    @Test("targets and their dependencies are read from a manifest")
    func manifestForms() {
        let manifest = PackageManifest(
            text: """
                let some: [Target.Dependency] = ["S", .product(name: "T", package: "t")]
                let taxiPages: [Target.Dependency] = ["U"] + some

                func module(_ name: String) -> Target { .target(name: name, exclude: ["x"]) }
                func pages(_ name: String) -> Target {
                    module(name + "Pages", in: .web, some)
                }
                module("A", in: .kernel),
                module("B", in: .kernel, ["A", .product(name: "P", package: "q")]),
                .target(name: "C", dependencies: ["A", "B"], path: Layer.data.path(of: "C")),
                .executableTarget(name: "D", path: Layer.programs.path(of: "D"), exclude: ["y"])
                pages("E", ["A"] + more("F")),
                support("G", some + ["A"]),
                program("H", at: Layer.programs.path(of: "H"), ["A"]),
                """
        )
        #expect(manifest.modules.map(\.name) == ["A", "B", "C", "D", "EPages", "G", "H"])
        #expect(
            manifest.modules.map(\.dependencies) == [
                [], ["A", "P"], ["A", "B"], [], ["TaxiPages", "U", "S", "T", "A", "F"],
                ["S", "T", "A"], ["A"],
            ]
        )
        let layers = ["kernel", "kernel", "data", "programs", "web", "testSupport", "programs"]
        #expect(manifest.modules.map(\.layer) == layers)
    }
}
