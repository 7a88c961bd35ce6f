package import HTTPTypes
package import Identity
package import Storage

/// The access levels of routes.
package enum Access: Hashable, Sendable {
    /// Nobody: the default of routes that do not declare their access.
    case nobody
    /// Everyone, without looking up a session: for content that is the same for all visitors.
    case anonymous
    /// Everyone, whether signed in or not.
    case everybody
    /// Every signed-in person.
    case person
    /// Every signed-in person, even while they must choose a new password first (R100).
    case changingPassword
    /// A signed-in person who has entered the password recently (R8).
    case grave
    /// Operators and administrators.
    case staff
    /// Administrators (R9).
    case administrator
    /// Administrators who have entered the password recently (R8).
    case graveAdministrator
    /// Applications with a key that the city issued and the scope of the route; no cookie counts.
    case application
    /// Programs that say in the request who they are; no cookie counts, and failures are those of
    /// OAuth (RFC 6749, 5.2).
    case client
}

/// On whose behalf an application acts.
package enum Actor: Hashable, Sendable {
    /// On its own, with the key that the city issued.
    case application
    /// On behalf of a person who let it.
    case person
}

/// The declaration of an operation, a page or an action: its name, path, access, input, output,
/// failures and idempotency, and the function that carries it out.
///
/// What the site does with a request before and after that function follows from the declaration,
/// and so do the tests that visit every route.
package struct Route: Sendable {
    /// The name of the operation, unique in the program, such as `account.edit`.
    package let name: String
    /// The HTTP method: GET for pages, POST for actions.
    package var method: HTTPRequest.Method
    /// The path; segments such as `{code}` are parameters.
    package let path: String
    /// The names of the path parameters.
    package let parameterNames: [String]
    /// Who may use the route.
    package var access: Access
    /// The permissions of which an application needs one; none: no application may do this.
    package private(set) var scopes: Set<Scope> = []
    /// On whose behalf applications may do this.
    package private(set) var actors: Set<Actor> = [.application]
    /// The fields that the operation reads.
    package private(set) var input: [InputField] = []
    /// The kinds of content with which the operation answers, unless it fails.
    package private(set) var output: Set<Output>
    /// The statuses with which the operation may fail, besides those that follow from the rest of
    /// the declaration (`statuses`).
    package private(set) var failures: Set<HTTPResponse.Status> = []
    /// What happens to the same request when it is sent again.
    package private(set) var idempotency: Idempotency
    /// How many of an application's requests it counts as: more where an answer takes long.
    package private(set) var cost = 1
    /// The field of which each value after the first costs as much again; nil if there is none.
    package private(set) var costField: String?
    /// The maximum size of the request body in bytes; nil to use the site's setting.
    package var bodyLimit: Int?
    /// The module to which the route belongs; nil if the city cannot leave it out.
    package private(set) var module: ModuleDeclaration?
    /// Whether the route accepts a cached session (`KnownSessions`).
    package private(set) var believesSession = false
    /// Whether the route only shows its page again in another language (`LanguageChoice`).
    private(set) var isPageOnly = false
    /// Handles a request on this route.
    package var answer: @Sendable (RequestContext) async throws -> Response

    private init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ name: String,
        _ access: Access,
        bodyLimit: Int? = nil,
        _ answer: @escaping @Sendable (RequestContext) async throws -> Response
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.access = access
        self.bodyLimit = bodyLimit
        self.answer = answer
        parameterNames = path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().dropLast()) }
        output = method == .get ? [.page] : [.page, .redirect]
        idempotency = method == .get ? .safe : .once
    }

    /// Creates a route for a page.
    package static func get(
        _ path: StaticString,
        as name: StaticString,
        for access: Access = .nobody,
        _ answer: @escaping @Sendable (RequestContext) async throws -> Response
    ) -> Route {
        Route(.get, path.description, name.description, access, answer)
    }

    /// Creates a route for a page that requires a signed-in person.
    package static func get(
        _ path: StaticString,
        as name: StaticString,
        for access: Access,
        _ answer: @escaping @Sendable (RequestContext, SignedIn) async throws -> Response
    ) -> Route {
        Route(.get, path.description, name.description, access) {
            try await answer($0, try SignedIn($0))
        }
    }

    /// Creates a route for an action.
    package static func post(
        _ path: StaticString,
        as name: StaticString,
        for access: Access = .nobody,
        bodyLimit: Int? = nil,
        _ answer: @escaping @Sendable (RequestContext) async throws -> Response
    ) -> Route {
        Route(.post, path.description, name.description, access, bodyLimit: bodyLimit, answer)
    }

    /// Creates a route for an action that requires a signed-in person.
    package static func post(
        _ path: StaticString,
        as name: StaticString,
        for access: Access,
        bodyLimit: Int? = nil,
        _ answer: @escaping @Sendable (RequestContext, SignedIn) async throws -> Response
    ) -> Route {
        Route(.post, path.description, name.description, access, bodyLimit: bodyLimit) {
            try await answer($0, try SignedIn($0))
        }
    }
}

extension Route {
    /// A copy of the route that also reads these fields.
    package func taking(_ fields: [InputField]) -> Route {
        var route = self
        route.input += fields
        return route
    }

    /// A copy of the route that answers with this content only.
    package func answering(_ output: Output...) -> Route {
        var route = self
        route.output = Set(output)
        return route
    }

    /// A copy of the route that may fail with these statuses too.
    package func failing(_ failures: HTTPResponse.Status...) -> Route {
        var route = self
        route.failures.formUnion(failures)
        return route
    }

    /// A copy of the route that applications with one of these permissions may use.
    package func open(to scopes: Set<Scope>) -> Route {
        var route = self
        route.scopes = scopes
        return route
    }

    /// A copy of the route that applications may use on these behalves.
    package func acting(_ actors: Set<Actor>) -> Route {
        precondition(!actors.isEmpty, "somebody may do it")
        var route = self
        route.actors = actors
        return route
    }

    /// A copy of the route that belongs to a module: what it does may not exceed what the module
    /// declares (R108).
    package func of(_ module: ModuleDeclaration) -> Route {
        precondition(self.module == nil, "a route belongs to one module")
        var route = self
        route.module = module
        route.answer = { [answer] context in
            try await ModuleAccess.within(module) { try await answer(context) }
        }
        return route
    }

    /// A copy of the route that counts as several requests of an application.
    package func costing(_ cost: Int) -> Route {
        precondition(cost > 0, "a request costs at least one")
        var route = self
        route.cost = cost
        return route
    }

    /// A copy of the route that costs an application as much again for each further value of a
    /// field.
    package func costing(_ cost: Int, eachOf field: String) -> Route {
        precondition(input.contains { $0.name == field }, "the route reads the field \(field)")
        var route = costing(cost)
        route.costField = field
        return route
    }

    /// A copy of the route that processes each submission of its form.
    ///
    /// All other routes process each form once: if the answer is a redirect, repeated submissions
    /// receive the same redirect.
    ///
    /// - Parameter reason: why repeating is right for this route.
    /// - Returns: the modified copy.
    package func repeated(because reason: StaticString) -> Route {
        var route = self
        route.idempotency = .repeated(because: reason.description)
        return route
    }

    /// A copy of the route for a command that is logged under the form's key or has no further
    /// effect when repeated.
    ///
    /// After a crash, it completes the command or finds that it was completed.
    package var onceByKey: Route {
        var route = self
        route.idempotency = .onceByKey
        return route
    }

    /// A copy of the route for an operation of programs that keeps its answer in the transaction of
    /// its change (`AnswerKeeper`).
    ///
    /// After a crash, it is carried out again if no answer was kept.
    package var onceInTransaction: Route {
        var route = self
        route.idempotency = .onceInTransaction
        return route
    }

    /// A copy of the route for an operation of programs that changes nothing more when it is
    /// carried out again, so that this is done after a crash.
    ///
    /// - Parameter reason: why it changes nothing more.
    /// - Returns: the modified copy.
    package func onceByNature(because reason: StaticString) -> Route {
        var route = self
        route.idempotency = .onceByNature(because: reason.description)
        return route
    }

    /// For a page without an action at its path: the route that shows it in another language.
    package var showingAgain: Route {
        precondition(method == .get, "only pages are shown again")
        var route = self
        route.method = .post
        route.isPageOnly = true
        route.answer = { _ in throw Failure.methodNotAllowed }
        return route
    }

    /// A copy of the route for frequent requests, which do not look up the session each time.
    package var believingSession: Route {
        var route = self
        route.believesSession = true
        return route
    }
}

extension Route {
    /// The kinds of content with which an operation answers.
    package enum Output: Hashable, Sendable {
        /// A page for people.
        case page
        /// The address of the page that shows what was done.
        case redirect
        /// JSON for programs.
        case json
        /// A picture in SVG.
        case picture
        /// A file of this media type.
        case file(String)
        /// A stream of events.
        case events
        /// A status without content.
        case nothing
    }

    /// What happens to the same request when it is sent again.
    package enum Idempotency: Hashable, Sendable {
        /// The operation changes nothing.
        case safe
        /// A repeated form receives the answer of its first submission, or learns that its outcome
        /// is unknown (`WebEnvironment.answerOnce`).
        case once
        /// The dispatcher's log keeps the form's key: the operation itself finds what became of an
        /// earlier submission, also after a crash.
        case onceByKey
        /// The operation keeps its answer in the transaction of its change: a submission without
        /// an answer changed nothing.
        case onceInTransaction
        /// Carrying it out again changes nothing more, for a reason.
        case onceByNature(because: String)
        /// Each request is carried out, for a reason.
        case repeated(because: String)
    }

    /// Whether the route accepts JSON; the form token is then sent in a separate header.
    package var takesJSON: Bool { input.contains { $0.place == .body } }
}
