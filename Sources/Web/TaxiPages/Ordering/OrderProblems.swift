package import Localization

/// The errors in an order form, by field name.
package struct OrderProblems: Sendable {
    /// The error message of each invalid field.
    package var fields: [String: Text] = [:]

    /// Creates a list of errors.
    package init(fields: [String: Text] = [:]) {
        self.fields = fields
    }

    /// Whether the order has no errors.
    package var isEmpty: Bool { fields.isEmpty }

    /// The error message of the field for one end of the ride.
    package subscript(end: RideEnd) -> Text? {
        get { fields[end.rawValue] }
        set { fields[end.rawValue] = newValue }
    }
}
