import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Output of the program to standard output and standard error.
enum Console {
    /// Writes an error as one line.
    static func error(_ text: String) {
        write("viavai: \(text)\n", to: FileHandle.standardError)
    }

    /// Writes a line of information that is not the answer itself.
    static func note(_ text: String) {
        write(text + "\n", to: FileHandle.standardError)
    }

    /// Writes the answer to standard output.
    static func answer(_ text: String) {
        write(text, to: FileHandle.standardOutput)
    }

    /// Writes the answer to standard output, byte for byte.
    static func answer(_ bytes: [UInt8]) {
        // If the reader closed the pipe, the rest is not wanted.
        try? FileHandle.standardOutput.write(contentsOf: Data(bytes))
    }

    /// Whether standard error is a terminal: progress is shown there and is silent in a pipe.
    static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

    private static func write(_ text: String, to handle: FileHandle) {
        // If the reader closed the pipe, the rest is not wanted.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}

/// A line on the terminal that shows the current step and its progress.
struct ProgressLine {
    private static let width = 24

    /// Shows a step and its progress, 0 to 1.
    func show(_ text: String, _ share: Double) {
        guard Console.isWatched else { return }
        let filled = Int(Double(Self.width) * min(1, max(0, share)))
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: Self.width - filled)
        write("\r\u{1B}[K\(bar)  \(text)")
    }

    /// Clears the line on the terminal.
    func clear() {
        guard Console.isWatched else { return }
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
