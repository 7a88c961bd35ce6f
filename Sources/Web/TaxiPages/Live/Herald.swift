package import Chronology
package import Dispatching
import Identity
package import Notify
package import Taxi

/// Notifies pages of the dispatcher's decisions and of approaching taxis.
///
/// Only the people concerned are notified, and no database is queried. The dispatcher's entries are
/// read as they become durable. If this actor falls behind, it reads the current state again and
/// notifies all pages that they may be out of date.
package actor Herald {
    /// The shortest interval between two position updates to a passenger, in seconds.
    ///
    /// It is longer after boarding, when little depends on the position. Most rides of a city are
    /// in that stage at any time.
    package static let movingSeconds: (waiting: Int64, aboard: Int64) = (5, 15)
    /// The shortest interval between two queue updates to a driver, in seconds.
    ///
    /// The first drivers of a queue get more frequent updates than those further back, to whom a
    /// change matters less.
    package static let queueSeconds: (first: Int64, others: Int64) = (5, 20)
    /// The milliseconds between the page reloads of drivers who are overtaken at the same time.
    private static let apart = 10
    /// The number of drivers who count as the first of a queue (ui.md 4.5).
    package static let firstInQueue = 5
    /// The thresholds of the one notification that a taxi is near, in seconds until its arrival.
    ///
    /// It is sent by push or e-mail when the taxi is at most `is` away, and only if it was more
    /// than `was` away before.
    package static let nearSeconds: (is: Int64, was: Int64) = (120, 240)

    private let taxi: TaxiService
    private let seats: Seats
    private let lookers: Lookers
    private let now: @Sendable () -> Moment
    /// Publishes an event.
    ///
    /// Pages respond to it within the given number of milliseconds.
    private let publish: @Sendable (LiveEvent, Topic, Int) -> Void
    private let publishPlace: @Sendable (QueueNews, Topic) -> Void
    private let tellNear: @Sendable (TaxiNumber, [Audience.Rider]) -> Void

    /// The people involved in each request; nil until the dispatcher is active.
    private var audience: Audience?
    private var last: Int64?
    /// The latest updates sent to the passengers of each ride.
    private var rides: [RequestNumber: Told] = [:]
    private var queues: [ZoneNumber: Queue] = [:]

    private struct Told {
        /// The time of the position that the pages show.
        var position: Moment?
        /// Whether that position was still recent.
        var isFresh = true
        /// The earliest time of the next update.
        var next: Moment
        /// The expected arrival time.
        var arrival: Moment?
        var wasFar = false
    }

    private struct Queue {
        var places: [TaxiNumber: Int] = [:]
        var nextFirst: Moment
        var nextOthers: Moment
        var hasChanged = false
        /// The taxis that have lost a position.
        ///
        /// Their drivers' pages explain why, beside the number.
        var overtaken: Set<TaxiNumber> = []
    }

    /// Creates a notifier.
    ///
    /// - Parameters:
    ///   - taxi: the taxi service.
    ///   - seats: the drivers of each taxi with an open page.
    ///   - lookers: the passengers who see rides to join.
    ///   - now: the clock.
    ///   - publish: notifies the pages of a topic, which reload within the given milliseconds.
    ///   - publishPlace: sends a new queue position to a driver's pages.
    ///   - tellNear: called when a taxi is about to arrive at its passengers; it returns at once.
    package init(
        _ taxi: TaxiService,
        _ seats: Seats,
        _ lookers: Lookers,
        now: @escaping @Sendable () -> Moment,
        publish: @escaping @Sendable (LiveEvent, Topic, Int) -> Void,
        publishPlace: @escaping @Sendable (QueueNews, Topic) -> Void,
        tellNear: @escaping @Sendable (TaxiNumber, [Audience.Rider]) -> Void
    ) {
        self.taxi = taxi
        self.seats = seats
        self.lookers = lookers
        self.now = now
        self.publish = publish
        self.publishPlace = publishPlace
        self.tellNear = tellNear
    }

    /// Processes the dispatcher's entries until the task is cancelled.
    ///
    /// - Parameter entries: the entries as they become durable, subscribed to before this call.
    package func follow(_ entries: AsyncStream<DispatchService.Published>) async {
        await begin()
        for await published in entries {
            // The dispatcher may not have been active until its first entry.
            if audience == nil {
                await begin()
                tellEverybody()
            } else if let last, published.sequence > last + 1 {
                await begin()
                tellEverybody()
            }
            last = published.sequence
            take(published.entry)
        }
    }

    /// Processes updates of arrival times.
    package func follow(_ arrivals: AsyncStream<ArrivalTold>) async {
        for await told in arrivals {
            var ride = rides[told.request] ?? newRide(told.request)
            ride.arrival = told.isOver ? nil : told.arrival
            rides[told.request] = ride
            tellRiders(of: told.request)
            if audience?.isShared(told.request) == true { lookers.noteChange() }
        }
    }

    private func begin() async {
        audience = try? await taxi.dispatch.read { Audience($0) }
    }

    private func take(_ entry: Entry) {
        guard let told = audience?.follow(entry) else { return }
        if told.isEverybody { tellEverybody() }
        if told.isShared { lookers.noteChange() }
        for topic in told.passengers { publish(.ride, topic, 0) }
        for number in told.shifts {
            for person in seats.clear(number) { publish(.drive, .driver(person), 0) }
        }
        for number in told.taxis.subtracting(told.shifts) { tellDrivers(of: number) }
        for zone in told.queues { queues[zone, default: newQueue(zone)].hasChanged = true }
    }

    private func tellRiders(of ride: RequestNumber) {
        for rider in audience?.riders(ride) ?? [] { publish(.ride, rider.topic, 0) }
    }

    private func tellDrivers(of number: TaxiNumber, within milliseconds: Int = 0) {
        for person in seats.seated(number) { publish(.drive, .driver(person), milliseconds) }
    }

    private func tellEverybody() {
        publish(.ride, .service, 0)
        publish(.drive, .service, 0)
    }

    // MARK: Every second

    /// Checks what no entry reports: taxi positions and queue positions.
    package func look() async {
        // A dispatcher that has just become active may not have published an entry yet.
        if audience == nil {
            let found = try? await taxi.dispatch.read { Audience($0) }
            // An entry that arrived during the read has set newer data.
            if audience == nil { audience = found }
        }
        for topic in lookers.due(at: now()) { publish(.ride, topic, 0) }
        await lookAtTaxis()
        await lookAtQueues()
    }

    private func lookAtTaxis() async {
        let now = now()
        let live = audience?.rides ?? []
        // Forget rides that have ended: no passenger follows a taxi beyond the ride.
        var kept: [RequestNumber: Told] = [:]
        for (ride, _, _) in live { kept[ride] = rides[ride] ?? newRide(ride) }
        rides = kept
        for (ride, number, stage) in live {
            guard var told = rides[ride] else { continue }
            // A taxi that has arrived is no longer about to arrive.
            let arrival = stage == .onTheWay ? told.arrival : nil
            let left = arrival.map { ($0.milliseconds - now.milliseconds) / 1_000 }
            let isNear = told.wasFar && left.map { $0 <= Self.nearSeconds.is } == true
            if left.map({ $0 > Self.nearSeconds.was }) == true { told.wasFar = true }
            if isNear { told.wasFar = false }
            rides[ride] = told
            if isNear { tellNear(number, audience?.riders(ride) ?? []) }
            if told.next <= now { await lookAtTaxi(number, of: ride, stage, at: now) }
        }
    }

    private func lookAtTaxi(
        _ number: TaxiNumber,
        of ride: RequestNumber,
        _ stage: Ride.Stage,
        at now: Moment
    ) async {
        let position = try? await taxi.position(of: number, for: .cityOperator)?.at
        guard let position, var told = rides[ride] else { return }
        let isFresh = now <= position.adding(seconds: RideTexts.staleSeconds)
        guard position != told.position || isFresh != told.isFresh else { return }
        told.position = position
        told.isFresh = isFresh
        let (waiting, aboard) = Self.movingSeconds
        told.next = now.adding(seconds: stage == .aboard ? aboard : waiting)
        rides[ride] = told
        tellRiders(of: ride)
    }

    private func newRide(_ ride: RequestNumber) -> Told {
        let seconds = Self.movingSeconds.waiting
        return Told(next: Self.turn(of: ride.rawValue, every: seconds, after: now()))
    }

    private func newQueue(_ zone: ZoneNumber) -> Queue {
        Queue(nextFirst: now(), nextOthers: turn(of: zone, after: now()))
    }

    private func turn(of zone: ZoneNumber, after now: Moment) -> Moment {
        Self.turn(of: UInt64(zone.rawValue), every: Self.queueSeconds.others, after: now)
    }

    /// Returns the next update time of an item that is updated every N seconds.
    ///
    /// Each number has its own offset within the interval. Without it, items first updated at the
    /// same moment, as after a restart, would always be updated together, and the burst of requests
    /// would delay every response.
    package static func turn(of number: UInt64, every seconds: Int64, after now: Moment) -> Moment {
        let own = Int64(number % UInt64(seconds)) * 1_000
        let period = seconds * 1_000
        return now.adding(milliseconds: period - (now.milliseconds - own) % period)
    }

    private func lookAtQueues() async {
        let now = now()
        let due = queues.filter { $0.value.hasChanged && $0.value.nextFirst <= now }
        if due.isEmpty { return }
        let zones = Array(due.keys)
        let found = try? await taxi.dispatch.read { state in
            zones.map { zone -> Waiting in
                let index = Int(zone.rawValue)
                guard index < state.zones.count else { return Waiting(sequence: state.sequence) }
                return Waiting(
                    taxis: state.zones[index].entries.map(\.taxi),
                    zone: state.zones[index].name,
                    sequence: state.sequence
                )
            }
        }
        for (zone, waiting) in zip(zones, found ?? []) {
            guard let queue = queues[zone] else { continue }
            queues[zone] = tell(queue, of: zone, waiting, at: now)
        }
    }

    /// A snapshot of a zone's queue in the dispatcher.
    private struct Waiting {
        var taxis: [TaxiNumber] = []
        /// The code of the zone, which the dispatcher stores as its name.
        var zone = ""
        var sequence: Int64
    }

    /// Notifies the drivers whose queue position has changed.
    ///
    /// - Returns: the queue as last sent.
    private func tell(
        _ queue: Queue,
        of zone: ZoneNumber,
        _ waiting: Waiting,
        at now: Moment
    ) -> Queue {
        let name = taxi.zoneName(waiting.zone)
        let tellsOthers = queue.nextOthers <= now
        var told = queue
        told.places = [:]
        // A page that was loaded in the meantime may show older data, and the first drivers also
        // see how many wait behind them. The less frequent update therefore notifies everyone.
        told.hasChanged = !tellsOthers
        told.overtaken.formIntersection(waiting.taxis)
        told.nextFirst = now.adding(seconds: Self.queueSeconds.first)
        if tellsOthers { told.nextOthers = turn(of: zone, after: now) }
        for (place, number) in waiting.taxis.enumerated() {
            let before = queue.places[number]
            told.places[number] = place
            guard tellsOthers || before != place else { continue }
            guard tellsOthers || place < Self.firstInQueue else {
                told.places[number] = before
                continue
            }
            if let before, before < place { told.overtaken.insert(number) }
            if told.overtaken.contains(number) {
                // A driver got a previous position back. The overtaken drivers' pages give this
                // reason and not only the number, so these drivers reload their pages.
                tellDrivers(of: number, within: Self.apart * waiting.taxis.count)
            } else {
                let count = waiting.taxis.count
                let standing = DriveStanding(behind: place, of: count, in: name)
                tell(QueueNews(sequence: waiting.sequence, standing: standing), to: number)
            }
        }
        return told
    }

    private func tell(_ news: QueueNews, to number: TaxiNumber) {
        for person in seats.seated(number) { publishPlace(news, .driver(person)) }
    }
}
