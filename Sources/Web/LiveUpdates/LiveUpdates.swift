package import Chronology
import HTTPTypes
import Identity
package import Notify
import ServiceLifecycle
package import WebCore

/// The event streams of browsers, one per browser, with the topics of all products.
///
/// A stream belongs to a session, or to a browser without one. After each action that may end
/// sessions or change permissions, all sessions with open streams are checked. The check also runs
/// every few seconds, because other servers and the command line can make such changes. A stream
/// that may not continue is closed, and its page reconnects.
package final class LiveUpdates: Service, PageModule, CustomStringConvertible {
    /// The interval of the periodic session check, in seconds.
    package static let sessionCheckSeconds: Int64 = 5
    /// The longest time over which pages spread their reloads, in milliseconds.
    private static let spreadLimit = 10_000

    /// The name for logs.
    ///
    /// The service group logs its services, and the default description would include all of this
    /// object's data.
    package var description: String { "live updates" }

    /// The dependencies shared by the pages of all modules.
    package let web: WebEnvironment
    /// The open streams and their topics.
    package let hub: EventHub
    /// The script that refreshes open pages.
    let script: Asset
    /// The names of all events that refresh parts of pages.
    let refreshNames: [String]
    private let products: [any LiveProduct]
    private let sleep: @Sendable (_ until: Moment) async throws -> Void
    private let checks: AsyncStream<Void>
    private let check: AsyncStream<Void>.Continuation

    /// Creates the event streams of a site.
    ///
    /// - Parameters:
    ///   - web: the environment of all pages.
    ///   - products: the products with their events and topics.
    ///   - script: the script that refreshes open pages.
    ///   - sleep: returns at the given time, or throws if cancelled earlier.
    package init(
        _ web: WebEnvironment,
        products: [any LiveProduct],
        script: Asset,
        sleep: @escaping @Sendable (_ until: Moment) async throws -> Void
    ) {
        self.web = web
        self.products = products
        self.script = script
        self.sleep = sleep
        if let name = Self.sharedName(of: products) {
            preconditionFailure("two events of pages are called \(name)")
        }
        refreshNames = products.flatMap(\.refreshNames)
        hub = EventHub(run: String(UInt64.random(in: .min ... .max), radix: 36))
        (checks, check) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// A name that two refresh events of some products share, or that the stream itself uses; nil if
    /// every event can be told from the others.
    static func sharedName(of products: [any LiveProduct]) -> String? {
        var taken = EventHub.ownNames
        return products.flatMap(\.refreshNames).first { !taken.insert($0).inserted }
    }

    /// The route of the event stream.
    package var routes: [Route] {
        [
            .get("/events", as: "events", for: .everybody, listen)
                .taking([
                    .query("session", .text(80), "The session for which the page was made."),
                    .query("after", .text(200), "The last event that the page has seen."),
                ])
                .answering(.events, .nothing).believingSession
        ]
    }

    func listen(_ context: RequestContext) throws -> Response {
        // A client that expects a page would wait forever for the end of the stream.
        guard (context.headers[.accept] ?? "").contains("text/event-stream") else {
            throw Failure.badRequest
        }
        // A browser without a cookie has nothing to follow. This response tells it not to
        // reconnect.
        guard !context.isNewSecret else { return Response(.noContent) }
        // The page belongs to an expired session, in a browser that now has another session or
        // none.
        guard context.query["session"] ?? context.sessionText == context.sessionText else {
            return Response(.noContent)
        }
        let stream = hub.stream(
            for: context.caller,
            from: EventHub.Client(
                network: ClientAddress(context.address).group,
                standing: context.standing
            ),
            topics: topics(for: context.follower),
            after: context.headers[.lastEventID] ?? context.query["after"],
            at: context.now,
            whenSlow: context.hangUp
        )
        guard let stream else { throw Failure.busy(retryAfter: 10) }
        return Response(
            .ok,
            type: "text/event-stream",
            stream: stream,
            headers: [.cacheControl: "no-store, no-transform", .accelBuffering: "no"]
        )
    }

    /// The topics of all products that somebody may follow.
    private func topics(for follower: EventFollower) -> Set<Topic> {
        products.reduce(into: []) { $0.formUnion($1.topics(for: follower)) }
    }

    /// Refreshes parts of the pages that follow a topic.
    ///
    /// The pages reload at random times within the given milliseconds, which avoids a burst of
    /// requests.
    package func publish(
        _ event: some RefreshEvent,
        on topic: Topic,
        within milliseconds: Int = 0
    ) {
        precondition(refreshNames.contains(event.rawValue), "no product declares the event")
        send(event.rawValue, "\(min(milliseconds, Self.spreadLimit))", on: topic)
    }

    /// Sends a change to the pages that follow a topic.
    package func publish(_ event: some LiveEvent, on topic: Topic) {
        send(event.name, event.payload, on: topic)
    }

    private func send(_ name: String, _ payload: String, on topic: Topic) {
        guard let event = Event(name, data: payload) else {
            preconditionFailure("the name of an event has a character that streams cannot carry")
        }
        hub.publish(event, on: topic, at: web.now())
    }

    /// Runs until the server shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.tick() }
                group.addTask { for await _ in self.checks { await self.checkSessions() } }
            }
        }
    }

    private func tick() async {
        var next = web.now()
        while !Task.isCancelled {
            let now = web.now()
            hub.beat(at: now)
            if now >= next {
                check.yield()
                next = now.adding(seconds: Self.sessionCheckSeconds)
            }
            do { try await sleep(now.adding(seconds: 1)) } catch { return }
        }
    }

    /// Checks the sessions of all open streams after an action that may have changed them.
    ///
    /// Streams that must end do so a moment later.
    package func recheckSessions() {
        check.yield()
    }

    /// Closes the streams of sessions that have expired or whose permitted topics have changed.
    private func checkSessions() async {
        let listening = hub.owners
        let now = web.now()
        let numbers = web.sessions.numbers(at: now).union(
            listening.keys.compactMap(RequestContext.session)
        )
        guard !numbers.isEmpty,
            let standings = try? await web.accounts.standings(ofSessions: Array(numbers), at: now)
        else { return }
        web.sessions.keep(standings, of: numbers)
        for number in numbers {
            let owner = RequestContext.owner(session: number)
            guard let followed = listening[owner] else { continue }
            let permitted = standings[number].map { topics(for: .session($0)) }
            if permitted != followed { hub.end(of: owner) }
        }
    }

    /// Reconnects a browser whose identity or permitted topics have changed.
    package func reopen(of owner: String) {
        hub.end(of: owner)
    }

    /// Closes all streams before the server stops.
    package func close() {
        hub.close()
    }
}

extension RequestContext {
    /// Who would follow the events of a stream.
    fileprivate var follower: EventFollower {
        if let session { return .session(session.standing) }
        return guest.map { .guest($0.number) } ?? .visitor
    }

    /// How well the visitor is known, which determines the share of the streams that they may use.
    fileprivate var standing: EventHub.Standing {
        session?.person != nil ? .person : guest != nil ? .guest : .visitor
    }

    /// Distinguishes the pages of different sessions; empty without a session.
    var sessionText: String { session.map { "\($0.number)" } ?? "" }
}
