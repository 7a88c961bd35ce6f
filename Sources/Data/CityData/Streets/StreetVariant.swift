import Streets

/// The speeds on a way at certain hours.
struct StreetVariant: Hashable {
    /// The hours at which these speeds apply.
    var hours: WeekHours
    /// Speeds as in ``StreetClass/forward``.
    var forward: SIMD8<UInt16>
    /// Speeds as in ``StreetClass/backward``.
    var backward: SIMD8<UInt16>

    /// The variants of a way whose tags depend on the hour.
    ///
    /// - Parameters:
    ///   - tags: the tags of the way.
    ///   - kind: its kind.
    /// - Returns: one variant for each set of speeds, which together cover the week; none if the
    ///   speeds never change.
    static func all(_ tags: StreetTags, _ kind: StreetKind) -> [StreetVariant] {
        let rules = tags.conditionals.map { ($0.key, ConditionalTag($0.text, of: $0.key)) }
        var ends: Set<UInt16> = [0, WeekHours.weekMinutes]
        for (_, rule) in rules {
            for clause in rule.clauses {
                for range in clause.hours.minutes {
                    ends.formUnion([range.lowerBound, range.upperBound])
                }
            }
        }
        var variants: [StreetVariant] = []
        let sorted = ends.sorted()
        for (from, to) in zip(sorted, sorted.dropFirst()) {
            var now = tags
            for (key, rule) in rules {
                if let value = rule.value(at: from) { now.replace(key, by: value) }
            }
            let speed = StreetSpeed(now, kind)
            let forward = speed.speeds(forward: true)
            let backward = speed.speeds(forward: false)
            let known = variants.firstIndex { $0.forward == forward && $0.backward == backward }
            if let known {
                variants[known].hours = WeekHours(variants[known].hours.minutes + [from..<to])
            } else {
                variants.append(
                    StreetVariant(
                        hours: WeekHours([from..<to]),
                        forward: forward,
                        backward: backward
                    )
                )
            }
        }
        return variants.count > 1 ? variants : []
    }

    /// The variant of a way that is drawn in the other direction.
    var reversed: StreetVariant {
        StreetVariant(hours: hours, forward: backward, backward: forward)
    }
}

extension StreetKey {
    /// The first parts of the keys whose values may depend on the hour.
    private static let hourlyParts: Set<Substring> = [
        "access", "vehicle", "motor_vehicle", "motorcar", "bicycle", "foot", "psv", "taxi",
        "oneway", "maxspeed",
    ]

    /// The key to which a key `…:conditional` refers; nil if no profile uses it.
    static func conditional(_ text: String) -> StreetKey? {
        guard text.utf8.count > 12, text.hasSuffix(":conditional"),
            let part = text.split(separator: ":").first, hourlyParts.contains(part)
        else { return nil }
        return StreetKey(rawValue: String(text.dropLast(12)))
    }

    /// Whether the key's values are speed limits.
    var isSpeed: Bool { rawValue.hasPrefix("maxspeed") }
}
