import Foundation
import Glibc
import NIOCore
import NIOSSL
import SeededRandom
import Synchronization

/// Simulates drivers and passengers through the public web interface and prints one line of JSON:
/// `crowd NAME=VALUE...`.
///
/// All people of one zone are simulated by one process, so that the code shown to a passenger can
/// be passed to their driver.
@main
struct Crowd {
    private let plan: Plan
    private let ledger = Ledger()
    private let outage = Outage()
    private let security: NIOSSLContext

    private init(_ plan: Plan) throws {
        self.plan = plan
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = ["h2"]
        security = try NIOSSLContext(configuration: configuration)
    }

    static func main() async throws {
        let plan: Plan
        do {
            plan = try Plan(CommandLine.arguments.dropFirst())
        } catch {
            FileHandle.standardError.write(Data("crowd: \(error)\n".utf8))
            exit(2)
        }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try await Crowd(plan).run()
    }

    private func run() async throws {
        let people = try Person.all(plan)
        var share = 0.0
        var seen = "null"
        try await withThrowingTaskGroup(of: Void.self) { all in
            try await drivers(people.drivers, &all)
            let (begun, used) = (ContinuousClock.now, clock())
            await callers(people.passengers, &all)
            let (seconds, attoseconds) = begun.duration(to: .now).components
            let wall = Double(seconds) + Double(attoseconds) / 1e18
            share = Double(clock() - used) / Double(CLOCKS_PER_SEC) / wall
            if plan.hasOutage { seen = try await outage.happens() }
            // Every request is answered and every ride driven by then: even if three drivers in
            // turn let their time pass, an answer takes less than four minutes.
            let last = ContinuousClock.now + .seconds(240 + plan.rideSeconds)
            while ledger.withoutEnd > 0, ContinuousClock.now < last {
                try await Task.sleep(for: .milliseconds(500))
            }
            all.cancelAll()
        }
        print(ledger.json(share: share, outage: seen))
        try await Loop.only.group.shutdownGracefully()
    }

    // MARK: Drivers

    /// Starts the drivers one after the other, and waits until all are in their queues.
    private func drivers(
        _ people: [Person],
        _ all: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        let queues = Queues()
        let begun = ContinuousClock.now
        for (number, person) in people.enumerated() {
            let due = begun + .seconds(plan.comingSeconds * Double(number) / Double(people.count))
            try await Task.sleep(until: due, clock: .continuous)
            all.addTask(executorPreference: Loop.only) {
                await drive(number, person) { queues.enter(number) }
            }
        }
        let last = ContinuousClock.now + .seconds(60)
        while queues.count < people.count, ContinuousClock.now < last {
            try await Task.sleep(for: .milliseconds(100))
        }
        note("\(queues.count) of \(people.count) drivers wait; passengers begin to call")
    }

    /// The drivers who have joined their queue.
    private final class Queues: Sendable {
        private let numbers = Mutex<Set<Int>>([])

        var count: Int { numbers.withLock { $0.count } }

        func enter(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
    }

    private func drive(
        _ number: Int,
        _ person: Person,
        begun: @escaping @Sendable () -> Void
    ) async {
        let browser = browser(number, person)
        let driver = Driver(number, person, browser, ledger, outage, plan)
        while !Task.isCancelled {
            do {
                try await driver.run(begun: begun)
            } catch is CancellationError {
            } catch {
                // A driver who cannot sign in at first tries again, as people do.
                note("driver \(number): \(error)")
            }
            try? await Loop.only.sleep(until: .now + .seconds(5))
        }
        await browser.close()
    }

    // MARK: Passengers

    /// Makes passengers request taxis at moments fixed in advance: a Poisson stream.
    ///
    /// A passenger makes no new request before the last ride has ended. If no passenger is free,
    /// the request is skipped and counted as broken.
    private func callers(
        _ passengers: [Person],
        _ all: inout ThrowingTaskGroup<Void, any Error>
    ) async {
        var chance = SeededRandom(seed: plan.seed &+ UInt64(plan.part) &* 7_919)
        let free = Free(passengers.count)
        let start = ContinuousClock.now
        // Until as many rides are in progress as in the steady state, the load is lower.
        let filling = plan.answerSeconds * 2 + plan.rideSeconds
        let full = start + .seconds(filling)
        let measuring = Task {
            try await Task.sleep(until: full, clock: .continuous)
            ledger.measures(true)
            while !Task.isCancelled {
                ledger.sample()
                try await Task.sleep(for: .seconds(1))
            }
        }
        var at = 0.0
        let end = filling + plan.seconds
        while at < end {
            at += -log(1 - chance.unit()) / plan.rate
            let intended = start + .seconds(at)
            try? await Task.sleep(until: intended, clock: .continuous)
            guard let number = free.take() else {
                ledger.addBroken()
                continue
            }
            all.addTask(executorPreference: Loop.only) {
                let browser = browser(Self.firstPassenger + number, passengers[number])
                let caller = Caller(
                    number: Self.firstPassenger + number,
                    person: passengers[number],
                    browser: browser,
                    plan: plan,
                    ledger: ledger,
                    outage: outage
                )
                await caller.call(at: intended)
                await browser.close()
                free.give(number)
            }
        }
        measuring.cancel()
        ledger.measures(false)
    }

    /// The passengers who may request a taxi; those who have just finished a ride come last.
    private final class Free: Sendable {
        private let numbers: Mutex<ArraySlice<Int>>

        init(_ count: Int) { numbers = Mutex(Array(0..<count)[...]) }

        func take() -> Int? { numbers.withLock { $0.popFirst() } }

        func give(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    // MARK: Connections

    /// Passengers use other addresses than drivers.
    private static let firstPassenger = 0x8_0000

    private func browser(_ number: Int, _ person: Person) -> Browser {
        // Addresses from 127.16.0.1 on; each part of the crowd has a range of a million.
        let source = 0x7F10_0001 + plan.part * 0x10_0000 + number
        return Browser(session: person.session) { [plan, security] jar in
            try await Wire.open(port: plan.port, from: source, with: jar, security)
        }
    }

    private func note(_ line: String) {
        FileHandle.standardError.write(Data("crowd \(plan.part): \(line)\n".utf8))
    }
}
