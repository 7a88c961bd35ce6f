import Streets

/// The obstacle at a node: which profiles cannot pass it, and how long passing takes.
struct StreetPoint: Hashable {
    /// The profiles that cannot pass, one bit for each of ``Profile/allCases``.
    var closed: UInt8 = 0
    /// The time to pass in milliseconds, for each of ``Profile/allCases``.
    var wait = StreetConstants.Waits.none
    /// Whether those that pass in the direction of the way wait.
    var waitsForward = true
    /// Whether those that pass against it do.
    var waitsBackward = true

    private static let all: [Profile] = Profile.allCases
    private static let motor: [Profile] = [.car, .taxi]
    private static let wheels: [Profile] = [.wheelchair, .bicycle, .car, .taxi]

    /// Reads a node's tags; nil if every profile passes at once.
    init?(_ tags: StreetTags) {
        if tags[.highway] == .elevator { wait = StreetConstants.Waits.elevator }
        if tags[.highway] == .elevator { close(Self.motor) }
        if tags.has(.barrier) { readBarrier(tags) }
        if tags[.kerb] == .raised, tags[.wheelchair] != .yes { close([.wheelchair]) }
        readAccess(tags)
        readWait(tags)
        if closed == 0, wait == StreetConstants.Waits.none { return nil }
    }

    private mutating func close(_ profiles: [Profile]) {
        for profile in profiles { closed |= 1 << profile.rawValue }
    }

    private mutating func open(_ profiles: [Profile]) {
        for profile in profiles { closed &= ~(1 << profile.rawValue) }
    }

    /// Closes the node to the profiles that a barrier stops by its nature (OSM
    /// wiki, "Key:barrier").
    private mutating func readBarrier(_ tags: StreetTags) {
        switch tags[.barrier] {
        case .gate, .lift_gate, .swing_gate:
            wait = StreetConstants.Waits.gate
            if tags[.locked] == .yes { close(Self.all) }
        case .bollard where tags[.bollard] == .rising: wait = StreetConstants.Waits.gate
        case .bollard, .block, .chain, .jersey_barrier, .rope, .planter, .barrier_board, .debris,
            .bus_trap, .sump_buster, .spikes, .log:
            close(Self.motor)
        case .cycle_barrier, .motorcycle_barrier:
            close(Self.motor)
            if tags[.barrier] == .cycle_barrier { close([.wheelchair]) }
            wait = StreetConstants.Waits.narrowing
        case .kissing_gate, .turnstile, .full_height_turnstile, .stile: close(Self.wheels)
        case .wall, .fence, .hedge, .ditch, .city_wall, .yes:
            close(tags[.barrier] == .yes ? Self.motor : Self.all)
        case .kerb:
            if tags[.kerb] == .lowered || tags[.kerb] == .flush || tags[.highway] == .crossing {
                break
            }
            close(Self.motor + (tags[.wheelchair] == .yes ? [] : [.wheelchair]))
        default: break
        }
        if tags[.wheelchair] == .no { close([.wheelchair]) }
        if tags[.wheelchair] == .yes { open([.wheelchair]) }
    }

    /// Opens and closes the node by its access tags, the most general first.
    ///
    /// On a crossing they refer to the path that crosses, not to the street.
    private mutating func readAccess(_ tags: StreetTags) {
        guard tags[.highway] != .crossing, tags.has(.barrier) || tags[.highway] == .absent
        else { return }
        apply(tags[.access], to: Self.all)
        apply(tags[.vehicle], to: [.bicycle, .car, .taxi])
        apply(tags[.motorVehicle], to: Self.motor)
        apply(tags[.motorcar], to: Self.motor)
        apply(tags[.psv], to: [.taxi])
        apply(tags[.taxi], to: [.taxi])
        apply(tags[.bicycle], to: [.bicycle])
        apply(tags[.foot], to: [.foot, .wheelchair])
        if tags[.wheelchair] == .no { close([.wheelchair]) }
        // Where walking is allowed, a bicycle may be pushed, unless the barrier is too narrow for
        // it.
        if closed & 1 == 0, tags[.foot] != .absent || tags[.bicycle] == .dismount {
            switch tags[.barrier] {
            case .kissing_gate, .turnstile, .full_height_turnstile, .stile: break
            default: open([.bicycle])
            }
        }
    }

    private mutating func apply(_ value: StreetWord, to profiles: [Profile]) {
        switch value {
        case .yes, .designated, .permissive, .official, .public, .destination, .customers:
            open(profiles)
        case .no, .agricultural, .forestry, .emergency, .military, .restricted: close(profiles)
        // Residents have a key; a car that starts or ends its trip there gets through.
        case .private, .permit, .residents, .delivery:
            close(profiles.filter { $0 == .foot || $0 == .wheelchair || $0 == .bicycle })
        default: break
        }
    }

    private mutating func readWait(_ tags: StreetTags) {
        var direction = tags[.direction]
        switch tags[.highway] {
        case .traffic_signals:
            wait = StreetConstants.Waits.signals
            if tags.has(.signalsDirection) { direction = tags[.signalsDirection] }
        case .crossing where tags[.crossing] == .traffic_signals:
            wait = StreetConstants.Waits.crossing
        case .stop:
            wait = tags[.stop] == .minor ? StreetConstants.Waits.none : StreetConstants.Waits.stop
        case .give_way: wait = StreetConstants.Waits.giveWay
        default: break
        }
        if tags[.railway] == .level_crossing { wait = StreetConstants.Waits.levelCrossing }
        waitsForward = direction != .backward
        waitsBackward = direction != .forward
        for profile in Self.all where closed & 1 << profile.rawValue != 0 {
            wait[Int(profile.rawValue)] = 0
        }
    }
}
