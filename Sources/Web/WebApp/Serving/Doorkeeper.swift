import Chronology
import CoreMetrics
import HTTPServer
import HTTPTypes
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

/// Sees every request first and every answer last: counts, limits, headers and failures are here,
/// once for all routes.
struct Doorkeeper: RouterMiddleware {
    let site: Site

    @concurrent
    func handle(
        _ request: Request,
        context: SiteContext,
        next: @concurrent (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let visit = site.visit(request, context)
        var response: Response
        do {
            let address = ClientAddress(visit.address).group
            if let seconds = site.addressRate.take(from: address, at: visit.now) {
                throw Failure.tooMany(retryAfter: seconds)
            }
            var context = context
            context.visit = visit
            response = try await next(request, context)
        } catch {
            let failure = site.failure(for: error, visit)
            response = site.response(site.reply(failure, to: visit), to: visit)
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
        site.measurements.makeTimer(label: "viavai_request_seconds", dimensions: labels)
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
        // A page whose address is a secret says it to nobody.
        if response.headers[.referrerPolicy] == nil {
            response.headers[.referrerPolicy] = "same-origin"
        }
        response.headers[.permissionsPolicy] = "geolocation=(self), camera=(self), microphone=()"
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        if site.hasTLS {
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
    static let referrerPolicy = known("Referrer-Policy")
    static let permissionsPolicy = known("Permissions-Policy")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    static let forwardedFor = known("X-Forwarded-For")
    static let clearSiteData = known("Clear-Site-Data")
    static let fetchSite = known("Sec-Fetch-Site")
    static let idempotencyKey = known("Idempotency-Key")
    static let formToken = known("X-Form-Token")
    static let pageRefresh = known("X-Page-Refresh")
    static let pageKeep = known("X-Page-Keep")
    static let lastEventID = known("Last-Event-ID")
    /// What somebody types into a field for a place, percent-encoded.
    static let placeText = known("X-Place")
    static let robotsTag = known("X-Robots-Tag")
    static let accelBuffering = known("X-Accel-Buffering")

    private static func known(_ name: StaticString) -> HTTPField.Name {
        guard let known = HTTPField.Name(name.description) else {
            preconditionFailure("\(name) is a name of a header")
        }
        return known
    }
}
