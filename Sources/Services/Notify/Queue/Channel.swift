/// A channel to people who are not looking at a page.
package enum Channel: String, Sendable, Hashable, CaseIterable, Codable {
    case mail
    case sms
    case push

    /// Whether a message makes a sound; such messages wait for the end of quiet hours.
    var isHeard: Bool { self != .mail }
}
