import Localization

extension Language {
    /// Returns the value for this language.
    func pick<Value>(_ english: Value, _ italian: Value) -> Value {
        self == .english ? english : italian
    }
}
