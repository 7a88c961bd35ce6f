package import Foundation

/// A temporary folder, removed with its contents when this object is released, and at the latest
/// when the tests end, since static values are never released.
package final class TemporaryFolder: Sendable {
    /// The location of the folder.
    package let url: URL

    /// The parent folder of all temporary folders of this run.
    private static let all: URL = {
        atexit { try? FileManager.default.removeItem(at: TemporaryFolder.all) }
        return FileManager.default.temporaryDirectory
            .appendingPathComponent("viavai-tests-\(UUID().uuidString)")
    }()

    /// Creates an empty folder.
    package init() throws {
        url = Self.all.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the folder.
    package func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Writes a text to a file in the folder and returns the path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes bytes to a file in the folder and returns the path.
    @discardableResult
    package func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appendingPathComponent(name))
        return path(name)
    }

    /// The text of a file in the folder.
    package func text(_ name: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }

    /// The names of all files in the folder, sorted.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    /// Creates a file in the folder and opens it for writing.
    package func handle(_ name: String) throws -> FileHandle {
        try write("", to: name)
        return try FileHandle(forWritingTo: url.appendingPathComponent(name))
    }
}
