import Geo

extension Polygon {
    /// Areas from outlines and holes, which do not cross each other, in any order.
    ///
    /// Of nested outlines, such as those of a lake and of its island's pond, the smallest
    /// around a hole has it.
    /// - Returns: an area for each outline, in their order, and how many holes lie in none.
    static func assembled(
        outlines: [Ring],
        holes: [Ring]
    ) -> (polygons: [Polygon], holesOutside: Int) {
        var owned = [[Ring]](repeating: [], count: outlines.count)
        var holesOutside = 0
        for hole in holes {
            let around = outlines.indices.filter { outlines[$0].surrounds(hole) }
            let owner =
                around.count > 1
                ? around.min {
                    outlines[$0].areaSquareMetres < outlines[$1].areaSquareMetres
                } : around.first
            if let owner { owned[owner].append(hole) } else { holesOutside += 1 }
        }
        let polygons = zip(outlines, owned).map { Polygon(outline: $0, holes: $1) }
        return (polygons, holesOutside)
    }
}

extension Ring {
    /// Whether a ring that does not cross this one lies inside: its first point
    /// off the border decides.
    fileprivate func surrounds(_ other: Ring) -> Bool {
        guard bounds.meets(other.bounds),
            let place = other.points.first(where: { !passes(through: $0) })
        else { return false }
        return encloses(place)
    }
}
