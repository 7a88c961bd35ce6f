import Foundation

/// The checkout that the architecture tests examine.
enum Checkout {
    /// The folder with Package.swift.
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder
    }()

    /// The hand-written files of the project, with paths relative to the root, in order.
    ///
    /// Hidden folders (`.build`, `.git`) and generated files are not included.
    static let files: [String] = {
        let places = [
            "Sources", "Tests", "Benchmarks", "docs", "deploy", "scripts", "wasm",
        ]
        let loose = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        var found = loose.filter { name in
            !name.hasPrefix(".") && !isFolder(name) && name != "Package.resolved"
                && !name.hasSuffix(".city")
        }
        for place in places {
            guard let walk = FileManager.default.enumerator(atPath: root.path + "/" + place) else {
                continue
            }
            for case let name as String in walk {
                let hidden = name.split(separator: "/").contains {
                    $0.hasPrefix(".") || $0 == "__pycache__"
                }
                let path = place + "/" + name
                if !hidden && !isFolder(path) { found.append(path) }
            }
        }
        return found.sorted()
    }()

    /// The Swift files under Sources, Tests, Benchmarks and wasm, but the example for developers,
    /// which is a program of its own.
    static let swiftFiles = files.filter { path in
        path.hasSuffix(".swift") && !path.hasPrefix("Sources/Web/API/Examples/")
    }

    /// Returns the text of a file; empty if it is not text.
    static func text(_ path: String) -> String {
        (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    private static func isFolder(_ path: String) -> Bool {
        var folder: ObjCBool = false
        let full = root.appendingPathComponent(path).path
        return FileManager.default.fileExists(atPath: full, isDirectory: &folder)
            && folder.boolValue
    }
}
