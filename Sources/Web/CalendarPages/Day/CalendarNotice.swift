package import Identity

/// A message about a calendar as the queue stores it: a byte for its kind, then its facts, sealed
/// under their owner's key.
package protocol CalendarNotice {
    /// The first byte; no other message begins with it.
    static var mark: UInt8 { get }
    /// What the facts are sealed as.
    static var field: String { get }
    /// The facts as text.
    var text: String { get }

    /// Reads what ``text`` wrote; nil for any other text.
    init?(text: String)
}

extension CalendarNotice {
    /// Opens what ``sealed(_:)`` sealed; nil for any other message.
    package init?(_ bytes: [UInt8], _ key: PersonKey) {
        guard bytes.first == Self.mark,
            let text = try? key.open(Array(bytes.dropFirst()), as: Self.field)
        else { return nil }
        self.init(text: text)
    }

    /// The message for the queue.
    func sealed(_ key: PersonKey) throws -> [UInt8] {
        [Self.mark] + (try key.seal(text, as: Self.field))
    }
}
