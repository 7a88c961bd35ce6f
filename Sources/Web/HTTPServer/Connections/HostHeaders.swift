import NIOCore
import NIOHTTP1

/// Refuses requests that do not state clearly which host they are meant for (RFC 9112, 3.2):
/// without a `Host` header in HTTP/1.1, with more than one, or with one that cannot be a host.
///
/// A proxy and the server could otherwise take them for requests to different sites. For HTTP/2,
/// nghttp2 does the same.
final class HostHeaders: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nothing after a refused request is answered.
        if hasRefused { return }
        if case .head(let head) = unwrapInboundIn(data), !Self.isClear(head) {
            hasRefused = true
            // Answered with 400 like anything else that is not a valid request.
            context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            return
        }
        context.fireChannelRead(data)
    }

    private static func isClear(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["host"]
        guard let host = hosts.first else {
            return head.version.major == 1 && head.version.minor == 0
        }
        return hosts.count == 1 && host.utf8.allSatisfy(characters.contains)
    }

    /// The characters of hosts and ports (RFC 3986, 3.2.2 and 3.2.3).
    private static let characters = Set(
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
            + "-._~%!$&'()*+,;=:[]").utf8
    )
}
