import Geo
import Journeys

/// Draws the land within a frame: one path for each class, clipped, and no finer than the eye.
struct MapPainter {
    /// The map that is being drawn.
    private var layers: MapLayers
    private let frame: MapFrame
    private let clipping: MapClipping
    /// Points nearer to the previous one than this, in units, are left out.
    private let coarseness: Int
    /// The path of each class, then of each class below the ground.
    private var paths: [PathText]
    private var points: [MapPoint] = []

    /// How many lines and borders were drawn.
    var count: Int { paths.reduce(0) { $0 + $1.count } }

    /// Draws the features in a frame.
    ///
    /// - Parameters:
    ///   - classes: the classes to draw.
    ///   - maps: the map data; of several maps the features of a class have one path too.
    ///   - frame: the visible part.
    ///   - coarseness: the size below which features are left out, in units.
    /// - Returns: the drawing.
    static func drawing(
        _ classes: MapClasses,
        of maps: [MapLayers],
        in frame: MapFrame,
        coarseness: Int
    ) -> MapPainter {
        precondition(!maps.isEmpty, "nothing is drawn of no map")
        var painter = MapPainter(maps[0], frame, coarseness)
        let box = frame.bounds(margin: MapClipping.margin)
        for layers in maps {
            painter.layers = layers
            layers.context(box, MapRange(zoom: Int32(frame.zoom)), classes) { feature in
                painter.draw(feature)
            }
        }
        return painter
    }

    private init(_ layers: MapLayers, _ frame: MapFrame, _ coarseness: Int) {
        self.layers = layers
        self.frame = frame
        self.coarseness = coarseness
        clipping = MapClipping(frame)
        paths = Array(repeating: PathText(), count: 2 * MapClass.allCases.count)
    }

    private mutating func draw(_ feature: MapFeature) {
        let isBelow = feature.flags.contains(.tunnel)
        // All flowing water has one path.
        let mapClass =
            MapClasses.water.contains(feature.mapClass) && feature.mapClass.shape == .line
                && feature.mapClass != .coastline ? MapClass.river : feature.mapClass
        let path = Int(mapClass.rawValue) + (isBelow ? MapClass.allCases.count : 0)
        for part in feature.parts {
            if mapClass.shape == .area {
                let isHole = part != feature.parts.lowerBound
                if !drawBorder(part, isHole, path), !isHole { return }
            } else {
                drawLine(part, path)
            }
        }
    }

    /// Draws the border of an area or a hole.
    ///
    /// - Returns: whether anything of it is visible.
    private mutating func drawBorder(_ part: Int, _ isHole: Bool, _ path: Int) -> Bool {
        readPoints(ofPart: part)
        if points.count > 1, points.first == points.last { points.removeLast() }
        var ring = clipping.ring(points)
        guard ring.count > 2 else { return false }
        var area = 0
        var previous = ring[ring.count - 1]
        for point in ring {
            area += previous.x * point.y - point.x * previous.y
            previous = point
        }
        // Twice the area: an area smaller than the coarseness would not be visible.
        guard abs(area) > coarseness * coarseness else { return false }
        // Outlines run one way and holes the other, so that areas that overlap stay filled.
        if (area > 0) == isHole { ring.reverse() }
        paths[path].add(ring, isClosed: true)
        return true
    }

    private mutating func drawLine(_ part: Int, _ path: Int) {
        readPoints(ofPart: part)
        // A shorter line would only be a dot.
        guard let first = points.first, points.contains(where: { isSeparate($0, first) }) else {
            return
        }
        for run in clipping.line(points) { paths[path].add(run, isClosed: false) }
    }

    private func isSeparate(_ first: MapPoint, _ second: MapPoint) -> Bool {
        abs(first.x - second.x) + abs(first.y - second.y) >= coarseness
    }

    /// Reads the points of a part, without those that are indistinguishable from the previous one.
    private mutating func readPoints(ofPart part: Int) {
        points.removeAll(keepingCapacity: true)
        let range = layers.points(ofPart: part)
        for row in range {
            let point = frame.point(of: layers.place(ofPoint: row))
            let isLast = row == range.upperBound - 1
            if let last = points.last, !isLast, !isSeparate(point, last) { continue }
            points.append(point)
        }
    }

    /// Writes the paths in drawing order, underground features first.
    func write(to svg: inout [UInt8]) {
        let all = MapClass.allCases
        for mapClass in all { write(mapClass, isBelow: true, to: &svg) }
        let roads = all.filter {
            MapStyle.hasCasing($0, zoom: frame.zoom) && paths[Int($0.rawValue)].count > 0
        }
        for mapClass in all where mapClass.rawValue < MapClass.service.rawValue {
            write(mapClass, isBelow: false, to: &svg)
        }
        // The borders of all roads lie under all roads, so that crossings are open.
        if !roads.isEmpty {
            svg += "<defs>".utf8
            for road in roads {
                let name = MapStyle.name(road)
                svg += "<path id=\"\(name)\" d=\"".utf8
                svg += paths[Int(road.rawValue)].bytes
                svg += "\"/>".utf8
            }
            svg += "</defs>".utf8
            for road in roads {
                let name = MapStyle.name(road)
                svg += "<use href=\"#\(name)\" class=\"\(name)0\"/>".utf8
            }
        }
        for mapClass in all where mapClass.rawValue >= MapClass.service.rawValue {
            if roads.contains(mapClass) {
                let name = MapStyle.name(mapClass)
                svg += "<use href=\"#\(name)\" class=\"\(name)\"/>".utf8
            } else {
                write(mapClass, isBelow: false, to: &svg)
            }
        }
    }

    private func write(_ mapClass: MapClass, isBelow: Bool, to svg: inout [UInt8]) {
        let path = paths[Int(mapClass.rawValue) + (isBelow ? MapClass.allCases.count : 0)]
        guard path.count > 0 else { return }
        svg += "<path class=\"\(MapStyle.name(mapClass))\(isBelow ? " v" : "")\" d=\"".utf8
        svg += path.bytes
        svg += "\"/>".utf8
    }
}
