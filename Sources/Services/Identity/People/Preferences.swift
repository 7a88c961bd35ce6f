/// The notification and navigation preferences of a person.
package struct Preferences: Hashable, Sendable {
    /// A channel for messages to a person.
    package enum Channel: String, CaseIterable, Comparable, Sendable {
        case mail
        case push
        case sms

        /// Compares by the order of declaration.
        package static func < (left: Self, right: Self) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// The permitted channels; messages about the account itself always go by mail.
    package var channels: Set<Channel>
    /// The channels of individual message kinds, which override ``channels``; the keys are kind
    /// names in lower case with hyphens.
    package var choices: [String: Set<Channel>]
    /// The daily period in which messages that can wait are held back.
    package var quiet: Quiet?

    /// What gives directions (R60).
    package var navigation = Navigation.builtIn
    /// Whether an app of others opens automatically after an acceptance and after boarding (R60).
    ///
    /// The browser may prevent it. The app covers the page, so it opens only on request.
    package var navigationOpens = false

    /// What can give directions: the driver's page, or an app of others.
    package enum Navigation: String, CaseIterable, Sendable {
        /// The driver's page itself.
        case builtIn = "built-in"
        /// The default app of the device for locations.
        case device
        case google
        case waze
        case apple
        case tomTom = "tomtom"
        case openStreetMap = "osm"
    }

    /// A daily period without messages; it may span midnight.
    package struct Quiet: Hashable, Sendable {
        /// The first minute, counted from midnight, 0 to 1439.
        package let from: Int
        /// The first minute after the period, 0 to 1439; differs from ``from``.
        package let until: Int

        /// Creates quiet hours; nil if a minute is out of range or both are equal.
        package init?(from: Int, until: Int) {
            guard (0..<1_440).contains(from), (0..<1_440).contains(until), from != until else {
                return nil
            }
            self.from = from
            self.until = until
        }

        /// Returns whether a minute of the day is within the period.
        package func contains(minute: Int) -> Bool {
            from < until ? (from..<until).contains(minute) : minute >= from || minute < until
        }
    }

    /// Creates preferences; the default is mail and push at any hour.
    package init(
        channels: Set<Channel> = [.mail, .push],
        quiet: Quiet? = nil,
        choices: [String: Set<Channel>] = [:]
    ) {
        self.channels = channels
        self.quiet = quiet
        self.choices = choices
    }

    /// The encoded preferences, such as `mail push;1320-420;offer=push,reminder=mail sms`, followed
    /// by a semicolon and what gives directions if it was chosen, and ` itself` if it
    /// opens automatically.
    package var text: String {
        let hours = quiet.map { "\($0.from)-\($0.until)" } ?? ""
        let kinds = choices.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.text($0.value))" }
        let opens = navigationOpens ? " \(Self.itself)" : ""
        let isUsual = navigation == .builtIn && !navigationOpens
        let program = isUsual ? "" : ";\(navigation.rawValue)\(opens)"
        return "\(Self.text(channels));\(hours);\(kinds.joined(separator: ","))\(program)"
    }

    /// Decodes the output of ``text``; nil for any other text.
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
                let program = Navigation(rawValue: words[0]), program != .builtIn || navigationOpens
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

    /// Whether all kind names can be stored and their number is within the limit.
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
