import CGEOS
import Geo

/// The geometry engine GEOS as an oracle; longitude is x, latitude is y.
final class GEOS {
    private let context = GEOS_init_r()

    deinit {
        GEOS_finish_r(context)
    }

    /// Whether the area of the union equals the sum of the areas.
    func agreesThatNoneOverlap(_ areas: [MultiPolygon]) -> Bool {
        let polygons = areas.flatMap { area in
            area.polygons.map { polygon in
                polygon.rings.map { ring in
                    ring.points.map { (Double($0.longitude), Double($0.latitude)) }
                }
            }
        }
        let sum = polygons.reduce(0) { $0 + Self.shoelace($1) }
        return abs(unionArea(polygons) / sum - 1) < 1e-12
    }

    /// Returns the area of rings, with holes in the opposite direction.
    private static func shoelace(_ rings: [[(Double, Double)]]) -> Double {
        rings.reduce(0) { sum, ring in
            let origin = ring[0]
            return zip(ring, ring.dropFirst()).reduce(sum) { part, line in
                let from = (line.0.0 - origin.0, line.0.1 - origin.1)
                let to = (line.1.0 - origin.0, line.1.1 - origin.1)
                return part + (from.0 * to.1 - from.1 * to.0) / 2
            }
        }
    }

    /// Returns the area of the union of polygons, in squared coordinate units.
    private func unionArea(_ polygons: [[[(Double, Double)]]]) -> Double {
        var parts = polygons.map { polygon($0) }
        let whole = GEOSGeom_createCollection_r(
            context,
            Int32(GEOS_MULTIPOLYGON.rawValue),
            &parts,
            UInt32(parts.count)
        )
        let union = GEOSUnaryUnion_r(context, whole)
        defer {
            GEOSGeom_destroy_r(context, whole)
            GEOSGeom_destroy_r(context, union)
        }
        return area(union)
    }

    /// Returns the number of pairs of polygons that overlap.
    func overlappingPairs(_ polygons: [[[(Double, Double)]]]) -> Int {
        let shapes = polygons.map { polygon($0) }
        defer { for shape in shapes { GEOSGeom_destroy_r(context, shape) } }
        var count = 0
        for (number, shape) in shapes.enumerated() {
            for other in shapes[(number + 1)...]
            where GEOSRelatePattern_r(context, shape, other, "2********") == 1 {
                count += 1
            }
        }
        return count
    }

    private func area(_ geometry: OpaquePointer?) -> Double {
        var area = 0.0
        GEOSArea_r(context, geometry, &area)
        return area
    }

    private func polygon(_ rings: [[(Double, Double)]]) -> OpaquePointer? {
        var holes = rings.dropFirst().map { ring($0) }
        return GEOSGeom_createPolygon_r(context, ring(rings[0]), &holes, UInt32(holes.count))
    }

    private func ring(_ points: [(Double, Double)]) -> OpaquePointer? {
        let sequence = GEOSCoordSeq_create_r(context, UInt32(points.count), 2)
        for (index, point) in points.enumerated() {
            GEOSCoordSeq_setXY_r(context, sequence, UInt32(index), point.0, point.1)
        }
        return GEOSGeom_createLinearRing_r(context, sequence)
    }
}
