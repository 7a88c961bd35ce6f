import Testing

/// design.md: "Arrows point up this list only, never down"; style.md, rule 2.
@Suite("Architecture")
struct ArchitectureTests {
    private static let manifest = PackageManifest(text: House.text("Package.swift"))

    @Test("the plan of the house has no cycle")
    func acyclic() {
        #expect(HousePlan.viavai.cycle.isEmpty)
        #expect(HousePlan(allowed: ["A": ["B"], "B": ["A"]], kernel: []).cycle == ["A", "B"])
    }

    @Test("every target depends only on what the plan allows")
    func declared() {
        #expect(Self.manifest.rooms.count >= 10, "Package.swift was not understood")
        for room in Self.manifest.rooms {
            let found = HousePlan.viavai.complaints(
                about: room.dependencies,
                of: room.name,
                in: "Package.swift"
            )
            #expect(found.isEmpty)
        }
    }

    @Test("every file imports only what the plan allows its room")
    func imported() {
        let sources = House.swiftFiles.filter { $0.hasPrefix("Sources/") }
        #expect(sources.count > 20, "the sources were not found")
        for path in sources {
            let room = String(path.split(separator: "/")[1])
            let source = SwiftSource(path: path, text: House.text(path))
            let found = HousePlan.viavai.complaints(about: source.imports, of: room, in: path)
            #expect(found.isEmpty)
        }
    }

    @Test("every room of the plan exists, and every folder of sources is a room or a C library")
    func complete() {
        let folders = Set(
            House.files.filter { $0.hasPrefix("Sources/") }.map {
                String($0.split(separator: "/")[1])
            }
        )
        let libraries = folders.filter { House.exists("Sources/\($0)/module.modulemap") }
        #expect(folders.subtracting(libraries) == Set(HousePlan.viavai.allowed.keys))
        #expect(Set(Self.manifest.rooms.map(\.name)) == Set(HousePlan.viavai.allowed.keys))
    }

    @Test("every room of the kernel is compiled for the browser (design.md, \"The house\")")
    func everywhere() throws {
        let line = House.text("scripts/wasm").split(separator: "\n").first {
            $0.hasPrefix("rooms=(")
        }
        let rooms = try #require(line).dropFirst("rooms=(".count).dropLast().split(separator: " ")
        #expect(Set(rooms.map(String.init)) == HousePlan.viavai.kernel)
    }

    @Test(
        "a wrong arrow is found",
        arguments: [
            ("Geo", "Foundation"), ("Geo", "Glibc"), ("Geo", "Streets"), ("Transit", "Streets"),
            ("Streets", "OpenData"), ("OpenData", "CityData"), ("CityData", "ArgumentParser"),
            ("Attic", "Geo"),
        ]
    )
    func wrongArrow(room: String, module: String) {
        let found = HousePlan.viavai.complaints(about: [module], of: room, in: "here")
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
                func room(_ name: String) -> Target { .target(name: name, exclude: ["x"]) }
                room("A"), room("B", ["A", .product(name: "P", package: "q")]),
                .target(name: "C", dependencies: ["A", "B"], exclude: ["README.md"]),
                .executableTarget(name: "D", exclude: ["README.md"])
                """
        )
        #expect(manifest.rooms.map(\.name) == ["A", "B", "C", "D"])
        #expect(manifest.rooms.map(\.dependencies) == [[], ["A", "P", "q"], ["A", "B"], []])
    }
}
