import Localization

extension Language {
    /// One of two texts.
    func pick<Value>(_ english: Value, _ italian: Value) -> Value {
        self == .english ? english : italian
    }
}
