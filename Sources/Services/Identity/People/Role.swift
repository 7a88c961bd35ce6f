/// A role with its permissions.
package enum Role: String, CaseIterable, Codable, Comparable, Sendable {
    /// Plans journeys, requests and reserves taxis.
    case traveller
    /// Drives a taxi after an administrator has verified the licences.
    case driver
    /// Works in the control room of the city's service.
    case serviceOperator = "operator"
    /// Configures the city and assigns roles.
    case administrator

    /// Compares by the order of declaration.
    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    /// Whether people with this role have shorter sessions.
    var isStaff: Bool { self == .serviceOperator || self == .administrator }

    private var rank: Int {
        switch self {
        case .traveller: 0
        case .driver: 1
        case .serviceOperator: 2
        case .administrator: 3
        }
    }
}
