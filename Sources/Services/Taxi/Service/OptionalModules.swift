package import Dispatching
package import Storage

extension DataKind {
    /// What the dispatcher knows: zones, queues, requests and rides.
    package static let dispatch = Self(rawValue: "dispatch")
    /// Fares, and how long drives take.
    package static let fares = Self(rawValue: "fares")
    /// Rides of the past.
    package static let history = Self(rawValue: "history")
    /// Requests for a taxi now.
    package static let requests = Self(rawValue: "requests")
    /// Requests for a taxi later.
    package static let reservations = Self(rawValue: "reservations")
    /// The end of requests by their passengers.
    package static let cancellations = Self(rawValue: "cancellations")
    /// Who shares a ride.
    package static let sharedRides = Self(rawValue: "shared-rides")
    /// Zones, taxis and rules.
    package static let citySetUp = Self(rawValue: "city")
    /// Where drivers are, and whether they are on duty.
    package static let driverStates = Self(rawValue: "drivers")
    /// Answers to offers.
    package static let offers = Self(rawValue: "offers")
    /// What happens on rides.
    package static let rides = Self(rawValue: "rides")
    /// What operators do.
    package static let operations = Self(rawValue: "operations")
}

extension ModuleDeclaration {
    /// Taxis for a later time (R72 to R81).
    package static let reservations = ModuleDeclaration(
        "reservations",
        reads: [.dispatch, .fares, .profiles, .places],
        writes: [.reservations, .cancellations, .guests]
    )
    /// Rides that people share (R83 to R92).
    package static let sharing = ModuleDeclaration(
        "sharing",
        reads: [.dispatch, .fares, .profiles, .places],
        writes: [.sharedRides]
    )

    /// The modules that a city may leave out (R109).
    package static let optional = [reservations, sharing]

    /// Whether the rules of a city have the module.
    package func isOn(_ policy: Policy) -> Bool {
        switch self {
        case .reservations: policy.reserving
        case .sharing: policy.sharing
        default: true
        }
    }
}

extension Command {
    /// What the command changes.
    var changes: DataKind {
        switch self {
        case .city: .citySetUp
        case .driver: .driverStates
        case .offer: .offers
        case .ride: .rides
        case .console: .operations
        case .passenger(.request): .requests
        case .passenger(.reserve): .reservations
        case .passenger(.cancel): .cancellations
        case .passenger(.join): .sharedRides
        }
    }
}
