import CGEOS
import Geo

/// The geometry engine GEOS as an oracle; longitude is x, latitude is y.
final class GEOS {
    private let context = GEOS_init_r()

    deinit {
        GEOS_finish_r(context)
    }

    /// An area of GEOS, freed with this object.
    final class Area {
        fileprivate let geometry: OpaquePointer?
        fileprivate let engine: GEOS

        fileprivate init(_ geometry: OpaquePointer?, _ engine: GEOS) {
            self.geometry = geometry
            self.engine = engine
        }

        deinit {
            GEOSGeom_destroy_r(engine.context, geometry)
        }

        /// The reason why the area is invalid, or "Valid Geometry".
        var validity: String {
            guard let reason = GEOSisValidReason_r(engine.context, geometry) else { return "?" }
            defer { GEOSFree_r(engine.context, reason) }
            return String(cString: reason)
        }

        var isValid: Bool { GEOSisValid_r(engine.context, geometry) == 1 }

        var area: Double {
            var area = 0.0
            GEOSArea_r(engine.context, geometry, &area)
            return area
        }

        /// Whether a place is inside (true), outside (false) or on the border (nil).
        func holds(_ place: Coordinate) -> Bool? {
            let point = GEOSGeom_createPointFromXY_r(
                engine.context,
                Double(place.longitude),
                Double(place.latitude)
            )
            defer { GEOSGeom_destroy_r(engine.context, point) }
            if GEOSTouches_r(engine.context, geometry, point) == 1 { return nil }
            return GEOSContains_r(engine.context, geometry, point) == 1
        }
    }

    func area(_ rings: [[Coordinate]]) -> Area {
        var holes = rings.dropFirst().map { Optional(ring($0)) }
        let outline = ring(rings[0])
        return Area(
            GEOSGeom_createPolygon_r(context, outline, &holes, UInt32(holes.count)),
            self
        )
    }

    /// How two segments intersect, by the DE-9IM matrix of GEOS.
    func meeting(_ first: Segment, _ second: Segment) -> String {
        let lines = [first, second].map {
            GEOSGeom_createLineString_r(context, sequence([$0.start, $0.end]))
        }
        defer { for line in lines { GEOSGeom_destroy_r(context, line) } }
        guard let matrix = GEOSRelate_r(context, lines[0], lines[1]) else { return "?" }
        defer { GEOSFree_r(context, matrix) }
        return String(cString: matrix)
    }

    private func ring(_ points: [Coordinate]) -> OpaquePointer {
        guard let ring = GEOSGeom_createLinearRing_r(context, sequence(points)) else {
            preconditionFailure("GEOS refuses a ring that is closed and has 4 points")
        }
        return ring
    }

    private func sequence(_ points: [Coordinate]) -> OpaquePointer? {
        let sequence = GEOSCoordSeq_create_r(context, UInt32(points.count), 2)
        for (index, point) in points.enumerated() {
            GEOSCoordSeq_setXY_r(
                context,
                sequence,
                UInt32(index),
                Double(point.longitude),
                Double(point.latitude)
            )
        }
        return sequence
    }
}
