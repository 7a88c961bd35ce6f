import HTTPTypes
import Hummingbird
import NIOCore

/// What is said to whoever comes without encryption (R128): nothing else is served there.
struct PlainDoor: RouterMiddleware {
    let settings: Settings
    /// The port on which the encrypted service listens.
    let port: Int

    @concurrent
    func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        guard settings.plain == .redirect, let address = address(for: request) else {
            return Response(
                status: .forbidden,
                headers: [.contentType: "text/plain; charset=utf-8", .connection: "close"],
                body: ResponseBody(
                    byteBuffer: ByteBuffer(string: "This service is reached by https:// only.\n")
                )
            )
        }
        // A form that was sent without encryption is not sent on: it has been read on the way.
        return Response(
            status: .permanentRedirect,
            headers: [.location: address, .connection: "close"]
        )
    }

    /// The same page with encryption; nil for what is not a page, or for a host that is no name.
    private func address(for request: Request) -> String? {
        guard request.method == .get || request.method == .head else { return nil }
        let path = request.uri.string
        guard path.hasPrefix("/"), !path.hasPrefix("//") else { return nil }
        if let base = settings.publicAddress { return base + path }
        guard let host = Self.name(request.head.authority ?? "") else { return nil }
        return "https://\(host)\(port == 443 ? "" : ":\(port)")\(path)"
    }

    /// The host without a port; nil where it holds what no host's name or address does.
    private static func name(_ authority: String) -> String? {
        let match = authority.wholeMatch(
            of: /(?<host>[A-Za-z0-9.\-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?/
        )
        return match.map { String($0.host) }
    }
}
