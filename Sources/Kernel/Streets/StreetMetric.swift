import Columns

/// The costs of one profile on a network, ready for queries: those of the city file or others, such
/// as live traffic.
///
/// It is a value that threads may share; it keeps its memory alive.
public struct StreetMetric: Sendable {
    /// The profile that these costs are for.
    public let profile: Profile
    /// The time of each arc in its best hour; `StreetDraft.Arc.closed` if it is not allowed.
    let milliseconds: Column<UInt32>
    /// The passages that take longer at certain hours.
    let rules: StreetRules
    /// The usual traffic of passages by the hours of the week.
    private(set) var traffic = StreetTraffic()
    let up: SearchGraph
    let down: SearchGraph
    private let storage: ByteStorage

    /// Whether some passages take longer at certain hours, or are closed then.
    public var variesByHour: Bool { !rules.isEmpty || !traffic.isEmpty }

    /// Whether the usual traffic of some passages is known.
    public var hasTraffic: Bool { !traffic.isEmpty }

    /// Whether a passage takes longer at certain hours, or is closed then.
    @inline(__always)
    func vary(_ arc: Int) -> Bool { rules.vary(arc) || traffic.vary(arc) }

    /// The same costs with other traffic.
    func with(_ traffic: StreetTraffic) -> StreetMetric {
        var metric = self
        metric.traffic = traffic
        return metric
    }

    /// The costs of a profile in a file.
    ///
    /// - Parameters:
    ///   - profile: the profile.
    ///   - file: a file with its costs.
    ///   - rules: the rules for certain hours; nil for those of the file.
    init(_ profile: Profile, in file: SectionFile, rules: StreetRules? = nil) {
        let name = Self.section(profile)
        self.rules = rules ?? StreetRules(name, in: file)
        self.profile = profile
        storage = file.storage
        milliseconds = file.column(name + ".arc")
        up = SearchGraph(name + ".up", in: file)
        down = SearchGraph(name + ".down", in: file)
    }

    /// Where a profile's costs are stored.
    static func section(_ profile: Profile) -> String {
        switch profile {
        case .foot: "streets.foot"
        case .wheelchair: "streets.wheelchair"
        case .bicycle: "streets.bicycle"
        case .car: "streets.car"
        case .taxi: "streets.taxi"
        }
    }

    /// Customizes the hierarchy for a profile and adds the costs to a writer.
    static func write(
        _ profile: Profile,
        milliseconds: [UInt32],
        hierarchy: Hierarchy,
        arcs: ArcColumns,
        to writer: inout SectionWriter
    ) {
        let name = section(profile)
        let graphs = unsafe milliseconds.withUnsafeBufferPointer { times in
            guard let base = times.baseAddress else {
                return Customization.searchGraphs(hierarchy, arcs: arcs, milliseconds: Column())
            }
            let column = unsafe Column(base: base, count: times.count)
            return Customization.searchGraphs(hierarchy, arcs: arcs, milliseconds: column)
        }
        writer.add(name + ".arc", milliseconds)
        graphs.up.write(name + ".up", to: &writer)
        graphs.down.write(name + ".down", to: &writer)
    }
}
