import Columns

/// Some of the sets of hours that the rules of a network have: those at which a way may take
/// longer.
public struct HourSets: Sendable, Equatable, BitwiseCopyable {
    /// A bit for each set; the last one stands for all further sets, and for traffic.
    var bits: UInt64 = 0

    /// The last bit.
    static let others = HourSets(bits: 1 << 63)
    /// All sets.
    static let all = HourSets(bits: .max)

    /// No set: the way takes the same at any hour.
    public init() {}

    init(bits: UInt64) {
        self.bits = bits
    }

    /// The set with a number.
    init(_ number: UInt32) {
        bits = 1 << UInt64(min(number, 63))
    }

    /// Whether there are none.
    public var isEmpty: Bool { bits == 0 }

    /// Whether some set is in both.
    public func overlaps(_ other: HourSets) -> Bool { bits & other.bits != 0 }

    /// Adds the sets of others.
    public mutating func formUnion(_ other: HourSets) { bits |= other.bits }
}

extension StreetMetric {
    /// The sets of hours that have a moment in common with a span of the week, and traffic.
    ///
    /// - Parameters:
    ///   - first: when the span begins.
    ///   - milliseconds: how long it is.
    /// - Returns: the sets.
    public func hourSets(from first: WeekMoment, milliseconds: Int64) -> HourSets {
        var sets = HourSets.others
        sets.formUnion(rules.hourSets(from: first, milliseconds: milliseconds))
        return sets
    }

    /// The sets of hours at which a passage may take longer.
    func hourSets(_ arc: Int) -> HourSets {
        guard vary(arc) else { return HourSets() }
        var sets = traffic.vary(arc) ? HourSets.others : HourSets()
        rules.forEach(arc) { hours, _ in sets.formUnion(HourSets(hours)) }
        return sets
    }

    /// The sets of hours at which a part of a place's street may take longer.
    func hourSets(at place: StreetPlace, in network: StreetNetwork) -> HourSets {
        var sets = HourSets()
        for position in network.edges.arcRange(Int(truncatingIfNeeded: place.edge.rawValue)) {
            sets.formUnion(hourSets(network.edges.arc(position, below: network.arcCount)))
        }
        return sets
    }
}
