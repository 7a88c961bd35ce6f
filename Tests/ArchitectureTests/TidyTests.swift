import Foundation
import TestSupport
import Testing

/// style.md, rules 3 and 17: what the formatter cannot check.
@Suite("Tidiness")
struct TidyTests {
    private static let sources = Checkout.swiftFiles.map {
        SwiftSource(path: $0, text: Checkout.text($0))
    }

    @Test("files, lines and functions stay within their limits")
    func sizes() {
        #expect(Self.sources.count > 40, "the sources were not found")
        #expect(Self.sources.flatMap(TidyRules.sizes).isEmpty)
    }

    @Test("nothing calls what is forbidden")
    func calls() {
        #expect(Self.sources.flatMap(TidyRules.calls).isEmpty)
    }

    @Test("nobody is woken under a lock")
    func wakes() {
        #expect(Self.sources.flatMap(TidyRules.wakes).isEmpty)
    }

    @Test("nothing is marked as unfinished or names this machine")
    func words() {
        let checkout = String(Checkout.root.path)
        let found = Checkout.files.flatMap {
            TidyRules.words(path: $0, text: Checkout.text($0), checkout: checkout)
        }
        #expect(found.isEmpty)
    }

    @Test("files are named after what they are")
    func names() {
        #expect(Checkout.files.flatMap(TidyRules.names).isEmpty)
    }

    @Test("few doc comments are too short to say more than a name (issue 29)")
    func briefComments() {
        let found = Self.sources.filter { $0.path.hasPrefix("Sources/") }
            .flatMap(TidyRules.briefComments)
        #expect(!found.isEmpty, "comments were not found")
        #expect(
            found.count <= TidyRules.briefCommentsLimit,
            "\(found.joined(separator: "\n"))"
        )
    }

    @Test("every module has a page of its own")
    func pages() {
        let pages = Checkout.files.filter { $0.hasSuffix("/README.md") }
        for module in ModulePlan.viavai.allowed.keys.sorted() {
            #expect(pages.contains { $0.hasSuffix("/\(module)/README.md") }, "\(module)")
        }
    }

    @Test("no real data is committed")
    func realData() throws {
        let data = [".pbf", ".zip", ".gz", ".geojson", ".city", ".sqlite"]
        let sizes = try Checkout.files.map { path in
            let attributes = try FileManager.default.attributesOfItem(
                atPath: Checkout.root.appendingPathComponent(path).path
            )
            return (path: path, size: (attributes[.size] as? NSNumber)?.intValue ?? 0)
        }
        let limit = 64 * 1024
        let large = sizes.filter { file in
            file.size > limit && data.contains { file.path.hasSuffix($0) }
        }
        #expect(large.isEmpty)
        let copies = RealDataIndex(folder: RealData.folder)
        for file in sizes where copies.holds(Checkout.root.appendingPathComponent(file.path)) {
            Issue.record("\(file.path) is a copy of real data")
        }
    }

    @Test("a file that is too long, too wide or holds too long a function is found")
    func findsSizes() {
        func found(_ text: String) -> [String] {
            TidyRules.sizes(SwiftSource(path: "A.swift", text: text))
        }
        let lines = { (count: Int) in String(repeating: "let a = 1\n", count: count) }
        #expect(found(lines(400)).isEmpty)
        #expect(found(lines(401)) == ["A.swift: 401 lines"])
        #expect(found(String(repeating: "é", count: 100)).isEmpty)
        #expect(found("\n" + String(repeating: "é", count: 101)) == ["A.swift:2: 101 columns"])
        #expect(found("\nfunc f() {\n" + lines(68) + "}\n").isEmpty)
        #expect(
            found("\nfunc f() {\n" + lines(69) + "}\n") == ["A.swift:2: 71 lines in a function"]
        )
        let protocolFirst = "protocol P {\nfunc f(a: Int)\ninit()\n}\n"
        #expect(
            found(protocolFirst + "init(f: () -> Int = { 1 }) {\n" + lines(70) + "}")
                == ["A.swift:5: 72 lines in a function"]
        )
        #expect(found("func f() {\n// }\nlet s = \"}\"\n" + lines(67) + "}").count == 1)
        #expect(found("let a = A.init()\nvar b: Int {\n" + lines(80) + "}").isEmpty)
    }

    @Test(
        "a forbidden call is found",
        arguments: ["Date()", "print(1)", "try! f()", "fatalError()", "await Task.sleep(for: d)"]
    )
    func findsCalls(call: String) {
        func found(_ text: String, path: String = "Sources/Kernel/Geo/A.swift") -> [String] {
            TidyRules.calls(SwiftSource(path: path, text: text))
        }
        #expect(found("let a = 1\n    \(call)\n").count == 1)
        #expect(found("// \(call)\nlet a = \"\(call)\"").isEmpty)
        #expect(found("let a = \"\\(\(call))\"").count == 1, "in an interpolation")
        #expect(found("blueprint(1); CivilDate()").isEmpty)
        #expect(found("print(1)", path: "Sources/Programs/viavai/A.swift").isEmpty)
    }

    @Test(
        "who is woken under a lock is found",
        arguments: [
            ("a.withLock { $0?.cancel() }", 1),
            ("let b = a.withLock { a in\n    for c in a.all { c.yield(1) }\n}", 1),
            ("while !a.withLock({ $0.finish() }) {}", 1),
            ("a.withLock { $0 }?.cancel()", 0),
            ("let b = order.withLock { _ in\n    a.withLock { $0 }.resume()\n}", 0),
            ("order.withLock { _ in\n    a.withLock { $0.resume() }\n}", 1),
        ]
    )
    func findsWakes(text: String, count: Int) {
        #expect(TidyRules.wakes(SwiftSource(path: "A.swift", text: text)).count == count)
    }

    @Test(
        "a brief doc comment is found",
        arguments: [
            ("/// The task.\nlet task: Task", 1),
            ("    /// Sixteen letters.\n    let task: Task\n    /// It.", 2),
            ("/// Seventeen letters.\nlet task: Task", 0),
            ("/// The task.\n///\n/// - Throws: if there is none.\nfunc f()", 0),
            ("// The task.\nlet task: Task", 0),
        ]
    )
    func findsBriefComments(text: String, count: Int) {
        #expect(TidyRules.briefComments(SwiftSource(path: "A.swift", text: text)).count == count)
    }

    @Test("unfinished work, paths of this machine and vague names are found")
    func findsText() {
        let text = "let a = 1 // TO" + "DO\n/home/me/house/Sources\nfine"
        let found = TidyRules.words(path: "A.swift", text: text, checkout: "/home/me/house")
        #expect(found.count == 2)
        #expect(TidyRules.names("Sources/Kernel/Geo/GridManager.swift").count == 1)
        #expect(TidyRules.names("Sources/Kernel/Geo/Utilities.swift").count == 1)
        #expect(TidyRules.names("Sources/Kernel/Geo/Geo+String.swift").count == 1)
        #expect(TidyRules.names("Sources/Kernel/Geo/Polygon.swift").isEmpty)
    }
}

/// An index of the real data by file size, to find copies quickly.
private struct RealDataIndex {
    private var files: [Int: [URL]] = [:]

    init(folder: URL) {
        let walk = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: [.fileSizeKey]
        )
        for case let file as URL in walk ?? FileManager.DirectoryEnumerator() {
            let size = Self.size(file)
            if size > 1_024 { files[size, default: []].append(file) }
        }
    }

    func holds(_ file: URL) -> Bool {
        (files[Self.size(file)] ?? []).contains {
            FileManager.default.contentsEqual(atPath: $0.path, andPath: file.path)
        }
    }

    private static func size(_ file: URL) -> Int {
        (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    }
}
