package import Identity

/// The session of a request that a signed-in person makes: handlers that need one take this, and
/// cannot be called without.
package struct SignedIn: Sendable {
    /// The session.
    package let session: Session
    /// The person who is signed in.
    package let person: PersonNumber

    /// The session of a request.
    ///
    /// - Throws: `Failure.notSignedIn`.
    package init(_ visit: Visit) throws(Failure) {
        guard let session = visit.session, let person = session.person else {
            throw .notSignedIn
        }
        self.session = session
        self.person = person
    }
}
