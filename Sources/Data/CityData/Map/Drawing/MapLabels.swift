import Foundation
import Geo
import Journeys

/// The names on a drawing.
///
/// A name is shown where none of higher rank overlaps it, whether that one is itself shown or not.
/// So the choice depends on the neighbourhood of the name alone, and the two halves of a name that
/// lies across the border of two tiles always fit together.
struct MapLabels {
    private struct Label: Equatable {
        var text: String
        var centre: MapPoint
        /// The rotation, clockwise in degrees.
        var angle: Int
        var pixels: Int
        var isBold: Bool
        /// The priority; the greater rank goes first.
        var rank: Int
        var halfWidth: Int
        var halfHeight: Int

        func overlaps(_ other: Label) -> Bool {
            let across = abs(centre.x - other.centre.x)
            let down = abs(centre.y - other.centre.y)
            if across < halfWidth + other.halfWidth, down < halfHeight + other.halfHeight {
                return true
            }
            // A street has its name once in a while, not at every crossing.
            return text == other.text && max(across, down) < MapLabels.repetitionUnits
        }

        func goesBefore(_ other: Label) -> Bool {
            (rank, other.centre.x, other.centre.y, other.text)
                > (other.rank, centre.x, centre.y, text)
        }
    }

    private let layers: MapLayers
    private let frame: MapFrame
    private var labels: [Label] = []
    /// What is written over the names, which make room for it.
    private var taken: [Label] = []

    /// Longer names would reach too far into other tiles.
    private static let longestName = 26
    private static let repetitionUnits = 200 * MapFrame.unitsPerPixel
    /// The width of a character, in parts of the height of the type.
    private static let characterWidth = 0.56
    /// How far from the frame a name may matter: half the longest name that lies across the border,
    /// and all that overlaps it.
    private static let margin = 400 * MapFrame.unitsPerPixel

    /// Writes the names of some maps as if they were one.
    ///
    /// - Parameters:
    ///   - maps: the maps.
    ///   - frame: the frame.
    ///   - above: what is written over the names, and the middle of each text.
    ///   - svg: receives the names.
    static func write(
        _ maps: [MapLayers],
        _ frame: MapFrame,
        below above: [(String, MapPoint)] = [],
        to svg: inout [UInt8]
    ) {
        guard let first = maps.first else { return }
        var all = MapLabels(first, frame, below: above)
        for layers in maps.dropFirst() {
            all.labels += MapLabels(layers, frame, below: above).labels
        }
        all.write(to: &svg)
    }

    /// The names around a frame.
    ///
    /// - Parameters:
    ///   - layers: the map.
    ///   - frame: the frame.
    ///   - above: what is written over the names, and the middle of each text.
    private init(_ layers: MapLayers, _ frame: MapFrame, below above: [(String, MapPoint)]) {
        self.layers = layers
        self.frame = frame
        let range = MapRange(zoom: Int32(frame.zoom))
        let box = frame.bounds(margin: Self.margin)
        var found: [Label] = []
        layers.context(box, range, Self.places(zoom: frame.zoom)) { feature in
            if let label = place(feature) { found.append(label) }
        }
        if frame.zoom >= 15 {
            layers.context(box, range, MapClasses(.minor, through: .motorway)) { feature in
                if let label = street(feature) { found.append(label) }
            }
        }
        labels = found
        taken = above.compactMap { label($0.0, at: $0.1, pixels: 11, rank: .max) }
    }

    /// Which places have their names at a zoom level.
    private static func places(zoom: Int) -> MapClasses {
        var classes = [MapClasses(.city), MapClasses(.town)] as MapClasses
        if zoom >= 11 { classes.formUnion([MapClasses(.suburb), MapClasses(.village)]) }
        if zoom >= 12 { classes.formUnion(MapClasses(.quarter)) }
        if zoom >= 13 { classes.formUnion([MapClasses(.station), MapClasses(.hamlet)]) }
        if zoom >= 14 { classes.formUnion(MapClasses(.neighbourhood)) }
        // At high zoom levels, the name of the whole city would mark some square and say nothing.
        if zoom >= 14 { classes.subtract(MapClasses(.city)) }
        return classes
    }

    private func place(_ feature: MapFeature) -> Label? {
        guard let point = feature.parts.first.map(layers.points(ofPart:))?.first else {
            return nil
        }
        let (pixels, isBold) =
            switch feature.mapClass {
            case .city: (16, true)
            case .town: (14, true)
            case .suburb, .village, .quarter: (12, true)
            default: (11, false)
            }
        return label(
            layers.name(of: feature),
            at: frame.point(of: layers.place(ofPoint: point)),
            pixels: pixels,
            isBold: isBold,
            // Places have priority over streets.
            rank: (Int(feature.mapClass.rawValue) << 8 + Int(feature.rank)) << 32
        )
    }

    /// A street's name on its longest straight stretch; nil if it is longer than that.
    private func street(_ feature: MapFeature) -> Label? {
        let name = layers.name(of: feature)
        guard !name.isEmpty, let part = feature.parts.first else { return nil }
        let points = layers.points(ofPart: part)
        var longest = (square: 0, first: MapPoint(x: 0, y: 0), last: MapPoint(x: 0, y: 0))
        var previous: MapPoint?
        for point in points {
            let place = frame.point(of: layers.place(ofPoint: point))
            if let previous {
                let across = place.x - previous.x
                let down = place.y - previous.y
                let square = across * across + down * down
                if square > longest.square { longest = (square, previous, place) }
            }
            previous = place
        }
        let pixels = frame.zoom >= 17 ? 12 : 11
        guard
            longest.square > 0,
            let width = Self.width(name, pixels),
            width * width < longest.square
        else { return nil }
        let (first, last) = (longest.first, longest.last)
        let (left, right) = first.x <= last.x ? (first, last) : (last, first)
        let angle = atan2(Double(right.y - left.y), Double(right.x - left.x)) * 180 / .pi
        return label(
            name,
            at: MapPoint(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2),
            pixels: pixels,
            angle: Int(angle.rounded()),
            rank: Int(feature.mapClass.rawValue) << 24
                + min(1 << 23, Int(Double(longest.square).squareRoot()))
        )
    }

    /// The width of a name, in units; nil if it is too long to be shown.
    private static func width(_ name: String, _ pixels: Int) -> Int? {
        let count = name.count
        guard count > 0, count <= longestName else { return nil }
        return Int(Double(count * pixels * MapFrame.unitsPerPixel) * characterWidth)
    }

    private func label(
        _ name: String,
        at centre: MapPoint,
        pixels: Int,
        angle: Int = 0,
        isBold: Bool = false,
        rank: Int
    ) -> Label? {
        guard let width = Self.width(name, pixels) else { return nil }
        let height = Double(pixels * MapFrame.unitsPerPixel) * 1.3
        let radians = Double(angle) * .pi / 180
        let (across, down) = (abs(cos(radians)), abs(sin(radians)))
        return Label(
            text: name,
            centre: centre,
            angle: angle,
            pixels: pixels,
            isBold: isBold,
            rank: rank,
            halfWidth: Int((across * Double(width) + down * height) / 2),
            halfHeight: Int((down * Double(width) + across * height) / 2)
        )
    }

    /// Writes the labels that are at least partly visible, each once: maps that overlap share some.
    private func write(to svg: inout [UInt8]) {
        let seen = labels.filter { label in
            label.centre.x + label.halfWidth > 0 && label.centre.y + label.halfHeight > 0
                && label.centre.x - label.halfWidth < frame.width
                && label.centre.y - label.halfHeight < frame.height
        }
        var last: Label?
        for label in seen.sorted(by: { $0.goesBefore($1) }) where label != last {
            last = label
            let isHidden = [labels, taken].joined()
                .contains { $0.overlaps(label) && $0.goesBefore(label) }
            if !isHidden { Self.write(label, to: &svg) }
        }
    }

    private static func write(_ label: Label, to svg: inout [UInt8]) {
        let units = label.pixels * MapFrame.unitsPerPixel
        svg += "<text x=\"\(label.centre.x)\" y=\"\(label.centre.y)\" dy=\"\(units / 3)\"".utf8
        if label.angle != 0 {
            svg += " transform=\"rotate(\(label.angle) \(label.centre.x) \(label.centre.y))\"".utf8
        }
        if label.pixels != 11 || label.isBold {
            svg += " class=\"t\(label.pixels)\(label.isBold ? " tb" : "")\"".utf8
        }
        svg += ">".utf8
        svg.append(escaped: label.text)
        svg += "</text>".utf8
    }
}
