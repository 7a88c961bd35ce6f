package import Markup

/// The forms that begin with places: the order of a taxi and the trip planner with two, the stops
/// nearby, the reachable area and an own vehicle with one.
///
/// All fill in the same draft, so a person can switch between them without typing again.
package enum JourneyForm: Sendable {
    /// The form to order a taxi.
    case order
    /// The form of the trip planner.
    case plan
    /// The form for the stops nearby.
    case stops
    /// The form for the area that can be reached.
    case reach
    /// The form of where an own car stands.
    case car
    /// The form of where an own bicycle stands.
    case bicycle
    /// The form of a calendar entry with that address; the map carries what was typed.
    case entry(Address)

    /// The page with the form.
    package var address: Address {
        switch self {
        case .entry(let address): address
        case .car, .bicycle: Address(root, query: ["chosen": "yes"])
        default: Address(root)
        }
    }

    /// The page for choosing one of several places.
    var places: Address { Address(root, "places") }

    /// The map of these places.
    var placesPicture: Address { Address(root, "places", "map.svg") }

    /// The page for choosing a point on the map.
    package func point(_ end: RideEnd) -> Address {
        if case .entry(let address) = self { address } else { Address(root, "point", end.rawValue) }
    }

    /// The still picture of that page.
    func pointPicture(_ end: RideEnd) -> Address { Address(root, "point", end.rawValue, "map.svg") }

    /// Whether the form has only one place.
    var hasOnlyStart: Bool {
        switch self {
        case .order, .plan: false
        case .stops, .reach, .car, .bicycle, .entry: true
        }
    }

    private var root: StaticString {
        switch self {
        case .order: "/taxi"
        case .plan: "/plan"
        case .stops: "/stops"
        case .reach: "/reach"
        case .car: "/calendar/vehicles/car"
        case .bicycle: "/calendar/vehicles/bicycle"
        case .entry: "/calendar"
        }
    }
}
