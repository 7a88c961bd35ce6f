import Foundation
import Logging
import NIOCore

/// How many files and connections the system lets this process have open.
enum OpenFiles {
    /// More than anybody needs; some systems name numbers beyond all bounds.
    private static let most = 1_048_576
    /// So many are kept for databases, files, mail and those that are being refused.
    private static let reserve = 512

    /// Raises the limit as far as this process may.
    ///
    /// - Returns: how many there may be now.
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

    /// How many connections there may be where so many files may be open.
    static func connections(of files: Int) -> Int {
        max(1, max(files - reserve, files / 2))
    }
}

/// Keeps the door open when a connection cannot be taken in because no file is left for it.
///
/// Otherwise the error would end the server. The door rests for a moment: it would be told the
/// same thing again at once.
final class DoorKeeping: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private static let rest = TimeAmount.milliseconds(500)

    private let logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) { context.read() }

    /// Takes in more at once, whoever still waits for a task of his own: that task only waits too,
    /// and where its turn is far away few would be let in meanwhile (docs/decisions/0027).
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
