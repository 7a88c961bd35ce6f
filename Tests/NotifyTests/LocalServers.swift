import Foundation
import StorageTestSupport
import TestSupport
import Testing

/// The servers of Tests/NotifyServers, as one child process for the whole run.
///
/// It exits with this process, at the end of its input.
final class LocalServers: Sendable {
    static let advice: Comment =
        "Python with aiosmtpd is absent: scripts/prepare-python sets it up"

    /// Whether the Python environment of the tests is installed.
    static let areAvailable = FileManager.default.isExecutableFile(atPath: python)

    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let python = root.appendingPathComponent(".build/python/bin/python").path
    private static let shared = Result { try LocalServers() }

    /// The addresses of the servers.
    struct Places: Decodable {
        let plain: Int
        let encrypted: Int
        let http: Int
        let https: Int
        let certificate: String
    }

    /// A mail as received by the server and parsed by Python.
    struct Mail: Decodable {
        let server: String
        let from: String
        let to: String
        let text: String
        let encrypted: Bool
        let user: String?
        let parsed: Parsed

        struct Parsed: Decodable {
            let names: [String]
            let subject: String
            let to: [[String]]
            let id: String
            let date: String
            let plain: String
            let html: String
            let defects: [String]
        }
    }

    struct Request: Decodable {
        let method: String
        let path: String
        let headers: [String: String]
        let body: Data
    }

    let places: Places
    private let folder: TemporaryFolder
    private let line: Line

    private init() throws {
        folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = [
            Self.root.appendingPathComponent("Tests/NotifyServers/servers.py").path,
            folder.url.path,
        ]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        // It would report each connection that a test breaks.
        process.standardError = FileHandle.nullDevice
        try process.run()
        line = Line(
            input: input.fileHandleForWriting,
            output: output.fileHandleForReading,
            process: process
        )
        places = try JSONDecoder().decode(Places.self, from: line.read())
    }

    static func started() async throws -> LocalServers {
        try await onThread { try shared.get() }
    }

    /// Returns the mails received for an address.
    func mails(to address: String) async throws -> [Mail] {
        try await onThread { [line] in
            try JSONDecoder().decode([Mail].self, from: line.ask("mail \(address)"))
        }
    }

    /// Returns the requests received for a path.
    func requests(of path: String) async throws -> [Request] {
        try await onThread { [line] in
            try JSONDecoder().decode([Request].self, from: line.ask("requests \(path)"))
        }
    }
}

/// A connection for one query at a time.
private final class Line: @unchecked Sendable {
    // The lock guards both handles; the process is only kept alive.
    private let lock = NSLock()
    private let input: FileHandle
    private let output: FileHandle
    private let process: Process
    private var rest = Data()

    init(input: FileHandle, output: FileHandle, process: Process) {
        self.input = input
        self.output = output
        self.process = process
    }

    func ask(_ question: String) throws -> Data {
        try lock.withLock {
            try input.write(contentsOf: Data((question + "\n").utf8))
            return try next()
        }
    }

    func read() throws -> Data {
        try lock.withLock { try next() }
    }

    private func next() throws -> Data {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let found = rest[..<end]
                rest = Data(rest[rest.index(after: end)...])
                return Data(found)
            }
            let more = output.availableData
            guard !more.isEmpty else { throw CocoaError(.fileReadUnknown) }
            rest += more
        }
    }
}
