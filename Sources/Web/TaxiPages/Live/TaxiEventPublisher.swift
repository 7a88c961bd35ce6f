import Chronology
package import Dispatching
import Identity
package import LiveUpdates
import Notify
import ServiceLifecycle
import Synchronization
package import Taxi

/// Publishes the dispatcher's decisions and the movements of taxis as events for open pages.
///
/// Only the people concerned receive them, and no database is queried. The dispatcher's entries are
/// read as they become durable. If this actor falls behind, it reads the current state again and
/// notifies all pages that they may be out of date.
package actor TaxiEventPublisher: Service, CustomStringConvertible {
    /// The name for logs.
    ///
    /// The service group logs its services, and the default description would include all of this
    /// object's data.
    package nonisolated var description: String { "taxi events" }

    let taxi: TaxiService
    let live: LiveUpdates
    let clock: ServiceClock
    /// The drivers with an open page, by taxi.
    package nonisolated let driverPages = OpenDriverPages()
    /// The passengers whose page shows shared rides to join.
    package nonisolated let sharingPages = OpenSharingPages()
    /// The known reason for the suspension; nil if the service is not suspended.
    private nonisolated let suspended = Mutex<String?>(nil)

    /// The people involved in each request; nil until the dispatcher is active.
    private(set) var audience: EventAudience?
    private var last: Int64?
    var rides: [RequestNumber: SentRide] = [:]
    var queues: [ZoneNumber: SentQueue] = [:]
    private var operations = OperationsThrottle()
    /// Since when this server has dispatched; nil while another does.
    var servesSince: Moment?
    /// When drivers whom no message has reached were last seen to have a page open.
    var seen: [PersonNumber: Moment] = [:]

    /// Notifies the passengers of taxis that are about to arrive.
    ///
    /// It runs in a separate task: an unavailable database must not delay the updates of open
    /// pages.
    private let arrivesSoon: @Sendable (TaxiNumber, [EventAudience.Rider]) async -> Void
    private let arrivals: AsyncStream<(TaxiNumber, [EventAudience.Rider])>
    let arriving: AsyncStream<(TaxiNumber, [EventAudience.Rider])>.Continuation

    /// Creates the publisher of a site.
    ///
    /// - Parameters:
    ///   - taxi: the running taxi service.
    ///   - live: the event streams of browsers.
    ///   - clock: the source of the current time.
    ///   - arrivesSoon: notifies the passengers of a taxi that is about to arrive.
    package init(
        _ taxi: TaxiService,
        _ live: LiveUpdates,
        _ clock: ServiceClock,
        arrivesSoon: @escaping @Sendable (TaxiNumber, [EventAudience.Rider]) async -> Void
    ) {
        self.taxi = taxi
        self.live = live
        self.clock = clock
        self.arrivesSoon = arrivesSoon
        (arrivals, arriving) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_024))
    }

    /// Runs until the server shuts down.
    package nonisolated func run() async throws {
        // Subscribe before reading any state, so that no event is lost in between.
        let (entries, times) = (taxi.dispatch.entries(), taxi.arrivals())
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.tick() }
                group.addTask { await self.follow(entries) }
                group.addTask { await self.follow(times) }
                group.addTask {
                    for await _ in self.taxi.undelivered.additions {
                        await self.passOverUnreached()
                    }
                }
                group.addTask {
                    for await (taxi, riders) in self.arrivals {
                        await self.arrivesSoon(taxi, riders)
                    }
                }
            }
        }
    }

    // MARK: The dispatcher's log

    /// Processes the dispatcher's entries, as they become durable, until the task is cancelled.
    private func follow(_ entries: AsyncStream<DispatchService.Published>) async {
        await readAudience()
        for await published in entries {
            operations.noteChange()
            // The dispatcher may not have been active until its first entry.
            if audience == nil {
                await readAudience()
                publishToEverybody()
            } else if let last, published.sequence > last + 1 {
                await readAudience()
                publishToEverybody()
            }
            last = published.sequence
            publish(published.entry)
        }
    }

    /// Processes updates of arrival times.
    private func follow(_ times: AsyncStream<ArrivalTold>) async {
        for await time in times {
            var ride = rides[time.request] ?? newRide(time.request)
            ride.arrival = time.isOver ? nil : time.arrival
            rides[time.request] = ride
            publishRide(time.request)
            if audience?.isShared(time.request) == true { sharingPages.noteChange() }
        }
    }

    private func readAudience() async {
        audience = try? await taxi.dispatch.read { EventAudience($0) }
    }

    private func publish(_ entry: Entry) {
        guard let recipients = audience?.follow(entry) else { return }
        if recipients.isEverybody { publishToEverybody() }
        if recipients.isShared { sharingPages.noteChange() }
        for topic in recipients.passengers { publish(.ride, on: topic) }
        for number in recipients.shifts {
            for person in driverPages.clear(number) { publish(.drive, on: .driver(person)) }
        }
        for number in recipients.taxis.subtracting(recipients.shifts) { publishDrive(of: number) }
        for zone in recipients.queues { queues[zone, default: newQueue(zone)].hasChanged = true }
    }

    func publishRide(_ ride: RequestNumber) {
        for rider in audience?.riders(ride) ?? [] { publish(.ride, on: rider.topic) }
    }

    func publishDrive(of number: TaxiNumber, within milliseconds: Int = 0) {
        for person in driverPages.drivers(of: number) {
            publish(.drive, on: .driver(person), within: milliseconds)
        }
    }

    private func publishToEverybody() {
        publish(.ride, on: .service)
        publish(.drive, on: .service)
    }

    private nonisolated func publish(
        _ event: TaxiEvent,
        on topic: Topic,
        within milliseconds: Int = 0
    ) {
        live.publish(event, on: topic, within: topic == .service ? live.hub.count : milliseconds)
    }

    // MARK: Every second

    private func tick() async {
        while !Task.isCancelled {
            let now = clock.now()
            await checkSuspension()
            // A dispatcher that has just become active may not have published an entry yet.
            if audience == nil {
                let found = try? await taxi.dispatch.read { EventAudience($0) }
                // An entry that arrived during the read has set newer data.
                if audience == nil { audience = found }
            }
            for topic in sharingPages.due(at: clock.now()) { publish(.ride, on: topic) }
            await publishMovements()
            await publishQueues()
            if operations.isDue(at: now) { publish(.operations, on: .operations) }
            noteServing(at: now)
            await passOverUnreached()
            do { try await clock.sleep(now.adding(seconds: 1)) } catch { return }
        }
    }

    // MARK: The whole service

    /// The reason for the suspension; nil if the service is not suspended or the state is unknown.
    package nonisolated var suspension: String? { suspended.withLock { $0 } }

    /// Notifies all pages when the service is suspended or resumed.
    ///
    /// When it returns, new pages show the current state of the service.
    package nonisolated func checkSuspension() async {
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

    /// Updates the pages of the drivers to whom an operator's notice is addressed.
    ///
    /// If the recipients cannot be determined now, nothing is sent. Their pages show the notice on
    /// the next load anyway.
    package nonisolated func publishNotice(to audience: DriverNotice.Audience) async {
        let taxis: [TaxiNumber]?
        do {
            taxis = try await taxi.taxis(of: audience)
        } catch {
            return
        }
        guard let taxis else { return publish(.drive, on: .service) }
        let people = Set(taxis.flatMap { driverPages.drivers(of: $0) })
        for person in people { publish(.drive, on: .driver(person), within: people.count) }
    }
}
