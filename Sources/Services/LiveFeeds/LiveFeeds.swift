package import Chronology
import Foundation
package import HTTPClient
import OpenData
package import SeededRandom
import Synchronization

/// Fetches the configured feeds and knows what they say now.
///
/// Readers take ``world`` and ``statuses``, which never wait for a feed.
package actor LiveFeeds {
    /// What the service needs of its surroundings.
    package struct Surroundings: Sendable {
        /// The client for addresses that may be private.
        package var configured: HTTPClient
        /// The client for all other addresses, which must be public.
        package var elsewhere: HTTPClient
        /// The folder of the last good copies; nil keeps none.
        package var folder: String?
        /// The name that the service gives itself, as MET Norway requires.
        package var userAgent: String
        /// The language that is preferred in feeds that have several.
        package var language: String
        /// The clocks of the country.
        package var zone: ZoneTable

        /// Creates the surroundings.
        package init(
            configured: HTTPClient,
            elsewhere: HTTPClient,
            folder: String?,
            userAgent: String,
            language: String,
            zone: ZoneTable
        ) {
            self.configured = configured
            self.elsewhere = elsewhere
            self.folder = folder
            self.userAgent = userAgent
            self.language = language
            self.zone = zone
        }
    }

    /// How many feeds there may be.
    package static let feedLimit = 100
    /// The time limit of one request.
    private static let requestLimit = Duration.seconds(20)
    /// The size limit of one file, after decompression.
    private static let bodyLimit = 32 << 20
    /// The seconds of a pause without anything to fetch.
    private static let idleSeconds: Int64 = 60
    /// The longest pause in seconds, after which feeds that were added meanwhile are fetched.
    private static let longestPause: Int64 = 5
    /// The time limit of a trial, for which a person waits.
    private static let trialLimit = Duration.seconds(8)

    private let surroundings: Surroundings
    private let place: Feed.Place
    private var feeds: [Feed]
    private var random: SeededRandom
    private nonisolated let published: Mutex<(world: LiveWorld, statuses: [FeedStatus])>

    /// Creates the service with the last good copies of the feeds.
    ///
    /// - Parameters:
    ///   - sources: the feeds, with names of their own.
    ///   - surroundings: what it needs.
    ///   - random: where the spread of attempts comes from.
    ///   - now: the present.
    package init(
        _ sources: [LiveFeedSource],
        _ surroundings: Surroundings,
        random: SeededRandom,
        now: Instant
    ) {
        precondition(sources.count <= Self.feedLimit, "There are more feeds than the limit")
        precondition(Set(sources.map(\.name)).count == sources.count, "Two feeds have one name")
        let place = Feed.Place(language: surroundings.language, zone: surroundings.zone)
        let folder = surroundings.folder.map { FeedFolder(path: $0) }
        let restored = sources.map { Self.restored($0, folder, place, now) }
        self.surroundings = surroundings
        self.place = place
        self.random = random
        feeds = restored
        published = Mutex((Self.world(of: restored, epoch: 0), restored.map(FeedStatus.init)))
    }

    /// What is known now.
    package nonisolated var world: LiveWorld { published.withLock { $0.world } }

    /// The state of each feed, in the order of the configuration.
    package nonisolated var statuses: [FeedStatus] { published.withLock { $0.statuses } }

    /// Serves other added feeds beside those of the configuration.
    ///
    /// What is known of feeds that stay as they are stays known. A feed of the configuration wins
    /// over an added one of its name.
    ///
    /// - Parameters:
    ///   - added: the feeds, with names of their own; those beyond the limit are left out.
    ///   - now: the present.
    package func serve(added: [LiveFeedSource], now: Instant) {
        precondition(
            added.allSatisfy { !$0.isFromConfiguration },
            "an added feed is not configured"
        )
        let configured = feeds.filter(\.source.isFromConfiguration)
        let names = Set(configured.map(\.source.name))
        let capacity = max(0, Self.feedLimit - configured.count)
        let sources = added.filter { !names.contains($0.name) }.prefix(capacity)
        precondition(Set(sources.map(\.name)).count == sources.count, "Two feeds have one name")
        guard feeds.map(\.source) != configured.map(\.source) + sources else { return }
        let folder = surroundings.folder.map { FeedFolder(path: $0) }
        feeds =
            configured
            + sources.map { source in
                feeds.first { $0.source == source } ?? Self.restored(source, folder, place, now)
            }
        publish(hasChanged: true)
    }

    /// Fetches the first file of a feed that is not served yet, and reads it.
    ///
    /// - Returns: why it cannot be used; nil if it can.
    package func trial(of source: LiveFeedSource, now: Instant) async -> FeedProblem? {
        var feed = Feed(source, now: now)
        let client = source.mayBePrivate ? surroundings.configured : surroundings.elsewhere
        let request = HTTPClient.Request.get(
            source.url,
            headers: [("User-Agent", surroundings.userAgent)],
            unlessUnchanged: HTTPClient.Validators(),
            limit: Self.trialLimit,
            bodyLimit: Self.bodyLimit
        )
        let result: Result<HTTPClient.Response, HTTPClient.Failure>
        do throws(HTTPClient.Failure) {
            result = .success(try await client.send(request))
        } catch {
            result = .failure(error)
        }
        _ = feed.take(result, 0, at: now, place, &random)
        return feed.resources[0].problem
    }

    /// Fetches what is due and returns when something is due next.
    package func poll(_ now: Instant) async -> Instant {
        // The entry point of a system makes its files due.
        for _ in 0..<2 {
            let due = feeds.indices.filter { !feeds[$0].due(now).isEmpty }
            if due.isEmpty { break }
            await withTaskGroup(of: [Answer].self) { group in
                for feed in due {
                    let requests = feeds[feed].due(now).map { request(feeds[feed], $0) }
                    group.addTask { await Self.send(requests) }
                }
                for await answers in group { take(answers, now) }
            }
        }
        let next = feeds.flatMap(\.resources).map(\.nextAttempt).min()
        return next ?? now.adding(seconds: Self.idleSeconds)
    }

    /// Fetches feeds until the task is cancelled.
    ///
    /// It looks at least every few seconds whether feeds were added.
    ///
    /// - Parameters:
    ///   - clock: the present.
    ///   - sleep: returns at a moment, or throws if cancelled earlier.
    ///   - note: is called with the feeds whose state has changed between good and bad.
    package func run(
        clock: @Sendable () -> Instant,
        sleep: @Sendable (_ until: Instant) async throws -> Void,
        note: @Sendable (FeedStatus) -> Void
    ) async {
        while !Task.isCancelled {
            let before = statuses
            let next = await poll(clock())
            for new in statuses {
                guard let old = before.first(where: { $0.source == new.source }),
                    (old.problem == nil) != (new.problem == nil)
                else { continue }
                note(new)
            }
            // A second at least, so that no clock can make it run without a pause.
            let soonest = clock().adding(seconds: 1)
            let latest = clock().adding(seconds: Self.longestPause)
            do { try await sleep(min(max(next, soonest), latest)) } catch { return }
        }
    }
}

// Fetching.
extension LiveFeeds {
    /// What is sent for a file.
    private struct Question: Sendable {
        let source: LiveFeedSource
        let name: String
        let client: HTTPClient
        let request: HTTPClient.Request
    }

    /// A response or failure, with the question to which it belongs.
    private struct Answer: Sendable {
        let question: Question
        let result: Result<HTTPClient.Response, HTTPClient.Failure>
    }

    private func request(_ feed: Feed, _ position: Int) -> Question {
        let source = feed.source
        let resource = feed.resources[position]
        return Question(
            source: source,
            name: resource.name,
            client: source.trusts(resource.url)
                ? surroundings.configured : surroundings.elsewhere,
            request: .get(
                resource.url,
                headers: [("User-Agent", surroundings.userAgent)],
                unlessUnchanged: resource.validators,
                limit: Self.requestLimit,
                bodyLimit: Self.bodyLimit
            )
        )
    }

    private static func send(_ questions: [Question]) async -> [Answer] {
        var answers: [Answer] = []
        for question in questions where !Task.isCancelled {
            do throws(HTTPClient.Failure) {
                let response = try await question.client.send(question.request)
                answers.append(Answer(question: question, result: .success(response)))
            } catch {
                answers.append(Answer(question: question, result: .failure(error)))
            }
        }
        return answers
    }

    private func take(_ answers: [Answer], _ now: Instant) {
        var hasChanged = false
        for answer in answers {
            // An answer for a feed or a file that was given up in the meantime is dropped.
            guard
                let feed = feeds.firstIndex(where: { $0.source == answer.question.source }),
                let position = feeds[feed].resources.firstIndex(where: {
                    $0.name == answer.question.name && $0.url == answer.question.request.url
                })
            else { continue }
            let isNew = feeds[feed].take(answer.result, position, at: now, place, &random)
            hasChanged = hasChanged || isNew
            let resource = feeds[feed].resources.first { $0.name == answer.question.name }
            if isNew, let resource, resource.problem == nil { keep(feed, resource, answer) }
        }
        publish(hasChanged: hasChanged)
    }

    private func publish(hasChanged: Bool) {
        let statuses = feeds.map(FeedStatus.init)
        published.withLock { published in
            let epoch = published.world.epoch + (hasChanged ? 1 : 0)
            // Ages change without new content, too.
            published = (Self.world(of: feeds, epoch: epoch), statuses)
        }
    }

    private static func world(of feeds: [Feed], epoch: UInt64) -> LiveWorld {
        var world = LiveWorld()
        world.epoch = epoch
        for feed in feeds {
            switch feed.content {
            case .sharing(let system):
                let states = [GBFSFile.stationStatus, .vehicleStatus].map(\.rawValue)
                let parts = feed.resources.filter { states.contains($0.name) }
                world.systems.append(
                    LiveSystem(
                        feed: feed.source.name,
                        system: system,
                        knownSince: parts.knownSince
                    )
                )
            case .weather(let forecast): if let forecast { world.forecasts.append(forecast) }
            case .strikes(let strikes): world.strikes += strikes
            case .alerts(let alerts):
                world.alerts.append((feed.source.name, alerts?.alerts ?? []))
            case .traffic(let table): world.traffic += table?.lines.entries ?? []
            }
        }
        return world
    }
}

// The last good copies.
extension LiveFeeds {
    /// The name of the file for the strikes that an earlier process knew.
    private static let strikesName = "known-strikes"

    /// Writes the new content of a file to disk.
    private func keep(_ feed: Int, _ resource: FeedResource, _ answer: Answer) {
        guard case .success(let response) = answer.result, let confirmed = resource.confirmed,
            let folder = surroundings.folder.map({ FeedFolder(path: $0) })
        else { return }
        let name = feeds[feed].source.name
        let copy = FeedCopy(
            name: resource.name,
            url: resource.url,
            confirmed: confirmed,
            validators: resource.validators,
            body: response.body
        )
        do {
            try folder.write(copy.bytes, name, resource.name)
            if case .strikes(let strikes) = feeds[feed].content {
                try folder.write(TrackedStrike.bytes(strikes), name, Self.strikesName)
            }
            feeds[feed].isKept = true
        } catch {
            // What is known is used all the same; the console says that it is not kept.
            feeds[feed].isKept = false
        }
    }

    private static func restored(
        _ source: LiveFeedSource,
        _ folder: FeedFolder?,
        _ place: Feed.Place,
        _ now: Instant
    ) -> Feed {
        var feed = Feed(source, now: now)
        guard let folder else { return feed }
        let names =
            feed.resources.map(\.name)
            + (source.kind == .sharing ? GBFSFile.allCases.map(\.rawValue) : [])
        if source.kind == .strikes, let bytes = folder.read(source.name, strikesName) {
            feed.restore(TrackedStrike.strikes(bytes))
        }
        for name in names {
            guard let copy = folder.read(source.name, name).flatMap({ FeedCopy($0) }) else {
                continue
            }
            // A copy that cannot be read any more is as good as none.
            try? feed.restore(copy, now: now, place)
        }
        return feed
    }
}
