import Foundation
import TestSupport
import Testing

/// Checks documents against the schemas that standards publish, with Python's jsonschema.
enum PublishedSchemas {
    private static let root: URL = {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root
    }()

    /// The path of a Python that has jsonschema and PyYAML: that of scripts/prepare-python, or the
    /// system's.
    static let python: String? = {
        let own = root.appendingPathComponent(".build/python/bin/python").path
        return [own, "/usr/bin/python3", "/usr/local/bin/python3"].first { path in
            FileManager.default.isExecutableFile(atPath: path)
                && (try? run(path, ["-c", "import jsonschema, yaml"])) == ""
        }
    }()

    static let advice: Comment =
        "Python's jsonschema or PyYAML is absent (scripts/prepare-python)"

    /// What a command prints, errors included.
    private static func run(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The problems of files of a GOFS feed; empty if there are none.
    static func problemsOfGOFS(_ files: [(String, String)]) throws -> String {
        let script = """
            import json, sys, jsonschema
            paths = sys.argv[1:]
            for schema, path in zip(paths[::2], paths[1::2]):
                checker = jsonschema.Draft7Validator(json.load(open(schema)))
                for error in checker.iter_errors(json.load(open(path))):
                    print(path.split("/")[-1], error.json_path, error.message[:200])
            """
        return try check(script, []) { folder in
            try files.flatMap { name, text in
                let schema = RealData.url("schemas/gofs/schema/\(name).json").path
                return [schema, try folder.write(text, to: "\(name).json")]
            }
        }
    }

    /// The problems of answers of the MDS provider API; empty if there are none.
    ///
    /// The published schemas are repaired first: one has a list where JSON Schema wants a schema,
    /// and objects of one mode are also objects of others, of which only one may fit.
    static func problemsOfMDS(_ answers: [(String, String)]) throws -> String {
        let script = """
            import json, pathlib, sys, yaml, jsonschema
            from referencing import Registry, Resource
            from referencing.jsonschema import DRAFT202012
            root = pathlib.Path(sys.argv[1])
            def repaired(value):
                if isinstance(value, list): return [repaired(item) for item in value]
                if not isinstance(value, dict): return value
                value = {name: repaired(item) for name, item in value.items()}
                if isinstance(value.get("contains"), list):
                    value["contains"] = {"enum": value["contains"]}
                modes = [i for i in value.get("oneOf", []) if "/modes/" in i.get("$ref", "")]
                own = [item for item in modes if "passenger-services" in item["$ref"]]
                return dict(value, oneOf=own) if own else value
            def read(path): return repaired(yaml.safe_load(path.read_text()))
            def retrieve(uri):
                return Resource.from_contents(
                    read(pathlib.Path(uri[7:])), default_specification=DRAFT202012)
            registry = Registry(retrieve=retrieve)
            source = root / "reference/provider.yaml"
            paths = read(source)["paths"]
            for path, file in zip(sys.argv[2::2], sys.argv[3::2]):
                content = paths[path]["get"]["responses"]["200"]["content"]
                schema = dict(content["application/json"]["schema"], **{"$id": source.as_uri()})
                checker = jsonschema.Draft202012Validator(schema, registry=registry)
                for error in checker.iter_errors(json.load(open(file))):
                    print(path, error.json_path, error.message[:300])
            """
        return try check(script, [RealData.url("schemas/mds/2.0").path]) { folder in
            try answers.enumerated().flatMap { number, answer in
                [answer.0, try folder.write(answer.1, to: "\(number).json")]
            }
        }
    }

    private static func check(
        _ script: String,
        _ first: [String],
        _ files: (TemporaryFolder) throws -> [String]
    ) throws -> String {
        let folder = try TemporaryFolder()
        let python = try #require(Self.python)
        return try run(python, ["-c", script] + first + (try files(folder)))
    }
}
