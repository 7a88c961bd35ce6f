import Columns
import Geo

/// The stretches of a network, as stored.
struct EdgeColumns: Sendable {
    private let vertexCount: Int
    private let froms: Column<UInt32>
    private let tos: Column<UInt32>
    private let lengths: Column<UInt32>
    private let names: Column<UInt32>
    private let kinds: Column<UInt8>
    private let allFeatures: Column<UInt16>
    private let levels: Column<Int16>
    private let uses: Column<UInt16>
    private let pointFirst: Column<UInt32>
    private let pointLatitudes: Column<Int32>
    private let pointLongitudes: Column<Int32>
    private let arcFirst: Column<UInt32>
    private let arcs: Column<UInt32>

    init(_ file: SectionFile, vertexCount: Int) {
        self.vertexCount = vertexCount
        froms = file.column("streets.edge.from")
        tos = file.column("streets.edge.to")
        lengths = file.column("streets.edge.length")
        names = file.column("streets.edge.name")
        kinds = file.column("streets.edge.kind")
        allFeatures = file.column("streets.edge.features")
        levels = file.column("streets.edge.level")
        uses = file.column("streets.edge.use")
        pointFirst = file.column("streets.edge.points")
        pointLatitudes = file.column("streets.point.latitude")
        pointLongitudes = file.column("streets.point.longitude")
        arcFirst = file.column("streets.edge.arcs.first")
        arcs = file.column("streets.edge.arcs")
    }

    var count: Int { froms.count }

    @inline(__always)
    func from(_ edge: Int) -> Int { froms.index(edge, below: vertexCount) }

    @inline(__always)
    func to(_ edge: Int) -> Int { tos.index(edge, below: vertexCount) }

    func length(_ edge: Int) -> UInt32 { lengths[edge] }

    func name(_ edge: Int) -> UInt32 { names[edge] }

    func kind(_ edge: Int) -> StreetKind { StreetKind(rawValue: kinds[edge]) ?? .service }

    func features(_ edge: Int) -> StreetFeatures { StreetFeatures(rawValue: allFeatures[edge]) }

    func level(_ edge: Int) -> Int16 { levels[edge] }

    @inline(__always)
    func use(_ edge: Int) -> EdgeUse { EdgeUse(rawValue: uses[edge]) }

    /// The points between an edge's ends.
    @inline(__always)
    func pointRange(_ edge: Int) -> Range<Int> {
        pointFirst.range(edge, limit: pointLatitudes.count)
    }

    @inline(__always)
    func point(_ position: Int) -> Coordinate {
        Coordinate(latitude: pointLatitudes[position], longitude: pointLongitudes[position])
    }

    /// Where an edge's arcs are listed.
    @inline(__always)
    func arcRange(_ edge: Int) -> Range<Int> {
        arcFirst.range(edge, limit: arcs.count)
    }

    /// An arc of that list.
    @inline(__always)
    func arc(_ position: Int, below bound: Int) -> Int {
        arcs.index(position, below: bound)
    }
}

/// The profiles that may use an edge, and whether they can reach the rest of the network from it.
struct EdgeUse: OptionSet, Sendable {
    let rawValue: UInt16

    /// The profile may pass the edge in at least one direction.
    static func open(_ profile: Profile) -> EdgeUse {
        EdgeUse(rawValue: 1 << UInt16(profile.rawValue))
    }

    /// The edge also belongs to a large part of the network in which every place can be reached
    /// from every other.
    static func main(_ profile: Profile) -> EdgeUse {
        EdgeUse(rawValue: 1 << UInt16(profile.rawValue + 8))
    }
}
