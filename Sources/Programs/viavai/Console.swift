import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the program says to people while it works.
enum Console {
    /// Writes an error as one line.
    static func error(_ text: String) {
        write("viavai: \(text)\n", to: FileHandle.standardError)
    }

    /// Writes a line of information that is not the answer itself.
    static func note(_ text: String) {
        write(text + "\n", to: FileHandle.standardError)
    }

    /// Writes the answer.
    static func answer(_ text: String) {
        write(text, to: FileHandle.standardOutput)
    }

    /// Whether a person is watching: progress is shown on a terminal and silent in a pipe.
    static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

    private static func write(_ text: String, to handle: FileHandle) {
        // Whoever closed the pipe does not want the rest.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}

/// A line on the terminal that says what is being done and how far it has come.
struct ProgressLine {
    private static let width = 24

    /// Says what is being done, and which share of it is done, 0 to 1.
    func show(_ text: String, _ share: Double) {
        guard Console.isWatched else { return }
        let filled = Int(Double(Self.width) * min(1, max(0, share)))
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: Self.width - filled)
        write("\r\u{1B}[K\(bar)  \(text)")
    }

    /// Takes the line away.
    func clear() {
        guard Console.isWatched else { return }
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
