package import HTTPTypes
import Identity

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
}

/// A page or an action: its path, its access level and the function that handles it.
package struct Route: Sendable {
    /// The HTTP method: GET for pages, POST for actions.
    package var method: HTTPRequest.Method
    /// The path; segments such as `{code}` are parameters.
    package let path: String
    /// The names of the path parameters.
    package let parameterNames: [String]
    /// Who may use the route.
    package var access: Access
    /// The maximum size of the request body in bytes; nil to use the site's setting.
    package var bodyLimit: Int?
    /// Why each submission of the form is processed; nil if the form is processed only once
    /// (`WebEnvironment.answerOnce`).
    package private(set) var reasonToRepeat: String?
    /// Whether the route can determine the outcome of an earlier submission, so that it may run
    /// again after a crash (`RequestContext.mayRepeat`).
    private(set) var findsEarlierSending = false
    /// Whether the route accepts JSON; the form token is then sent in a separate header.
    package var takesJSON = false
    /// Whether the route accepts a cached session (`KnownSessions`).
    package private(set) var believesSession = false
    /// Whether the route only shows its page again in another language (`LanguageChoice`).
    private(set) var isPageOnly = false
    /// Handles a request on this route.
    package var answer: @Sendable (RequestContext) async throws -> Response

    private init(
        _ method: HTTPRequest.Method,
        _ path: StaticString,
        _ access: Access,
        bodyLimit: Int? = nil,
        _ answer: @escaping @Sendable (RequestContext) async throws -> Response
    ) {
        self.method = method
        self.path = path.description
        self.access = access
        self.bodyLimit = bodyLimit
        self.answer = answer
        parameterNames = self.path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().dropLast()) }
    }

    /// Creates a route for a page.
    package static func get(
        _ path: StaticString,
        for access: Access = .nobody,
        _ answer: @escaping @Sendable (RequestContext) async throws -> Response
    ) -> Route {
        Route(.get, path, access, answer)
    }

    /// Creates a route for a page that requires a signed-in person.
    package static func get(
        _ path: StaticString,
        for access: Access,
        _ answer: @escaping @Sendable (RequestContext, SignedIn) async throws -> Response
    ) -> Route {
        Route(.get, path, access) { try await answer($0, try SignedIn($0)) }
    }

    /// Creates a route for an action that requires a signed-in person.
    package static func post(
        _ path: StaticString,
        for access: Access,
        bodyLimit: Int? = nil,
        _ answer: @escaping @Sendable (RequestContext, SignedIn) async throws -> Response
    ) -> Route {
        Route(.post, path, access, bodyLimit: bodyLimit) { try await answer($0, try SignedIn($0)) }
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
        route.reasonToRepeat = reason.description
        return route
    }

    /// A copy of the route for a command that is logged under the form's key or has no further
    /// effect when repeated.
    ///
    /// After a crash, it completes the command or finds that it was completed.
    package var findingEarlierSending: Route {
        var route = self
        route.findsEarlierSending = true
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

    /// A copy of the route that also accepts a JSON body.
    package var ofJSON: Route {
        var route = self
        route.takesJSON = true
        return route
    }

    /// A copy of the route for frequent requests, which do not look up the session each time.
    package var believingSession: Route {
        var route = self
        route.believesSession = true
        return route
    }

    /// Creates a route for an action.
    package static func post(
        _ path: StaticString,
        for access: Access = .nobody,
        bodyLimit: Int? = nil,
        _ answer: @escaping @Sendable (RequestContext) async throws -> Response
    ) -> Route {
        Route(.post, path, access, bodyLimit: bodyLimit, answer)
    }
}
