import Encoding
import HTTPServer
import HTTPTypes
package import Hummingbird
import Identity
import Localization
import Logging
import Markup
import NIOCore
import Synchronization

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
    func context(_ request: Request, _ routing: RoutingContext) -> RequestContext {
        let query = request.uri.query.flatMap { Form(urlEncoded: $0.utf8) } ?? Form()
        var context = RequestContext(
            method: request.method == .head ? .get : request.method,
            path: request.uri.path,
            query: query,
            host: request.head.authority ?? "",
            headers: request.headers,
            address: address(of: request, routing),
            now: web.now(),
            logger: routing.logger
        )
        context.newestEvent = hooks.newestEvent()
        context.hangUp = routing.hangUp
        context.slots = hooks.slots
        context.language = language(for: context)
        return context
    }

    /// The visitor's choice, otherwise the browser's first supported language or English.
    private func language(for context: RequestContext) -> Language {
        if let chosen = context.cookie("language").flatMap(Language.init(rawValue:)) {
            return chosen
        }
        var best: (language: Language, weight: Double)?
        for header in context.headers[values: .acceptLanguage] {
            // Compare bytes rather than characters, because this runs for every request.
            for item in header.utf8.split(separator: UInt8(ascii: ",")) {
                let parts = item.split(separator: UInt8(ascii: ";"))
                guard let tag = parts.first, let language = Language(tag: tag) else { continue }
                let quality = parts.dropFirst().lazy.map { Substring($0).trimmingBlanks() }
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
    private func address(of request: Request, _ routing: RoutingContext) -> String {
        guard isTrusted(routing.peer),
            let forwarded = request.headers[values: .forwardedFor].last
        else { return routing.peer }
        // Only the last address that was not added by a trusted proxy cannot be forged.
        return forwarded.split(separator: ",").map { $0.trimmingBlanks() }
            .last { !isTrusted($0) } ?? routing.peer
    }

    private func isTrusted(_ address: String) -> Bool {
        settings.trustedProxies.contains { $0.contains(address) }
    }

    /// Handles a request on a route.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - routing: its routing context.
    ///   - route: the route.
    ///   - page: for an action, the page at the same path, which may be shown again in another
    ///     language; nil if there is none.
    /// - Returns: the response; failures are pages or problems.
    /// - Throws: errors of the database while the session is looked up, and `Failure.tooMany`.
    package func answer(
        _ request: Request,
        _ routing: RoutingContext,
        _ route: Route,
        page: Route? = nil
    ) async throws -> HummingbirdCore.Response {
        var context = routing.context ?? context(request, routing)
        context.logger[metadataKey: "operation"] = "\(route.name)"
        for name in route.parameterNames {
            context.parameters[name] = routing.parameters.get(name).flatMap {
                Form.decoded($0[...])
            }
        }
        context.hideSecrets(of: route, page)
        if route.access == .application {
            if let answer = await answerInSandbox(request, context, route) {
                return converted(answer, to: context)
            }
            return converted(await answerProgram(request, context, route), to: context)
        }
        if route.access == .client {
            return converted(await answerClient(request, context, route), to: context)
        }
        if route.access != .anonymous {
            try await open(&context, believing: route.believesSession)
            if let person = context.session?.person,
                let seconds = web.accountRate.take(from: person, at: context.now)
            {
                throw Failure.tooMany(retryAfter: seconds)
            }
            await hooks.attach(&context, route)
        }
        var choice: LanguageChoice?
        let response: Response
        do {
            // Before the access check, so that people do not sign in only to learn that the service
            // is closed.
            try await hooks.admit(route, context)
            try check(route.access, context)
            try route.check(context.parameters)
            context.query = try route.accepted(context.query, in: .query)
            if route.method == .post {
                try checkOrigin(context)
                let limit = route.bodyLimit ?? settings.bodyLimit
                context.form = try await form(of: request, limit: limit, takesJSON: route.takesJSON)
                choice = LanguageChoice(context.form)
                if route.isPageOnly, choice == nil { throw Failure.methodNotAllowed }
                // Where no session counts, another site's page can use none.
                if route.access != .anonymous { try checkToken(context) }
                // The page of a form shows all that was typed, also for the form's own address.
                if choice == nil { context.form = try route.accepted(context.form, in: .form) }
            }
            if let choice {
                response = try await show(page, choice, context)
            } else if route.method == .post {
                response = try await answerForm(route, context)
                await hooks.performed(route, response, context)
            } else {
                response = try await route.answer(context)
            }
        } catch {
            response = web.response(failure(for: error, context), to: context)
        }
        return converted(context.guarded(response, web), to: context)
    }

    /// Answers a form; submissions of the same form are answered one after another.
    ///
    /// A route that finds an earlier submission in a log needs no other record of it. Programs use
    /// a key for one request only, which the record proves.
    func answerForm(_ route: Route, _ context: RequestContext) async throws -> Response {
        guard !route.idempotency.isRepeated, let form = FormKey(context) else {
            return try await route.answer(context)
        }
        var context = context
        context.formKey = form
        await web.formsInHand.enter(form.form)
        defer { web.formsInHand.leave(form.form) }
        if route.idempotency == .onceByKey, !form.isOfProgram {
            return try await route.answer(context)
        }
        return try await web.answerOnce(route, context, form) { error in
            (error as? Failure ?? hooks.failure(error)) == .unknownOutcome
        }
    }

    /// Shows the page of a form again in the language that was chosen, with what was typed.
    ///
    /// Browsers that do not know `formaction`, such as text browsers, send the form to its own
    /// address. Where no page is at that address, they are led back: the form is never carried out.
    private func show(
        _ page: Route?,
        _ choice: LanguageChoice,
        _ context: RequestContext
    ) async throws -> Response {
        guard let page else {
            return Response.redirect(to: context.pageAddress)
                .setting(web.languageCookie(choice.language))
        }
        try check(page.access, context)
        var shown = context
        shown.method = .get
        shown.query = try page.accepted(context.sentQuery, in: .query)
        shown.language = choice.language
        shown.typedAction = choice.action
        await hooks.attach(&shown, page)
        return try await page.answer(shown).setting(web.languageCookie(choice.language))
    }

    /// Finds the session that the visitor's cookie identifies.
    func open(_ context: inout RequestContext, believing: Bool) async throws {
        if let secret = context.cookie(web.sessionCookieName).flatMap(SecretToken.init) {
            context.secret = secret
            // A refresh of an open page reveals no more than its event stream, whose session is
            // revalidated in the same way.
            let isBelieved = believing || context.isRefresh
            if isBelieved, let known = web.sessions.session(of: secret, at: context.now) {
                context.session = known.session
                context.formProof = known.proof
                return
            }
            // Refreshes do not count as use, so an idle session still expires.
            let isUse = !context.isRefresh && context.path != "/events"
            let mark = web.sessions.mark
            context.session = try await web.accounts.session(
                of: secret,
                at: context.now,
                isUse: isUse
            )
            guard let session = context.session, session.person != nil else {
                context.guest = try await web.accounts.guest(of: secret, at: context.now)
                return
            }
            if isBelieved {
                web.sessions.remember(session, of: secret, since: mark, at: context.now)
            }
        } else {
            context.secret = .random()
            context.isNewSecret = true
        }
    }

    private func check(_ access: Access, _ context: RequestContext) throws {
        if access == .nobody { throw Failure.notFound }
        guard access != .everybody, access != .anonymous else { return }
        let session = try SignedIn(context).session
        if session.mustChangePassword, access != .changingPassword {
            throw Failure.mustChangePassword
        }
        let isAdministrator = session.roles.contains(.administrator)
        switch access {
        case .nobody, .anonymous, .everybody, .person, .changingPassword: break
        case .grave: try checkPassword(session, context)
        case .staff:
            guard isAdministrator || session.roles.contains(.serviceOperator) else {
                throw Failure.notAllowed
            }
        case .administrator: guard isAdministrator else { throw Failure.notAllowed }
        case .graveAdministrator:
            guard isAdministrator else { throw Failure.notAllowed }
            try checkPassword(session, context)
        case .application, .client: throw Failure.notAllowed
        }
    }

    private func checkPassword(_ session: Session, _ context: RequestContext) throws {
        let minutes = web.accounts.settings.graveMinutes
        guard session.isAuthenticated(within: minutes, at: context.now) else {
            throw Failure.askPassword
        }
    }

    /// Checks that one of the visitor's own pages sent the form.
    private func checkToken(_ context: RequestContext) throws {
        // Pages of other sites cannot send this header without a CORS preflight.
        let token = context.form["token"] ?? context.headers[.formToken] ?? ""
        let proof = context.formProof ?? context.secret?.formProof
        guard proof?.accepts(formToken: token) == true else { throw Failure.forged }
    }

    /// Rejects forms submitted from other sites (OWASP, cross-site request forgery).
    private func checkOrigin(_ context: RequestContext) throws {
        if let site = context.headers[.fetchSite], site != "same-origin", site != "none" {
            throw Failure.forged
        }
        guard let origin = context.headers[.origin] else { return }
        var own = ["https://\(context.host)"] + [settings.publicAddress].compactMap(\.self)
        // On a site with TLS, an attacker who controls a network can modify unencrypted pages.
        if !settings.hasTLS { own.append("http://\(context.host)") }
        guard own.contains(origin) else { throw Failure.forged }
    }

    func form(
        of request: Request,
        limit: Int,
        takesJSON: Bool
    ) async throws -> Form {
        let bytes = try await self.bytes(of: request, limit: limit)
        let type = request.headers[.contentType] ?? ""
        let name = type.prefix { $0 != ";" }.trimmingBlanks().lowercased()
        let form: Form?
        switch name {
        case "", "application/x-www-form-urlencoded": form = Form(urlEncoded: bytes)
        case "multipart/form-data":
            let boundary = type.split(separator: ";").map { $0.trimmingBlanks() }
                .first { $0.hasPrefix("boundary=") }?.dropFirst("boundary=".count)
            form = Form(multipart: bytes, boundary: boundary?.filter { $0 != "\"" } ?? "")
        case "application/json" where takesJSON: form = Form(json: bytes)
        default: form = nil
        }
        guard let form else { throw Failure.badRequest }
        return form
    }

    /// Maps an error to the failure that the visitor sees; unexpected errors are logged.
    func failure(for error: any Error, _ context: RequestContext) -> Failure {
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
        context.logger.error(
            "a request failed",
            metadata: ["reference": "\(reference)", "error": "\(error)"]
        )
        return .broken(reference: reference)
    }
}

/// The forms in progress on this server, so that a double click waits for the first submission.
package final class FormsInHand: Sendable {
    private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits until no other request is processing the form.
    package func enter(_ form: String) async {
        await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[form] == nil else {
                    waiting[form]?.append(continuation)
                    return false
                }
                waiting[form] = []
                return true
            }
            if isFirst { continuation.resume() }
        }
    }

    /// Lets the next waiting request proceed.
    package func leave(_ form: String) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let first = waiting[form]?.first else {
                waiting[form] = nil
                return nil
            }
            waiting[form]?.removeFirst()
            return first
        }
        next?.resume()
    }
}

extension WebResponder {
    /// Converts to a Hummingbird response and compresses pages if the browser supports it.
    func converted(_ response: Response, to context: RequestContext) -> HummingbirdCore.Response {
        var headers = response.headers
        switch response.body {
        case .bytes(var bytes):
            let type = headers[.contentType] ?? ""
            let isText = type.hasPrefix("text/") || type.contains("json") || type.contains("svg")
            if isText, headers[.contentEncoding] == nil {
                headers.append(HTTPField(name: .vary, value: "Accept-Encoding"))
                if context.takesGzip, let compressed = Gzip.compressed(bytes, level: 5) {
                    bytes = compressed
                    headers[.contentEncoding] = "gzip"
                }
            }
            return HummingbirdCore.Response(
                status: response.status,
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            )
        case .stream(let stream):
            return HummingbirdCore.Response(
                status: response.status,
                headers: headers,
                body: ResponseBody { writer in
                    for await bytes in stream { try await writer.write(ByteBuffer(bytes: bytes)) }
                    try await writer.finish(nil)
                }
            )
        }
    }
}
