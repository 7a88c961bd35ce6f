package import Chronology
package import Dispatching
import Synchronization

/// What a passenger is told anew of his taxi's arrival.
package struct ArrivalTold: Hashable, Sendable {
    /// His ride.
    package var request: RequestNumber
    /// When the taxi comes; nil for unknown.
    package var arrival: Moment?
    /// Whether it is to be taken off the screen: the taxi is there.
    package var isOver: Bool
}

/// Tells whoever listens of arrivals; one who is too slow misses the oldest and reads the view.
final class Newsroom: Sendable {
    private struct Listeners {
        var next: UInt64 = 0
        var streams: [UInt64: AsyncStream<ArrivalTold>.Continuation] = [:]
    }

    /// How many wait for a slow listener.
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
