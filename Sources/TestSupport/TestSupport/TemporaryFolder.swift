package import Foundation

/// A folder of its own, removed with its contents when it is let go, and at the latest when the
/// tests end: what a static value holds is never let go.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let url: URL

    /// The folder of all folders of this run.
    private static let all: URL = {
        atexit { try? FileManager.default.removeItem(at: TemporaryFolder.all) }
        return FileManager.default.temporaryDirectory
            .appendingPathComponent("viavai-tests-\(UUID().uuidString)")
    }()

    /// A new, empty folder.
    package init() throws {
        url = Self.all.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it.
    package func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Writes a text to a file in it and returns the path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes bytes to a file in it and returns the path.
    @discardableResult
    package func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appendingPathComponent(name))
        return path(name)
    }

    /// The text of a file in it.
    package func text(_ name: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }

    /// The names of all files in it, in order.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    /// A new file in it, open for writing.
    package func handle(_ name: String) throws -> FileHandle {
        try write("", to: name)
        return try FileHandle(forWritingTo: url.appendingPathComponent(name))
    }
}
