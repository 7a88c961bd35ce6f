package import Chronology
package import Dispatching
import Synchronization

/// An updated arrival time for a passenger.
package struct ArrivalTold: Hashable, Sendable {
    package var request: RequestNumber
    /// When the taxi arrives; nil for unknown.
    package var arrival: Moment?
    /// Whether to remove the arrival time from the page, because the taxi is there.
    package var isOver: Bool
}

/// Publishes arrival times; a slow subscriber misses the oldest and rereads the view.
final class ArrivalPublisher: Sendable {
    private struct Listeners {
        var next: UInt64 = 0
        var streams: [UInt64: AsyncStream<ArrivalTold>.Continuation] = [:]
    }

    /// The number of updates buffered for a slow subscriber.
    static let bufferLimit = 1_024

    private let listeners = Mutex(Listeners())

    func subscribe() -> AsyncStream<ArrivalTold> {
        let (stream, continuation) = AsyncStream<ArrivalTold>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.bufferLimit)
        )
        let number = listeners.withLock { all in
            all.next += 1
            all.streams[all.next] = continuation
            return all.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0.streams[number] = nil }
        }
        return stream
    }

    func tell(_ told: ArrivalTold) {
        let streams = listeners.withLock { Array($0.streams.values) }
        for stream in streams { stream.yield(told) }
    }
}
