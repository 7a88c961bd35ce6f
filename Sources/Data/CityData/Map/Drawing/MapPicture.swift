import Encoding
package import Geo

/// A still picture of a part of the map, with something drawn on it, for pages without scripts.
package struct MapPicture: Sendable {
    /// Something that is drawn on the map.
    package struct Overlay: Hashable, Sendable {
        /// The geometry of an overlay.
        package enum Shape: Hashable, Sendable {
            /// An area: its outline and the borders of its holes, each closed or not.
            case area([[Coordinate]])
            /// A line through places.
            case line([Coordinate])
            /// A marker at a point.
            case point(Coordinate)
        }

        /// The geometry to draw.
        package var shape: Shape
        /// The label; empty for none.
        package var label: String
        /// Whether it is drawn faintly, in the background.
        package var isFaint: Bool
        /// The colour of a line.
        package var tone: MapPicture.Tone

        /// Something that is drawn on the map.
        package init(
            _ shape: Shape,
            label: String = "",
            isFaint: Bool = false,
            tone: MapPicture.Tone = .way
        ) {
            self.shape = shape
            self.label = label
            self.isFaint = isFaint
            self.tone = tone
        }
    }

    /// The colours of lines.
    package enum Tone: Hashable, Sendable {
        /// A way through the streets.
        case way
        /// A walk, drawn as a dotted line.
        case walking
        case bicycle
        case car
        case taxi
        /// A ride on a bus or a boat.
        case bus
        case tram
        /// A train of any kind.
        case train
        /// The colour of a line of public transport as 0xRRGGBB.
        case own(UInt32)

        /// The class in the style sheet of overlays; nil for a colour of its own.
        fileprivate var style: StaticString? {
            switch self {
            case .way: "y1"
            case .walking: "y1 yw"
            case .bicycle: "y1 yg"
            case .car: "y1 yc"
            case .taxi: "y1 yx"
            case .bus: "y1 yb"
            case .tram: "y1 yt"
            case .train: "y1 yr"
            case .own: nil
            }
        }
    }

    /// The area that must be visible; nil for that of all overlays, or the whole map
    /// where there are none.
    package var box: BoundingBox?
    /// The width, in pixels, 100 to 1,600.
    package var pixelsWide: Int
    /// The height, in pixels, 100 to 1,600.
    package var pixelsHigh: Int
    /// The overlays on the map, the lowest first.
    package var overlays: [Overlay]
    /// The title for screen readers and tooltips.
    package var title: String

    /// Creates a picture of overlays.
    package init(
        of box: BoundingBox? = nil,
        pixelsWide: Int = 640,
        pixelsHigh: Int = 400,
        overlays: [Overlay] = [],
        title: String
    ) {
        self.box = box
        self.pixelsWide = max(100, min(1_600, pixelsWide))
        self.pixelsHigh = max(100, min(1_600, pixelsHigh))
        self.overlays = overlays
        self.title = title
    }

    /// The smallest box around all overlays; nil if there are none.
    var overlayBounds: BoundingBox? {
        BoundingBox(
            around: overlays.flatMap { overlay in
                switch overlay.shape {
                case .area(let rings): rings.flatMap(\.self)
                case .line(let line): line
                case .point(let point): [point]
                }
            }
        )
    }
}

/// Writes overlays, the arrow to the north and the scale.
struct OverlayPainter {
    private let frame: MapFrame
    private let clipping: MapClipping

    /// Creates a painter for a frame.
    init(_ frame: MapFrame) {
        self.frame = frame
        clipping = MapClipping(frame)
    }

    /// The style sheet of overlays.
    static let sheet = """
        .y{stroke:var(--k);stroke-width:40;fill:var(--k);fill-opacity:.14;fill-rule:evenodd}\
        .y1{stroke:var(--k);stroke-width:80;stroke-opacity:.9}\
        .yo{stroke-width:80}.yw{stroke:var(--y);stroke-dasharray:1 144}.yg{stroke:#2c9b62}\
        .yc{stroke:var(--y)}.yx{stroke:#ffb81c}.yb{stroke:#2f7fd0}.yt{stroke:#a35bb8}\
        .yr{stroke:#c2562b}\
        .y2{fill:var(--k);stroke:var(--l);stroke-width:40}.y3{opacity:.45}\
        .x{fill:none;stroke:var(--x);stroke-width:32}.w{text-anchor:start}.o9{text-anchor:end}
        """

    /// Writes the shapes, then their labels over all of them.
    func write(_ overlays: [MapPicture.Overlay], to svg: inout [UInt8]) {
        for overlay in overlays { write(overlay, to: &svg) }
        for overlay in overlays where !overlay.label.isEmpty {
            guard let place = Self.middle(overlay.shape) else { continue }
            let point = frame.point(of: place)
            guard (0...frame.width).contains(point.x), (0...frame.height).contains(point.y) else {
                continue
            }
            let isPoint = if case .point = overlay.shape { true } else { false }
            svg += "<text x=\"\(point.x)\" y=\"\(point.y)\" dy=\"\(isPoint ? -200 : 60)\"".utf8
            svg += overlay.isFaint ? " class=\"y3\">".utf8 : ">".utf8
            svg.append(escaped: overlay.label)
            svg += "</text>".utf8
        }
    }

    /// The labels of overlays, and the middle of each.
    func labels(_ overlays: [MapPicture.Overlay]) -> [(String, MapPoint)] {
        overlays.compactMap { overlay in
            guard !overlay.label.isEmpty, let place = Self.middle(overlay.shape) else { return nil }
            var point = frame.point(of: place)
            if case .point = overlay.shape { point.y -= 260 }
            return (overlay.label, point)
        }
    }

    private func write(_ overlay: MapPicture.Overlay, to svg: inout [UInt8]) {
        let faint = overlay.isFaint ? " y3" : ""
        var path = PathText()
        switch overlay.shape {
        case .area(let rings):
            for ring in rings { path.add(clipping.ring(thinned(ring)), isClosed: true) }
            svg += "<path class=\"y\(faint)\" d=\"".utf8
        case .line(let line):
            for run in clipping.line(thinned(line)) { path.add(run, isClosed: false) }
            if let style = overlay.tone.style {
                svg += "<path class=\"\(style)\(faint)\" d=\"".utf8
            } else if case .own(let colour) = overlay.tone {
                svg += "<path class=\"yo\(faint)\" stroke=\"\(Hex.colour(colour))\" d=\"".utf8
            }
        case .point(let place):
            let point = frame.point(of: place)
            svg += "<circle class=\"y2\(faint)\" r=\"112\"".utf8
            svg += " cx=\"\(point.x)\" cy=\"\(point.y)\"/>".utf8
            return
        }
        svg += path.bytes
        svg += "\"/>".utf8
    }

    /// The points of a line, without those within half a pixel of the one before.
    private func thinned(_ line: [Coordinate]) -> [MapPoint] {
        var points: [MapPoint] = []
        for place in line {
            let point = frame.point(of: place)
            if let last = points.last {
                let distance = abs(point.x - last.x) + abs(point.y - last.y)
                if distance < MapFrame.unitsPerPixel / 2 { continue }
            }
            points.append(point)
        }
        return points
    }

    /// The position of a shape's label.
    private static func middle(_ shape: MapPicture.Overlay.Shape) -> Coordinate? {
        switch shape {
        case .area(let rings): BoundingBox(around: rings.first ?? [])?.centre
        case .line(let line): line.isEmpty ? nil : line[line.count / 2]
        case .point(let point): point
        }
    }

    /// Writes the arrow to the north, the scale, and whose data it is.
    func writeFrame(crediting credit: String, to svg: inout [UInt8]) {
        let (right, bottom) = (frame.width - 200, frame.height - 160)
        svg += "<path class=\"x\" d=\"M\(right) 480V160l-90 130m90-130l90 130\"/>".utf8
        svg += "<text x=\"\(right)\" y=\"660\">N</text>".utf8
        let (metres, units) = scale
        svg += "<path class=\"x\" d=\"M160 \(bottom - 80)v80h\(units)v-80\"/>".utf8
        let words = metres >= 1_000 ? "\(metres / 1_000) km" : "\(metres) m"
        svg += "<text class=\"w\" x=\"200\" y=\"\(bottom - 120)\">\(words)</text>".utf8
        if credit.isEmpty { return }
        svg += "<text class=\"o9\" x=\"\(frame.width - 80)\" y=\"\(bottom + 80)\">".utf8
        svg += "\(credit)</text>".utf8
    }

    /// The longest round distance that is at most a fifth of the width.
    private var scale: (metres: Int, units: Int) {
        let most = Double(frame.width) / 5
        let perUnit = frame.metresPerPixel / Double(MapFrame.unitsPerPixel)
        var metres = 10
        for factor in [1, 10, 100, 1_000, 10_000] {
            for step in [10, 20, 50] where Double(step * factor) / perUnit <= most {
                metres = step * factor
            }
        }
        return (metres, Int(Double(metres) / perUnit))
    }
}
