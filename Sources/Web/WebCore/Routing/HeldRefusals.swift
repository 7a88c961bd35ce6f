import Synchronization

/// Holds back the refusals of floods.
///
/// A browser or program that waits for a response asks for nothing else on the same connection
/// meanwhile. So a flood costs the server about one request a second for each connection, instead
/// of as many as the sender can write. A person never floods (``RequestRate/isFlooding(_:)``).
final class HeldRefusals: Sendable {
    /// How long a refusal is held back.
    static let hold = Duration.seconds(1)
    /// The greatest number of refusals that are held back at the same time; any others are sent at
    /// once.
    private static let most = 2_000

    private let count = Mutex(0)

    /// Waits until a refusal may be sent.
    func wait() async {
        let isHeld = count.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
        guard isHeld else { return }
        defer { count.withLock { $0 -= 1 } }
        // When the connection ends, there is nothing to wait for.
        try? await ContinuousClock().sleep(for: Self.hold)
    }
}
