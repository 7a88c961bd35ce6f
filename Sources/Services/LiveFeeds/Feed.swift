import Chronology
import HTTPClient
import OpenData
import SeededRandom

/// One feed: what is known from it and about it.
///
/// It decides, but fetches and stores nothing.
struct Feed: Sendable {
    let source: LiveFeedSource
    /// Its files; the first one is that of the configured address.
    var resources: [FeedResource]
    /// Whether its last good copy is on disk.
    var isKept = true
    /// What is known from it.
    var content: Content

    /// What is known from a feed.
    enum Content: Sendable {
        case sharing(SharingSystem)
        case weather(Forecast?)
        case strikes([TrackedStrike])
        case alerts(ServiceAlerts?)
        case traffic(TrafficTable?)
    }

    /// Where and when a feed is read.
    struct Place: Sendable {
        /// The language that is preferred in texts.
        let language: String
        /// The clocks of the country, for the days of strikes.
        let zone: ZoneTable
    }

    init(_ source: LiveFeedSource, now: Instant) {
        self.source = source
        let name = source.kind == .sharing ? "gbfs" : source.kind.rawValue
        resources = [FeedResource(name: name, url: source.url, nextAttempt: now)]
        content =
            switch source.kind {
            case .sharing: .sharing(SharingSystem())
            case .openMeteo, .metNorway: .weather(nil)
            case .strikes: .strikes([])
            case .alerts: .alerts(nil)
            case .traffic: .traffic(nil)
            }
    }

    /// The positions of the files that are to be fetched.
    func due(_ now: Instant) -> [Int] {
        resources.indices.filter { resources[$0].nextAttempt <= now }
    }

    /// Takes over the strikes that an earlier process knew.
    mutating func restore(_ strikes: [TrackedStrike]) {
        if case .strikes = content { content = .strikes(strikes) }
    }

    /// Takes over a response, or notes why it cannot be used.
    ///
    /// - Returns: whether the known content has changed.
    mutating func take(
        _ result: Result<HTTPClient.Response, HTTPClient.Failure>,
        _ position: Int,
        at now: Instant,
        _ place: Place,
        _ random: inout SeededRandom
    ) -> Bool {
        do {
            let response = try Self.usable(result, hasContent: resources[position].confirmed != nil)
            if response.isUnchanged {
                confirmForecast(now)
                let seconds = pause(resources[position])
                resources[position].succeed(at: now, seconds: seconds, &random)
                return false
            }
            try read(response.body, position, fetched: now, now: now, place)
            resources[position].validators = response.validators
            let seconds = pause(resources[position])
            resources[position].succeed(at: now, seconds: seconds, &random)
            return true
        } catch {
            let retryAfter = (try? result.get())?.retryAfterSeconds
            resources[position].fail(error, at: now, retryAfter: retryAfter, &random)
            return false
        }
    }

    /// Dates a forecast whose service does not say when it was made.
    private mutating func confirmForecast(_ now: Instant) {
        guard source.kind == .openMeteo, case .weather(var forecast?) = content else { return }
        forecast.made = now
        content = .weather(forecast)
    }

    /// Takes over a copy that an earlier process kept.
    ///
    /// It is asked for again at once.
    mutating func restore(_ copy: FeedCopy, now: Instant, _ place: Place) throws(FeedProblem) {
        guard let position = resources.firstIndex(where: { $0.name == copy.name }),
            resources[position].url == copy.url
        else { return }
        try read(copy.body, position, fetched: copy.confirmed, now: now, place)
        resources[position].confirmed = copy.confirmed
        resources[position].validators = copy.validators
    }

    /// The response if it is one to use.
    private static func usable(
        _ result: Result<HTTPClient.Response, HTTPClient.Failure>,
        hasContent: Bool
    ) throws(FeedProblem) -> HTTPClient.Response {
        let response: HTTPClient.Response
        do throws(HTTPClient.Failure) {
            response = try result.get()
        } catch {
            throw .noAnswer(error)
        }
        if response.isUnchanged, hasContent { return response }
        if (300..<400).contains(response.status), let address = response["Location"] {
            throw .moved(to: String(address.prefix(200)))
        }
        guard response.status == 200 else { throw .status(response.status) }
        return response
    }
}

// Files.
extension Feed {
    /// Adds files of a system, in the order in which one needs the other: states of stations are
    /// matched with stations.
    mutating func add(_ urls: [GBFSFile: String], now: Instant) {
        for file in GBFSFile.allCases {
            guard let url = urls[file] else { continue }
            if let position = resources.firstIndex(where: { $0.name == file.rawValue }) {
                if resources[position].url != url {
                    resources[position] = FeedResource(
                        name: file.rawValue,
                        url: url,
                        nextAttempt: now
                    )
                }
            } else {
                resources.append(
                    FeedResource(name: file.rawValue, url: url, nextAttempt: now)
                )
            }
        }
    }

    /// Notes how long a file says that it may be used.
    mutating func stateTimeToLive(_ seconds: Int, _ position: Int) {
        resources[position].timeToLive = Int64(seconds)
    }
}
