import Chronology
import Crypto
import Encoding
import HTTPTypes
import Hummingbird
import Identity
import Logging
import OpenData

/// Requests of applications: a key or a token instead of a session, JSON instead of pages.
///
/// Cookies are not looked at, so that no page of another site can act with a person's session. The
/// rest is as for people: declared fields, idempotency, failures.
extension WebResponder {
    /// Answers an application's request.
    func answerProgram(
        _ request: Request,
        _ context: RequestContext,
        _ route: Route
    ) async -> Response {
        var context = context
        var response: Response
        do {
            response = try await answerKnown(request, &context, route)
        } catch let refusal as ProgramRefusal {
            response = self.response(refusal)
        } catch {
            response = web.response(failure(for: error, context), to: context)
        }
        response = response.asCurrent(for: context)
        if let application = context.application {
            await count(application, route, response, context)
        }
        return response
    }

    private func answerKnown(
        _ request: Request,
        _ context: inout RequestContext,
        _ route: Route
    ) async throws -> Response {
        let application = try await identify(&context)
        let rate = application.form.requestsPerMinute
        let meter = web.applications
        if let seconds = meter.take(application.number, rate, cost: route.cost, at: context.now) {
            throw Failure.tooMany(retryAfter: seconds)
        }
        // Without a scope, no application may do it.
        guard !route.scopes.isEmpty else { throw Failure.notAllowed }
        guard route.actors.contains(context.grant == nil ? .application : .person) else {
            throw context.grant == nil ? ProgramRefusal.noPerson : .notForPeople
        }
        guard !application.form.scopes.isDisjoint(with: route.scopes) else {
            throw ProgramRefusal.noScope(of: route.scopes)
        }
        try await hooks.admit(route, context)
        try route.check(context.parameters)
        context.query = try route.acceptedOfProgram(context.query, in: .query)
        guard route.method == .post else { return try await route.answer(context) }
        let limit = route.bodyLimit ?? web.settings.bodyLimit
        var form = try await form(of: request, limit: limit, takesJSON: true)
        if let bytes = form.json, !bytes.isEmpty {
            guard let json = try? JSONValue(parsing: bytes),
                let members = Form(membersOf: json, records: route.records)
            else {
                throw ProgramRefusal.noObject
            }
            form = members
        }
        context.form = try route.acceptedOfProgram(form, in: .form)
        let further = route.furtherCost(of: context.form)
        if further > 0,
            let seconds = meter.take(application.number, rate, cost: further, at: context.now)
        {
            throw Failure.tooMany(retryAfter: seconds)
        }
        return try await answerForm(route, context)
    }

    /// Finds the application whose key or token a request carries, and for whom it acts.
    private func identify(_ context: inout RequestContext) async throws -> Identity.Application {
        let text = try context.bearerText
        let accounts = web.accounts
        if let token = GrantSecret(text) {
            guard let access = try await accounts.access(with: token, at: context.now) else {
                throw ProgramRefusal.wrongToken
            }
            context.application = access.application
            context.grant = PersonGrant(access)
            // Tokens change every few minutes, while a repeated request must find its answer.
            context.secret = accounts.answerSecret(of: context.caller)
            return access.application
        }
        guard let key = SecretToken(text),
            let application = try await accounts.application(withKey: key, at: context.now)
        else { throw ProgramRefusal.wrongKey }
        context.application = application
        context.secret = key
        return application
    }

    /// The problem that tells a program why its request is refused.
    func response(_ refusal: ProgramRefusal) -> Response {
        var response = web.problem(
            refusal.name,
            refusal.status,
            refusal.title,
            refusal.detail,
            further: refusal.members
        )
        if let challenge = refusal.challenge { response.headers[.wwwAuthenticate] = challenge }
        return response
    }

    /// Counts a call, and stores the counts of the last minute.
    private func count(
        _ application: Identity.Application,
        _ route: Route,
        _ response: Response,
        _ context: RequestContext
    ) async {
        let isError = [.clientError, .serverError].contains(response.status.kind)
        let day = web.day(context.now)
        let counts = web.applications.count(
            application.number,
            route.name,
            isError: isError,
            on: day.iso8601,
            at: context.now
        )
        guard !counts.isEmpty else { return }
        do {
            try await web.accounts.count(
                counts,
                of: application.number,
                keepingSince: day.adding(days: -Int32(Accounts.applicationCallDays)).iso8601,
                at: context.now
            )
        } catch {
            context.logger.warning("calls were not counted", metadata: ["error": "\(error)"])
        }
    }
}

extension RequestContext {
    /// The key or token in the header `Authorization: Bearer KEY` (RFC 6750, 2.1).
    var bearerText: String {
        get throws(ProgramRefusal) {
            guard let header = headers[.authorization] else { throw .noKey }
            let parts = header.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .noKey }
            return String(parts[1].trimmingBlanks())
        }
    }
}

extension RequestContext {
    /// Whether a change is wanted of content with this tag (RFC 9110, 13.1.1): the header
    /// `If-Match` is not sent, or names it; a weak tag names nothing.
    package func expects(_ tag: String) -> Bool {
        guard headers.contains(.ifMatch) else { return true }
        return headers[values: .ifMatch].flatMap { Response.tags(in: $0) }
            .contains { $0 == tag || $0 == "*" }
    }
}

extension Route {
    /// The names of the fields that are JSON objects.
    fileprivate var records: Set<String> {
        Set(fields(in: .form).filter { $0.kind.isRecord }.map(\.name))
    }

    /// What a request with these fields costs an application beside ``cost``.
    fileprivate func furtherCost(of form: Form) -> Int {
        costField.map { cost * max(0, form.all($0).count - 1) } ?? 0
    }
}

extension InputField.Kind {
    /// Whether each value is a JSON object.
    fileprivate var isRecord: Bool {
        switch self {
        case .record: true
        case .several(let kind, _): kind.isRecord
        default: false
        }
    }
}

extension Response {
    /// The answer to a conditional request (RFC 9110, 13.1.2): complete content has a tag, and a
    /// client that has it already is told so.
    fileprivate func asCurrent(for context: RequestContext) -> Response {
        guard context.method == .get, status == .ok, case .bytes(let bytes) = body else {
            return self
        }
        // An operation has tagged the whole answer of which it sends a part.
        let tag = headers[.eTag] ?? Self.entityTag(of: bytes)
        var response = self
        response.headers[.eTag] = tag
        if response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "private, no-cache"
        }
        let known = Self.tags(in: context.headers[.ifNoneMatch] ?? "").map {
            $0.hasPrefix("W/") ? $0.dropFirst(2) : $0
        }
        guard known.contains(where: { $0 == tag || $0 == "*" }) else { return response }
        response.status = .notModified
        response.headers[.contentType] = nil
        response.body = .bytes([])
        return response
    }

    /// The strong tag of some content (RFC 9110, 8.8.3).
    package static func entityTag(of bytes: [UInt8]) -> String {
        "\"\(Array(SHA256.hash(data: bytes)).prefix(16).hex)\""
    }

    /// The tags in the value of `If-Match` or `If-None-Match`.
    fileprivate static func tags(in header: String) -> [Substring] {
        header.split(separator: ",").map { Substring($0.trimmingBlanks()) }
    }

    /// The whole answer as text, for a program that repeats its request; nil if nothing was done.
    var keptForProgram: String? {
        guard status.kind == .successful, case .bytes(let bytes) = body else { return nil }
        let head = "\(status.code)\n\(headers[.location] ?? "")\n"
        return head + String(decoding: bytes, as: UTF8.self)
    }

    /// The answer that ``keptForProgram`` describes; nil for another text.
    init?(keptForProgram text: String) {
        let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let code = Int(parts[0]) else { return nil }
        self.init(
            HTTPResponse.Status(code: code),
            type: "application/json",
            bytes: Array(parts[2].utf8)
        )
        if !parts[1].isEmpty { headers[.location] = String(parts[1]) }
    }
}
