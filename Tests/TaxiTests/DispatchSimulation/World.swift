import Chronology
import Dispatching

@testable import Storage
@testable import Taxi

/// Two servers that compete for the lease of one city, their clients, and all faults between them,
/// determined by a seed.
///
/// `@unchecked Sendable`: as for ``Scheduler``.
final class World: @unchecked Sendable {
    /// A run of a server.
    final class Server: @unchecked Sendable {
        let process: SimulatedProcess
        let service: DispatchService
        var run: Task<Void, Never>?
        var follower: Task<Void, Never>?

        init(_ process: SimulatedProcess, _ service: DispatchService) {
            self.process = process
            self.service = service
        }
    }

    /// The outcome of a simulation.
    struct Outcome {
        var seed: UInt64
        var complaints: [String]
        var digest: UInt64
        var steps: Int
        var entries: Int
        var writers: Int
        var faults: [String: Int]
    }

    /// The correct time at the start of a simulation, in milliseconds.
    static let start: Int64 = 1_778_630_400_000
    /// How long faults occur, and how long the clients may then take to finish.
    private static let trouble: Int64 = 60_000
    private static let patience: Int64 = 300_000
    /// More events than any simulation needs.
    private static let stepLimit = 400_000

    let scheduler: Scheduler
    let database: SimulatedDatabase
    /// The clients, all in one program that never fails.
    let clients: SimulatedProcess
    private(set) var servers: [Server?] = [nil, nil]
    private(set) var isClosing = false
    /// The commands that clients have given, with their keys.
    var given: [(key: String, command: Dispatching.Command)] = []
    /// The number of clients that have not finished.
    var clientsLeft = 0
    private var processes = 0

    var truth: Truth { database.truth }

    private init(seed: UInt64) throws {
        scheduler = Scheduler(seed: seed)
        database = try SimulatedDatabase(scheduler)
        clients = SimulatedProcess(0, at: Moment(milliseconds: Self.start), on: scheduler)
    }

    /// Runs a simulation until its end or the first contradiction.
    static func run(
        seed: UInt64,
        defect: SimulatedDatabase.Defect? = nil
    ) throws -> Outcome {
        let world = try World(seed: seed)
        world.database.defect = defect
        world.begin()
        let truth = world.truth
        while truth.complaints.isEmpty, world.scheduler.step() {
            if world.scheduler.steps > stepLimit { truth.complain("the simulation does not end") }
        }
        if truth.complaints.isEmpty, world.clientsLeft > 0 {
            truth.complain("\(world.clientsLeft) clients were never answered")
        }
        return Outcome(
            seed: seed,
            complaints: truth.complaints,
            digest: world.scheduler.digest,
            steps: world.scheduler.steps,
            entries: truth.entries.count,
            writers: truth.writerCount,
            faults: world.database.faults
        )
    }

    // MARK: Life

    private func begin() {
        Task(executorPreference: clients) { [self] in
            do {
                let setup = Database(engine: SimulatedEngine(clients, database), Availability())
                try await setup.migrate(Migration.storage)
                start(slot: 0)
                try await setUp()
                start(slot: 1)
                database.hasFaults = true
                scheduler.after(Self.trouble) { [self] in calm() }
                misfortune()
                beginClients()
                follow()
            } catch {
                truth.complain("the set-up failed: \(error)")
            }
        }
    }

    private func start(slot: Int) {
        guard !isClosing else { return }
        processes += 1
        // A program trusts the clock of its machine, which may be wrong.
        let isWrong = database.hasFaults && scheduler.chance(300)
        let error = isWrong ? scheduler.between(-3_600_000, 3_600_000) : 0
        let wall = Moment(milliseconds: Self.start + scheduler.now + error)
        let process = SimulatedProcess(processes, at: wall, on: scheduler)
        var settings = DispatchService.Settings(holder: "server \(processes)")
        settings.snapshotInterval = 20
        settings.batchLimit = 6
        settings.executor = process
        let service = DispatchService(
            city: "town",
            in: Database(engine: SimulatedEngine(process, database), Availability()),
            clock: process.clock,
            settings: settings
        )
        let server = Server(process, service)
        servers[slot] = server
        server.run = Task(executorPreference: process) { [self, server] in
            try? await service.run()
            server.follower?.cancel()
            gone(slot, server)
        }
        server.follower = Task(executorPreference: process) { [truth] in
            for await published in service.entries() where !process.isDead {
                truth.published(published, by: process.number)
            }
        }
        process.whenKilled { [self, server] in
            server.run?.cancel()
            gone(slot, server)
        }
    }

    /// A server has ended; a supervisor restarts it.
    private func gone(_ slot: Int, _ server: Server) {
        guard servers[slot] === server else { return }
        servers[slot] = nil
        scheduler.after(scheduler.between(50, 5_000)) { [self] in start(slot: slot) }
    }

    /// Makes a fault affect a whole program every few seconds.
    private func misfortune() {
        guard database.hasFaults else { return }
        scheduler.after(scheduler.between(500, 12_000)) { [self] in
            if let process = servers[Int(scheduler.between(0, 1))]?.process, database.hasFaults {
                strike(process)
            }
            misfortune()
        }
    }

    private func strike(_ process: SimulatedProcess) {
        switch scheduler.between(0, 9) {
        case 0..<3:
            database.note("killed")
            process.kill()
        case 3..<6:
            database.note("paused")
            process.pausedUntil = scheduler.now + scheduler.between(500, 15_000)
        case 6..<9:
            database.note("cut off")
            process.cutOffUntil = scheduler.now + scheduler.between(500, 15_000)
        default:
            database.note("the database's clock steps")
            database.clockError = scheduler.between(-3_600_000, 3_600_000)
        }
    }

    /// No faults occur any more: all clients must now get their answers.
    private func calm() {
        database.hasFaults = false
        for server in servers {
            server?.process.pausedUntil = 0
            server?.process.cutOffUntil = 0
        }
        scheduler.after(Self.patience) { [self] in close() }
    }

    /// Stops the servers as an operator does.
    private func close() {
        isClosing = true
        for server in servers { server?.run?.cancel() }
    }

    /// Reads the log as followers do.
    private func follow() {
        Task(executorPreference: clients) { [self] in
            let log = EventLog(
                "town",
                in: Database(engine: SimulatedEngine(clients, database), Availability())
            )
            var head: LogHead?
            while !isClosing {
                do {
                    let place = if let head { head } else { try await log.genesis() }
                    let records = try await log.records(after: place, limit: 20)
                    truth.followed(records)
                    head = records.last?.head ?? place
                } catch is DatabaseFailure {
                    // It tries again later.
                } catch {
                    truth.complain("a follower cannot read: \(error)")
                }
                try? await clients.sleep(scheduler.between(500, 5_000))
            }
        }
    }
}
