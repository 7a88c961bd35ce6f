import Foundation
import HTTPServer
import LiveFeeds
import LivingCity
import Testing
import WebApp

/// The passwords of a demo are public, so it is served only locally and from its own folder.
@Suite("The folder of a demo")
struct DemoFolderTests {
    private static func folder(in place: URL = URL(fileURLWithPath: "/nowhere")) -> DemoFolder {
        DemoFolder(in: place, inhabitants: 50_000, seed: 1, taxis: 10)
    }

    @Test(
        "it is served on loopback",
        arguments: ["127.0.0.1:8080", "127.0.0.2:1", "localhost:8080", "[::1]:8080"]
    )
    func near(listen: String) throws {
        let settings = try Self.folder().settings(cityName: "Prova", listen: listen)
        #expect(settings.listen.isLoopback)
    }

    @Test(
        "it is served nowhere else",
        arguments: [
            "0.0.0.0:8080", "[::]:8080", "192.168.1.2:8080", "example.org:80", "8080", "",
            "127.example.org:8080", "127.0.0.1.example.org:8080", "localhost:", "[::1]:99999",
        ]
    )
    func far(listen: String) {
        #expect(throws: DemoFailure.self) {
            try Self.folder().settings(cityName: "Prova", listen: listen)
        }
    }

    @Test("its settings come from nowhere else, and lead to nowhere else")
    func ownSettings() throws {
        let settings = try Self.folder().settings(cityName: "Prova", listen: "127.0.0.1:8080")
        let own = "/nowhere/living-50000-1-10"
        #expect(settings.database == "sqlite:\(own)/city.sqlite")
        #expect(settings.keyDatabase == "sqlite:\(own)/keys.sqlite")
        #expect(settings.secret == "\(own)/secret")
        #expect(settings.cityFiles == ["\(own)/demo.city"])
        #expect(settings.feedFolder == "\(own)/feeds" && settings.feeds.isEmpty)
        #expect(settings.backups.hasPrefix(own) && settings.keyBackups.hasPrefix(own))
        #expect(settings.mail == nil && settings.textMessages == nil)
    }

    @Test("it reads the feeds that it publishes, as an operator writes them")
    func feeds() throws {
        let settings = try Self.folder().settings(
            cityName: "Prova",
            listen: "127.0.0.1:8080",
            feeds: DemoFeeds.settings(port: 8_081)
        )
        let sources = settings.feeds.map { "\($0.name): \($0.kind.rawValue) \($0.url)" }
        #expect(Set(sources) == Set(try Self.documented()))
    }

    /// The feeds in the section of docs/operating.md about the demo.
    private static func documented() throws -> [String] {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let page = root.appendingPathComponent("docs/operating.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        return lines.map { $0.drop { $0 == " " } }.filter { $0.contains(" http://127.0.0.1:8081/") }
            .map(String.init)
    }

    @Test("a set-up that was broken off begins anew, one that was not goes on")
    func beginsAnew() throws {
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let file = place.appendingPathComponent("made.city")
        try Data("city".utf8).write(to: file)
        let folder = Self.folder(in: place)
        #expect(folder.cityName == nil)
        try folder.begin(with: file.path)
        let left = folder.url.appendingPathComponent("city.sqlite")
        try Data("half".utf8).write(to: left)
        #expect(folder.cityName == nil)
        try folder.begin(with: file.path)
        #expect(!FileManager.default.fileExists(atPath: left.path))
        #expect(FileManager.default.contents(atPath: folder.cityFile) == Data("city".utf8))
        try folder.markReady("Prova")
        #expect(folder.cityName == "Prova")
        #expect(Self.folder(in: place).cityName == "Prova")
    }

    @Test("two demos do not share a folder, whose cities they would take from each other")
    func taken() throws {
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try DemoLock.take(place)
        #expect(throws: DemoFailure.folderInUse(place.path)) { try DemoLock.take(place) }
        let nowhere = URL(fileURLWithPath: "/dev/null/demo")
        #expect(throws: DemoFailure.badFolder(nowhere.path)) { try DemoLock.take(nowhere) }
    }
}
