/// How a person wants to be told of things.
package struct Preferences: Hashable, Sendable {
    /// Ways to reach a person.
    package enum Channel: String, CaseIterable, Comparable, Sendable {
        case mail
        case push
        case sms

        /// The order of the list above.
        package static func < (left: Self, right: Self) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// The channels that may be used; what concerns the account itself always goes by mail.
    package var channels: Set<Channel>
    /// The channels chosen for single kinds of messages in place of ``channels``, by the name of
    /// the kind: small letters and hyphens.
    package var choices: [String: Set<Channel>]
    /// When nothing that can wait is sent: minutes after local midnight; it may span midnight.
    package var quiet: Quiet?

    /// The program that shows a driver the way (R60).
    package var navigation = Navigation.device
    /// Whether it opens by itself when the driver has accepted and when somebody is aboard (R60).
    ///
    /// Only where the browser lets it. It hides the page that says where he is, so he has to wish
    /// it.
    package var navigationOpens = false

    /// Programs that show a driver the way.
    package enum Navigation: String, CaseIterable, Sendable {
        /// Whatever the device opens for a place.
        case device
        case google
        case waze
        case apple
        case openStreetMap = "osm"
    }

    /// A time of each day without messages.
    package struct Quiet: Hashable, Sendable {
        /// The first minute, 0 to 1439.
        package let from: Int
        /// The first minute after it, 0 to 1439, and another one.
        package let until: Int

        /// Quiet hours; nil where a minute is none or both are the same.
        package init?(from: Int, until: Int) {
            guard (0..<1_440).contains(from), (0..<1_440).contains(until), from != until else {
                return nil
            }
            self.from = from
            self.until = until
        }

        /// Whether a minute of the day is quiet.
        package func contains(minute: Int) -> Bool {
            from < until ? (from..<until).contains(minute) : minute >= from || minute < until
        }
    }

    /// Preferences; by default mail and push at any hour.
    package init(
        channels: Set<Channel> = [.mail, .push],
        quiet: Quiet? = nil,
        choices: [String: Set<Channel>] = [:]
    ) {
        self.channels = channels
        self.quiet = quiet
        self.choices = choices
    }

    /// The preferences as `mail push;1320-420;offer=push,reminder=mail sms`, with the driver's
    /// program after a further semicolon where he chose one, and `waze itself` where it opens so.
    package var text: String {
        let hours = quiet.map { "\($0.from)-\($0.until)" } ?? ""
        let kinds = choices.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.text($0.value))" }
        let opens = navigationOpens ? " \(Self.itself)" : ""
        let isUsual = navigation == .device && !navigationOpens
        let program = isUsual ? "" : ";\(navigation.rawValue)\(opens)"
        return "\(Self.text(channels));\(hours);\(kinds.joined(separator: ","))\(program)"
    }

    /// Reads what ``text`` wrote; nil for anything else.
    package init?(_ text: String) {
        let parts = Self.split(text, at: ";")
        guard (3...4).contains(parts.count), let channels = Self.channels(parts[0]) else {
            return nil
        }
        self.init(channels: channels)
        if parts.count == 4 {
            let words = Self.split(parts[3], at: " ")
            navigationOpens = words.count == 2 && words[1] == Self.itself
            guard words.count == (navigationOpens ? 2 : 1),
                let program = Navigation(rawValue: words[0]), program != .device || navigationOpens
            else { return nil }
            navigation = program
        }
        if !parts[1].isEmpty {
            let minutes = Self.split(parts[1], at: "-").map { Int($0) }
            guard minutes.count == 2, let from = minutes[0], let until = minutes[1],
                let quiet = Quiet(from: from, until: until)
            else { return nil }
            self.quiet = quiet
        }
        guard !parts[2].isEmpty else { return }
        for choice in Self.split(parts[2], at: ",") {
            let sides = Self.split(choice, at: "=")
            guard sides.count == 2, let channels = Self.channels(sides[1]),
                Self.isKind(sides[0]), choices.count < Self.choicesLimit
            else { return nil }
            choices[String(sides[0])] = channels
        }
    }

    /// Whether the names of all kinds can be stored, and there are not too many.
    var isSound: Bool { choices.count <= Self.choicesLimit && choices.keys.allSatisfy(Self.isKind) }

    private static let choicesLimit = 64
    private static let itself = "itself"

    private static func isKind(_ name: some StringProtocol) -> Bool {
        (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= $0 || $0 == UInt8(ascii: "-")
            }
    }

    private static func text(_ channels: Set<Channel>) -> String {
        channels.sorted().map(\.rawValue).joined(separator: " ")
    }

    private static func channels(_ text: some StringProtocol) -> Set<Channel>? {
        let channels = text.split(separator: " ").map { Channel(rawValue: String($0)) }
        return channels.contains(nil) ? nil : Set(channels.compactMap { $0 })
    }

    private static func split(_ text: some StringProtocol, at sign: Character) -> [String] {
        text.split(separator: sign, omittingEmptySubsequences: false).map { String($0) }
    }
}
