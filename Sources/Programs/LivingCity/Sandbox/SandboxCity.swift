import Chronology
package import Identity
package import Logging
import Notify
import ServiceLifecycle
package import Taxi
import TaxiPages
import WebApp
package import WebCore

/// A generated city with simulated taxis, in which programs call taxis while they are being
/// written (decision 0055).
///
/// It opens when somebody asks for keys and ends a day later, with all keys and with everything
/// that was done in it. Its clock runs faster than ours, so that a ride ends in seconds. It is an
/// installation of its own, in a folder of its own, without anything that sends messages.
package actor SandboxCity: Sandbox, Service, CustomStringConvertible {
    /// The service's name in logs.
    package nonisolated var description: String { "sandbox city" }

    /// How many times as fast as ours its time passes: a ride of ten minutes takes half a minute.
    package static let usualSpeed: Int64 = 20
    /// How long the server of the sandbox, which is its only one, may be without time to say that
    /// it serves: half a minute of ours.
    private static let leaseTerm = Duration.seconds(600)
    /// How many taxis drive in it.
    private static let taxis = 12
    /// For how many of them there are simulated passengers, so that most are free.
    private static let busyTaxis = 2
    /// How long it is open, in seconds.
    package static let usualLifetimeSeconds: Int64 = 86_400
    /// How long after the opening all taxis are on duty, by its own clock, in milliseconds.
    private static let comingMilliseconds = Int64(2 * Cab.comingSeconds * 1_000)
    /// How many developers it serves; no city registers more applications.
    private static let mostKeys = Accounts.applicationLimit - 100
    /// How long a developer waits while it opens, in milliseconds, and how often they look.
    private static let opening: (longest: Int64, look: Int64) = (30_000, 100)
    /// How many requests a key may send, in our time; some operations plan trips.
    private static let requests = (perSecond: 5, atOnce: 200)

    private let folder: SandboxFolder
    private let clock: ServiceClock
    private let speed: Int64
    private let lifetimeSeconds: Int64
    private let logger: Logger
    private let workers: PasswordWorkers
    private let rate = RequestRate<String>(
        perSecond: SandboxCity.requests.perSecond,
        atOnce: SandboxCity.requests.atOnce
    )
    private let wishes: AsyncStream<Void>
    private let wish: AsyncStream<Void>.Continuation
    private var open: OpenSandbox?

    /// Creates a sandbox that is closed.
    ///
    /// - Parameters:
    ///   - folder: where it keeps its files.
    ///   - clock: our clock.
    ///   - speed: how many times as fast its own clock runs.
    ///   - lifetimeSeconds: how long it is open, in seconds.
    ///   - workers: hash the passwords of the people whom it invents.
    ///   - logger: receives what it reports.
    package init(
        in folder: SandboxFolder,
        clock: ServiceClock,
        speed: Int64 = SandboxCity.usualSpeed,
        lifetimeSeconds: Int64 = SandboxCity.usualLifetimeSeconds,
        workers: PasswordWorkers,
        logger: Logger
    ) {
        self.folder = folder
        self.clock = clock
        self.speed = speed
        self.lifetimeSeconds = lifetimeSeconds
        self.workers = workers
        self.logger = logger
        (wishes, wish) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Opening and ending

    /// Opens the sandbox whenever it is wanted, until the server stops.
    ///
    /// A sandbox that fails is closed and opens again when it is wanted; the city goes on.
    package func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await self.openWhenWanted() }
        } catch is CancellationError {
            return
        }
    }

    private func openWhenWanted() async throws {
        for await _ in wishes where open == nil {
            do {
                try await live()
            } catch let error as CancellationError {
                throw error
            } catch {
                logger.error("the sandbox ended early", metadata: ["error": "\(error)"])
            }
            open = nil
        }
    }

    /// Opens the city, and returns when its time is over.
    private func live() async throws {
        let began = clock.now()
        let ends = began.adding(seconds: lifetimeSeconds)
        let settings = try await folder.begin(at: began)
        let letters = SetUpLetters()
        // Its people set it up at their usual pace: a password counts as recent for minutes.
        let own = AdjustableClock(following: clock)
        let installation = try await Installation(
            settings,
            clock: own.clock,
            outgoing: letters.outgoing,
            workers: workers,
            leaseTerm: Self.leaseTerm
        )
        defer {
            installation.close()
            folder.end()
        }
        let site = Site(installation)
        let people = DemoPeople(
            mailbox: DemoMailbox(home: try settings.home(), now: installation.clock.now)
        )
        let (ready, isReady) = AsyncStream<Void>.makeStream()
        let size = LivingCity.Size(taxis: Self.taxis, seed: 1, busyTaxis: Self.busyTaxis)
        let city = LivingCity(
            installation,
            site,
            letters: letters,
            people: people,
            size: size,
            logger: logger
        ) { isReady.yield() }
        let services: [any Service] =
            [TaxiServiceRunner(installation, logger: logger), city] + site.upkeep
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await service.run() } }
            group.addTask { [clock, speed] in
                for await _ in ready { break }
                own.run(speed)
                // Until then no taxi is on duty.
                try await own.clock.pause(Self.comingMilliseconds)
                await self.begin(OpenSandbox(installation, site, ends: ends))
                try await clock.sleep(ends)
            }
            defer { group.cancelAll() }
            // The first that returns: the time is over, or a service failed.
            try await group.next()
        }
    }

    private func begin(_ sandbox: OpenSandbox) {
        open = sandbox
        logger.notice("the sandbox is open")
    }

    // MARK: Keys and requests

    package func issueKeys() async throws -> SandboxKeys {
        var looks = Self.opening.longest / Self.opening.look
        while open == nil, looks > 0 {
            wish.yield()
            looks -= 1
            try await clock.pause(Self.opening.look)
        }
        guard let sandbox = open else { throw Failure.busy(retryAfter: 30) }
        guard sandbox.issued < Self.mostKeys else {
            let milliseconds = sandbox.ends.milliseconds - clock.now().milliseconds
            throw Failure.busy(retryAfter: Int(max(1, milliseconds / 1_000)))
        }
        // Before the first suspension, so that no two visitors get one number.
        sandbox.issued += 1
        return try await sandbox.admit(visitor: sandbox.issued)
    }

    package func examples() -> [String: String] { open?.examples ?? [:] }

    package func answer(_ call: SandboxCall) async throws -> Response {
        guard let sandbox = open else { throw ProgramRefusal.wrongSandboxKey }
        guard let key = try await sandbox.own(call.key) else {
            throw ProgramRefusal.wrongSandboxKey
        }
        if let seconds = rate.take(from: call.key, at: clock.now()) {
            throw Failure.tooMany(retryAfter: seconds)
        }
        return try await sandbox.site.answer(call, key: key)
    }
}
