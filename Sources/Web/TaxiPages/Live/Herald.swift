package import Chronology
package import Dispatching
import Identity
package import Notify
package import Taxi

/// Tells pages what the dispatcher decided, and how taxis come nearer: whom it concerns, nobody
/// else, and without a look into a database.
///
/// It reads the dispatcher's entries as they become durable. Where it was too slow it reads the
/// state anew, and says to all pages that they may be old.
package actor Herald {
    /// How often a passenger hears at most that the taxi has moved, in seconds: while he waits for
    /// it, and aboard, where little depends on it and most rides of a city are at a time.
    package static let movingSeconds: (waiting: Int64, aboard: Int64) = (5, 15)
    /// How often drivers hear that others left the queue before them, in seconds: the first of a
    /// queue, and those further back, for whom less depends on it.
    package static let queueSeconds: (first: Int64, others: Int64) = (5, 20)
    /// How many milliseconds lie between the pages of those who are overtaken at once.
    private static let apart = 10
    /// How many of a queue are its first (ui.md 4.5).
    package static let firstInQueue = 5
    /// A taxi that is so near is told of once, by push or mail, in seconds; and how far it must
    /// have been before, so that this is news.
    package static let nearSeconds: (is: Int64, was: Int64) = (120, 240)

    private let taxi: TaxiService
    private let seats: Seats
    private let lookers: Lookers
    private let now: @Sendable () -> Moment
    /// Publishes an event that pages answer within so many milliseconds.
    private let publish: @Sendable (LiveEvent, Topic, Int) -> Void
    private let publishPlace: @Sendable (QueueNews, Topic) -> Void
    private let tellNear: @Sendable (TaxiNumber, [Audience.Rider]) -> Void

    /// Who has to do with what; nil before the dispatcher served.
    private var audience: Audience?
    private var last: Int64?
    /// What passengers were told of their taxis.
    private var rides: [RequestNumber: Told] = [:]
    private var queues: [ZoneNumber: Queue] = [:]

    private struct Told {
        /// When the taxi was where the pages show it.
        var position: Moment?
        /// Whether it was still heard from then.
        var isFresh = true
        /// When they may be told again.
        var next: Moment
        /// When it comes.
        var arrival: Moment?
        var wasFar = false
    }

    private struct Queue {
        var places: [TaxiNumber: Int] = [:]
        var nextFirst: Moment
        var nextOthers: Moment
        var hasChanged = false
        /// Who has fallen back in it: his page says why, beside the number.
        var overtaken: Set<TaxiNumber> = []
    }

    /// A herald.
    ///
    /// - Parameters:
    ///   - taxi: the service.
    ///   - seats: who hears what concerns a taxi.
    ///   - lookers: who is shown rides of others.
    ///   - now: the clock.
    ///   - publish: tells the pages of a topic, which fetch it within so many milliseconds.
    ///   - publishPlace: tells those of a driver his place.
    ///   - tellNear: is called when the taxi of some is about to arrive; it does not wait.
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

    /// Follows the dispatcher until the task is cancelled.
    ///
    /// - Parameter entries: what becomes durable, from before now on.
    package func follow(_ entries: AsyncStream<DispatchService.Published>) async {
        await begin()
        for await published in entries {
            // Before the first entry it may not have served.
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

    /// Follows what passengers are told of arrivals.
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

    /// Looks at what no entry tells: where taxis are, and the places in queues.
    package func look() async {
        // A service that has begun to serve and decided nothing since has sent no entry.
        if audience == nil {
            let found = try? await taxi.dispatch.read { Audience($0) }
            // What an entry has brought meanwhile is newer.
            if audience == nil { audience = found }
        }
        for topic in lookers.due(at: now()) { publish(.ride, topic, 0) }
        await lookAtTaxis()
        await lookAtQueues()
    }

    private func lookAtTaxis() async {
        let now = now()
        let live = audience?.rides ?? []
        // Those that have ended are forgotten: nobody follows a taxi beyond his ride.
        var kept: [RequestNumber: Told] = [:]
        for (ride, _, _) in live { kept[ride] = rides[ride] ?? newRide(ride) }
        rides = kept
        for (ride, number, stage) in live {
            guard var told = rides[ride] else { continue }
            // Who has arrived is about to arrive no more.
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

    /// The next moment at which something has its turn that has one every so many seconds.
    ///
    /// Each number has a second of its own. What is told to a whole city in the same moment, as
    /// after a restart, would else come in the same moment ever after, and everybody's answers
    /// would wait for it.
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

    /// A queue as the dispatcher has it.
    private struct Waiting {
        var taxis: [TaxiNumber] = []
        /// The zone's code.
        var zone = ""
        var sequence: Int64
    }

    /// Tells those whose place has changed.
    ///
    /// - Returns: the queue as it was told.
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
        // Whoever has looked meanwhile may have seen what is over by now, and those in front read
        // how many wait behind them: at the turn of the others all are told.
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
                // Somebody got his turn back: the page says so as long as he is ahead, not the
                // number alone. All who came after him fetch it.
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
