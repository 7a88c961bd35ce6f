/// Shelter from rain: arcades, roofs, tunnels and ways inside buildings.
extension StreetFeatures {
    /// Whether people stay dry there.
    public var isSheltered: Bool { !isDisjoint(with: [.covered, .tunnel, .indoor]) }
}

extension StreetRoute {
    /// The metres of the route on which people stay dry.
    public var shelteredMetres: UInt32 {
        let decimetres = stretches.reduce(UInt64(0)) { sum, stretch in
            sum + (stretch.features.isSheltered ? UInt64(stretch.cost.decimetres) : 0)
        }
        return UInt32(clamping: decimetres / 10)
    }

    /// The milliseconds that a route takes which was found by a metric that prefers shelter
    /// (``StreetNetwork/preferringShelter(_:)``).
    public var millisecondsWithoutPreference: UInt64 {
        stretches.reduce(UInt64(0)) { sum, stretch in
            let milliseconds = UInt64(stretch.cost.milliseconds)
            return sum + (stretch.features.isSheltered ? milliseconds : milliseconds * 2 / 3)
        }
    }
}

extension StreetNetwork {
    /// A metric by which a passage without shelter counts half as long again, so that people take a
    /// longer way that keeps them dry.
    ///
    /// - Parameter metric: the metric of a profile.
    /// - Returns: the metric; its times are no durations.
    /// - Throws: ``StreetFailure/damagedHierarchy``.
    /// - Complexity: as for ``metric(_:changing:)``.
    public func preferringShelter(_ metric: StreetMetric) throws(StreetFailure) -> StreetMetric {
        var changes: [ArcTime] = []
        for number in 0..<arcCount {
            let arc = ArcIndex(rawValue: UInt32(truncatingIfNeeded: number))
            let milliseconds = milliseconds(arc, by: metric)
            guard milliseconds != StreetDraft.Arc.closed,
                !edges.features(arcs.edge(number)).isSheltered
            else { continue }
            let longer = min(UInt64(milliseconds) * 3 / 2, UInt64(StreetDraft.Arc.closed) - 1)
            changes.append(ArcTime(arc: arc, milliseconds: UInt32(longer)))
        }
        return try self.metric(metric, changing: changes)
    }
}
