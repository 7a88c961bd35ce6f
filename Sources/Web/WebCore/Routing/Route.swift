package import HTTPTypes
import Identity

/// Who may use a route.
package enum Access: Hashable, Sendable {
    /// Nobody: what a route grants that does not declare its access.
    case nobody
    /// Everybody, and nobody is looked up: for what is the same for all.
    case anonymous
    /// Everybody, signed in or not.
    case everybody
    /// Whoever is signed in.
    case person
    /// Whoever is signed in, also while a new password must be chosen first (R100).
    case changingPassword
    /// Whoever is signed in and has given the password lately (R8).
    case grave
    /// Operators and administrators.
    case staff
    /// Administrators (R9).
    case administrator
    /// Administrators who have given the password lately (R8).
    case graveAdministrator
}

/// A page or an action: where it is, who may use it, and the function that answers.
package struct Route: Sendable {
    /// The method: GET shows, POST does.
    package var method: HTTPRequest.Method
    /// The path; parts like `{code}` are parameters.
    package let path: String
    /// The names of the parts of the path that are parameters.
    package let parameterNames: [String]
    /// Who may use it.
    package var access: Access
    /// How many bytes its body may have; nil where the setting holds.
    package var bodyLimit: Int?
    /// Why it is done each time that its form is sent; nil where it is done once
    /// (`WebEnvironment.answerOnce`).
    package private(set) var reasonToRepeat: String?
    /// Whether it can tell what an earlier sending of its form did, so that it may be answered
    /// again after a crash (`Visit.mayRepeat`).
    private(set) var findsEarlierSending = false
    /// Whether it takes JSON; the form token then comes in a header of its own.
    package var takesJSON = false
    /// Whether a session is believed that was looked up a moment ago (`KnownSessions`).
    package private(set) var believesSession = false
    /// Answers.
    package var answer: @Sendable (Visit) async throws -> Reply

    private init(
        _ method: HTTPRequest.Method,
        _ path: StaticString,
        _ access: Access,
        bodyLimit: Int? = nil,
        _ answer: @escaping @Sendable (Visit) async throws -> Reply
    ) {
        self.method = method
        self.path = path.description
        self.access = access
        self.bodyLimit = bodyLimit
        self.answer = answer
        parameterNames = self.path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().dropLast()) }
    }

    /// A page.
    package static func get(
        _ path: StaticString,
        for access: Access = .nobody,
        _ answer: @escaping @Sendable (Visit) async throws -> Reply
    ) -> Route {
        Route(.get, path, access, answer)
    }

    /// A page for a signed-in person.
    package static func get(
        _ path: StaticString,
        for access: Access,
        _ answer: @escaping @Sendable (Visit, SignedIn) async throws -> Reply
    ) -> Route {
        Route(.get, path, access) { try await answer($0, try SignedIn($0)) }
    }

    /// An action of a signed-in person.
    package static func post(
        _ path: StaticString,
        for access: Access,
        bodyLimit: Int? = nil,
        _ answer: @escaping @Sendable (Visit, SignedIn) async throws -> Reply
    ) -> Route {
        Route(.post, path, access, bodyLimit: bodyLimit) { try await answer($0, try SignedIn($0)) }
    }

    /// The same, done each time that its form is sent.
    ///
    /// All others are done once for each form that was shown: what is answered by sending on is
    /// said again to a form that comes again.
    ///
    /// - Parameter reason: why that is right here.
    /// - Returns: the route.
    package func repeated(because reason: StaticString) -> Route {
        var route = self
        route.reasonToRepeat = reason.description
        return route
    }

    /// The same, for a command that goes into the log under the form's key, or that changes
    /// nothing when it is given twice: what a crash interrupted is done, or found to be done.
    package var findingEarlierSending: Route {
        var route = self
        route.findsEarlierSending = true
        return route
    }

    /// The same, whose body may be JSON.
    package var ofJSON: Route {
        var route = self
        route.takesJSON = true
        return route
    }

    /// The same, for what comes so often that a session is not looked up for each.
    package var believingSession: Route {
        var route = self
        route.believesSession = true
        return route
    }

    /// An action.
    package static func post(
        _ path: StaticString,
        for access: Access = .nobody,
        bodyLimit: Int? = nil,
        _ answer: @escaping @Sendable (Visit) async throws -> Reply
    ) -> Route {
        Route(.post, path, access, bodyLimit: bodyLimit, answer)
    }
}
