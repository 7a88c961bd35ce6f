import Chronology
import Dispatching
import Foundation
import Geo
import Positions
import Storage
import Taxi
import Zones

/// The taxi service on its own database, with a city that is set up.
struct RunningService {
    let service: DispatchService
    let clock: ServiceClock
    private let running: Task<Void, any Error>
    private let database: Database

    /// Sets up a city in an empty database, with a taxi on duty at each of these places.
    static func open(
        _ address: String,
        policy: Policy,
        zones names: [String],
        places: [Place]
    ) async throws -> RunningService {
        let opened = try await start(address)
        let service = opened.service
        _ = try await service.give(.adopt(policy))
        _ = try await service.give(.drawZones(ZoneDrawing(names: names, hash: 1)))
        await service.note { places.indices.map { .register(TaxiForm(code: "T\($0)")) } }
        _ = try await service.give(.completeSetup)
        await service.note {
            places.enumerated().map { .regainContact(TaxiNumber(rawValue: UInt32($0)), $1) }
        }
        await service.note {
            places.indices.map { .goOnDuty(TaxiNumber(rawValue: UInt32($0))) }
        }
        let queued = try await service.read { dispatcher in
            dispatcher.zones.reduce(0) { $0 + $1.entries.count }
        }
        guard queued > places.count * 9 / 10 else {
            throw Failure.peer("only \(queued) are queued")
        }
        return opened
    }

    /// Starts the service on an existing database.
    static func start(_ address: String) async throws -> RunningService {
        let database = try await Database.open(address)
        try await database.migrate(Migration.storage)
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        let clock = ServiceClock.system(
            startingAt: Moment(milliseconds: Int64(time.tv_sec) * 1_000)
        )
        let service = DispatchService(
            city: "city",
            in: database,
            clock: clock,
            settings: DispatchService.Settings(holder: "bench")
        )
        let running = Task { try await service.run() }
        while await !service.serves { try await Task.sleep(for: .milliseconds(1)) }
        return RunningService(service: service, clock: clock, running: running, database: database)
    }

    /// Stops the service as an operator would.
    func stop() async {
        running.cancel()
        _ = try? await running.value
        database.close()
    }
}

/// Plays a trace to the service.
///
/// Unchecked: `numbers` is only accessed under `lock`, `tracker` only by the stage's thread.
final class ServicePlayer: Player, @unchecked Sendable {
    private let service: DispatchService
    private let clock: ServiceClock
    private let stage: Stage
    private let zones: ZoneSet
    private var tracker: PositionTracker
    private let lock = NSLock()
    private var numbers: [Int: RequestNumber] = [:]

    init(_ running: RunningService, _ stage: Stage, zones: ZoneSet, taxis: [Dispatching.Taxi]) {
        service = running.service
        clock = running.clock
        self.stage = stage
        self.zones = zones
        tracker = PositionTracker(zones: zones, policy: .viavai)
        for taxi in taxis { tracker.follow(taxi, at: running.clock.now()) }
    }

    // MARK: Published entries

    /// Receives everything that is durable, and informs the stage.
    ///
    /// - Parameters:
    ///   - entries: what is published from now on.
    ///   - sequence: how many events there were before; an offer is identified
    ///     by its event's number.
    func listen(
        _ entries: AsyncStream<DispatchService.Published>,
        after sequence: Int64
    ) async {
        var indices: [RequestNumber: Int] = [:]
        var open: [RequestNumber: Asked] = [:]
        var epoch = sequence
        var last: Int64?
        for await published in entries {
            precondition(last.map { $0 + 1 == published.sequence } ?? true, "entries were missed")
            last = published.sequence
            for event in published.entry.events {
                switch event {
                case .request(.requested(let number, let form)):
                    indices[number] = Int(form.passenger.rawValue) - 1
                case .offer(.offered(let number, let taxi, _, _)):
                    guard let index = indices[number] else { break }
                    remember(index, number)
                    let taxi = Int(taxi.rawValue)
                    open[number] = Asked(request: index, taxi: taxi, attempt: 0, epoch: epoch)
                    stage.asked(index, taxi, epoch: epoch)
                case .request(.held(let number, _)):
                    if let index = indices[number] { stage.held(index) }
                case .offer(.accepted(let number)):
                    if let offer = open.removeValue(forKey: number) { stage.accepted(offer) }
                case .request(.ended(let number, _, _)):
                    open[number] = nil
                    if let index = indices.removeValue(forKey: number) { stage.gaveUp(index) }
                case .city, .taxi, .request, .offer, .ride: break
                }
                epoch += 1
            }
        }
    }

    private func remember(_ index: Int, _ number: RequestNumber) {
        lock.lock()
        numbers[index] = number
        lock.unlock()
    }

    // MARK: Actions

    func call(_ request: Int, at place: Coordinate) {
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: UInt64(request) + 1),
            zone: zones.zone(at: place).map { ZoneNumber(rawValue: $0.rawValue) }
        )
        give(.request(form), or: request)
    }

    func show(_ offer: Asked) {
        answer(offer) { .confirmDelivery($0, $1, epoch: $2) }
    }

    func answer(_ offer: Asked, _ reaction: Trace.Reaction) {
        switch reaction {
        case .accepts: answer(offer) { .accept($0, $1, epoch: $2) }
        case .refuses: answer(offer) { .refuse($0, $1, epoch: $2) }
        case .unreachable: answer(offer) { .reportUndeliverable($0, $1, epoch: $2) }
        // The service's own timer handles drivers who do not answer.
        case .ignores: break
        }
    }

    func ride(_ offer: Asked, step: Int) {
        let taxi = TaxiNumber(rawValue: UInt32(offer.taxi))
        switch step {
        case 1: give(.reachMeetingPoint(taxi))
        case 2: give(.board(taxi, aboard: 1, code: .right))
        case 3: give(.reachDestination(taxi))
        default: give(.endRide(taxi, reason: nil))
        }
    }

    func report(_ taxi: Int, at place: Coordinate) {
        let now = clock.now()
        let batch = PositionBatch(
            taxi: TaxiNumber(rawValue: UInt32(taxi)),
            sentAt: now,
            reports: [PositionReport(at: now, place: place, accuracyMetres: 8)]
        )
        let commands = tracker.take(batch, at: now)
        if !commands.isEmpty { Task { [service] in await service.note { commands } } }
    }

    private func answer(
        _ offer: Asked,
        _ command: (RequestNumber, TaxiNumber, Int64) -> Command
    ) {
        lock.lock()
        let number = numbers[offer.request]
        lock.unlock()
        guard let number else { return }
        give(command(number, TaxiNumber(rawValue: UInt32(offer.taxi)), offer.epoch))
    }

    private func give(_ command: Command, or request: Int? = nil) {
        Task { [service, stage] in
            do { _ = try await service.give(command) } catch {
                if let request { stage.gaveUp(request) }
            }
        }
    }
}
