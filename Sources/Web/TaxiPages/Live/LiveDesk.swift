import Chronology
package import Dispatching
package import Identity
package import Notify
import ServiceLifecycle
import Storage
import Synchronization
package import Taxi
package import WebCore

/// Tells the pages that are open what happens: who listens, and that nobody listens any longer who
/// may not.
///
/// A stream belongs to a session. Whenever something was done that may end sessions or change what
/// people may do, and every some seconds for what other servers and the command line do, all
/// sessions that listen are looked up; a stream that may not go on so ends, and its page asks anew.
package final class LiveDesk: Service, CustomStringConvertible {
    /// After how many seconds sessions are looked up though nothing was done here.
    package static let lookUpSeconds: Int64 = 5

    /// Its name: the group of services logs it, and must not log all that it holds.
    package var description: String { "live desk" }

    /// Whoever listens.
    package let hub: EventHub

    private let accounts: Accounts
    private let taxi: TaxiService
    private let clock: ServiceClock
    /// Why the service is suspended, as far as is known; nil while it is not.
    private let suspended = Mutex<String?>(nil)
    /// Who hears what concerns a taxi.
    package let seats = Seats()
    /// Who is shown rides that could be joined.
    package let lookers = Lookers()
    /// Who said where he is a moment ago.
    package let known: KnownSessions
    private let operations = OperationsPulse()
    private let rings: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation
    /// Those whose taxis are about to arrive.
    ///
    /// They are written to beside all else: a database that is away must not keep heartbeats from
    /// open pages.
    private let arrivesSoon: @Sendable (TaxiNumber, [Audience.Rider]) async -> Void
    private let near: AsyncStream<(TaxiNumber, [Audience.Rider])>
    private let nearing: AsyncStream<(TaxiNumber, [Audience.Rider])>.Continuation

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

    /// Why the service is suspended; nil while it is not, or where nobody here knows.
    package var suspension: String? { suspended.withLock { $0 } }

    /// Works until the server stops.
    package func run() async throws {
        // Before anything that the herald reads, so that nothing falls between.
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

    /// Sees to it that what somebody has just done is known to all open pages.
    ///
    /// When it returns, pages that are made say how the service stands; streams end a moment later.
    package func somethingWasDone() async {
        bell.yield()
        await lookAtService()
    }

    /// Tells all pages when the service was suspended or goes on.
    private func lookAtService() async {
        let now: String?
        do {
            now = try await taxi.dispatch.read { $0.suspension }
        } catch {
            // Where another server serves the taxis nothing is known.
            return
        }
        let hasChanged = suspended.withLock { known in
            defer { known = now }
            return known != now
        }
        if hasChanged { publish(.service, on: .service) }
    }

    /// Ends all streams: the server is about to stop.
    package func close() {
        hub.close()
    }

    /// Lets a browser listen anew, which is somebody else now or may hear more.
    package func reopen(of owner: String) {
        hub.end(of: owner)
    }

    /// Tells the pages of all who may see a topic that something has changed.
    package func publish(_ event: LiveEvent, on topic: Topic) {
        publish(event, on: topic, within: topic == .service ? hub.count : 0)
    }

    /// Tells pages of a topic that something has changed; they fetch it within so many
    /// milliseconds, since many of them do not do it in the same moment.
    package func publish(_ event: LiveEvent, on topic: Topic, within milliseconds: Int) {
        guard let event = Event(event.rawValue, data: "\(min(milliseconds, 10_000))") else {
            return
        }
        hub.publish(event, on: topic, at: clock.now())
    }

    /// Ends the streams of sessions that no longer hold, or may see something else now.
    private func lookUpSessions() async {
        let listening = hub.owners
        let now = clock.now()
        let numbers = known.numbers(at: now).union(listening.keys.compactMap(Visit.session))
        guard !numbers.isEmpty,
            let standings = try? await accounts.standings(ofSessions: Array(numbers), at: now)
        else { return }
        known.keep(standings, of: numbers)
        for number in numbers {
            let owner = Visit.owner(session: number)
            guard let topics = listening[owner] else { continue }
            if standings[number]?.topics != topics { hub.end(of: owner) }
        }
    }
}
