/// Measures of open polylines.
enum DemoPolyline {
    /// The length along a polyline, in metres.
    static func length(_ points: [Point]) -> Double {
        var sum = 0.0
        for index in points.indices.dropFirst() {
            sum += points[index - 1].distance(to: points[index])
        }
        return sum
    }

    /// The place at a distance along a polyline and the direction there, clamped to its ends.
    static func place(on points: [Point], at distance: Double) -> (place: Point, way: Point) {
        var left = max(0, distance)
        for index in points.indices.dropFirst() {
            let from = points[index - 1]
            let step = from.distance(to: points[index])
            if left <= step || index == points.count - 1 {
                let share = step > 0 ? min(1, left / step) : 0
                return (from.toward(points[index], share), (points[index] - from).unit)
            }
            left -= step
        }
        return (points.first ?? .zero, Point(x: 1, y: 0))
    }

    /// A polyline moved to its left by some metres, to its right where negative.
    static func offset(_ points: [Point], by metres: Double) -> [Point] {
        points.indices.map { index in
            let before = points[max(0, index - 1)]
            let after = points[min(points.count - 1, index + 1)]
            return points[index] + (after - before).unit.left * metres
        }
    }

    /// A smooth polyline through the given points, with `steps` pieces between two of them
    /// (Catmull and Rom, 1974).
    static func smooth(_ points: [Point], steps: Int) -> [Point] {
        guard points.count > 2 else { return points }
        var result: [Point] = []
        for index in 0..<points.count - 1 {
            let a = points[max(0, index - 1)]
            let b = points[index]
            let c = points[index + 1]
            let d = points[min(points.count - 1, index + 2)]
            for step in 0..<steps {
                let t = Double(step) / Double(steps)
                let linear = (c - a) * t
                let square = (a * 2 - b * 5 + c * 4 - d) * (t * t)
                let cube = (b * 3 - a - c * 3 + d) * (t * t * t)
                result.append((b * 2 + linear + square + cube) * 0.5)
            }
        }
        result.append(points[points.count - 1])
        return result
    }

    /// The distance from a place to the nearest vertex of a polyline, infinite where empty.
    static func distance(from place: Point, to points: [Point]) -> Double {
        var best = Double.infinity
        for point in points { best = min(best, place.distance(to: point)) }
        return best
    }
}
