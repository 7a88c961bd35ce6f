import Dispatching
import Synchronization

/// Publishes durable entries to subscribers.
final class Publisher: Sendable {
    /// The number of entries buffered for a slow subscriber before it misses the oldest.
    static let bufferLimit = 4_096

    private typealias Stream = AsyncStream<DispatchService.Published>
    private struct Listeners {
        var next: UInt64 = 0
        var streams: [UInt64: Stream.Continuation] = [:]
    }

    private let listeners = Mutex(Listeners())

    func subscribe() -> AsyncStream<DispatchService.Published> {
        let (stream, continuation) = Stream.makeStream(
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

    func publish(_ entries: [Entry], upTo sequence: Int64) {
        let streams = listeners.withLock { $0.streams.values.map { $0 } }
        var number = sequence - Int64(entries.count)
        for entry in entries {
            number += 1
            for stream in streams {
                stream.yield(DispatchService.Published(sequence: number, entry: entry))
            }
        }
    }
}
