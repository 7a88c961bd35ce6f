import Chronology
import Dispatching
import LiveUpdates
import Taxi

// What no log entry reports in time: the movements of taxis and the positions in queues.
extension TaxiEventPublisher {
    /// The shortest interval between two position updates to a passenger, in seconds.
    ///
    /// It is longer after boarding, when little depends on the position. Most rides of a city are
    /// in that stage at any time.
    static let movingSeconds: (waiting: Int64, aboard: Int64) = (5, 15)
    /// The shortest interval between two queue updates to a driver, in seconds.
    ///
    /// The first drivers of a queue get more frequent updates than those further back, to whom a
    /// change matters less.
    static let queueSeconds: (first: Int64, others: Int64) = (5, 20)
    /// The number of drivers who count as the first of a queue (ui.md 4.5).
    static let firstInQueue = 5
    /// The thresholds of the one notification that a taxi is near, in seconds until its arrival.
    ///
    /// It is sent by push or e-mail when the taxi is at most `is` away, and only if it was more
    /// than `was` away before.
    static let nearSeconds: (is: Int64, was: Int64) = (120, 240)
    /// The milliseconds between the page reloads of drivers who are overtaken at the same time.
    private static let reloadSpacing = 10

    /// The latest updates sent to the passengers of a ride.
    struct SentRide {
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

    /// The positions in a queue as last sent to its drivers.
    struct SentQueue {
        var places: [TaxiNumber: Int] = [:]
        var nextFirst: Moment
        var nextOthers: Moment
        var hasChanged = false
        /// The taxis that have lost a position.
        ///
        /// Their drivers' pages explain why, beside the number.
        var overtaken: Set<TaxiNumber> = []
    }

    // MARK: Taxis

    /// Publishes the movements of taxis, and queues messages of those about to arrive.
    func publishMovements() async {
        let now = clock.now()
        let current = audience?.rides ?? []
        // Forget rides that have ended: no passenger follows a taxi beyond the ride.
        var kept: [RequestNumber: SentRide] = [:]
        for (ride, _, _) in current { kept[ride] = rides[ride] ?? newRide(ride) }
        rides = kept
        for (ride, number, stage) in current {
            guard var sent = rides[ride] else { continue }
            // A taxi that has arrived is no longer about to arrive.
            let arrival = stage == .onTheWay ? sent.arrival : nil
            let left = arrival.map { ($0.milliseconds - now.milliseconds) / 1_000 }
            let isNear = sent.wasFar && left.map { $0 <= Self.nearSeconds.is } == true
            if left.map({ $0 > Self.nearSeconds.was }) == true { sent.wasFar = true }
            if isNear { sent.wasFar = false }
            rides[ride] = sent
            if isNear { arriving.yield((number, audience?.riders(ride) ?? [])) }
            if sent.next <= now { await publishMovement(of: number, ride, stage, at: now) }
        }
    }

    private func publishMovement(
        of number: TaxiNumber,
        _ ride: RequestNumber,
        _ stage: Ride.Stage,
        at now: Moment
    ) async {
        let position = try? await taxi.position(of: number, for: .cityOperator)?.at
        guard let position, var sent = rides[ride] else { return }
        let isFresh = now <= position.adding(seconds: RideTexts.staleSeconds)
        guard position != sent.position || isFresh != sent.isFresh else { return }
        sent.position = position
        sent.isFresh = isFresh
        let (waiting, aboard) = Self.movingSeconds
        sent.next = now.adding(seconds: stage == .aboard ? aboard : waiting)
        rides[ride] = sent
        publishRide(ride)
    }

    func newRide(_ ride: RequestNumber) -> SentRide {
        let seconds = Self.movingSeconds.waiting
        return SentRide(next: Self.turn(of: ride.rawValue, every: seconds, after: clock.now()))
    }

    /// Returns the next update time of an item that is updated every N seconds.
    ///
    /// Each number has its own offset within the interval. Without it, items first updated at the
    /// same moment, as after a restart, would always be updated together, and the burst of requests
    /// would delay every response.
    static func turn(of number: UInt64, every seconds: Int64, after now: Moment) -> Moment {
        let own = Int64(number % UInt64(seconds)) * 1_000
        let period = seconds * 1_000
        return now.adding(milliseconds: period - (now.milliseconds - own) % period)
    }

    // MARK: Queues

    func newQueue(_ zone: ZoneNumber) -> SentQueue {
        let now = clock.now()
        return SentQueue(nextFirst: now, nextOthers: turn(of: zone, after: now))
    }

    private func turn(of zone: ZoneNumber, after now: Moment) -> Moment {
        Self.turn(of: UInt64(zone.rawValue), every: Self.queueSeconds.others, after: now)
    }

    /// Publishes the positions in queues that have changed.
    func publishQueues() async {
        let now = clock.now()
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
            queues[zone] = publish(queue, of: zone, waiting, at: now)
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
    /// - Returns: the queue as sent.
    private func publish(
        _ queue: SentQueue,
        of zone: ZoneNumber,
        _ waiting: Waiting,
        at now: Moment
    ) -> SentQueue {
        let name = taxi.zoneName(waiting.zone)
        let includesOthers = queue.nextOthers <= now
        var sent = queue
        sent.places = [:]
        // A page that was loaded in the meantime may show older data, and the first drivers also
        // see how many wait behind them. The less frequent update therefore notifies everyone.
        sent.hasChanged = !includesOthers
        sent.overtaken.formIntersection(waiting.taxis)
        sent.nextFirst = now.adding(seconds: Self.queueSeconds.first)
        if includesOthers { sent.nextOthers = turn(of: zone, after: now) }
        for (place, number) in waiting.taxis.enumerated() {
            let before = queue.places[number]
            sent.places[number] = place
            guard includesOthers || before != place else { continue }
            guard includesOthers || place < Self.firstInQueue else {
                sent.places[number] = before
                continue
            }
            if let before, before < place { sent.overtaken.insert(number) }
            if sent.overtaken.contains(number) {
                // A driver got a previous position back. The overtaken drivers' pages give this
                // reason and not only the number, so these drivers reload their pages.
                publishDrive(of: number, within: Self.reloadSpacing * waiting.taxis.count)
            } else {
                let count = waiting.taxis.count
                let event = QueuePositionEvent(
                    sequence: waiting.sequence,
                    standing: DriveStanding(behind: place, of: count, in: name)
                )
                for person in driverPages.drivers(of: number) {
                    live.publish(event, on: .driver(person))
                }
            }
        }
        return sent
    }
}

/// Limits how often the operators' pages are refreshed.
///
/// In a large city changes are constant, so these pages are notified at most each time that
/// ``isDue(at:)`` is called. They are also notified periodically without changes, because they show
/// ages.
struct OperationsThrottle: Sendable {
    /// The interval of notifications without changes, in seconds.
    static let quietSeconds: Int64 = 20

    private var hasChanged = false
    private var last = Moment(milliseconds: 0)

    /// Records a change that concerns the operators' pages.
    mutating func noteChange() { hasChanged = true }

    /// Whether to notify the pages now.
    ///
    /// Call it once a second.
    mutating func isDue(at now: Moment) -> Bool {
        guard hasChanged || now >= last.adding(seconds: Self.quietSeconds) else { return false }
        (hasChanged, last) = (false, now)
        return true
    }
}
