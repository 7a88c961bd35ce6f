import Foundation
import Logging
import NIOCore

/// The number of file descriptors, and so of connections, that the system lets this process open.
enum FileDescriptorLimit {
    /// An upper bound: some systems report a limit of several billions.
    private static let most = 1_048_576
    /// Descriptors kept for databases, files, mail and connections that are being refused.
    private static let reserve = 512

    /// Raises the limit as far as the system permits.
    ///
    /// - Returns: the new limit.
    static func raiseLimit() -> Int {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(kind, &limit) == 0 else { return 1_024 }
        let wanted = rlimit(
            rlim_cur: max(limit.rlim_cur, min(limit.rlim_max, rlim_t(most))),
            rlim_max: limit.rlim_max
        )
        if wanted.rlim_cur > limit.rlim_cur,
            unsafe withUnsafePointer(
                to: wanted,
                { unsafe setrlimit(kind, $0) }
            ) == 0
        {
            limit = wanted
        }
        return Int(min(limit.rlim_cur, rlim_t(most)))
    }

    /// The number of connections for a number of open files.
    static func connections(of files: Int) -> Int {
        max(1, max(files - reserve, files / 2))
    }
}

/// Keeps a listening socket open when `accept` fails because no file descriptor is left.
///
/// Otherwise the error would end the server. Accepting pauses for a moment, since it would fail
/// again at once.
final class ListenerKeeping: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private static let rest = TimeAmount.milliseconds(500)

    private let logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// How many waiting connections are accepted at a time.
    private static let acceptedAtOnce: UInt = 64

    /// Makes a listening channel accept many connections at a time, and survive a lack of files.
    static func install(on channel: any Channel, _ logger: Logger) async {
        let added = channel.eventLoop.submit {
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: acceptedAtOnce)
            try channel.pipeline.syncOperations.addHandler(
                ListenerKeeping(logger),
                position: .first
            )
        }
        // A channel that has closed meanwhile needs no handler.
        try? await added.get()
    }

    func handlerAdded(context: ChannelHandlerContext) { context.read() }

    /// Accepts further connections at once, although the tasks of the earlier ones may not have
    /// started: when the executor is busy, few would be accepted otherwise (decision 0027).
    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        let isResting = (try? context.channel.syncOptions?.getOption(.autoRead)) == false
        if !isResting { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode,
            [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED].contains(code)
        else { return context.fireErrorCaught(error) }
        guard code != ECONNABORTED else { return }
        logger.error(
            "a connection could not be taken in: the system has no more open files",
            metadata: ["error": "\(error)"]
        )
        let options = context.channel.syncOptions
        try? options?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.rest) {
            try? options?.setOption(.autoRead, value: true)
        }
    }
}
