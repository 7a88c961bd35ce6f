import Foundation

/// Prints counts of a test for its observers.
enum Notes {
    /// Writes a line to the standard error output.
    static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
