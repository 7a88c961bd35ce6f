package import Markup

/// The forms that begin with two places: the order of a taxi, and the question of the trip planner.
///
/// Both fill in the same draft, so a person goes from one to the other without typing again.
package enum JourneyForm: Sendable {
    /// The order of a taxi.
    case order
    /// The question of the trip planner.
    case plan

    /// The page with the form.
    package var address: Address { self == .order ? Address("/taxi") : Address("/plan") }

    /// The page on which one of several places is chosen.
    var places: Address { self == .order ? Address("/taxi/places") : Address("/plan/places") }

    /// The map of these places.
    var placesPicture: Address {
        self == .order ? Address("/taxi/places/map.svg") : Address("/plan/places/map.svg")
    }

    /// The page on which a point is chosen on the map.
    package func point(_ end: RideEnd) -> Address {
        self == .order ? Address("/taxi/point", end.rawValue) : Address("/plan/point", end.rawValue)
    }

    /// The still picture of that page.
    func pointPicture(_ end: RideEnd) -> Address {
        self == .order
            ? Address("/taxi/point", end.rawValue, "map.svg")
            : Address("/plan/point", end.rawValue, "map.svg")
    }
}
