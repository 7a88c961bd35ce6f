import Chronology
import Localization
import StorageTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Notify

/// The complete path of a message: queued in a transaction, sent to a real mail
/// server at least once.
@Suite(
    "From the queue to the mail server",
    .enabled(if: LocalServers.areAvailable, LocalServers.advice)
)
struct DeliveryWorkerTests {
    private struct People: Directory {
        let recipient: String
        let message: any Message
        let kinds = Examples.kinds

        func resolve(_ message: SealedMessage) async throws -> Resolution {
            let found = Recipient(
                name: "Anna Bianchi",
                language: .italian,
                mail: MailAddress(recipient)
            )
            return .found(found, self.message)
        }
    }

    private static func worker(
        _ world: World,
        to address: String,
        with message: any Message = ParcelMessage(.lost)
    ) async throws -> DeliveryWorker {
        let servers = try await LocalServers.started()
        let relay = MailRelay(
            try MailRelay.Settings(
                host: "localhost",
                port: servers.places.encrypted,
                credentials: MailRelay.Credentials(user: "city", password: "secret"),
                authorities: servers.places.certificate,
                limit: .seconds(20)
            )
        )
        return DeliveryWorker(
            world.database,
            directory: People(recipient: address, message: message),
            browsers: world.browsers,
            channels: Channels(mail: relay.send),
            letterhead: Examples.letterhead
        )
    }

    @Test(
        "a mail whose receipt was lost comes again under the same name",
        arguments: TestEngine.allCases
    )
    func again(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            let address = "once+\(engine)@x.example"
            let message = RegistrationMessage.confirmRegistration(
                page: Examples.page,
                until: Examples.now
            )
            let worker = try await Self.worker(world, to: address, with: message)
            try await world.post(World.posting("p1"))
            var now = try await world.routed(at: Examples.now)
            _ = try await worker.round(at: now)
            let first = try await worker.round(at: now)
            now = try #require(first.next)
            #expect(try await worker.round(at: now).sent == 1)
            let servers = try await LocalServers.started()
            let mails = try await servers.mails(to: address)
            #expect(mails.map(\.parsed.id) == ["<p1@city.example>", "<p1@city.example>"])
            #expect(mails.map(\.parsed.subject).last == "Conferma il tuo indirizzo e-mail")
        }
    }

    /// A clock that jumps to times in the near future; those further away are never reached.
    private final class NearClock: Sendable {
        private let moment = Mutex(Examples.now)

        func now() -> Moment { moment.withLock { $0 } }

        func sleep(until: Moment) async throws {
            let isNear = moment.withLock { now in
                guard until.milliseconds - now.milliseconds < 30_000 else { return false }
                now = max(now, until)
                return true
            }
            if isNear { return }
            for await _ in AsyncStream<Void>.makeStream().stream {}
            try Task.checkCancellation()
        }
    }

    @Test(
        "a running worker sends what is posted, and ends when asked to",
        arguments: TestEngine.allCases
    )
    func running(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            let (reports, reporter) = AsyncStream.makeStream(of: DeliveryWorker.Round.self)
            let tries = Mutex(0)
            world.answer { _ in
                tries.withLock { count in
                    count += 1
                    return count == 1 ? .deferred("451 later", pause: nil) : .accepted
                }
            }
            let clock = NearClock()
            let worker = world.worker
            let running = Task {
                await worker.run(DeliveryWorker.Clock(now: clock.now, sleep: clock.sleep)) {
                    report in
                    if case .success(let round) = report { reporter.yield(round) }
                }
            }
            try await world.post(World.posting("p1"))
            for await round in reports where round.sent + round.givenUp > 0 { break }
            #expect(world.mails.map(\.id) == ["p1", "p1"])
            #expect(clock.now() >= Examples.now.adding(seconds: 5))
            running.cancel()
            await running.value
        }
    }

    @Test("a bounce is told without the address", arguments: TestEngine.allCases)
    func bounce(engine: TestEngine) async throws {
        try await World.with(engine) { world in
            let worker = try await Self.worker(world, to: "unknown@x.example")
            try await world.post(World.posting("p1"))
            let now = try await world.routed(at: Examples.now)
            #expect(try await worker.round(at: now).bounced == 1)
            let last = try await world.queue.entries(of: World.id("p1")).last
            #expect(last?.answer == "550 5.1.1 <[recipient]>: no such user here")
        }
    }

    @Test("thirty mails go at once by few threads")
    func many() async throws {
        try await World.with(.sqlite) { world in
            let worker = try await Self.worker(world, to: "many@x.example")
            for number in 0..<30 { try await world.post(World.posting("p\(number)")) }
            let now = try await world.routed(at: Examples.now)
            #expect(try await worker.round(at: now).sent == 30)
            let servers = try await LocalServers.started()
            let ids = try await servers.mails(to: "many@x.example").map(\.parsed.id)
            #expect(Set(ids).count == 30 && ids.count == 30)
        }
    }
}
