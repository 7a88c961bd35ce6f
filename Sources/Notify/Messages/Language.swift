/// The languages that every message exists in.
package enum Language: String, Sendable, CaseIterable, Codable {
    case english = "en"
    case italian = "it"

    /// One of two texts.
    func pick<Value>(_ english: Value, _ italian: Value) -> Value {
        self == .english ? english : italian
    }
}
