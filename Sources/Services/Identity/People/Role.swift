/// What a person may do.
package enum Role: String, CaseIterable, Codable, Comparable, Sendable {
    /// Travels: plans, requests and reserves.
    case traveller
    /// Drives a taxi, once an administrator has verified the licences.
    case driver
    /// Works for the city's service.
    case serviceOperator = "operator"
    /// Sets the city up and gives roles.
    case administrator

    /// The order of the list above.
    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    /// Whether sessions of people with this role end sooner.
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
