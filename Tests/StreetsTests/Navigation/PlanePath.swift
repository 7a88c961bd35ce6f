/// Distances along and beside a line in the plane, in metres.
enum PlanePath {
    typealias Point = (east: Double, north: Double)

    static func distance(_ one: Point, _ other: Point) -> Double {
        let (east, north) = (one.east - other.east, one.north - other.north)
        return (east * east + north * north).squareRoot()
    }

    /// The length of a line.
    static func length(of path: [Point]) -> Double {
        zip(path, path.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
    }

    /// The distance of a place from the nearest point of a line.
    static func distance(from place: Point, to path: [Point]) -> Double {
        zip(path, path.dropFirst()).map { from, to in
            let (east, north) = (to.east - from.east, to.north - from.north)
            let square = east * east + north * north
            let dot = (place.east - from.east) * east + (place.north - from.north) * north
            let share = square > 0 ? min(1, max(0, dot / square)) : 0
            return distance(place, (from.east + share * east, from.north + share * north))
        }.min() ?? 0
    }
}
