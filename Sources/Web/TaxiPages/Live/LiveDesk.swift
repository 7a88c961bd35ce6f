import Chronology
package import Dispatching
package import Identity
package import Notify
import ServiceLifecycle
import Storage
import Synchronization
package import Taxi
package import WebCore

/// Sends live events to open pages and closes the streams of sessions that lose access.
///
/// A stream belongs to a session. After each action that may end sessions or change permissions,
/// all sessions with open streams are checked. The check also runs every few seconds, because other
/// servers and the command line can make such changes. A stream that may not continue is closed,
/// and its page reconnects.
package final class LiveDesk: Service, CustomStringConvertible {
    /// The interval of the periodic session check, in seconds.
    package static let lookUpSeconds: Int64 = 5

    /// The name for logs.
    ///
    /// The service group logs its services, and the default description would include all of this
    /// object's data.
    package var description: String { "live desk" }

    /// The open streams and their topics.
    package let hub: EventHub

    private let accounts: Accounts
    private let taxi: TaxiService
    private let clock: ServiceClock
    /// The known reason for the suspension; nil if the service is not suspended.
    private let suspended = Mutex<String?>(nil)
    /// The drivers with an open page, by taxi.
    package let seats = Seats()
    /// The passengers who see shared rides to join.
    package let lookers = Lookers()
    /// The recently checked sessions of drivers who report their position.
    package let known: KnownSessions
    private let operations = OperationsPulse()
    private let rings: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation
    /// The passengers of taxis that are about to arrive.
    ///
    /// They are notified in a separate task: an unavailable database must not delay the heartbeats
    /// of open pages.
    private let arrivesSoon: @Sendable (TaxiNumber, [Audience.Rider]) async -> Void
    private let near: AsyncStream<(TaxiNumber, [Audience.Rider])>
    private let nearing: AsyncStream<(TaxiNumber, [Audience.Rider])>.Continuation

    /// Creates the live events of a site.
    ///
    /// - Parameters:
    ///   - accounts: the accounts, to check sessions.
    ///   - taxi: the running taxi service.
    ///   - clock: the source of the current time.
    ///   - known: the recently checked sessions.
    ///   - arrivesSoon: notifies the passengers of a taxi that is about to arrive.
    package init(
        _ accounts: Accounts,
        _ taxi: TaxiService,
        _ clock: ServiceClock,
        known: KnownSessions,
        arrivesSoon: @escaping @Sendable (TaxiNumber, [Audience.Rider]) async -> Void
    ) {
        self.arrivesSoon = arrivesSoon
        self.known = known
        self.accounts = accounts
        self.taxi = taxi
        self.clock = clock
        hub = EventHub(run: String(UInt64.random(in: .min ... .max), radix: 36))
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (near, nearing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_024))
    }

    /// The reason for the suspension; nil if the service is not suspended or the state is unknown.
    package var suspension: String? { suspended.withLock { $0 } }

    /// Runs until the server shuts down.
    package func run() async throws {
        // Subscribe before reading any state, so that no event is lost in between.
        let (entries, arrivals) = (taxi.dispatch.entries(), taxi.arrivals())
        let herald = herald()
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.tick(herald) }
                group.addTask { await herald.follow(entries) }
                group.addTask { await herald.follow(arrivals) }
                group.addTask { await self.operations.follow(self.taxi.dispatch.entries()) }
                group.addTask {
                    for await (taxi, riders) in self.near { await self.arrivesSoon(taxi, riders) }
                }
                group.addTask {
                    for await _ in self.rings { await self.lookUpSessions() }
                }
            }
        }
    }

    private func herald() -> Herald {
        Herald(taxi, seats, lookers, now: clock.now) { [self] in
            publish($0, on: $1, within: $1 == .service ? hub.count : $2)
        } publishPlace: { [hub, clock] in
            guard let event = $0.event else { return }
            hub.publish(event, on: $1, at: clock.now())
        } tellNear: { [self] in
            nearing.yield(($0, $1))
        }
    }

    private func tick(_ herald: Herald) async {
        var next = clock.now()
        while !Task.isCancelled {
            let now = clock.now()
            hub.beat(at: now)
            if now >= next {
                bell.yield()
                next = now.adding(seconds: Self.lookUpSeconds)
            }
            await lookAtService()
            await herald.look()
            if operations.beats(at: now) { publish(.operations, on: .operations) }
            do { try await clock.sleep(now.adding(seconds: 1)) } catch { return }
        }
    }

    /// Makes the effect of an action visible to all open pages.
    ///
    /// When it returns, new pages show the current state of the service. Streams that must end do
    /// so a moment later.
    package func somethingWasDone() async {
        bell.yield()
        await lookAtService()
    }

    /// Notifies all pages when the service is suspended or resumed.
    private func lookAtService() async {
        let now: String?
        do {
            now = try await taxi.dispatch.read { $0.suspension }
        } catch {
            // Another server is active, so the state is unknown.
            return
        }
        let hasChanged = suspended.withLock { known in
            defer { known = now }
            return known != now
        }
        if hasChanged { publish(.service, on: .service) }
    }

    /// Closes all streams before the server stops.
    package func close() {
        hub.close()
    }

    /// Reconnects a browser whose identity or permitted topics have changed.
    package func reopen(of owner: String) {
        hub.end(of: owner)
    }

    /// Notifies all pages that follow a topic of a change.
    package func publish(_ event: LiveEvent, on topic: Topic) {
        publish(event, on: topic, within: topic == .service ? hub.count : 0)
    }

    /// Notifies the pages that follow a topic of a change.
    ///
    /// The pages reload at random times within the given milliseconds, which avoids a burst of
    /// requests.
    package func publish(_ event: LiveEvent, on topic: Topic, within milliseconds: Int) {
        guard let event = Event(event.rawValue, data: "\(min(milliseconds, 10_000))") else {
            return
        }
        hub.publish(event, on: topic, at: clock.now())
    }

    /// Closes the streams of sessions that have expired or whose permitted topics have changed.
    private func lookUpSessions() async {
        let listening = hub.owners
        let now = clock.now()
        let numbers = known.numbers(at: now).union(
            listening.keys.compactMap(RequestContext.session)
        )
        guard !numbers.isEmpty,
            let standings = try? await accounts.standings(ofSessions: Array(numbers), at: now)
        else { return }
        known.keep(standings, of: numbers)
        for number in numbers {
            let owner = RequestContext.owner(session: number)
            guard let topics = listening[owner] else { continue }
            if standings[number]?.topics != topics { hub.end(of: owner) }
        }
    }
}
