import Geo
import OpenData

/// The path of a trip: where along its shape it calls at its stops, and the metres travelled until
/// there; along straight lines where it has no shape.
struct TripPath {
    /// For each stop, the shape's point at or before it; nil if there is no shape.
    private(set) var points: [Int]?
    /// For each stop, metres travelled from the first one; never decreasing.
    private(set) var metres: [Double]
    /// Whether the stops' distances are stated in another unit than the shape's;
    /// they were measured then.
    private(set) var isInOtherUnit = false
    /// The tolerance for detecting another unit of distance: a trip that covers less than the
    /// straight lines between its stops divided by this, or ends beyond the shape's end times this,
    /// uses another unit than assumed.
    ///
    /// The units in use (feet, metres, kilometres, miles) differ by more, except
    /// kilometres and miles.
    private static let unitRatio = 2.0

    /// The path of a trip over its stops.
    ///
    /// - Parameters:
    ///   - stops: the stops' places in order; nil if a place is unknown.
    ///   - shape: the shape; nil if the trip has none.
    ///   - distances: the stops' distances in the shape's unit; negative if unknown.
    init(stops: [Coordinate?], shape: GTFSFeed.Shape?, distances: ArraySlice<Float>) {
        metres = Self.straightMetres(stops)
        let places = stops.compactMap { $0 }
        guard let shape, shape.points.count >= 2, places.count == stops.count else { return }
        let line = MeasuredLine(shape.points)
        let stated = Self.stated(distances, shape: shape, line: line)
        let span = stated.map { ($0.last?.metres ?? 0) - ($0.first?.metres ?? 0) }
        let isTooShort = (span ?? .infinity) * Self.unitRatio < metres.last ?? 0
        let isTooLong =
            distances.allSatisfy { $0 >= 0 }
            && Double(distances.last ?? 0) > Double(shape.distances.last ?? .infinity)
                * Self.unitRatio
        isInOtherUnit = isTooShort || isTooLong
        let matches = (isTooShort ? nil : stated) ?? line.matches(of: places)
        points = matches.map(\.segment)
        let first = matches.first?.metres ?? 0
        metres = matches.map { $0.metres - first }
    }

    /// Metres along straight lines between stops; a stop without a place adds nothing.
    private static func straightMetres(_ stops: [Coordinate?]) -> [Double] {
        var total = 0.0
        var last: Coordinate?
        return stops.map { stop in
            if let stop {
                if let last { total += last.distanceMetres(to: stop) }
                last = stop
            }
            return total
        }
    }

    /// The matches that `shape_dist_traveled` states; nil unless both files state them all.
    private static func stated(
        _ distances: ArraySlice<Float>,
        shape: GTFSFeed.Shape,
        line: MeasuredLine
    ) -> [MeasuredLine.Match]? {
        guard !shape.distances.isEmpty, let end = shape.distances.last, end > 0,
            distances.allSatisfy({ $0 >= 0 && $0 <= end * 1.001 }),
            zip(distances, distances.dropFirst()).allSatisfy({ $0 <= $1 }),
            let first = distances.first, let last = distances.last, first < last
        else { return nil }
        var segment = 0
        return distances.map { distance in
            while segment + 2 < shape.distances.count, shape.distances[segment + 1] <= distance {
                segment += 1
            }
            let low = shape.distances[segment]
            let span = shape.distances[segment + 1] - low
            let fraction = span > 0 ? Double(min(1, max(0, (distance - low) / span))) : 0
            return MeasuredLine.Match(
                segment: segment,
                metres: line.metres(segment: segment, fraction: fraction)
            )
        }
    }
}

/// A line with the metres travelled at each of its points.
struct MeasuredLine {
    /// A position on the shape.
    struct Match {
        /// The number of the segment, that of its first point.
        let segment: Int
        /// Metres from the line's beginning.
        let metres: Double
    }

    private let plane: LocalPlane
    private let points: [(east: Double, north: Double)]
    private let travelled: [Double]

    /// The line through at least two points.
    init(_ coordinates: [Coordinate]) {
        let plane = LocalPlane(at: coordinates[coordinates.count / 2])
        let projected = coordinates.map { plane.project($0) }
        var total = 0.0
        var sums = [0.0]
        for (from, to) in zip(projected, projected.dropFirst()) {
            let east = to.east - from.east
            let north = to.north - from.north
            total += (east * east + north * north).squareRoot()
            sums.append(total)
        }
        self.plane = plane
        points = projected
        travelled = sums
    }

    /// Metres from the beginning to a place on a segment.
    func metres(segment: Int, fraction: Double) -> Double {
        travelled[segment] + fraction * (travelled[segment + 1] - travelled[segment])
    }

    /// The matches of places that follow each other along the line, such that the sum of squared
    /// distances from places to matches is least among all that never go back.
    ///
    /// - Complexity: places times segments, in time and (a bit for each) in memory.
    func matches(of places: [Coordinate]) -> [Match] {
        let targets = places.map { plane.project($0) }
        let segmentCount = points.count - 1
        var costs = [Double](repeating: 0, count: segmentCount)
        var stays: [[Bool]] = []
        for target in targets {
            var best = Double.infinity
            var row = [Bool](repeating: false, count: segmentCount)
            for segment in 0..<segmentCount {
                // Whether the cheapest way to have matched all before ends on this segment.
                row[segment] = costs[segment] < best
                best = min(best, costs[segment])
                costs[segment] = best + foot(of: target, on: segment).squaredDistance
            }
            stays.append(row)
        }
        var segment = costs.indices.min { costs[$0] < costs[$1] } ?? 0
        var result: [Match] = []
        for (index, target) in targets.enumerated().reversed() {
            let fraction = foot(of: target, on: segment).fraction
            var match = Match(
                segment: segment,
                metres: metres(segment: segment, fraction: fraction)
            )
            if let next = result.last, next.metres < match.metres {
                match = Match(segment: match.segment, metres: next.metres)
            }
            result.append(match)
            while segment > 0, !stays[index][segment] { segment -= 1 }
        }
        return result.reversed()
    }

    private func foot(
        of target: (east: Double, north: Double),
        on segment: Int
    ) -> (fraction: Double, squaredDistance: Double) {
        let from = points[segment]
        let to = points[segment + 1]
        let east = to.east - from.east
        let north = to.north - from.north
        let length = east * east + north * north
        let along = (target.east - from.east) * east + (target.north - from.north) * north
        let fraction = length > 0 ? min(1, max(0, along / length)) : 0
        let deltaEast = from.east + fraction * east - target.east
        let deltaNorth = from.north + fraction * north - target.north
        return (fraction, deltaEast * deltaEast + deltaNorth * deltaNorth)
    }
}
