import Chronology
import HTTPClient
import LiveFeeds
import SeededRandom
import TaxiPages

extension Installation {
    /// The feeds of the settings, with their last good copies.
    static func feeds(_ settings: Settings, now: Moment) -> LiveFeeds {
        let contact = settings.publicAddress ?? settings.mail?.from ?? settings.cityName
        var system = SystemRandomNumberGenerator()
        return LiveFeeds(
            settings.feeds,
            LiveFeeds.Surroundings(
                configured: HTTPClient("viavai.feeds", scope: .anywhere, threadLimit: 4),
                elsewhere: HTTPClient("viavai.feed-files", scope: .publicOnly, threadLimit: 2),
                folder: settings.feedFolder,
                userAgent: "Viavai (\(String(contact.unicodeScalars.filter(\.isASCII))))",
                language: "it",
                zone: settings.zoneTable
            ),
            random: SeededRandom(seed: system.next()),
            now: Instant(now)
        )
    }
}
