import Foundation

/// Measurements that tests print without asserting them, because machines differ.
enum AddressReport {
    /// Writes a line of texts to the standard error output.
    static func note(_ texts: String...) {
        let line = texts.joined(separator: " ") + "\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
