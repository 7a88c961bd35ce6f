import Foundation

/// What tests measured, told to whoever runs them and never judged: machines differ.
enum AddressReport {
    /// Writes a line of texts to the standard error output.
    static func note(_ texts: String...) {
        let line = texts.joined(separator: " ") + "\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
