package import Markup

/// The forms that begin with places: the order of a taxi, the question of the trip planner, and
/// that of the stops nearby, which has only the first one.
///
/// All fill in the same draft, so a person goes from one to the other without typing again.
package enum JourneyForm: Sendable {
    /// The order of a taxi.
    case order
    /// The question of the trip planner.
    case plan
    /// The question of the stops nearby.
    case stops

    /// The page with the form.
    package var address: Address {
        switch self {
        case .order: Address("/taxi")
        case .plan: Address("/plan")
        case .stops: Address("/stops")
        }
    }

    /// The page on which one of several places is chosen.
    var places: Address { part("places") }

    /// The map of these places.
    var placesPicture: Address { part("places", "map.svg") }

    /// The page on which a point is chosen on the map.
    package func point(_ end: RideEnd) -> Address { part("point", end.rawValue) }

    /// The still picture of that page.
    func pointPicture(_ end: RideEnd) -> Address { part("point", end.rawValue, "map.svg") }

    private func part(_ first: String, _ second: String, _ third: String) -> Address {
        switch self {
        case .order: Address("/taxi", first, second, third)
        case .plan: Address("/plan", first, second, third)
        case .stops: Address("/stops", first, second, third)
        }
    }

    private func part(_ first: String, _ second: String) -> Address {
        switch self {
        case .order: Address("/taxi", first, second)
        case .plan: Address("/plan", first, second)
        case .stops: Address("/stops", first, second)
        }
    }

    private func part(_ first: String) -> Address {
        switch self {
        case .order: Address("/taxi", first)
        case .plan: Address("/plan", first)
        case .stops: Address("/stops", first)
        }
    }
}
