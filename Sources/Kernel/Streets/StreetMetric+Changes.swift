import Columns

/// Another time for a passage: a traffic jam, a closed street, a reopened one.
public struct ArcTime: Sendable, Equatable {
    /// The arc whose time changes.
    public var arc: ArcIndex
    /// Its new time; `StreetDraft.Arc.closed` closes it.
    public var milliseconds: UInt32

    /// Creates a new time for a passage.
    public init(arc: ArcIndex, milliseconds: UInt32) {
        self.arc = arc
        self.milliseconds = milliseconds
    }
}

extension StreetNetwork {
    /// The time of a passage.
    ///
    /// - Returns: milliseconds; `StreetDraft.Arc.closed` if it must not be passed.
    public func milliseconds(_ arc: ArcIndex, by metric: StreetMetric) -> UInt32 {
        arc.rawValue < UInt32(truncatingIfNeeded: arcCount)
            ? metric.milliseconds[Int(truncatingIfNeeded: arc.rawValue)] : StreetDraft.Arc.closed
    }

    /// A metric with different times for some passages, such as from live traffic.
    ///
    /// Rules for certain hours stay, but make no passage quicker than its new time; usual traffic
    /// slows the new time as much as the old one. The network is unchanged, and queries in progress
    /// with the old metric are unaffected.
    ///
    /// - Parameters:
    ///   - metric: the metric to start from.
    ///   - changes: the passages that differ; if a passage occurs twice, the last one counts.
    /// - Returns: a metric that owns its numbers.
    /// - Throws: ``StreetFailure/inconsistent(_:number:)`` with the position of a change whose
    ///   passage does not exist; ``StreetFailure/damagedHierarchy``.
    /// - Complexity: linear in the number of the hierarchy's triangles: about 0.1 s for Milan.
    public func metric(
        _ metric: StreetMetric,
        changing changes: [ArcTime]
    ) throws(StreetFailure) -> StreetMetric {
        var milliseconds = metric.milliseconds.array
        for (position, change) in changes.enumerated() {
            guard change.arc.rawValue < UInt32(truncatingIfNeeded: milliseconds.count) else {
                throw .inconsistent(.arc, number: position)
            }
            milliseconds[Int(change.arc.rawValue)] = change.milliseconds
        }
        try hierarchy.check(vertexCount: vertexCount)
        var writer = SectionWriter()
        StreetMetric.write(
            metric.profile,
            milliseconds: milliseconds,
            hierarchy: hierarchy,
            arcs: arcs,
            to: &writer
        )
        guard let file = try? writer.opened() else { throw .damagedHierarchy }
        return StreetMetric(metric.profile, in: file, rules: metric.rules).with(metric.traffic)
    }
}
