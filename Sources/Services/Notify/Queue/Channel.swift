/// The ways to somebody who is not looking at a page.
package enum Channel: String, Sendable, Hashable, CaseIterable, Codable {
    case mail
    case sms
    case push

    /// Whether it makes a telephone ring: such a message waits for the end of quiet hours.
    var isHeard: Bool { self != .mail }
}
