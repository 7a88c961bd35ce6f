import Streets

/// How fast each profile passes a way, in millimetres a second; 0 if it may not.
struct StreetSpeed {
    let tags: StreetTags
    let kind: StreetKind
    let access: StreetAccess
    let oneway: StreetOneway

    init(_ tags: StreetTags, _ kind: StreetKind) {
        self.tags = tags
        self.kind = kind
        access = StreetAccess(tags: tags, kind: kind)
        oneway = StreetOneway(tags: tags, kind: kind)
    }

    /// The speeds of ``Profile/allCases`` in one direction, in lanes 0 to 4.
    func speeds(forward: Bool) -> SIMD8<UInt16> {
        var speeds = SIMD8<UInt16>(repeating: 0)
        for profile in Profile.allCases {
            speeds[Int(profile.rawValue)] = Self.fixed(speed(profile, forward))
        }
        return speeds
    }

    /// Whether cars may go there only to reach something.
    var isDestinationOnly: Bool {
        access.permission(.car, forward: true) == .destination
            || access.permission(.car, forward: false) == .destination
    }

    /// A speed limit in km/h; nil if it cannot be understood.
    static func limit(_ text: String) -> Double? {
        let first = text.split(separator: ";").first.map(String.init) ?? text
        let words = first.split(separator: " ")
        guard let word = words.first else { return nil }
        if let number = Double(word), number.isFinite {
            guard number > 0, number < 1_000 else { return nil }
            switch words.count > 1 ? words[1] : "km/h" {
            case "mph": return number * 1.609_344
            case "knots": return number * 1.852
            case "km/h", "kmh", "kph": return number
            default: return nil
            }
        }
        if word == "none" { return StreetConstants.carSpeedLimit / StreetConstants.limitFactor }
        if word.hasSuffix("mph"), let number = Double(word.dropLast(3)), number > 0 {
            return min(number, 1_000) * 1.609_344
        }
        let name = word.split(separator: ":").last ?? word
        if let implicit = StreetConstants.implicitLimit(name) { return implicit }
        // Such as `IT:zone30`, `DE:zone:30` and `zone20`.
        let digits = name.hasPrefix("zone") ? name.dropFirst(4) : name
        return Double(digits).flatMap { $0 > 0 && $0 < 1_000 ? $0 : nil }
    }

    private static func fixed(_ speed: Double) -> UInt16 {
        // NaN cannot occur: all factors are finite.
        speed <= 0 ? 0 : UInt16(min(65_535, max(1, speed)))
    }

    private func speed(_ profile: Profile, _ forward: Bool) -> Double {
        let permission = access.permission(profile, forward: forward)
        guard permission != .closed else { return 0 }
        switch profile {
        case .foot: return oneway.foot.allows(forward: forward) ? foot : 0
        case .wheelchair: return oneway.foot.allows(forward: forward) ? wheelchair : 0
        case .bicycle: return bicycle(permission, forward)
        case .car:
            guard oneway.car.allows(forward: forward) else { return 0 }
            return car(forward) / (permission == .open ? 1 : StreetConstants.destinationFactor)
        case .taxi:
            guard oneway.taxi.allows(forward: forward) else { return 0 }
            return car(forward) / (permission == .open ? 1 : StreetConstants.destinationFactor)
        }
    }

    // MARK: On foot

    private var isEscalator: Bool {
        switch tags[.conveying] {
        case .yes, .forward, .backward, .reversible: true
        default: false
        }
    }

    private var foot: Double {
        if kind == .ferry { return StreetConstants.ferrySpeed }
        if kind == .steps {
            return isEscalator ? StreetConstants.escalatorSpeed : StreetConstants.stepsSpeed
        }
        return StreetConstants.footSpeed * StreetConstants.footFactor(tags[.surface])
    }

    private var wheelchair: Double {
        if kind == .ferry { return StreetConstants.ferrySpeed }
        let isSaidToBeFine = tags[.wheelchair] == .yes || tags[.wheelchair] == .designated
        if kind == .steps {
            guard isSaidToBeFine || tags[.rampWheelchair] == .yes, !isEscalator else { return 0 }
            return StreetConstants.wheelchairSpeed * 0.6
        }
        if let width = number(.width), width < StreetConstants.wheelchairWidth, !isSaidToBeFine {
            return 0
        }
        var factor = StreetConstants.wheelchairFactor(tags[.surface])
        factor *= StreetConstants.wheelchairSmoothness(tags[.smoothness])
        switch tags[.tracktype] {
        case .grade3: factor *= 0.6
        case .grade4, .grade5: factor *= 0.4
        default: break
        }
        let incline = inclinePercent
        if incline > StreetConstants.wheelchairInclineLimit { factor = 0 }
        if incline > StreetConstants.wheelchairSlowIncline { factor *= 0.5 }
        if tags[.wheelchair] == .limited { factor = max(factor, 0.5) * 0.7 }
        if isSaidToBeFine { factor = max(factor, 0.7) }
        return StreetConstants.wheelchairSpeed * factor
    }

    private var inclinePercent: Double {
        guard let text = tags.text(.incline) else { return 0 }
        let digits = text.filter { $0.isNumber || $0 == "." }
        guard let value = Double(digits), value.isFinite else { return 0 }
        return text.hasSuffix("°") ? value * 1.75 : value
    }

    private func number(_ key: StreetKey) -> Double? {
        guard let text = tags.text(key), let word = text.split(separator: " ").first else {
            return nil
        }
        return Double(String(word.map { $0 == "," ? "." : $0 }))
    }

    // MARK: By bicycle

    private func bicycle(_ permission: StreetPermission, _ forward: Bool) -> Double {
        if kind == .ferry { return StreetConstants.ferrySpeed }
        var isPushed = permission == .pushed
        if !isPushed, !oneway.bicycle.allows(forward: forward) {
            // Against a one-way street one may push, but not around a roundabout.
            guard !oneway.isRoundabout,
                access.permission(.foot, forward: forward) == .open
            else { return 0 }
            isPushed = true
        }
        guard !isPushed else {
            guard oneway.foot.allows(forward: forward) else { return 0 }
            guard kind == .steps else { return StreetConstants.pushSpeed }
            guard !isEscalator else { return 0 }
            return tags[.rampBicycle] == .yes
                ? StreetConstants.rampSpeed : StreetConstants.carrySpeed
        }
        let speed = min(
            StreetConstants.bicycleSpeed(kind),
            StreetConstants.bicycleLimit(tags[.surface])
        )
        return speed * StreetConstants.kilometrePerHour
    }

    // MARK: By car

    private func car(_ forward: Bool) -> Double {
        if kind == .ferry { return StreetConstants.ferrySpeed }
        let isLink =
            switch tags[.highway] {
            case .motorway_link, .trunk_link, .primary_link, .secondary_link, .tertiary_link: true
            default: false
            }
        var speed = StreetConstants.carSpeed(kind, isLink: isLink)
        let text =
            tags.text(forward ? .maxspeedForward : .maxspeedBackward) ?? tags.text(.maxspeed)
            ?? tags.text(.maxspeedType)
        if let text, let limit = Self.limit(text) { speed = limit * StreetConstants.limitFactor }
        speed = min(speed, StreetConstants.carSpeedLimit)
        speed = min(speed, StreetConstants.carLimit(tags[.surface]))
        speed = min(speed, StreetConstants.carLimit(tracktype: tags[.tracktype]))
        speed = min(speed, StreetConstants.carLimit(smoothness: tags[.smoothness]))
        return speed * StreetConstants.kilometrePerHour
    }
}
