import Geo
import Journeys

/// What an OpenStreetMap file has for the map, in full detail.
struct MapElements {
    /// All names, each once.
    var texts = TextPool()
    /// The areas; each is valid (``Polygon/flaw``).
    var areas: [Area] = []
    /// The lines, as they were mapped.
    var lines: [Line] = []
    /// The node rows of all lines, one line after the other; equal rows are the same node.
    var nodes: [UInt32] = []
    /// Where the nodes are.
    var coordinates: [Coordinate] = []
    /// Places and stations with names.
    var places: [Place] = []
    /// Outlines that cannot be drawn: open, incomplete or crossing themselves.
    var brokenAreas = 0

    /// An area with holes.
    struct Area {
        /// What it is.
        var mapClass: MapClass
        /// Its name, as a text number; 0 where it has none.
        var name: UInt32
        /// Its borders.
        var polygon: Polygon
    }

    /// A line.
    struct Line {
        /// What it is.
        var style: MapTags.LineStyle
        /// Its name, as a text number; 0 where it has none.
        var name: UInt32
        /// Its rows of `nodes`, at least 2.
        var nodes: Range<Int>
    }

    /// A name at a point.
    struct Place {
        /// What it is.
        var mapClass: MapClass
        /// How important it is (``MapFeature/rank``).
        var rank: UInt8
        /// Its name, as a text number.
        var name: UInt32
        /// Where it is.
        var coordinate: Coordinate
    }
}
