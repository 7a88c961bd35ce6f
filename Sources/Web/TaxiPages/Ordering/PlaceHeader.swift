package import HTTPTypes
import WebCore

extension HTTPField.Name {
    /// What somebody types into a field for a place, percent-encoded.
    package static let placeText = known("X-Place")
}
