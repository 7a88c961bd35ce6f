import DayPlan
import TripPlanning

extension TripModes {
    /// The same for the solver.
    var set: TravelModeSet {
        kinds.reduce(into: []) { set, kind in set.insert(TravelModeSet(kind.mode)) }
    }
}

extension TripKind {
    /// The same for the solver.
    var mode: TravelMode {
        switch self {
        case .walk: .walk
        case .transit: .transit
        case .bicycle: .bicycle
        case .car: .car
        case .taxi: .taxi
        case .bikeshare: .bikeshare
        case .scooter: .scooter
        case .carshare: .carshare
        }
    }

    /// The means of a journey of a plan.
    init(_ mode: TravelMode) {
        self =
            switch mode {
            case .walk: .walk
            case .transit: .transit
            case .bicycle: .bicycle
            case .car: .car
            case .taxi: .taxi
            case .bikeshare: .bikeshare
            case .scooter: .scooter
            case .carshare: .carshare
            }
    }
}
