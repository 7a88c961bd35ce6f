import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The connections of HTTP/2, each until its last request was answered: a server that stops tells
/// them so, and waits for them.
///
/// They are listed here and have no task of their own, which ten thousand open pages would keep
/// for nothing: with it goes some memory for each, and a look through all others at each end.
final class OpenConnections: Service, CustomStringConvertible {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isLeaving = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// Its name: the group of services logs it.
    var description: String { "open connections" }

    private let limits: ClientLimits
    private let logger: Logger
    private let leaving: @Sendable () -> Void
    private let state = Mutex(State())

    /// No connections yet.
    ///
    /// - Parameters:
    ///   - limits: how long the other ends may take.
    ///   - logger: is told of what takes longer.
    ///   - leaving: is called when the server is told to stop; it may be called again.
    init(_ limits: ClientLimits, _ logger: Logger, leaving: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.logger = logger
        self.leaving = leaving
    }

    /// Waits, when the server is told to stop, until no connection is left; cancelling it ends
    /// them all.
    func run() async throws {
        try? await gracefulShutdown()
        leave()
        await withTaskCancellationHandler {
            await none()
        } onCancel: {
            for channel in channels { channel.close(promise: nil) }
        }
    }

    /// Tells all connections that the server is about to stop: those that there are, and those that
    /// are still shaking hands.
    func leave() {
        leaving()
        state.withLock { $0.isLeaving = true }
        for channel in channels { Self.tell(channel) }
    }

    /// Keeps a connection on the list until it is closed and its requests are answered.
    func keep(_ channel: any Channel, _ underWay: RequestsUnderWay) {
        let name = ObjectIdentifier(channel)
        let isLeaving = state.withLock { state in
            state.channels[name] = channel
            return state.isLeaving
        }
        // A client that was shaking hands when all were told has not heard it.
        if isLeaving { Self.tell(channel) }
        channel.closeFuture.whenComplete { [self] _ in
            if underWay.isEmpty { return forget(name) }
            Task {
                await end(of: underWay, channel)
                forget(name)
            }
        }
    }

    private var channels: [any Channel] { state.withLock { Array($0.channels.values) } }

    private static func tell(_ channel: any Channel) {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    private func forget(_ name: ObjectIdentifier) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.channels[name] = nil
            guard state.channels.isEmpty else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    private func none() async {
        await withCheckedContinuation { continuation in
            let isNone = state.withLock { state in
                if !state.channels.isEmpty { state.waiting = continuation }
                return state.channels.isEmpty
            }
            if isNone { continuation.resume() }
        }
    }

    /// Waits for what a connection that is gone has begun; where that takes long, the log says for
    /// what, since the server does not stop before.
    private func end(of underWay: RequestsUnderWay, _ channel: any Channel) async {
        let saying = channel.eventLoop.scheduleTask(in: limits.goodbye) { [logger] in
            logger.warning(
                "the other end is gone, and requests are still being answered",
                metadata: ["places": "\(underWay.places.joined(separator: " "))"]
            )
        }
        await underWay.none()
        saying.cancel()
    }
}
