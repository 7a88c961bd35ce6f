import Foundation

/// Prints the counts of a test for the person running it.
enum Notes {
    /// Writes a line to the standard error output.
    static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
