import Chronology
import CoreMetrics
import HTTPServer
package import HTTPTypes
package import Hummingbird
import Identity
import Logging
import Markup

/// What Hummingbird keeps for each request.
package struct SiteContext: ConnectionContext {
    package var coreContext: CoreRequestContextStorage
    /// The address of whoever is at the other end of the connection.
    let peer: String
    /// The request as routes see it.
    var visit: Visit?
    /// Ends the connection, or HTTP/2's stream of it.
    let hangUp: @Sendable () -> Void

    /// The context of a request of a connection that has one at a time.
    package init(source: ApplicationRequestContextSource) {
        self.init(source: source) { [channel = source.channel] in channel.close(promise: nil) }
    }

    /// The context of a request.
    ///
    /// - Parameters:
    ///   - source: where it comes from.
    ///   - hangUp: ends the connection, or HTTP/2's stream of it.
    package init(source: ApplicationRequestContextSource, hangUp: @escaping @Sendable () -> Void) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress ?? "unknown"
        self.hangUp = hangUp
    }
}

/// The first and last step of every request: rate limits, headers, failures, metrics and the log.
package struct RequestMiddleware: RouterMiddleware {
    private let responder: WebResponder

    /// The middleware of a site.
    package init(_ responder: WebResponder) {
        self.responder = responder
    }

    @concurrent
    package func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let visit = responder.visit(request, context)
        var response: Response
        do {
            let address = ClientAddress(visit.address).group
            if let seconds = responder.web.addressRate.take(from: address, at: visit.now) {
                throw Failure.tooMany(retryAfter: seconds)
            }
            var context = context
            context.visit = visit
            response = try await next(request, context)
        } catch {
            let failure = responder.failure(for: error, visit)
            response = responder.response(
                responder.web.reply(failure, to: visit),
                to: visit
            )
        }
        addHeaders(to: &response)
        if request.method == .head { response.body = .init() }
        let passed = start.duration(to: .now)
        measure(request, context, response, passed)
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method)",
                "route": "\(context.endpointPath ?? "none")",
                "status": "\(response.status.code)",
                "duration.us": "\(Self.nanoseconds(of: passed) / 1_000)",
            ]
        )
        return response
    }

    /// Counts an answer under its route's pattern, of which there is a fixed number.
    private func measure(
        _ request: Request,
        _ context: SiteContext,
        _ response: Response,
        _ passed: Duration
    ) {
        let labels = [
            ("method", ["GET", "HEAD", "POST"].first { $0 == request.method.rawValue } ?? "other"),
            ("route", context.endpointPath ?? "none"),
            ("status", "\(response.status.code)"),
        ]
        responder.web.measurements.makeTimer(label: "viavai_request_seconds", dimensions: labels)
            .recordNanoseconds(Self.nanoseconds(of: passed))
    }

    private static func nanoseconds(of duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// What every answer says to browsers (ui.md 2, CSP).
    private func addHeaders(to response: inout Response) {
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        response.headers[.xContentTypeOptions] = "nosniff"
        // What says nothing else may be about a person: nobody keeps it.
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        // A page whose address is a secret says it to nobody.
        if response.headers[.referrerPolicy] == nil {
            response.headers[.referrerPolicy] = "same-origin"
        }
        response.headers[.permissionsPolicy] = "geolocation=(self), camera=(self), microphone=()"
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        if responder.web.settings.hasTLS {
            response.headers[.strictTransportSecurity] = "max-age=31536000"
        }
    }

    private static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "worker-src 'self'",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
}

extension HTTPField.Name {
    package static let referrerPolicy = known("Referrer-Policy")
    package static let permissionsPolicy = known("Permissions-Policy")
    package static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    package static let forwardedFor = known("X-Forwarded-For")
    package static let clearSiteData = known("Clear-Site-Data")
    package static let fetchSite = known("Sec-Fetch-Site")
    package static let idempotencyKey = known("Idempotency-Key")
    package static let formToken = known("X-Form-Token")
    package static let pageRefresh = known("X-Page-Refresh")
    package static let pageKeep = known("X-Page-Keep")
    package static let lastEventID = known("Last-Event-ID")
    package static let robotsTag = known("X-Robots-Tag")
    package static let accelBuffering = known("X-Accel-Buffering")

    /// The name of a header that is not among those of HTTPTypes.
    package static func known(_ name: StaticString) -> HTTPField.Name {
        guard let known = HTTPField.Name(name.description) else {
            preconditionFailure("\(name) is a name of a header")
        }
        return known
    }
}
