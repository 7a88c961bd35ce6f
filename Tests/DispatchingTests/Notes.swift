import Foundation

/// What a test counted, told to whoever watches.
enum Notes {
    /// Writes a line beside the results.
    static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
