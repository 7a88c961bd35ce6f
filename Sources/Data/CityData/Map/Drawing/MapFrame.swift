import Foundation
package import Geo

/// A window on the map: a rectangle in Mercator's projection at a zoom level of web maps.
///
/// Its units are sixteenths of a pixel, so that whole numbers are finer than any screen.
/// Source: Snyder, Map Projections: A Working Manual, USGS 1395, 1987, page 41, for the sphere.
package struct MapFrame: Hashable, Sendable {
    /// The zoom level, one of ``zooms``; at level 0 the world is one tile wide.
    package let zoom: Int
    /// How far the left border lies from the 180th meridian, in units.
    let left: Int
    /// How far the upper border lies from the northern end of the map, in units.
    let top: Int
    /// The width in drawing units.
    package let width: Int
    /// The height in drawing units.
    package let height: Int

    /// How many units a pixel has.
    static let unitsPerPixel = 16
    /// The side of a tile of 256 pixels, in units.
    package static let tileUnits = 256 * unitsPerPixel
    /// The supported zoom levels: from the city with its surroundings to single house entrances.
    package static let zooms = 8...18

    /// The frame of a tile of web maps; nil if no such tile is drawn.
    ///
    /// - Parameters:
    ///   - zoom: the zoom level.
    ///   - x: its column, from the 180th meridian eastwards.
    ///   - y: its row, from the north.
    package init?(zoom: Int, x: Int, y: Int) {
        guard Self.zooms.contains(zoom), (0..<(1 << zoom)).contains(x),
            (0..<(1 << zoom)).contains(y)
        else { return nil }
        self.zoom = zoom
        left = x * Self.tileUnits
        top = y * Self.tileUnits
        width = Self.tileUnits
        height = Self.tileUnits
    }

    /// The frame around a box, at the highest zoom level at which the whole box is visible.
    ///
    /// - Parameters:
    ///   - box: the area that must be visible, in the middle.
    ///   - pixelsWide: the width, in pixels.
    ///   - pixelsHigh: the height, in pixels.
    package init(around box: BoundingBox, pixelsWide: Int, pixelsHigh: Int) {
        width = pixelsWide * Self.unitsPerPixel
        height = pixelsHigh * Self.unitsPerPixel
        let west = Self.across(box.west)
        let east = Self.across(box.east)
        let north = Self.down(box.north)
        let south = Self.down(box.south)
        var zoom = Self.zooms.upperBound
        while zoom > Self.zooms.lowerBound {
            let size = Double(Self.tileUnits << zoom)
            // A small margin, so that nothing important lies on the border.
            if (east - west) * size <= Double(width) * 0.94,
                (south - north) * size <= Double(height) * 0.94
            {
                break
            }
            zoom -= 1
        }
        self.zoom = zoom
        let size = Double(Self.tileUnits << zoom)
        left = Int((west + east) / 2 * size) - width / 2
        top = Int((north + south) / 2 * size) - height / 2
    }

    /// Where a place lies, in units from the upper left corner.
    func point(of place: Coordinate) -> MapPoint {
        let size = Double(Self.tileUnits << zoom)
        return MapPoint(
            x: Int((Self.across(place.longitude) * size).rounded()) - left,
            y: Int((Self.down(place.latitude) * size).rounded()) - top
        )
    }

    /// The place under a pixel, counted from the upper left corner; the nearest of the frame
    /// for a pixel beyond it.
    package func place(atPixel x: Int, _ y: Int) -> Coordinate {
        let most = (x: width / Self.unitsPerPixel, y: height / Self.unitsPerPixel)
        return Coordinate(
            latitude: latitude(max(0, min(most.y, y)) * Self.unitsPerPixel),
            longitude: longitude(max(0, min(most.x, x)) * Self.unitsPerPixel)
        )
    }

    /// The area of the frame with a margin around it.
    ///
    /// - Parameter margin: the width of the margin, in units.
    /// - Returns: the box, cut where the map ends.
    func bounds(margin: Int) -> BoundingBox {
        BoundingBox(
            south: latitude(height + margin),
            west: longitude(-margin),
            north: latitude(-margin),
            east: longitude(width + margin)
        )
    }

    /// How many metres a pixel has in the middle of the frame.
    var metresPerPixel: Double {
        let middle = Double(latitude(height / 2)) / 1e7 * .pi / 180
        let around = 2 * Double.pi * earthRadiusMetres * cos(middle)
        return around / Double((Self.tileUnits / Self.unitsPerPixel) << zoom)
    }

    /// How far east of the 180th meridian a longitude lies, the way around the world being 1.
    private static func across(_ longitude: Int32) -> Double {
        Double(longitude) / 3.6e9 + 0.5
    }

    /// How far south of the map's northern end a latitude lies, 0 to 1.
    private static func down(_ latitude: Int32) -> Double {
        let sine = sin(Double(latitude) / 1e7 * .pi / 180)
        // The poles are infinitely far away; the map is a square.
        let middle = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
        return max(0, min(1, middle))
    }

    private func longitude(_ x: Int) -> Int32 {
        let across = Double(left + x) / Double(Self.tileUnits << zoom) - 0.5
        return Int32(max(-1.8e9, min(1.8e9, (across * 3.6e9).rounded())))
    }

    private func latitude(_ y: Int) -> Int32 {
        let down = Double(top + y) / Double(Self.tileUnits << zoom)
        let radians = atan(sinh(.pi * (1 - 2 * max(0, min(1, down)))))
        return Int32((radians * 180 / .pi * 1e7).rounded())
    }
}

/// A point of a drawing, in units from its upper left corner.
struct MapPoint: Hashable, Sendable {
    /// The distance from the left border.
    var x: Int
    /// The distance from the upper border.
    var y: Int
}
