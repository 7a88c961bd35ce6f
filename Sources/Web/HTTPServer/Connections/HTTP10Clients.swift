import NIOCore
import NIOHTTP1

/// Closes connections of HTTP/1.0 after the response, as their clients expect.
///
/// Lynx sends requests of HTTP/1.0 and reads until the connection ends (RFC 9112, 9.3). The
/// responder does not know the version, so a header is added that states what the version implies.
final class HTTP10Clients: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        if case .head(var head) = part, head.version == .http1_0, !head.isKeepAlive {
            head.headers.replaceOrAdd(name: "connection", value: "close")
            part = .head(head)
        }
        context.fireChannelRead(wrapInboundOut(part))
    }
}

/// Inserts ``HostHeaders`` and ``HTTP10Clients`` behind the decoder, where requests still have a
/// version and all their headers; lets everything pass itself.
final class HTTP10ClientsPlacing: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        // The streams of HTTP/2 have no such decoder and no old clients.
        if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        {
            try? pipeline.addHandlers(HostHeaders(), HTTP10Clients(), position: .after(decoder))
        }
    }
}
