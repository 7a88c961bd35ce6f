import Chronology
import Synchronization

/// Limits how many messages are under way, so that one slow receiver does not delay the others.
///
/// A receiver has a window that grows with each acknowledgement and falls back with a failure. As
/// long as one of its attempts is slow, it gets no further message. Attempts that are slow, or go
/// to a receiver that failed before, do not take the places of the others.
final class ReceiverWindows: Sendable {
    /// The most attempts under way.
    static let most = 192
    /// The most attempts under way that are neither slow nor to a receiver that failed before.
    static let quickMost = 64
    /// The most attempts under way to receivers that failed before.
    static let failingMost = 32
    /// An attempt counts as slow after this many milliseconds.
    static let slow: Int64 = 1_000
    private static let windowSizes = 2...8

    private struct Attempt {
        let position: Int64
        let began: Moment
        let isFailing: Bool
    }

    private struct Receiver {
        var window = ReceiverWindows.windowSizes.lowerBound
        var attempts: [Attempt] = []
    }

    private let receivers = Mutex<[Int64: Receiver]>([:])

    /// How many messages each of the endpoints may get now; endpoints that may get none are left
    /// out.
    func capacities(
        for waiting: [WebhookQueue.Waiting],
        at now: Moment
    ) -> [(endpoint: Int64, capacity: Int)] {
        receivers.withLock { receivers in
            let all = receivers.values.flatMap(\.attempts)
            let failing = all.count(where: \.isFailing)
            let quick = all.count { !$0.isFailing && !Self.isSlow($0, at: now) }
            var left = Self.most - all.count
            var leftFailing = Self.failingMost - failing
            var leftQuick = Self.quickMost - quick
            var capacities: [(endpoint: Int64, capacity: Int)] = []
            for receiver in waiting {
                let known = receivers[receiver.endpoint] ?? Receiver()
                guard left > 0, !known.attempts.contains(where: { Self.isSlow($0, at: now) }) else {
                    continue
                }
                let window = receiver.isFailing ? 1 : known.window
                let places = receiver.isFailing ? leftFailing : leftQuick
                let capacity = min(window - known.attempts.count, places, left)
                guard capacity > 0 else { continue }
                capacities.append((receiver.endpoint, capacity))
                left -= capacity
                if receiver.isFailing { leftFailing -= capacity } else { leftQuick -= capacity }
            }
            return capacities
        }
    }

    /// Notes that an attempt begins.
    func begin(_ claim: WebhookQueue.Claim) {
        let attempt = Attempt(
            position: claim.position,
            began: claim.began,
            isFailing: claim.isFailing
        )
        receivers.withLock { $0[claim.endpoint, default: Receiver()].attempts.append(attempt) }
    }

    /// Notes that an attempt has ended.
    ///
    /// The window of a receiver grows only after a success that was not slow.
    func end(_ claim: WebhookQueue.Claim, isSuccess: Bool, at now: Moment) {
        receivers.withLock { receivers in
            guard var receiver = receivers[claim.endpoint],
                let index = receiver.attempts.firstIndex(where: { $0.position == claim.position })
            else { preconditionFailure("An attempt ended that had not begun.") }
            let attempt = receiver.attempts.remove(at: index)
            receiver.window =
                isSuccess && !Self.isSlow(attempt, at: now)
                ? min(receiver.window + 1, Self.windowSizes.upperBound)
                : Self.windowSizes.lowerBound
            // A receiver of which nothing is to be remembered takes no memory.
            let isUsual = receiver.window == Self.windowSizes.lowerBound
            receivers[claim.endpoint] = receiver.attempts.isEmpty && isUsual ? nil : receiver
        }
    }

    private static func isSlow(_ attempt: Attempt, at now: Moment) -> Bool {
        now.milliseconds - attempt.began.milliseconds >= slow
    }
}
