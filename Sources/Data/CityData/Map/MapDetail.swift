import Geo
import Journeys

/// The contents and the precision of a zoom range.
struct MapDetail {
    /// The range of zoom levels.
    var range: MapRange
    /// How far a simplified line may be from the true one, in metres: half a pixel or less at
    /// the highest zoom level of the range in Milan.
    var toleranceMetres: Double
    /// Areas and holes smaller than this many square metres, a few pixels, are left out.
    var leastSquareMetres: Double
    /// The classes that are shown.
    var classes: MapClasses
    /// The classes whose features keep their names.
    var named: MapClasses
    /// The flags that tell lines apart; lines that differ in others only are joined.
    var flags: MapFlags
    /// The side of the squares, in metres, with which built-up land is shown; nil if
    /// it is shown as mapped.
    var builtUpSquareMetres: Double?

    /// The details of all ranges, coarsest first.
    static let all = [
        MapDetail(
            range: .far,
            toleranceMetres: 25,
            leastSquareMetres: 40_000,
            classes: [
                .builtUp, MapClasses(.park), MapClasses(.wood), MapClasses(.water),
                MapClasses(.coastline), MapClasses(.river), MapClasses(.secondary),
                MapClasses(.primary), MapClasses(.motorway), MapClasses(.rail),
                MapClasses(.suburb), MapClasses(.village), MapClasses(.town), MapClasses(.city),
            ],
            named: [.green, .water, .places],
            flags: .tunnel,
            builtUpSquareMetres: 100
        ),
        MapDetail(
            range: .middle,
            toleranceMetres: 4,
            leastSquareMetres: 1_500,
            classes: MapClasses.all.subtracting([MapClasses(.path), MapClasses(.service)]),
            named: [.green, .water, .places],
            flags: .tunnel,
            builtUpSquareMetres: nil
        ),
        MapDetail(
            range: .near,
            toleranceMetres: 0.5,
            leastSquareMetres: 10,
            classes: .all,
            named: .all,
            flags: [.tunnel, .bridge],
            builtUpSquareMetres: nil
        ),
    ]
}

extension Polygon {
    /// The area with fewer points, still valid; nil if it is smaller than the least area or
    /// cannot be simplified at all.
    ///
    /// Where simplified borders would meet, the tolerance is cut to a quarter, at last to nothing.
    func simplified(toleranceMetres: Double, leastSquareMetres: Double) -> Polygon? {
        guard outline.areaSquareMetres >= leastSquareMetres else { return nil }
        let holes = holes.filter { $0.areaSquareMetres >= leastSquareMetres }
        for tolerance in [toleranceMetres, toleranceMetres / 4, toleranceMetres / 16, 0] {
            guard let outline = outline.simplified(toleranceMetres: tolerance) else { continue }
            let polygon = Polygon(
                outline: outline,
                holes: holes.compactMap { $0.simplified(toleranceMetres: tolerance) }
            )
            if polygon.flaw == nil { return polygon }
        }
        return nil
    }
}

extension Ring {
    /// The ring with fewer points; nil if fewer than three corners are left.
    fileprivate func simplified(toleranceMetres: Double) -> Ring? {
        do throws(Ring.Flaw) {
            return try Ring(Polyline.simplified(points, toleranceMetres: toleranceMetres))
        } catch {
            return nil
        }
    }
}
