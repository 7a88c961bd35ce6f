import DayPlan
import TripPlanning

extension TripModes {
    /// The same for the solver.
    var set: TravelModeSet {
        var set: TravelModeSet = []
        if walk { set.insert(.walk) }
        if transit != 0 { set.insert(.transit) }
        if bicycle { set.insert(.bicycle) }
        if car { set.insert(.car) }
        if taxi { set.insert(.taxi) }
        return set
    }
}

extension TripKind {
    /// The same for the solver; nil for shared vehicles, which days are planned without.
    var mode: TravelMode? {
        switch self {
        case .walk: .walk
        case .transit: .transit
        case .bicycle: .bicycle
        case .car: .car
        case .taxi: .taxi
        case .bikeshare, .scooter, .carshare: nil
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
            }
    }
}
