import Identity
package import WebCore

extension RequestContext {
    /// Whether the visitor is an operator or an administrator.
    package var isOfStaff: Bool {
        let roles = session?.roles ?? []
        return roles.contains(.administrator) || roles.contains(.serviceOperator)
    }

    /// Whether the visitor is an administrator (R9).
    package var isOfAdministration: Bool { session?.roles.contains(.administrator) ?? false }
}

extension RequestContext {
    /// Whether the visitor has the required access, possibly after entering the password again.
    package func mayUse(_ access: Access) -> Bool {
        switch access {
        case .nobody, .application, .client: false
        case .anonymous, .everybody: true
        case .person, .changingPassword, .grave: session?.person != nil
        case .staff: isOfStaff
        case .administrator, .graveAdministrator: isOfAdministration
        }
    }
}
