/// A role with its permissions.
package enum Role: String, CaseIterable, Codable, Comparable, Sendable {
    /// Uses what the city offers to passengers.
    case traveller
    /// Drives for the city, as the records of another module say.
    case driver
    /// Works in the control room of the city's service.
    case serviceOperator = "operator"
    /// Configures the city and assigns roles.
    case administrator

    /// Compares by the order of declaration.
    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    /// Whether people with this role have shorter sessions.
    var isStaff: Bool { self == .serviceOperator || self == .administrator }

    /// Whether administrators assign the role; another one follows from the records of its module.
    var isAssigned: Bool { self != .driver }

    private var rank: Int {
        switch self {
        case .traveller: 0
        case .driver: 1
        case .serviceOperator: 2
        case .administrator: 3
        }
    }
}
