import Encoding

extension StringProtocol {
    /// The text without spaces and tabs at both ends.
    package var trimmed: String { trimmingBlanks() }
}
