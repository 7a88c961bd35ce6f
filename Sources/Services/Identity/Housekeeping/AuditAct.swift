/// A kind of administrative action; other modules add their own.
///
/// Raw values are stored in the audit trail and never change, because existing trails contain them.
package struct AuditAct: RawRepresentable, Hashable, Sendable {
    /// The text in the audit trail.
    package let rawValue: String

    /// Creates a kind from its text in the audit trail.
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let createAdministrator = Self(rawValue: "create administrator")
    package static let setRoles = Self(rawValue: "set roles")
    package static let suspend = Self(rawValue: "suspend")
    package static let resume = Self(rawValue: "resume")
    package static let enterPassengers = Self(rawValue: "enter passengers")
    package static let registerApplication = Self(rawValue: "register application")
    package static let changeApplication = Self(rawValue: "change application")
    package static let rotateApplicationKey = Self(rawValue: "rotate application key")
    package static let revokeApplication = Self(rawValue: "revoke application")
    /// A person let an application act on their behalf.
    package static let connectApplication = Self(rawValue: "connect application")
    /// A person took that back.
    package static let disconnectApplication = Self(rawValue: "disconnect application")
    /// A person connected an identity at a provider, to sign in with it.
    package static let connectSignIn = Self(rawValue: "connect sign-in")
    /// A person took that back.
    package static let disconnectSignIn = Self(rawValue: "disconnect sign-in")
    /// A code or token of a grant came twice, which ended the grant.
    package static let endReusedGrant = Self(rawValue: "end reused grant")
}
