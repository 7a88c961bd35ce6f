import Chronology
import Dispatching
import Foundation
import Taxi

/// Measures how late unanswered offers expire: from their deadline to the moment at which the
/// expiry is durable and published.
enum TimerMeasurement {
    private static let count = 2_000
    private static let zones = 20
    /// The shortest time-out that a policy allows, in seconds.
    private static let timeout: Int64 = 5

    static func run(_ address: String) async throws -> String {
        var policy = try Policy.viavai.with(.offerTimeout, "\(timeout)")
        policy = try policy.with(.maxOffers, "1").with(.maxIgnored, "0")
        let running = try await RunningService.open(
            address,
            policy: policy,
            zones: (0..<zones).map { "Z\($0)" },
            places: (0..<count).map { .zone(ZoneNumber(rawValue: UInt32($0 % zones))) }
        )
        let entries = running.service.entries()
        let watch = Watch(running.clock)
        let listening = Task { await watch.listen(entries) }
        let service = running.service
        await onThread {
            // Evenly over a second, so that two offers are due in each millisecond.
            let begin = ContinuousClock.now
            for index in 0..<count {
                let at = begin + .milliseconds(1_000 * index / count)
                while ContinuousClock.now < at { usleep(200) }
                let form = RequestForm(
                    passenger: PassengerNumber(rawValue: UInt64(index) + 1),
                    zone: ZoneNumber(rawValue: UInt32(index % zones))
                )
                Task { _ = try? await service.give(.request(form)) }
            }
        }
        try await Task.sleep(for: .seconds(2 * timeout))
        listening.cancel()
        await running.stop()
        return watch.figures.json
    }

    /// Compares the published entries with the clock.
    ///
    /// Unchecked: everything but the clock is only accessed under `lock`.
    private final class Watch: @unchecked Sendable {
        private let clock: ServiceClock
        private let lock = NSLock()
        private var due: [RequestNumber: Moment] = [:]
        private var offered = 0
        private var early = 0
        private var late = Samples()

        init(_ clock: ServiceClock) { self.clock = clock }

        func listen(_ entries: AsyncStream<DispatchService.Published>) async {
            for await published in entries { note(published.entry, at: clock.now()) }
        }

        private func note(_ entry: Entry, at now: Moment) {
            lock.lock()
            defer { lock.unlock() }
            for event in entry.events {
                switch event {
                case .offer(.offered(let number, _, let deadline, _)):
                    due[number] = deadline
                    offered += 1
                case .offer(.offerClosed(let number, .ignored)):
                    guard let deadline = due.removeValue(forKey: number) else { break }
                    if entry.at < deadline || now < deadline { early += 1 }
                    late.add(Double(now.milliseconds - deadline.milliseconds))
                case .city, .taxi, .request, .offer, .ride: break
                }
            }
        }

        var figures: Figures {
            lock.lock()
            defer { lock.unlock() }
            var figures = Figures()
            figures.add("late_ms", late)
            figures.add("offers", offered)
            figures.add("early", early)
            figures.add("lost", due.count)
            return figures
        }
    }
}
