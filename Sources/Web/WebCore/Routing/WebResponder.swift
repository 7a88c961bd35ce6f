import HTTPServer
import HTTPTypes
package import Hummingbird
import Identity
import Localization
import Logging
import Markup
import NIOCore

/// Handles the requests of a site: identifies the visitor, checks access and calls the route.
package struct WebResponder: Sendable {
    /// The dependencies shared by all pages and actions.
    package let web: WebEnvironment
    /// The products' contributions to the handling of each request.
    package let hooks: RequestHooks

    /// Creates the responder of a site.
    package init(_ web: WebEnvironment, hooks: RequestHooks) {
        self.web = web
        self.hooks = hooks
    }

    private var settings: WebEnvironment.Settings { web.settings }

    /// The request as passed to routes, before its body has arrived.
    func visit(_ request: Request, _ context: SiteContext) -> Visit {
        let query = request.uri.query.flatMap { Form(urlEncoded: $0.utf8) } ?? Form()
        var visit = Visit(
            method: request.method == .head ? .get : request.method,
            path: request.uri.path,
            query: query,
            host: request.head.authority ?? "",
            headers: request.headers,
            address: address(of: request, context),
            now: web.now(),
            logger: context.logger
        )
        visit.newestEvent = hooks.newestEvent()
        visit.hangUp = context.hangUp
        visit.slots = hooks.slots
        visit.language = language(for: visit)
        return visit
    }

    /// The language chosen by the visitor, otherwise the browser's first supported language,
    /// otherwise English.
    private func language(for visit: Visit) -> Language {
        if let chosen = visit.cookie("language").flatMap(Language.init(rawValue:)) { return chosen }
        var best: (language: Language, weight: Double)?
        for header in visit.headers[values: .acceptLanguage] {
            // Compare bytes rather than characters, because this runs for every request.
            for item in header.utf8.split(separator: UInt8(ascii: ",")) {
                let parts = item.split(separator: UInt8(ascii: ";"))
                guard let tag = parts.first, let language = Language(tag: tag) else { continue }
                let quality = parts.dropFirst().lazy.map { Substring($0).trimmed }
                    .first { $0.hasPrefix("q=") }
                let weight = quality.flatMap { Double($0.dropFirst(2)) } ?? 1
                // Of two languages with equal weight, the first wins.
                if weight > best?.weight ?? 0 { best = (language, weight) }
            }
        }
        return best?.language ?? .english
    }

    /// The client's network address: that of the connection or the one that a trusted proxy
    /// reports.
    private func address(of request: Request, _ context: SiteContext) -> String {
        guard isTrusted(context.peer),
            let forwarded = request.headers[values: .forwardedFor].last
        else { return context.peer }
        // Only the last address that was not added by a trusted proxy cannot be forged.
        return forwarded.split(separator: ",").map(\.trimmed)
            .last { !isTrusted($0) } ?? context.peer
    }

    private func isTrusted(_ address: String) -> Bool {
        settings.trustedProxies.contains { $0.contains(address) }
    }

    /// Handles a request on a route.
    package func answer(
        _ request: Request,
        _ context: SiteContext,
        _ route: Route
    ) async throws -> Response {
        var visit = context.visit ?? visit(request, context)
        for name in route.parameterNames {
            visit.parameters[name] = context.parameters.get(name).flatMap { Form.decoded($0[...]) }
        }
        if route.access != .anonymous {
            try await open(&visit, of: route)
            if let person = visit.session?.person,
                let seconds = web.accountRate.take(from: person, at: visit.now)
            {
                throw Failure.tooMany(retryAfter: seconds)
            }
            await hooks.attach(&visit, route)
        }
        let reply: Reply
        do {
            // Before the access check, so that people do not sign in only to learn that the service
            // is closed.
            try await hooks.admit(route, visit)
            try check(route.access, visit)
            if route.method == .post {
                try checkOrigin(visit)
                let limit = route.bodyLimit ?? settings.bodyLimit
                visit.form = try await form(of: request, limit: limit, takesJSON: route.takesJSON)
                // Pages of other sites cannot send this header without a CORS preflight.
                let token = visit.form["token"] ?? visit.headers[.formToken] ?? ""
                let proof = visit.formProof ?? visit.secret?.formProof
                guard proof?.accepts(formToken: token) == true else { throw Failure.forged }
            }
            reply =
                route.method == .post
                ? try await web.answerOnce(route, visit) { error in
                    (error as? Failure ?? hooks.failure(error)) == .unknownOutcome
                } : try await route.answer(visit)
            if route.method == .post { await hooks.performed(route, reply, visit) }
        } catch {
            reply = web.reply(failure(for: error, visit), to: visit)
        }
        return response(reply, to: visit)
    }

    /// Finds the session that the visitor's cookie identifies.
    private func open(_ visit: inout Visit, of route: Route) async throws {
        if let secret = visit.cookie(web.sessionCookieName).flatMap(SecretToken.init) {
            visit.secret = secret
            // A refresh of an open page reveals no more than its event stream, whose session is
            // revalidated in the same way.
            let isBelieved = route.believesSession || visit.isRefresh
            if isBelieved, let known = web.sessions.session(of: secret, at: visit.now) {
                visit.session = known.session
                visit.formProof = known.proof
                return
            }
            // Refreshes do not count as use, so an idle session still expires.
            let isUse = !visit.isRefresh && visit.path != "/events"
            let mark = web.sessions.mark
            visit.session = try await web.accounts.session(of: secret, at: visit.now, isUse: isUse)
            guard let session = visit.session, session.person != nil else {
                visit.guest = try await web.accounts.guest(of: secret, at: visit.now)
                return
            }
            if isBelieved { web.sessions.remember(session, of: secret, since: mark, at: visit.now) }
        } else {
            visit.secret = .random()
            visit.isNewSecret = true
        }
    }

    private func check(_ access: Access, _ visit: Visit) throws {
        if access == .nobody { throw Failure.notFound }
        guard access != .everybody, access != .anonymous else { return }
        let session = try SignedIn(visit).session
        if session.mustChangePassword, access != .changingPassword {
            throw Failure.mustChangePassword
        }
        let isAdministrator = session.roles.contains(.administrator)
        switch access {
        case .nobody, .anonymous, .everybody, .person, .changingPassword: break
        case .grave: try checkPassword(session, visit)
        case .staff:
            guard isAdministrator || session.roles.contains(.serviceOperator) else {
                throw Failure.notAllowed
            }
        case .administrator: guard isAdministrator else { throw Failure.notAllowed }
        case .graveAdministrator:
            guard isAdministrator else { throw Failure.notAllowed }
            try checkPassword(session, visit)
        }
    }

    private func checkPassword(_ session: Session, _ visit: Visit) throws {
        let minutes = web.accounts.settings.graveMinutes
        guard session.isAuthenticated(within: minutes, at: visit.now) else {
            throw Failure.askPassword
        }
    }

    /// Rejects forms submitted from other sites (OWASP, cross-site request forgery).
    private func checkOrigin(_ visit: Visit) throws {
        if let site = visit.headers[.fetchSite], site != "same-origin", site != "none" {
            throw Failure.forged
        }
        guard let origin = visit.headers[.origin] else { return }
        var own = ["https://\(visit.host)"] + [settings.publicAddress].compactMap(\.self)
        // On a site with TLS, an attacker who controls a network can modify unencrypted pages.
        if !settings.hasTLS { own.append("http://\(visit.host)") }
        guard own.contains(origin) else { throw Failure.forged }
    }

    private func form(
        of request: Request,
        limit: Int,
        takesJSON: Bool
    ) async throws -> Form {
        let bytes: [UInt8]
        do {
            bytes = Array(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Failure.tooLarge(limit: limit)
        } catch is ClientTooSlow {
            throw Failure.tooSlow
        } catch {
            // The client disconnected or sent a malformed body: not a server error.
            throw Failure.badRequest
        }
        let type = request.headers[.contentType] ?? ""
        let name = type.prefix { $0 != ";" }.trimmed.lowercased()
        let form: Form?
        switch name {
        case "", "application/x-www-form-urlencoded": form = Form(urlEncoded: bytes)
        case "multipart/form-data":
            let boundary = type.split(separator: ";").map(\.trimmed)
                .first { $0.hasPrefix("boundary=") }?.dropFirst("boundary=".count)
            form = Form(multipart: bytes, boundary: boundary?.filter { $0 != "\"" } ?? "")
        case "application/json" where takesJSON: form = Form(json: bytes)
        default: form = nil
        }
        guard let form else { throw Failure.badRequest }
        return form
    }

    /// Maps an error to the failure that the visitor sees; unexpected errors are logged.
    func failure(for error: any Error, _ visit: Visit) -> Failure {
        if let failure = error as? Failure { return failure }
        if let failure = hooks.failure(error) { return failure }
        if let error = error as? any HTTPResponseError {
            switch error.status {
            case .notFound: return .notFound
            case .methodNotAllowed: return .methodNotAllowed
            case .contentTooLarge: return .tooLarge(limit: settings.bodyLimit)
            default: return .badRequest
            }
        }
        let reference = String(UInt32.random(in: .min ... .max), radix: 36)
        visit.logger.error(
            "a request failed",
            metadata: ["reference": "\(reference)", "error": "\(error)"]
        )
        return .broken(reference: reference)
    }
}

extension WebResponder {
    /// Converts to a Hummingbird response and compresses pages if the browser supports it.
    func response(_ reply: Reply, to visit: Visit) -> Response {
        var headers = reply.headers
        switch reply.body {
        case .bytes(var bytes):
            let type = headers[.contentType] ?? ""
            let isText = type.hasPrefix("text/") || type.contains("json") || type.contains("svg")
            if isText, headers[.contentEncoding] == nil {
                headers.append(HTTPField(name: .vary, value: "Accept-Encoding"))
                if visit.takesGzip, let compressed = Gzip.compressed(bytes, level: 5) {
                    bytes = compressed
                    headers[.contentEncoding] = "gzip"
                }
            }
            return Response(
                status: reply.status,
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            )
        case .stream(let stream):
            return Response(
                status: reply.status,
                headers: headers,
                body: ResponseBody { writer in
                    for await bytes in stream { try await writer.write(ByteBuffer(bytes: bytes)) }
                    try await writer.finish(nil)
                }
            )
        }
    }
}

extension Language {
    /// Parses a language tag such as `it-CH` (RFC 5646), ignoring surrounding spaces.
    fileprivate init?(tag: Substring.UTF8View) {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let primary = tag.drop(while: isBlank).prefix { $0 != UInt8(ascii: "-") && !isBlank($0) }
        let found = Self.allCases.first { language in
            // Setting bit 0x20 makes the comparison of letters case-insensitive.
            language.rawValue.utf8.elementsEqual(primary.lazy.map { $0 | 0x20 })
        }
        guard let found else { return nil }
        self = found
    }
}
