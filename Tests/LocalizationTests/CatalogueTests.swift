import Foundation
import Testing

@testable import Localization

/// Issue 29, "Localization": a test finds missing and unused keys.
@Suite("The catalogue of the product")
struct CatalogueTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The Swift files that may use texts, except generated ones.
    static let sources: [String] = {
        let walk = FileManager.default.enumerator(atPath: root.path + "/Sources")
        return (walk?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") && !$0.contains("/Generated/") }
            .compactMap {
                try? String(contentsOfFile: root.path + "/Sources/" + $0, encoding: .utf8)
            }
    }()

    @Test("no file has an error: form, arguments, duplicate keys")
    func readable() throws {
        let files = Catalogue.embeddedFiles
        #expect(!files.isEmpty)
        #expect(throws: Never.self) { try Catalogue(files) }
    }

    @Test("every key has a text in every language")
    func missing() {
        let catalogue = Catalogue.embedded
        for key in catalogue.keys {
            #expect(catalogue.untranslated(key).isEmpty, "\(key) is not translated")
        }
    }

    @Test("every key is used")
    func unused() {
        #expect(Self.sources.count > 100, "the sources were not found")
        let unused = Self.unused(Catalogue.embedded.keys, in: Self.sources)
        #expect(unused.isEmpty)
    }

    @Test("the generated declarations belong to the files of texts")
    func generated() throws {
        let check = Process()
        check.executableURL = Self.root.appendingPathComponent("scripts/texts")
        check.arguments = ["--check"]
        let pipe = Pipe()
        check.standardOutput = pipe
        try check.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        check.waitUntilExit()
        #expect(said == "")
        #expect(check.terminationStatus == 0)
    }

    @Test("an unused key is found, and one that is used within an extension is not")
    func findsUnused() {
        let sources = [
            "say(OrderTexts.title) OrderTexts.other()", "extension OrderTexts { use(inner) }",
            "say(title2)",
        ]
        let keys = ["order.title", "order.title2", "order.inner", "order.other", "ride.title"]
        #expect(Self.unused(keys, in: sources) == ["order.title2", "ride.title"])
    }

    /// The keys that no source names as `OrderTexts.title`, as the key itself in quotation marks,
    /// or by its last part in a file that extends `OrderTexts`.
    private static func unused(_ keys: [String], in sources: [String]) -> [String] {
        var used: Set<String> = []
        // Compared as bytes rather than characters for speed, since all sources are scanned here.
        func isNamed(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        for source in sources {
            let words = source.utf8.split { !isNamed($0) }.map { String(Substring($0)) }
            let extended = zip(words, words.dropFirst()).filter { $0.0 == "extension" }.map(\.1)
                .filter { $0.hasSuffix("Texts") }
            for word in words {
                let parts = word.split(separator: ".")
                for part in parts {
                    for name in extended { used.insert("\(name).\(part)") }
                }
                // Also where a member of the text follows: `OrderTexts.title.in`.
                used.insert(parts.prefix(2).joined(separator: "."))
            }
        }
        return keys.filter { key in
            let parts = key.split(separator: ".")
            let name = "\(parts[0].prefix(1).uppercased())\(parts[0].dropFirst())Texts.\(parts[1])"
            return !used.contains(name) && !used.contains(key)
        }
    }
}
