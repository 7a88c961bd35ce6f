package import Markup

/// The forms that begin with places: the order of a taxi and the question of the trip planner with
/// two, those of the stops nearby and of how far one gets with one.
///
/// All fill in the same draft, so a person goes from one to the other without typing again.
package enum JourneyForm: Sendable {
    /// The order of a taxi.
    case order
    /// The question of the trip planner.
    case plan
    /// The question of the stops nearby.
    case stops

    /// The question how far one gets from a place.
    case reach

    /// The page with the form.
    package var address: Address { Address(root) }

    /// The page on which one of several places is chosen.
    var places: Address { Address(root, "places") }

    /// The map of these places.
    var placesPicture: Address { Address(root, "places", "map.svg") }

    /// The page on which a point is chosen on the map.
    package func point(_ end: RideEnd) -> Address { Address(root, "point", end.rawValue) }

    /// The still picture of that page.
    func pointPicture(_ end: RideEnd) -> Address { Address(root, "point", end.rawValue, "map.svg") }

    /// Whether the form has only the first place.
    var hasOnlyStart: Bool { self == .stops || self == .reach }

    private var root: StaticString {
        switch self {
        case .order: "/taxi"
        case .plan: "/plan"
        case .stops: "/stops"
        case .reach: "/reach"
        }
    }
}
