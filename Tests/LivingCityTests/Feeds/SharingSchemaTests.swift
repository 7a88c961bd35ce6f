import Chronology
import Foundation
import LivingCity
import TestSupport
import Testing

/// Issue 33, point 5: the demo's GBFS against the schemas that the standard publishes.
@Suite("The schemas of GBFS", .enabled(if: Effort.isRelease, Effort.releaseAdvice))
struct SharingSchemaTests {
    private static let root: URL = {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root
    }()

    /// The path of a Python that has jsonschema: that of scripts/prepare-python, or the system's.
    private static let python: String? = {
        let own = root.appendingPathComponent(".build/python/bin/python").path
        return [own, "/usr/bin/python3", "/usr/local/bin/python3"].first { path in
            FileManager.default.isExecutableFile(atPath: path)
                && (try? run(path, "-c", "import jsonschema")) == ""
        }
    }()

    private static let advice: Comment = "Python's jsonschema is absent (scripts/prepare-python)"

    /// What a command prints, errors included.
    private static func run(_ path: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        return text
    }

    /// Prints each error of the files that are named, against the schema that stands before each.
    private static let script = """
        import json, sys, jsonschema
        paths = sys.argv[1:]
        for schema, path in zip(paths[::2], paths[1::2]):
            checker = jsonschema.Draft7Validator(json.load(open(schema)))
            for error in checker.iter_errors(json.load(open(path))):
                print(path.split("/")[-1], error.json_path, error.message[:200])
        """

    @Test("every file of both systems is valid", .enabled(if: python != nil, advice))
    func valid() throws {
        try RealData.require("schemas/gbfs/v3.0/gbfs.json")
        let city = try PublishedCity.shared.get()
        let now = try city.time("2026-05-13T08:30:00")
        let folder = try TemporaryFolder()
        var broken = 0
        for document in city.feeds.documents where document.path.hasSuffix(".json") {
            let parts = document.path.split(separator: "/").map(String.init)
            guard parts.count == 2 else { continue }
            let schema = RealData.url("schemas/gbfs/v3.0/\(parts[1])").path
            let bytes = document.bytes(at: now, base: "http://127.0.0.1:8081")
            let file = try folder.write(Data(bytes), to: "\(parts[0])-\(parts[1])")
            let python = try #require(Self.python)
            #expect(try Self.run(python, "-c", Self.script, schema, file) == "")
            // A file without its version is not valid, or the schema is not read.
            let text = String(decoding: bytes, as: UTF8.self).replacing("\"3.0\"", with: "\"3\"")
            let other = try folder.write(text, to: "broken.json")
            if try Self.run(python, "-c", Self.script, schema, other) != "" { broken += 1 }
        }
        #expect(broken == 12)
    }
}
