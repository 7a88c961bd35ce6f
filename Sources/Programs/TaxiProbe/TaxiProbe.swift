import Chronology
import Dispatching
import Foundation
import Storage
import Synchronization
import Taxi

/// A dispatch service for crash tests; the README describes its arguments.
@main
struct TaxiProbe {
    static func main() async {
        guard CommandLine.arguments.count >= 4, let plan = Plan(CommandLine.arguments.dropFirst(3))
        else { exit(2) }
        signal(SIGTERM) { _ in isTerminated.store(true, ordering: .relaxed) }
        do {
            try await run(CommandLine.arguments[1], holder: CommandLine.arguments[2], plan)
            say("ended")
        } catch {
            say("failed \(error)")
            exit(3)
        }
    }

    private static func run(_ address: String, holder: String, _ plan: Plan) async throws {
        let database = try await Database.open(address)
        try await database.migrate(Migration.storage + [Receiver.migration])
        var settings = DispatchService.Settings(holder: holder)
        // Low enough that even a short run takes several snapshots.
        settings.snapshotInterval = 10
        let service = DispatchService(
            city: "town",
            in: database,
            clock: .system(startingAt: wallClock()),
            settings: settings
        )
        let receiver = Receiver(log: EventLog("town", in: database), database: database)
        let published = service.entries()
        let failure = await withTaskGroup(of: Result<Void, any Error>.self) { group in
            group.addTask { await Result(of: { try await service.run() }) }
            group.addTask {
                await Result(of: {
                    while !isTerminated.load(ordering: .relaxed) {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                })
            }
            group.addTask {
                await Result(of: { try await follow(plan, service, receiver, published) })
            }
            // The first task to end ends the program.
            var failure: (any Error)?
            for await result in group {
                group.cancelAll()
                guard case .failure(let error) = result, failure == nil else { continue }
                // These two errors follow from the one that ended the service and do not explain
                // it.
                let isConsequence =
                    error is CancellationError
                    || error as? DispatchService.Failure == .notServing
                if !isConsequence { failure = error }
            }
            return failure
        }
        database.close()
        if let failure { throw failure }
    }

    /// Follows the plan once the service is ready, and delivers the resulting items.
    private static func follow(
        _ plan: Plan,
        _ service: DispatchService,
        _ receiver: Receiver,
        _ published: AsyncStream<DispatchService.Published>
    ) async throws {
        while await !service.serves { try await Task.sleep(for: .milliseconds(2)) }
        say("serving")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await receiver.run(published) }
            group.addTask {
                try await Town(service: service, patience: plan.patience).follow(plan)
                try await receiver.finish(patience: plan.patience)
                say("done")
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private static func wallClock() -> Moment {
        var clock = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &clock)
        return Moment(
            milliseconds: Int64(clock.tv_sec) * 1_000 + Int64(clock.tv_nsec) / 1_000_000
        )
    }
}

/// Whether the program was asked to terminate.
private let isTerminated = Atomic(false)

/// What the probe does while it serves.
enum Plan: Sendable {
    case drive(Range<UInt64>, tasks: Int, patience: Int)
    case wait(seconds: Int64)
    case idle

    init?(_ words: ArraySlice<String>) {
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        switch (words.first, numbers.count) {
        case ("drive", 4):
            self = .drive(
                numbers[0]..<numbers[0] + numbers[1],
                tasks: Int(numbers[2]),
                patience: Int(numbers[3])
            )
        case ("wait", 1): self = .wait(seconds: Int64(numbers[0]))
        case ("idle", 0): self = .idle
        default: return nil
        }
    }

    /// How many times a failed command is repeated.
    var patience: Int {
        if case .drive(_, _, let patience) = self { patience } else { 0 }
    }

    /// The pause before a command is repeated.
    static let pause = Duration.milliseconds(20)
}

extension Result where Success == Void, Failure == any Error {
    /// Captures the outcome of an operation.
    fileprivate init(of body: () async throws -> Void) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

/// Writes a line at once, so that it is out even if the process is killed right afterwards.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
}
