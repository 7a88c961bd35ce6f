import Streets

/// In which directions each profile may pass a way, as far as one-way signs decide.
///
/// Sources: OSM wiki, "Key:oneway", "Key:oneway:bicycle", "Key:cycleway".
struct StreetOneway {
    let tags: StreetTags
    let kind: StreetKind

    enum Direction {
        case both, forward, backward, neither
    }

    /// Whether vehicles go around it in one direction by its nature.
    var isRoundabout: Bool {
        tags[.junction] == .roundabout || tags[.junction] == .circular
    }

    /// The direction of private cars.
    var car: Direction {
        // A list such as `-1;yes` contradicts itself and is ignored.
        let isList = tags.text(.oneway)?.contains(";") ?? false
        switch isList ? .other : tags[.oneway] {
        case .yes, .one, .isTrue: return .forward
        case .minusOne, .reverse: return .backward
        // The direction changes with the hour; relying on either would be wrong half of the day.
        case .reversible: return .neither
        case .no, .zero, .isFalse, .alternating: return .both
        default: break
        }
        return isRoundabout || tags[.highway] == .motorway ? .forward : .both
    }

    /// The direction of taxis: lanes against the traffic open streets to them.
    var taxi: Direction {
        switch (tags[.onewayTaxi], tags[.onewayPsv]) {
        case (.no, _), (.absent, .no): return .both
        case (.yes, _), (.absent, .yes): return .forward
        case (.minusOne, _), (.absent, .minusOne): return .backward
        default: break
        }
        if tags[.psv] == .opposite_lane || tags[.psvBackward] == .yes
            || tags[.psvBackward] == .designated || tags[.taxiBackward] == .yes
            || tags[.taxiBackward] == .designated
        {
            return .both
        }
        return car
    }

    /// The direction of bicycles that are ridden.
    var bicycle: Direction {
        switch tags[.onewayBicycle] {
        case .yes, .one, .isTrue: return .forward
        case .minusOne: return .backward
        case .no, .zero, .isFalse: return .both
        default: break
        }
        if hasContraflowCycleway { return .both }
        switch (car, tags[.bicycleForward], tags[.bicycleBackward]) {
        case (.forward, _, .yes), (.forward, _, .designated): return .both
        case (.backward, .yes, _), (.backward, .designated, _): return .both
        case (.neither, _, _): return .both
        default: return car
        }
    }

    /// The direction of pedestrians: escalators, and the rare explicit sign.
    var foot: Direction {
        switch tags[.conveying] {
        case .forward: return .forward
        case .backward: return .backward
        default: break
        }
        switch tags[.onewayFoot] {
        case .yes, .one: return .forward
        case .minusOne: return .backward
        default: return .both
        }
    }

    private var hasContraflowCycleway: Bool {
        for key in [StreetKey.cycleway, .cyclewayLeft, .cyclewayRight, .cyclewayBoth] {
            switch tags[key] {
            case .opposite, .opposite_lane, .opposite_track, .opposite_share_busway: return true
            default: break
            }
        }
        for key in [StreetKey.cyclewayLeftOneway, .cyclewayRightOneway, .cyclewayBothOneway] {
            switch tags[key] {
            case .no: return true
            case .minusOne: return car == .forward
            default: break
            }
        }
        return false
    }
}

extension StreetOneway.Direction {
    /// Whether it can be passed in the way's direction (or against it).
    func allows(forward: Bool) -> Bool {
        switch self {
        case .both: true
        case .forward: forward
        case .backward: !forward
        case .neither: false
        }
    }
}
