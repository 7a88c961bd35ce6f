package import Chronology

/// Who signed in with a provider, after everything was checked.
package struct ProvidedIdentity: Hashable, Sendable {
    /// The provider; together with ``subject`` it identifies the person for ever.
    package let issuer: String
    /// The person's name at the provider, which never changes and says nothing.
    package let subject: String
    /// The e-mail address; nil if the provider does not tell it.
    package let email: String?
    /// Whether the provider vouches that the address belongs to the person.
    package let isEmailVerified: Bool
    package let givenName: String?
    package let familyName: String?
    /// When the person last proved who they are; nil if the provider does not say.
    package let authenticated: Moment?

    init(_ claims: Claims, _ person: Claims.Description) {
        issuer = claims.issuer
        subject = claims.subject
        email = person.email
        isEmailVerified = person.email != nil && person.isEmailVerified
        givenName = person.givenName
        familyName = person.familyName
        authenticated = claims.authenticated
    }
}
