import Streets

/// The properties that ways of one class share; a city of a million ways has a
/// few thousand classes.
struct StreetClass: Hashable {
    var kind: StreetKind
    var features: UInt16
    var level: Int16
    /// The speeds of ``Profile/allCases`` along the way, in mm/s, 0 if closed; lanes 0 to 4.
    var forward: SIMD8<UInt16>
    /// The same against the way's direction.
    var backward: SIMD8<UInt16>
    /// The speeds at each hour if they vary; ``forward`` and ``backward`` are then the highest of
    /// each profile.
    var variants: [StreetVariant] = []

    /// The class of a way that is drawn in the other direction.
    var reversed: StreetClass {
        var reversed = self
        reversed.forward = backward
        reversed.backward = forward
        reversed.variants = variants.map(\.reversed)
        return reversed
    }

    /// The class of a way; nil if it is not a street or nobody may use it.
    init?(_ tags: StreetTags) {
        guard let kind = Self.kind(tags) else { return nil }
        self.kind = kind
        let speed = StreetSpeed(tags, kind)
        forward = speed.speeds(forward: true)
        backward = speed.speeds(forward: false)
        if !tags.conditionals.isEmpty {
            variants = StreetVariant.all(tags, kind)
            for (number, variant) in variants.enumerated() {
                let isFirst = number == 0
                forward = isFirst ? variant.forward : pointwiseMax(forward, variant.forward)
                backward = isFirst ? variant.backward : pointwiseMax(backward, variant.backward)
            }
        }
        let closed = SIMD8<UInt16>(repeating: 0)
        guard forward != closed || backward != closed else { return nil }
        level = Self.level(tags.text(.level))
        features = Self.features(tags, speed).rawValue
    }

    /// The kind of street that the tags describe; nil for none.
    ///
    /// Streets under construction or only planned do not count, nor do areas along motorways
    /// (`services`, `rest_area`) and race tracks.
    private static func kind(_ tags: StreetTags) -> StreetKind? {
        switch tags[.highway] {
        case .motorway, .motorway_link: return .motorway
        case .trunk, .trunk_link: return .trunk
        case .primary, .primary_link: return .primary
        case .secondary, .secondary_link: return .secondary
        case .tertiary, .tertiary_link: return .tertiary
        case .unclassified, .road: return .unclassified
        case .residential: return .residential
        case .living_street: return .livingStreet
        case .service, .busway, .bus_guideway: return .service
        case .track: return .track
        case .pedestrian: return .pedestrian
        case .cycleway: return .cycleway
        case .footway, .path, .bridleway, .corridor, .crossing: return .footway
        case .steps: return .steps
        case .platform: return .platform
        case .elevator: return .elevator
        case .absent: break
        default: return nil
        }
        if tags[.railway] == .platform || tags[.publicTransport] == .platform {
            return .platform
        }
        return tags[.route] == .ferry ? .ferry : nil
    }

    /// The lowest of the levels in a value such as `-1`, `0;1` or `1-3`, times 10.
    static func level(_ text: String?) -> Int16 {
        guard let text else { return 0 }
        var first = text.split(separator: ";").first.map(String.init) ?? ""
        if let dash = first.dropFirst().firstIndex(of: "-") { first = String(first[..<dash]) }
        guard let level = Double(first), level.magnitude < 1_000 else { return 0 }
        return Int16((level * 10).rounded())
    }

    private static func features(_ tags: StreetTags, _ speed: StreetSpeed) -> StreetFeatures {
        var features: StreetFeatures = []
        switch tags[.tunnel] {
        case .absent, .no: break
        case .building_passage, .arcade, .covered: features.insert(.covered)
        default: features.insert(.tunnel)
        }
        if tags[.covered] != .absent, tags[.covered] != .no { features.insert(.covered) }
        if tags[.bridge] != .absent, tags[.bridge] != .no { features.insert(.bridge) }
        if speed.oneway.isRoundabout { features.insert(.roundabout) }
        if tags[.toll] == .yes { features.insert(.toll) }
        if speed.access.isRestrictedTraffic { features.insert(.restrictedTraffic) }
        if tags[.indoor] != .absent && tags[.indoor] != .no || tags[.highway] == .corridor {
            features.insert(.indoor)
        }
        if speed.isDestinationOnly { features.insert(.destinationOnly) }
        if tags[.lit] != .absent, tags[.lit] != .no { features.insert(.lit) }
        switch tags[.surface] {
        case .sett, .cobblestone, .unhewn_cobblestone, .cobblestoneFlattened, .gravel,
            .pebblestone, .ground, .dirt, .earth, .grass, .grass_paver, .unpaved, .mud, .sand:
            features.insert(.uneven)
        default: break
        }
        return features
    }
}

/// Numbers for values that occur often.
struct StreetIndex<Value: Hashable> {
    private(set) var values: [Value]
    private var numbers: [Value: UInt32] = [:]

    /// An index whose first values have the numbers 0, 1, and so on.
    init(_ first: [Value] = []) {
        values = []
        for value in first { _ = number(of: value) }
    }

    /// The number of a value, which is given one if it is new.
    mutating func number(of value: Value) -> UInt32 {
        if let number = numbers[value] { return number }
        let number = UInt32(values.count)
        numbers[value] = number
        values.append(value)
        return number
    }
}
