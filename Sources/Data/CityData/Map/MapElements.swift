import Geo
import Journeys

/// The map features of an OpenStreetMap file at full detail.
struct MapElements {
    /// All names, each stored once.
    var texts = TextPool()
    /// The areas; each is valid (``Polygon/flaw``).
    var areas: [Area] = []
    /// The lines, as they were mapped.
    var lines: [Line] = []
    /// The node rows of all lines, one line after the other; equal rows are the same node.
    var nodes: [UInt32] = []
    /// The position of each node.
    var coordinates: [Coordinate] = []
    /// Places and stations with names.
    var places: [Place] = []
    /// Outlines that cannot be drawn: open, incomplete or crossing themselves.
    var brokenAreas = 0

    /// An area with optional holes.
    struct Area {
        /// The class of the area.
        var mapClass: MapClass
        /// Its name, as a text number; 0 if it has none.
        var name: UInt32
        /// The borders of the area.
        var polygon: Polygon
    }

    /// A line such as a street or a river.
    struct Line {
        /// The class and style of the line.
        var style: MapTags.LineStyle
        /// Its name, as a text number; 0 if it has none.
        var name: UInt32
        /// Its rows of `nodes`, at least 2.
        var nodes: Range<Int>
    }

    /// A name at a point on the map.
    struct Place {
        /// The class of the place.
        var mapClass: MapClass
        /// How important it is (``MapFeature/rank``).
        var rank: UInt8
        /// Its name, as a text number.
        var name: UInt32
        /// The position of the place.
        var coordinate: Coordinate
    }
}
