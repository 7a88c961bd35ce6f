import HTTPTypes
import Hummingbird
import NIOCore

/// Answers unencrypted requests (R128): no content is served to them.
struct HTTPSRedirect<Context: ConnectionContext>: RouterMiddleware {
    let plain: PlainHTTP
    /// The port on which the encrypted server listens.
    let port: Int

    @concurrent
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let answer = await plain.answer()
        if answer == .nothing {
            return Response(status: .notFound, headers: [.connection: "close"])
        }
        guard answer == .redirect, let address = address(for: request) else {
            return Response(
                status: .forbidden,
                headers: [.contentType: "text/plain; charset=utf-8", .connection: "close"],
                body: ResponseBody(
                    byteBuffer: ByteBuffer(string: "This service is reached by https:// only.\n")
                )
            )
        }
        // A form that was sent without encryption is not redirected, as it was readable already.
        return Response(
            status: .permanentRedirect,
            headers: [.location: address, .connection: "close"]
        )
    }

    /// The encrypted address of a page; nil for anything else, or if the host is not a valid name.
    private func address(for request: Request) -> String? {
        guard request.method == .get || request.method == .head else { return nil }
        let path = request.uri.string
        guard path.hasPrefix("/"), !path.hasPrefix("//") else { return nil }
        if let base = plain.publicAddress { return base + path }
        guard let host = Self.name(request.head.authority ?? "") else { return nil }
        return "https://\(host)\(port == 443 ? "" : ":\(port)")\(path)"
    }

    /// The host without a port; nil if it contains a character that no host has.
    private static func name(_ authority: String) -> String? {
        let match = authority.wholeMatch(
            of: /(?<host>[A-Za-z0-9.\-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?/
        )
        return match.map { String($0.host) }
    }
}
