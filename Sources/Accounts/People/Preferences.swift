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
    /// When nothing that can wait is sent: minutes after local midnight; it may span midnight.
    package var quiet: Quiet?

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
    package init(channels: Set<Channel> = [.mail, .push], quiet: Quiet? = nil) {
        self.channels = channels
        self.quiet = quiet
    }

    /// The preferences as `mail push;1320-420`.
    package var text: String {
        let names = channels.sorted().map(\.rawValue).joined(separator: " ")
        return names + (quiet.map { ";\($0.from)-\($0.until)" } ?? "")
    }

    /// Reads what ``text`` wrote; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard let names = parts.first, parts.count <= 2 else { return nil }
        let channels = names.split(separator: " ").map { Channel(rawValue: String($0)) }
        guard !channels.contains(nil) else { return nil }
        self.channels = Set(channels.compactMap { $0 })
        guard parts.count == 2 else { return }
        let minutes = parts[1].split(separator: "-", omittingEmptySubsequences: false).map {
            Int($0)
        }
        guard minutes.count == 2, let from = minutes[0], let until = minutes[1],
            let quiet = Quiet(from: from, until: until)
        else { return nil }
        self.quiet = quiet
    }
}
