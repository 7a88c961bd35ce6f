package import HTTPTypes
import WebCore

extension HTTPField.Name {
    /// The percent-encoded text of a place field, sent for suggestions.
    package static let placeText = known("X-Place")
}
