package import Identity

/// Proof that a request comes from a signed-in person.
///
/// Handlers that require a session take this value as a parameter, so they cannot run without one.
package struct SignedIn: Sendable {
    /// The session of the request.
    package let session: Session
    /// The person who is signed in.
    package let person: PersonNumber

    /// Creates the value from a request's session.
    ///
    /// - Throws: `Failure.notSignedIn` if the request has no session of a person.
    package init(_ context: RequestContext) throws(Failure) {
        guard let session = context.session, let person = session.person else {
            throw .notSignedIn
        }
        self.session = session
        self.person = person
    }
}
