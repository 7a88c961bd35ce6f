import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The HTTP/2 connections, each until its last request was answered: a server that stops notifies
/// them and waits for them.
///
/// They are listed here and have no tasks of their own. Tasks would take memory for each of ten
/// thousand open pages, and each end would search all others.
final class OpenConnections: Service, CustomStringConvertible {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isLeaving = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// The service's name in logs.
    var description: String { "open connections" }

    private let limits: ClientLimits
    private let logger: Logger
    private let leaving: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - limits: the time limits for clients.
    ///   - logger: receives what takes longer.
    ///   - leaving: called when the server is told to stop, possibly more than once.
    init(_ limits: ClientLimits, _ logger: Logger, leaving: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.logger = logger
        self.leaving = leaving
    }

    /// When the server is told to stop, waits until no connection is left; if cancelled, closes
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

    /// Notifies all connections that the server is about to stop, including those that are still in
    /// their handshake.
    func leave() {
        leaving()
        state.withLock { $0.isLeaving = true }
        for channel in channels { Self.tell(channel) }
    }

    /// Keeps a connection in the list until it is closed and its requests are answered.
    func keep(_ channel: any Channel, _ underWay: RequestsUnderWay) {
        let name = ObjectIdentifier(channel)
        let isLeaving = state.withLock { state in
            state.channels[name] = channel
            return state.isLeaving
        }
        // A client whose handshake was in progress when all were notified has not heard it.
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

    /// Waits for the requests of a connection that was closed.
    ///
    /// The server does not stop before; if that takes long, the log says which requests are
    /// awaited.
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
