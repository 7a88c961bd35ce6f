import Chronology
package import Identity
import Synchronization

/// The requests of applications: how many more each may send now, and how many it has sent.
package final class ApplicationMeter: Sendable {
    fileprivate struct Meter {
        /// The remaining requests in sixty-thousandths, so that a millisecond refills a whole
        /// number of them.
        var left: Int64
        var at: Moment
        var stored: Moment?
        var counts: [Key: (calls: Int64, errors: Int64)] = [:]
    }

    fileprivate struct Key: Hashable {
        let day: String
        let operation: String
    }

    private static let one: Int64 = 60_000
    /// How long counts wait in memory, in milliseconds: what a crash may lose.
    private static let storesEvery: Int64 = 60_000

    /// As many as applications, of which a city has at most `Accounts.applicationLimit`.
    private let meters = Mutex<[Int64: Meter]>([:])

    /// Creates the meters of a server.
    init() {}

    /// Takes a request from what an application may send.
    ///
    /// It may send the requests of a whole minute at once.
    ///
    /// - Parameters:
    ///   - application: its number.
    ///   - rate: the requests that it may send in a minute.
    ///   - cost: how many requests this one counts as.
    ///   - now: the current time.
    /// - Returns: nil if the request may proceed, otherwise the number of seconds to wait.
    func take(_ application: Int64, _ rate: Int, cost: Int = 1, at now: Moment) -> Int? {
        precondition(rate > 0, "an application with no requests at all is a revoked one")
        // A rate below the cost would never permit the request.
        let most = Int64(max(rate, cost)) * Self.one
        let price = Int64(cost) * Self.one
        return meters.withLock { meters in
            var meter = meters[application] ?? Meter(left: most, at: now)
            let passed = max(0, min(now.milliseconds - meter.at.milliseconds, 60_000))
            meter.left = min(most, meter.left + passed * Int64(rate))
            meter.at = now
            defer { meters[application] = meter }
            guard meter.left >= price else {
                let milliseconds = (price - meter.left + Int64(rate) - 1) / Int64(rate)
                return Int((milliseconds + 999) / 1_000)
            }
            meter.left -= price
            return nil
        }
    }

    /// Counts a call.
    ///
    /// - Returns: the counts to store now; none if the last ones were stored a moment ago.
    func count(
        _ application: Int64,
        _ operation: String,
        isError: Bool,
        on day: String,
        at now: Moment
    ) -> [ApplicationCalls] {
        meters.withLock { meters in
            var meter = meters[application] ?? Meter(left: 0, at: now)
            let key = Key(day: day, operation: operation)
            var count = meter.counts[key] ?? (0, 0)
            count = (count.calls + 1, count.errors + (isError ? 1 : 0))
            meter.counts[key] = count
            defer { meters[application] = meter }
            if let stored = meter.stored,
                now.milliseconds - stored.milliseconds < Self.storesEvery
            {
                return []
            }
            meter.stored = now
            return meter.takeCounts()
        }
    }

    /// The calls of an application that are not stored yet: without them, a page would lack the
    /// latest ones until the application calls again.
    package func waiting(of application: Int64) -> [ApplicationCalls] {
        meters.withLock { $0[application]?.calls ?? [] }
    }
}

extension ApplicationMeter.Meter {
    fileprivate mutating func takeCounts() -> [ApplicationCalls] {
        defer { counts = [:] }
        return calls
    }

    fileprivate var calls: [ApplicationCalls] {
        counts.map {
            ApplicationCalls(
                day: $0.key.day,
                operation: $0.key.operation,
                calls: $0.value.calls,
                errors: $0.value.errors
            )
        }
    }
}
