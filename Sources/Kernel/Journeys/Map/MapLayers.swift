public import Columns
public import Geo

/// The contents of a city's map: a read-only view of the `map.*` sections of a city file.
///
/// The features of a zoom range and class are adjacent in the file, and neighbours on the map are
/// mostly near each other in the file too. They form *blocks* of up to 64 with a bounding box each.
/// A query for a box checks the boxes of all blocks of the wanted classes, some thousands in a
/// metropolis, then the points of the features in those few that overlap it; so no feature needs a
/// box of its own. Nothing is parsed when the view is created. A damaged file shows wrong or fewer
/// features, and never traps.
public struct MapLayers: Sendable {
    /// Holds the bytes that the columns point into.
    private let storage: ByteStorage
    private let groups: Column<UInt32>
    private let blocks: Column<UInt32>
    private let south: Column<Int32>
    private let west: Column<Int32>
    private let north: Column<Int32>
    private let east: Column<Int32>
    private let flags: Column<UInt8>
    private let ranks: Column<UInt8>
    private let names: Column<UInt32>
    private let parts: Column<UInt32>
    private let points: Column<UInt32>
    private let latitude: Column<Int32>
    private let longitude: Column<Int32>
    private let texts: Texts

    /// How many features a block holds at most.
    public static let blockLength = 64

    /// Opens the map of a city file; the map is empty if the file has none.
    public init(_ file: SectionFile) {
        storage = file.storage
        groups = file.column("map.group.offsets")
        blocks = file.column("map.block.offsets")
        south = file.column("map.block.south")
        west = file.column("map.block.west")
        north = file.column("map.block.north")
        east = file.column("map.block.east")
        flags = file.column("map.feature.flags")
        ranks = file.column("map.feature.rank")
        names = file.column("map.feature.name")
        parts = file.column("map.feature.offsets")
        points = file.column("map.part.offsets")
        latitude = file.column("map.point.latitude")
        longitude = file.column("map.point.longitude")
        texts = Texts("map.text", in: file)
    }

    /// Calls `body` with the features of some classes whose bounds meet a box, class by class in
    /// the order of drawing.
    ///
    /// - Complexity: O(blocks of the classes + points in the blocks that meet the box).
    public func context(
        _ box: BoundingBox,
        _ range: MapRange,
        _ classes: MapClasses,
        _ body: (MapFeature) -> Void
    ) {
        for mapClass in MapClass.allCases where classes.contains(mapClass) {
            for block in blockRows(range, mapClass) where bounds(ofBlock: block).meets(box) {
                for row in featureRows(block) {
                    guard let feature = feature(row, mapClass), feature.bounds.meets(box) else {
                        continue
                    }
                    body(feature)
                }
            }
        }
    }

    /// The name of a feature; "" if it has none.
    public func name(of feature: MapFeature) -> String {
        texts[feature.name]
    }

    /// The points of a part of a feature, which is one of its ``MapFeature/parts``, in order.
    public func points(ofPart part: Int) -> Range<Int> {
        points.range(part, limit: min(latitude.count, longitude.count))
    }

    /// The position of a point.
    public func place(ofPoint point: Int) -> Coordinate {
        Coordinate(latitude: latitude[point], longitude: longitude[point])
    }

    /// The points of each part of a feature, for tests and rare features.
    public func lines(of feature: MapFeature) -> [[Coordinate]] {
        feature.parts.map { part in points(ofPart: part).map { place(ofPoint: $0) } }
    }

    /// The number of features of some classes in a zoom range.
    public func count(_ range: MapRange, _ classes: MapClasses = .all) -> Int {
        var count = 0
        for mapClass in MapClass.allCases where classes.contains(mapClass) {
            for block in blockRows(range, mapClass) { count &+= featureRows(block).count }
        }
        return count
    }

    /// The smallest box around everything; nil for an empty map.
    ///
    /// - Complexity: O(blocks).
    public var bounds: BoundingBox? {
        guard blockCount > 0 else { return nil }
        var box = bounds(ofBlock: 0)
        for block in 1..<max(1, blockCount) { box.extend(to: bounds(ofBlock: block)) }
        return box
    }

    private var blockCount: Int {
        max(0, min(blocks.count &- 1, south.count, west.count, north.count, east.count))
    }

    private func blockRows(_ range: MapRange, _ mapClass: MapClass) -> Range<Int> {
        let group = Int(range.rawValue) * MapClass.allCases.count + Int(mapClass.rawValue)
        return groups.range(group, limit: blockCount)
    }

    private func featureRows(_ block: Int) -> Range<Int> {
        let rows = blocks.range(block, limit: flags.count)
        return rows.lowerBound..<min(rows.upperBound, rows.lowerBound + Self.blockLength)
    }

    private func bounds(ofBlock block: Int) -> BoundingBox {
        BoundingBox(
            south: south[block],
            west: west[block],
            north: north[block],
            east: east[block]
        )
    }

    /// A feature by its row; nil if it has no points.
    private func feature(_ row: Int, _ mapClass: MapClass) -> MapFeature? {
        let parts = parts.range(row, limit: max(0, points.count &- 1))
        // The first part is the line or the outline, which surrounds the others.
        let points = points(ofPart: parts.lowerBound)
        guard !parts.isEmpty, !points.isEmpty else { return nil }
        var bounds = BoundingBox(place(ofPoint: points.lowerBound))
        for point in points.dropFirst() { bounds.extend(to: place(ofPoint: point)) }
        return MapFeature(
            mapClass: mapClass,
            flags: MapFlags(rawValue: flags[row]),
            rank: ranks[row],
            bounds: bounds,
            parts: parts,
            name: names.index(row, below: max(1, texts.count))
        )
    }
}

/// A map feature; ``MapLayers`` stores its name and points.
public struct MapFeature: Hashable, Sendable {
    /// The class of the feature.
    public let mapClass: MapClass
    /// The properties of a line.
    public let flags: MapFlags
    /// How important a place is: eight times the binary logarithm of its inhabitants, stated or
    /// usual for its kind; 0 for areas and lines.
    public let rank: UInt8
    /// The smallest box around it.
    public let bounds: BoundingBox
    /// The rows of its parts: of an area the outline and the borders of its holes, each closed
    /// and with the first point repeated as the last; of a line or place one.
    public let parts: Range<Int>
    /// The number of its name in the texts.
    let name: Int
}
