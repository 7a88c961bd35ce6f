public import Columns
public import Geo

/// The streets of a city, as stored in its file: a value that any number of threads may share.
///
/// Nothing is parsed or checked at opening. A damaged file gives wrong answers, never a trap.
public struct StreetNetwork: Sendable {
    /// How many junctions there are, copies included.
    public let vertexCount: Int
    /// How many stretches there are.
    public let edgeCount: Int
    /// How many passages there are.
    public var arcCount: Int { arcs.count }

    let arcs: ArcColumns
    let edges: EdgeColumns
    let grid: EdgeGrid
    let hierarchy: Hierarchy
    /// The parent of each vertex in the elimination tree; a root is its own.
    let parents: Column<UInt32>
    private let latitudes: Column<Int32>
    private let longitudes: Column<Int32>
    private let originals: Column<UInt32>
    private let names: Texts
    private let metrics: [StreetMetric]
    private let storage: ByteStorage

    /// Reads the streets in a file; there are none if the file has none.
    ///
    /// - Complexity: constant.
    public init(_ file: SectionFile) {
        storage = file.storage
        latitudes = file.column("streets.vertex.latitude")
        longitudes = file.column("streets.vertex.longitude")
        originals = file.column("streets.vertex.original")
        parents = file.column("streets.vertex.parent")
        vertexCount = latitudes.count
        edges = EdgeColumns(file, vertexCount: vertexCount)
        edgeCount = edges.count
        arcs = ArcColumns(file, vertexCount: vertexCount)
        grid = EdgeGrid(file)
        hierarchy = Hierarchy(file)
        names = Texts("streets.names", in: file)
        metrics = Profile.allCases.map { StreetMetric($0, in: file) }
    }

    /// The costs of a profile as they were imported.
    public func metric(_ profile: Profile) -> StreetMetric {
        metrics[Int(profile.rawValue)]
    }

    /// The position of a junction.
    public func place(of vertex: VertexIndex) -> Coordinate {
        place(Int(truncatingIfNeeded: vertex.rawValue))
    }

    /// The junction that a vertex is a copy of; itself for an original.
    public func original(of vertex: VertexIndex) -> VertexIndex {
        VertexIndex(rawValue: originals[Int(truncatingIfNeeded: vertex.rawValue)])
    }

    /// The properties of an edge.
    public func edge(_ edge: EdgeIndex) -> StreetEdge {
        let number = Int(truncatingIfNeeded: edge.rawValue)
        return StreetEdge(
            from: VertexIndex(rawValue: UInt32(truncatingIfNeeded: edges.from(number))),
            to: VertexIndex(rawValue: UInt32(truncatingIfNeeded: edges.to(number))),
            lengthDecimetres: edges.length(number),
            name: edges.name(number),
            kind: edges.kind(number),
            features: edges.features(number),
            level: edges.level(number)
        )
    }

    /// The geometry of a stretch, including both ends.
    public func geometry(of edge: EdgeIndex) -> [Coordinate] {
        let number = Int(truncatingIfNeeded: edge.rawValue)
        return (0..<pointCount(number)).map { point($0, of: number) }
    }

    /// A street's name by its number, empty for number 0.
    public func name(_ number: UInt32) -> String {
        names[Int(truncatingIfNeeded: number)]
    }

    /// A passage: its stretch, and whether it follows the stretch's geometry.
    public func passage(_ arc: ArcIndex) -> (edge: EdgeIndex, forward: Bool) {
        let number = Int(truncatingIfNeeded: arc.rawValue)
        return (
            EdgeIndex(rawValue: UInt32(truncatingIfNeeded: arcs.edge(number))),
            arcs.isForward(number)
        )
    }

    /// All passages of a stretch, ascending.
    public func passages(of edge: EdgeIndex) -> [ArcIndex] {
        edges.arcRange(Int(truncatingIfNeeded: edge.rawValue)).map { position in
            ArcIndex(rawValue: UInt32(truncatingIfNeeded: edges.arc(position, below: arcCount)))
        }
    }

    @inline(__always)
    func place(_ vertex: Int) -> Coordinate {
        Coordinate(latitude: latitudes[vertex], longitude: longitudes[vertex])
    }

    /// The number of points of an edge's geometry: both ends and those between.
    @inline(__always)
    func pointCount(_ edge: Int) -> Int {
        edges.pointRange(edge).count &+ 2
    }

    /// A point of an edge's geometry by its position.
    @inline(__always)
    func point(_ position: Int, of edge: Int) -> Coordinate {
        let inner = edges.pointRange(edge)
        if position == 0 { return place(edges.from(edge)) }
        if position > inner.count { return place(edges.to(edge)) }
        return edges.point(inner.lowerBound &+ position &- 1)
    }
}

/// The properties of an edge.
public struct StreetEdge: Sendable, Equatable {
    /// The junction where its geometry begins.
    public let from: VertexIndex
    /// The junction where its geometry ends.
    public let to: VertexIndex
    /// Its length in decimetres.
    public let lengthDecimetres: UInt32
    /// The number of its name; 0 if it has none.
    public let name: UInt32
    /// The kind of the street.
    public let kind: StreetKind
    /// Further properties of the street.
    public let features: StreetFeatures
    /// The level in a building or above ground, times 10.
    public let level: Int16
}
