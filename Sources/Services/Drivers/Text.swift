import Foundation

extension String {
    /// The text without leading and trailing blanks.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
