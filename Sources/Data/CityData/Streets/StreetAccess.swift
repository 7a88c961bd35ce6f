import Streets

/// The permission of a profile on a way in one direction.
enum StreetPermission: UInt8, Comparable {
    /// Passing is not allowed.
    case closed
    /// The bicycle must be pushed.
    case pushed
    /// Pass to reach something on it.
    case destination
    /// Passing is allowed without limits.
    case open

    static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}

/// The access permissions of a way, after OpenStreetMap's hierarchy of access keys: the most
/// specific key that is present decides, otherwise the kind of way.
///
/// Sources: OSM wiki, "Key:access" and "OSM tags for routing/Access restrictions" (Italy).
struct StreetAccess {
    let tags: StreetTags
    let kind: StreetKind

    /// The permission of a profile in the way's direction or against it, one-ways apart.
    func permission(_ profile: Profile, forward: Bool) -> StreetPermission {
        switch profile {
        case .foot: foot(forward)
        case .wheelchair: min(wheelchair, foot(forward))
        case .bicycle: bicycle(forward)
        case .car: car(forward)
        case .taxi: taxi(forward)
        }
    }

    /// Whether only some cars may enter: a restricted-traffic or pedestrian area.
    var isRestrictedTraffic: Bool {
        if kind == .pedestrian || tags.has(.zoneTraffic) { return true }
        guard kind.rawValue <= StreetKind.service.rawValue else { return false }
        switch car(true) {
        case .open: return false
        case .destination: return tags[.motorVehicle] != .absent || tags[.vehicle] != .absent
        case .closed, .pushed: return taxi(true) != .closed
        }
    }

    private func value(
        _ key: StreetKey,
        _ forwardKey: StreetKey,
        _ backwardKey: StreetKey,
        _ forward: Bool
    ) -> StreetWord {
        let directed = tags[forward ? forwardKey : backwardKey]
        return directed == .absent ? tags[key] : directed
    }

    private func general(_ forward: Bool) -> StreetWord {
        value(.access, .accessForward, .accessBackward, forward)
    }

    // MARK: On foot

    private func foot(_ forward: Bool) -> StreetPermission {
        let own = value(.foot, .footForward, .footBackward, forward)
        switch own {
        case .no, .private, .use_sidepath, .restricted, .military: return .closed
        case .absent, .other, .unknown: break
        default: return .open
        }
        switch general(forward) {
        case .no, .private, .agricultural, .forestry, .emergency, .military, .restricted, .bus,
            .psv:
            return .closed
        default: break
        }
        switch kind {
        case .motorway, .trunk: return .closed
        default: return tags[.motorroad] == .yes ? .closed : isBusOnly ? .closed : .open
        }
    }

    /// Steps, kerbs and surfaces are evaluated by ``StreetSpeed``.
    private var wheelchair: StreetPermission {
        tags[.wheelchair] == .no ? .closed : .open
    }

    // MARK: By bicycle

    private func bicycle(_ forward: Bool) -> StreetPermission {
        let own = value(.bicycle, .bicycleForward, .bicycleBackward, forward)
        let pushed: StreetPermission = foot(forward) == .open ? .pushed : .closed
        switch own {
        case .dismount: return pushed
        case .no, .private, .use_sidepath, .restricted, .military: return pushed
        case .absent, .other, .unknown: break
        default: return kind == .steps ? pushed : .open
        }
        var wider = value(.vehicle, .vehicleForward, .vehicleBackward, forward)
        if wider == .absent { wider = general(forward) }
        switch wider {
        case .no, .private, .agricultural, .forestry, .emergency, .military, .restricted, .bus,
            .psv, .delivery, .permit:
            return pushed
        default: break
        }
        switch kind {
        case .motorway, .trunk: return pushed
        case .pedestrian, .steps, .platform, .elevator: return pushed
        case .footway: return tags[.highway] == .path ? .open : pushed
        default: return tags[.motorroad] == .yes || isBusOnly ? pushed : .open
        }
    }

    // MARK: By car and taxi

    private func car(_ forward: Bool) -> StreetPermission {
        let own = motorValue(forward)
        if own != .absent, let permission = motorPermission(own) { return permission }
        if tags[.service] == .emergency_access { return .closed }
        guard isForCars else { return .closed }
        return motorPermission(general(forward)) ?? .open
    }

    private func taxi(_ forward: Bool) -> StreetPermission {
        for own in [
            value(.taxi, .taxiForward, .taxiBackward, forward),
            value(.psv, .psvForward, .psvBackward, forward),
        ] {
            switch own {
            case .absent, .other, .unknown, .opposite_lane, .lane: continue
            case .no: return .closed
            default: return .open
            }
        }
        if general(forward) == .psv || general(forward) == .taxi { return .open }
        return car(forward)
    }

    private func motorValue(_ forward: Bool) -> StreetWord {
        let motorcar = value(.motorcar, .motorcarForward, .motorcarBackward, forward)
        if motorcar != .absent { return motorcar }
        let motor = value(.motorVehicle, .motorVehicleForward, .motorVehicleBackward, forward)
        if motor != .absent { return motor }
        return value(.vehicle, .vehicleForward, .vehicleBackward, forward)
    }

    /// The permission that a value gives to motor vehicles; nil if it says nothing.
    private func motorPermission(_ value: StreetWord) -> StreetPermission? {
        switch value {
        case .yes, .designated, .permissive, .official, .hov, .public: .open
        case .destination, .customers, .delivery, .permit, .residents, .limited: .destination
        // A private residential road may be someone's destination, but must not be used as a short
        // cut.
        case .private: kind == .track || kind == .service ? .closed : .destination
        case .absent, .other, .unknown: nil
        default: .closed
        }
    }

    private var isBusOnly: Bool {
        tags[.highway] == .busway || tags[.highway] == .bus_guideway
    }

    private var isForCars: Bool {
        kind.rawValue <= StreetKind.service.rawValue && !isBusOnly && tags[.area] != .yes
    }
}
