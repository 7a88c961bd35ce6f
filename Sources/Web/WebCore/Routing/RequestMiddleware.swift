package import Chronology
import CoreMetrics
import HTTPServer
package import HTTPTypes
package import Hummingbird
import Identity
import Logging
import Markup
import Synchronization

/// The Hummingbird context of each request.
package struct RoutingContext: ConnectionContext {
    package var coreContext: CoreRequestContextStorage
    /// The network address of the connection's other end.
    let peer: String
    /// The request as passed to routes.
    var context: RequestContext?
    /// Closes the connection or, with HTTP/2, the stream.
    let hangUp: @Sendable () -> Void

    /// Creates a context for a connection that carries one request at a time.
    package init(source: ApplicationRequestContextSource) {
        self.init(source: source) { [channel = source.channel] in channel.close(promise: nil) }
    }

    /// Creates the context of a request.
    ///
    /// - Parameters:
    ///   - source: the source of the context.
    ///   - hangUp: closes the connection or, with HTTP/2, the stream.
    package init(source: ApplicationRequestContextSource, hangUp: @escaping @Sendable () -> Void) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress ?? "unknown"
        self.hangUp = hangUp
    }
}

extension WebResponder {
    /// Finds the visitor's session on a page that does not exist, so that its tabs are shown.
    ///
    /// That page needs no session, so an error in finding it is ignored here.
    fileprivate func recognise(_ context: inout RequestContext) async {
        guard context.method == .get, !context.wantsJSON,
            context.cookie(web.sessionCookieName) != nil
        else { return }
        try? await open(&context, believing: true)
    }
}

/// The outermost middleware: rate limits, headers, failures, metrics and the access log.
package struct RequestMiddleware: RouterMiddleware {
    private let responder: WebResponder
    private let heldRefusals = HeldRefusals()

    /// Creates the middleware of a site.
    package init(_ responder: WebResponder) {
        self.responder = responder
    }

    @concurrent
    package func handle(
        _ request: Request,
        context routing: RoutingContext,
        next: @concurrent (Request, RoutingContext) async throws -> HummingbirdCore.Response
    ) async throws -> HummingbirdCore.Response {
        let start = ContinuousClock.now
        let context = responder.context(request, routing)
        var response: HummingbirdCore.Response
        do {
            let address = ClientAddress(context.address).group
            let rate = responder.web.addressRate
            if let seconds = rate.take(from: address, at: context.now) {
                let failure = Failure.tooMany(retryAfter: seconds)
                guard rate.isFlooding(address) else { throw failure }
                await heldRefusals.wait()
                let sentence = responder.web.response(failure, to: context, isBrief: true)
                response = responder.converted(sentence, to: context)
            } else {
                var routing = routing
                routing.context = context
                response = try await next(request, routing)
            }
        } catch {
            let failure = responder.failure(for: error, context)
            // What the route would hide is not known here.
            var context = context
            context.sentQuery = Form()
            context.hidesPath = context.method == .get && failure != .notFound
            if failure == .notFound { await responder.recognise(&context) }
            response = responder.converted(
                responder.web.response(failure, to: context),
                to: context
            )
        }
        addHeaders(to: &response)
        if request.method == .head { response.body = .init() }
        let passed = start.duration(to: .now)
        measure(request, routing, response, passed)
        routing.logger.info(
            "request",
            metadata: [
                "method": "\(request.method)",
                "route": "\(routing.endpointPath ?? "none")",
                "status": "\(response.status.code)",
                "duration.us": "\(Self.nanoseconds(of: passed) / 1_000)",
            ]
        )
        return response
    }

    /// Records an answer under its route's pattern; the number of patterns is fixed.
    private func measure(
        _ request: Request,
        _ routing: RoutingContext,
        _ response: HummingbirdCore.Response,
        _ passed: Duration
    ) {
        let labels = [
            ("method", ["GET", "HEAD", "POST"].first { $0 == request.method.rawValue } ?? "other"),
            ("route", routing.endpointPath ?? "none"),
            ("status", "\(response.status.code)"),
        ]
        responder.web.measurements.makeTimer(label: "viavai_request_seconds", dimensions: labels)
            .recordNanoseconds(Self.nanoseconds(of: passed))
    }

    private static func nanoseconds(of duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Adds the headers of every response, such as the content security policy (ui.md 2).
    private func addHeaders(to response: inout HummingbirdCore.Response) {
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy()
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        // Without explicit caching rules, a response may be personal and must not be stored.
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        // A page with a secret in its address must not leak it as a referrer.
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

    fileprivate static func contentSecurityPolicy(formsLeadTo origin: String? = nil) -> String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
            "connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "worker-src 'self'",
            "form-action 'self'\(origin.map { " \($0)" } ?? "")", "base-uri 'none'",
            "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }
}

extension Response {
    /// A copy of a page whose form may be answered with a redirect to another site, which browsers
    /// otherwise refuse to follow.
    ///
    /// - Parameter origin: the scheme, host and port of that site.
    /// - Returns: the copy.
    package func lettingForms(leadTo origin: String) -> Response {
        precondition(!origin.contains { " ;,".contains($0) }, "an origin is one source of a policy")
        var response = self
        response.headers[.contentSecurityPolicy] = RequestMiddleware.contentSecurityPolicy(
            formsLeadTo: origin
        )
        return response
    }
}

/// Limits the rate of requests per address or account with token buckets that refill at a steady
/// rate.
package final class RequestRate<Source: Hashable & Sendable>: Sendable {
    private struct Bucket {
        /// Tokens in thousandths of a request.
        var tokens: Int64
        /// Refused requests, in thousandths; they are forgotten as fast as tokens come.
        var refused: Int64 = 0
        var at: Moment
    }

    /// The maximum number of buckets; beyond it, the fuller half is removed.
    private let limit: Int
    private let perSecond: Int64
    private let atOnce: Int64
    private let buckets = Mutex<[Source: Bucket]>([:])

    package init(perSecond: Int, atOnce: Int, limit: Int = 100_000) {
        self.limit = limit
        self.perSecond = Int64(perSecond)
        self.atOnce = Int64(atOnce) * 1_000
    }

    /// The current number of buckets.
    package var count: Int { buckets.withLock { $0.count } }

    /// Takes a token for a request from an address or account.
    ///
    /// - Returns: nil if the request may proceed, otherwise the number of seconds to wait.
    package func take(from source: Source, at now: Moment) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= limit { forgetFullest(&buckets, at: now) }
            var bucket = filled(buckets[source] ?? Bucket(tokens: atOnce, at: now), at: now)
            defer { buckets[source] = bucket }
            guard bucket.tokens >= 1_000 else {
                bucket.refused = min(bucket.refused + 1_000, 10 * atOnce)
                return Int(max(1, (1_000 - bucket.tokens) / (perSecond * 1_000)))
            }
            bucket.tokens -= 1_000
            return nil
        }
    }

    /// Whether a source was refused more often of late than a person who waits for a page asks for
    /// it again: as often as it may ask at once.
    package func isFlooding(_ source: Source) -> Bool {
        buckets.withLock { ($0[source]?.refused ?? 0) > atOnce }
    }

    private func filled(_ bucket: Bucket, at now: Moment) -> Bucket {
        let passed = max(0, min(now.milliseconds - bucket.at.milliseconds, 3_600_000))
        return Bucket(
            tokens: min(atOnce, bucket.tokens + passed * perSecond),
            refused: max(0, bucket.refused - passed * perSecond),
            at: now
        )
    }

    /// Removes the fullest buckets, so that sources that have used up their tokens stay limited
    /// however many others arrive.
    private func forgetFullest(_ buckets: inout [Source: Bucket], at now: Moment) {
        let emptiest = buckets.mapValues { filled($0, at: now) }
            .sorted { $0.value.tokens < $1.value.tokens }
            .prefix(limit / 2)
        buckets = Dictionary(uniqueKeysWithValues: emptiest.map { ($0.key, $0.value) })
    }
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

    /// Creates the name of a header that HTTPTypes does not define.
    package static func known(_ name: StaticString) -> HTTPField.Name {
        guard let known = HTTPField.Name(name.description) else {
            preconditionFailure("\(name) is a name of a header")
        }
        return known
    }
}
