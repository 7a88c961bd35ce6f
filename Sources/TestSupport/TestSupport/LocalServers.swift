import Dispatch
package import Foundation
package import Testing

/// The servers of Tests/NotifyServers, as one child process for the whole run.
///
/// It exits with this process, at the end of its input.
package final class LocalServers: Sendable {
    /// The reason for skipping a test without them.
    package static let advice: Comment =
        "Python with aiosmtpd is absent: scripts/prepare-python sets it up"

    /// Whether the Python environment of the tests is installed.
    package static let areAvailable = FileManager.default.isExecutableFile(atPath: python)

    private static let root: URL = {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root
    }()
    private static let python = root.appendingPathComponent(".build/python/bin/python").path
    private static let shared = Result { try LocalServers() }

    /// The addresses of the servers.
    package struct Places: Decodable {
        /// The port of the mail server without encryption.
        package let plain: Int
        /// The port of the mail server with STARTTLS and log-in.
        package let encrypted: Int
        /// The port of the HTTP server.
        package let http: Int
        /// The port of the encrypted HTTP server.
        package let https: Int
        /// The file of the certificate of all encrypted servers.
        package let certificate: String
    }

    /// A mail as received by the server and parsed by Python.
    package struct Mail: Decodable {
        /// Which of the mail servers received it.
        package let server: String
        /// The envelope sender.
        package let from: String
        /// The envelope recipient.
        package let to: String
        /// The mail as it was received.
        package let text: String
        /// Whether the connection was encrypted.
        package let encrypted: Bool
        /// The user who had logged in.
        package let user: String?
        /// The mail as Python parses it.
        package let parsed: Parsed

        /// The parts of a mail as decoded by Python.
        package struct Parsed: Decodable {
            /// The names of all headers.
            package let names: [String]
            /// The decoded subject.
            package let subject: String
            /// Name and address of each recipient.
            package let to: [[String]]
            /// The value of the header Message-ID.
            package let id: String
            /// The date in ISO 8601.
            package let date: String
            /// The plain text part of the mail.
            package let plain: String
            /// The HTML part of the mail.
            package let html: String
            /// The defects that Python finds.
            package let defects: [String]
        }
    }

    /// A request as received by the server.
    package struct Request: Decodable {
        /// The method of the request.
        package let method: String
        /// The path with its query.
        package let path: String
        /// The headers, with names in lower case.
        package let headers: [String: String]
        /// The body of the request.
        package let body: Data
    }

    /// The addresses of the servers.
    package let places: Places
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
        // The server would report each connection that a test breaks off.
        process.standardError = FileHandle.nullDevice
        try process.run()
        line = Line(
            input: input.fileHandleForWriting,
            output: output.fileHandleForReading,
            process: process
        )
        places = try JSONDecoder().decode(Places.self, from: line.read())
    }

    /// The servers, which start with the first call.
    package static func started() async throws -> LocalServers {
        try await onThread { try shared.get() }
    }

    /// Returns the mails received for an address.
    package func mails(to address: String) async throws -> [Mail] {
        try await onThread { [line] in
            try JSONDecoder().decode([Mail].self, from: line.ask("mail \(address)"))
        }
    }

    /// Returns the requests received for a path.
    package func requests(of path: String) async throws -> [Request] {
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

/// Runs blocking work on a thread that runs no Swift tasks.
package func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
}
