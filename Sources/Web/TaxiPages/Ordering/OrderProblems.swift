package import Localization

/// What is wrong with an order, by the names of fields.
package struct OrderProblems: Sendable {
    package var fields: [String: Text] = [:]

    /// A value of these parts.
    package init(fields: [String: Text] = [:]) {
        self.fields = fields
    }

    package var isEmpty: Bool { fields.isEmpty }

    package subscript(end: RideEnd) -> Text? {
        get { fields[end.rawValue] }
        set { fields[end.rawValue] = newValue }
    }
}
