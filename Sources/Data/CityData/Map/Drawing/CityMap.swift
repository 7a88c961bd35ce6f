package import Columns
package import Geo
import Journeys

/// Draws the map of a city file, or of several, as SVG: tiles of web maps, and still pictures.
///
/// A drawing has one path for each class of features, since browsers draw one long path many times
/// faster than thousands of short ones; coordinates are whole numbers and relative. The same file
/// gives the same bytes. A damaged file gives a wrong drawing but never traps.
package struct CityMap: Sendable {
    private let layers: [MapLayers]
    /// The smallest box around everything; nil for an empty map.
    package let bounds: BoundingBox?
    /// The attribution of the data, as pictures show it; empty for an invented city.
    package var credit = "© OpenStreetMap contributors"

    /// Opens the map of a city file; the map is empty if the file contains none.
    package init(_ file: SectionFile?) {
        self.init([file].compactMap(\.self))
    }

    /// Opens the maps of several city files.
    package init(_ files: [SectionFile]) {
        layers = files.map { MapLayers($0) }
        bounds = layers.compactMap(\.bounds).reduce(nil) { all, next in
            var all = all ?? next
            all.extend(to: next)
            return all
        }
    }

    /// The maps that a frame shows: those that have something where no earlier one has anything.
    ///
    /// Bounds alone say too little: one railway that leaves a city widens them over its neighbour.
    private func layers(in frame: MapFrame) -> [MapLayers] {
        guard layers.count > 1 else { return layers }
        let box = frame.bounds(margin: MapClipping.margin)
        let met = layers.filter { $0.bounds?.meets(box) ?? false }
        var told = Set<Int32>()
        let shown = met.filter { layers in
            let cells = Self.cells(layers, in: frame)
            defer { told.formUnion(cells) }
            return !cells.isSubset(of: told)
        }
        return shown.isEmpty ? met : shown
    }

    /// Through which of 64 by 64 cells of a frame lines and borders of a map lead.
    private static func cells(_ layers: MapLayers, in frame: MapFrame) -> Set<Int32> {
        let clipping = MapClipping(frame)
        let size = max(1, max(frame.width, frame.height) / 64)
        var cells = Set<Int32>()
        func mark(_ from: MapPoint, _ to: MapPoint) {
            let (across, down) = (to.x - from.x, to.y - from.y)
            let steps = max(abs(across), abs(down)) / size + 1
            for step in 0...steps {
                let x = from.x + across * step / steps
                let y = from.y + down * step / steps
                guard (0..<64 * size).contains(x), (0..<64 * size).contains(y) else { continue }
                cells.insert(Int32(truncatingIfNeeded: y / size * 64 + x / size))
            }
        }
        layers.context(
            frame.bounds(margin: 0),
            MapRange(zoom: Int32(frame.zoom)),
            MapStyle.classes(zoom: frame.zoom)
        ) { feature in
            for part in feature.parts {
                let points = layers.points(ofPart: part).map {
                    frame.point(of: layers.place(ofPoint: $0))
                }
                for run in clipping.line(points) {
                    for (from, to) in zip(run, run.dropFirst()) { mark(from, to) }
                }
            }
        }
        return cells
    }

    /// The greatest size of a tile in bytes; features that do not fit are left out.
    package static let tileBytes = 80_000
    private static let tileFeatures = 2_000

    /// Whether a frame contains no part of the map.
    package func isBlank(_ frame: MapFrame) -> Bool {
        let box = frame.bounds(margin: MapClipping.margin)
        return !layers.contains { $0.bounds?.meets(box) ?? false }
    }

    /// The drawing of a tile.
    ///
    /// - Parameter frame: the frame of the tile.
    /// - Returns: an SVG of 4,096 by 4,096 units; an empty one beyond the map.
    package func tile(_ frame: MapFrame) -> [UInt8] {
        if isBlank(frame) { return Self.emptyTile }
        var svg = Self.head(frame)
        svg += land(frame)
        svg += "</svg>".utf8
        return svg
    }

    /// A tile without features.
    package static let emptyTile: [UInt8] = {
        var svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"".utf8)
        svg += " viewBox=\"0 0 4096 4096\" width=\"256\" height=\"256\">".utf8
        svg += "<style>path{fill:#f0f2f4}@media(prefers-color-scheme:dark){path{fill:#17212b}}".utf8
        svg += "</style><path d=\"M0 0h4096v4096H0z\"/></svg>".utf8
        return svg
    }()

    /// Renders a still picture with its overlays, a north arrow, the scale and the attribution.
    ///
    /// - Parameter picture: the contents of the picture.
    /// - Returns: an SVG document.
    package func drawing(_ picture: MapPicture) -> [UInt8] {
        guard let box = picture.box ?? picture.overlayBounds ?? bounds else {
            return Self.emptyTile
        }
        let frame = MapFrame(
            around: box,
            pixelsWide: picture.pixelsWide,
            pixelsHigh: picture.pixelsHigh
        )
        var svg = Self.head(frame, title: picture.title, sheet: OverlayPainter.sheet)
        let painter = OverlayPainter(frame)
        svg += land(frame, below: painter.labels(picture.overlays))
        painter.write(picture.overlays, to: &svg)
        painter.writeFrame(crediting: credit, to: &svg)
        svg += "</svg>".utf8
        return svg
    }

    private static func head(
        _ frame: MapFrame,
        title: String? = nil,
        sheet: String = ""
    ) -> [UInt8] {
        let (width, height) = (frame.width, frame.height)
        var svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"".utf8)
        svg += " viewBox=\"0 0 \(width) \(height)\"".utf8
        svg += " width=\"\(width / MapFrame.unitsPerPixel)\"".utf8
        svg += " height=\"\(height / MapFrame.unitsPerPixel)\">".utf8
        if let title {
            svg += "<title>".utf8
            svg.append(escaped: title)
            svg += "</title>".utf8
        }
        svg += "<style>\(MapStyle.sheet(zoom: frame.zoom))\(sheet)</style>".utf8
        svg += "<path class=\"z\" d=\"M0 0h\(width)v\(height)H0z\"/>".utf8
        return svg
    }

    /// The land of a frame, in at most ``tileBytes`` for each tile that the frame could hold.
    private func land(_ frame: MapFrame, below above: [(String, MapPoint)] = []) -> [UInt8] {
        let shown = layers(in: frame)
        guard !shown.isEmpty else { return [] }
        let tile = MapFrame.tileUnits
        let tiles = max(1, frame.width * frame.height / (tile * tile))
        // The header and the end take the rest.
        let most = tiles * (Self.tileBytes - 6_000)
        var names: [UInt8] = []
        MapLabels.write(shown, frame, below: above, to: &names)
        var classes = MapStyle.classes(zoom: frame.zoom)
        var coarseness = frame.zoom < 14 ? MapFrame.unitsPerPixel : MapFrame.unitsPerPixel / 2
        while true {
            let painter = MapPainter.drawing(
                classes,
                of: shown,
                in: frame,
                coarseness: coarseness
            )
            var svg: [UInt8] = []
            painter.write(to: &svg)
            svg += names
            let fits = svg.count <= most && painter.count <= tiles * Self.tileFeatures
            if fits { return svg }
            // First leaves out the smallest ways, then draws ever coarser until hardly anything is
            // left.
            let small =
                [MapClasses(.path), MapClasses(.service), MapClasses(.stream)] as MapClasses
            if classes.isDisjoint(with: small) {
                coarseness *= 2
            } else {
                classes.subtract(small)
            }
            if coarseness > tile { return names.count <= most ? names : [] }
        }
    }
}
