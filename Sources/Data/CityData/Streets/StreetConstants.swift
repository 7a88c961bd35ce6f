import Streets

/// The constants by which streets become times: speeds, waits and limits, all in one place.
///
/// The car's speeds by kind and by surface lie near those that OSRM's profile estimates from
/// real drives (project-osrm.org, `profiles/car.lua`), so that times correlate with it.
enum StreetConstants {
    /// Millimetres a second in one kilometre an hour.
    static let kilometrePerHour = 1_000_000.0 / 3_600.0

    // MARK: On foot

    /// Walking, in mm/s: the median of adults in cities (Bohannon 1997: 1.3 to 1.4 m/s).
    static let footSpeed = 1_330.0
    /// Climbing steps, along their slope, in mm/s.
    static let stepsSpeed = 600.0
    /// Standing on an escalator, along its slope, in mm/s.
    static let escalatorSpeed = 500.0
    /// Moving in a wheelchair on level pavement, in mm/s.
    static let wheelchairSpeed = 1_000.0
    /// Waiting for a lift and riding it, in seconds.
    static let elevatorSeconds: UInt32 = 60
    /// A wheelchair cannot take a way narrower than this many metres.
    static let wheelchairWidth = 0.8
    /// A wheelchair is slow from this incline on, in percent (Italy, DM 236/1989: ramps ≤ 8%).
    static let wheelchairSlowIncline = 6.0
    /// A wheelchair cannot climb more than this incline, in percent.
    static let wheelchairInclineLimit = 10.0

    /// How much slower walking is on a surface.
    static func footFactor(_ surface: StreetWord) -> Double {
        switch surface {
        case .gravel, .pebblestone, .fine_gravel, .rock: 0.85
        case .mud, .sand: 0.6
        default: 1
        }
    }

    /// How much slower a wheelchair is on a surface; 0 if it cannot go.
    static func wheelchairFactor(_ surface: StreetWord) -> Double {
        switch surface {
        case .sett, .cobblestoneFlattened, .compacted, .fine_gravel, .wood, .unpaved: 0.8
        case .cobblestone, .grass_paver, .ground, .dirt, .earth: 0.6
        case .unhewn_cobblestone, .gravel, .pebblestone, .grass, .woodchips: 0.4
        case .mud, .sand, .rock: 0
        default: 1
        }
    }

    /// How much slower a wheelchair is by `smoothness`; 0 if it cannot go.
    static func wheelchairSmoothness(_ smoothness: StreetWord) -> Double {
        switch smoothness {
        case .bad: 0.7
        case .very_bad: 0.4
        case .horrible, .very_horrible, .impassable: 0
        default: 1
        }
    }

    // MARK: By bicycle

    /// Pushing a bicycle, in mm/s.
    static let pushSpeed = 1_110.0
    /// Carrying a bicycle on steps, in mm/s.
    static let carrySpeed = 400.0
    /// Pushing a bicycle along the ramp of steps, in mm/s.
    static let rampSpeed = 700.0

    /// Riding on a kind of street with a good surface, in km/h.
    static func bicycleSpeed(_ kind: StreetKind) -> Double {
        switch kind {
        case .track: 12
        case .footway: 13
        default: 15
        }
    }

    /// Riding on a surface at most, in km/h.
    static func bicycleLimit(_ surface: StreetWord) -> Double {
        switch surface {
        case .wood, .metal, .cobblestoneFlattened, .paving_stones, .compacted, .fine_gravel: 11
        case .ground: 10
        case .sett: 9
        case .dirt: 8
        case .cobblestone, .unhewn_cobblestone: 7
        case .unpaved, .gravel, .pebblestone, .grass_paver, .earth, .grass: 6
        case .mud, .sand, .woodchips, .rock: 4
        default: 15
        }
    }

    // MARK: By car

    /// The ratio of the real driving speed to a known speed limit.
    static let limitFactor = 0.8
    /// The fastest that any car is expected to drive, in km/h.
    static let carSpeedLimit = 130.0
    /// The factor on the travel time of streets that are open only to residents or visitors, so
    /// that they are used only where necessary.
    static let destinationFactor = 3.0

    /// Driving on a kind of street whose limit is unknown, in km/h.
    static func carSpeed(_ kind: StreetKind, isLink: Bool) -> Double {
        switch kind {
        case .motorway: isLink ? 45 : 90
        case .trunk: isLink ? 40 : 85
        case .primary: isLink ? 30 : 65
        case .secondary: isLink ? 25 : 55
        case .tertiary: isLink ? 20 : 40
        case .unclassified, .residential: 25
        case .service: 15
        case .livingStreet: 10
        case .track: 12
        default: 8
        }
    }

    /// Driving on a surface at most, in km/h.
    static func carLimit(_ surface: StreetWord) -> Double {
        switch surface {
        case .compacted, .fine_gravel: 80
        case .paving_stones, .metal: 60
        case .sett, .grass, .wood, .grass_paver, .gravel, .unpaved, .ground, .dirt, .pebblestone,
            .cobblestoneFlattened:
            40
        case .cobblestone, .unhewn_cobblestone: 30
        case .earth, .rock, .sand: 20
        case .mud: 10
        default: carSpeedLimit
        }
    }

    /// Driving by `tracktype` at most, in km/h.
    static func carLimit(tracktype: StreetWord) -> Double {
        switch tracktype {
        case .grade1: 60
        case .grade2: 40
        case .grade3: 30
        case .grade4: 25
        case .grade5: 20
        default: carSpeedLimit
        }
    }

    /// Driving by `smoothness` at most, in km/h; 0 if a car cannot go.
    static func carLimit(smoothness: StreetWord) -> Double {
        switch smoothness {
        case .intermediate: 80
        case .bad: 40
        case .very_bad: 20
        case .horrible: 10
        case .very_horrible: 5
        case .impassable: 0
        default: carSpeedLimit
        }
    }

    /// Implicit limits such as `IT:urban`, in km/h.
    static func implicitLimit(_ name: Substring) -> Double? {
        switch name {
        case "urban": 50
        case "rural": 90
        case "trunk": 110
        case "motorway": 130
        case "living_street", "walk": 10
        case "bicycle_road": 30
        case "nsl_single": 97
        case "nsl_dual": 113
        default: nil
        }
    }

    // MARK: Waits

    /// Milliseconds that a point costs, for each of ``Profile/allCases``.
    enum Waits {
        static let none = SIMD8<UInt16>(repeating: 0)
        static let signals = SIMD8<UInt16>(2_000, 2_000, 2_000, 2_000, 2_000, 0, 0, 0)
        static let crossing = SIMD8<UInt16>(2_000, 2_000, 0, 0, 0, 0, 0, 0)
        static let stop = SIMD8<UInt16>(0, 0, 1_000, 2_000, 2_000, 0, 0, 0)
        static let giveWay = SIMD8<UInt16>(0, 0, 500, 1_000, 1_000, 0, 0, 0)
        static let levelCrossing = SIMD8<UInt16>(3_000, 3_000, 3_000, 5_000, 5_000, 0, 0, 0)
        static let gate = SIMD8<UInt16>(2_000, 5_000, 5_000, 60_000, 60_000, 0, 0, 0)
        static let elevator = SIMD8<UInt16>(60_000, 60_000, 60_000, 0, 0, 0, 0, 0)
        static let narrowing = SIMD8<UInt16>(0, 0, 3_000, 0, 0, 0, 0, 0)
    }

    // MARK: Ferries

    /// The speed of a ferry whose duration is unknown, in mm/s.
    static let ferrySpeed = 2_800.0

    // MARK: Islands

    /// A group of streets that one can reach from each other has at least this many passages,
    /// unless it is the largest, or it is closed: no trip should begin where it cannot leave.
    static let islandPassages = 400
}
