package import HTTPTypes
import WebCore

extension HTTPField.Name {
    /// The percent-encoded text of a place field, sent for suggestions.
    package static let placeText = known("X-Place")
    /// A latitude and a longitude in degrees, such as `45.46427,9.18951`.
    ///
    /// Positions are sent in a header, because addresses must not contain places (R130).
    package static let position = known("X-Position")
}
