import HTTPClient
import LiveFeeds

/// Reads the live feeds: `feeds.NAME: KIND ADDRESS`.
extension SettingsReader {
    private static let prefix = "feeds."

    /// The name of the feed that a setting is about; nil if it is about none.
    static func feedName(_ setting: String) -> String? {
        guard setting.hasPrefix(prefix), SettingName(rawValue: setting) == nil else { return nil }
        return String(setting.dropFirst(prefix.count))
    }

    mutating func feeds() -> [LiveFeedSource] {
        var sources: [LiveFeedSource] = []
        for (name, given) in givenFeeds {
            let words = given.value.split(separator: " ").map(String.init)
            guard words.count == 2, let kind = LiveFeedSource.Kind(rawValue: words[0]),
                let source = LiveFeedSource(
                    name: name,
                    kind: kind,
                    url: words[1],
                    isFromConfiguration: true
                )
            else {
                noteFeed(name, given, .badValue(expected: Self.expected))
                continue
            }
            sources.append(source)
        }
        if sources.count > LiveFeeds.feedLimit, let (name, given) = givenFeeds.last {
            noteFeed(name, given, .badValue(expected: "at most \(LiveFeeds.feedLimit) feeds"))
        }
        return sources
    }

    /// The network addresses that a setting allows: `public`, or `any`.
    mutating func networkScope(_ name: SettingName) -> NetworkScope {
        switch text(name) {
        case "public": return .publicOnly
        case "any": return .anywhere
        default:
            note(name, .badValue(expected: "public, or any"))
            return .publicOnly
        }
    }

    /// The feeds without the paths of their addresses, which may contain keys.
    func explainedFeeds() -> [Settings.Explained] {
        givenFeeds.map { name, given in
            let words = given.value.split(separator: " ").map(String.init)
            let origin = words.dropFirst().first.flatMap(LiveFeedSource.origin(of:)) ?? ""
            return Settings.Explained(
                name: Self.prefix + name,
                value: "\(words.first ?? "") \(origin)",
                source: given.line.map { "\(given.source), line \($0)" } ?? given.source,
                meaning: "A live feed: its kind and its address."
            )
        }
    }

    private mutating func noteFeed(
        _ name: String,
        _ given: Given,
        _ problem: SettingsFault.Problem
    ) {
        note(
            SettingsFault(
                file: given.source,
                line: given.line,
                name: Self.prefix + name,
                problem: problem
            )
        )
    }

    private static let expected =
        "a name of letters, digits and hyphens in small letters, then a kind ("
        + LiveFeedSource.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        + ") and an address, such as bikes: gbfs https://example.org/gbfs.json"
}
