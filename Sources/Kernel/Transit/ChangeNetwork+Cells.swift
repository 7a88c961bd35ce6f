import Columns
import Geo

extension ChangeNetwork {
    /// The number of cells is at most this, a power of two.
    ///
    /// A search that first ends in a cell computes the bounds to it, so there must be few cells:
    /// with cells of 8 platforms, half of all queries in a large city met a new one. Coarser bounds
    /// cost little: in Porto Alegre, with all bounds known, searches take 5% longer with 64 cells
    /// than with 700, and in Bydgoszcz and Milan they take no longer (docs/benchmarks.md).
    private static let cellLimit = 64

    /// Divides the platforms of a timetable into cells of nearby ones.
    static func dividedIntoCells(_ timetable: Timetable) -> [Int32] {
        let platforms = timetable.platforms
        return dividedIntoCells(
            platforms.indices.map { timetable.stops.coordinate(platforms.stop[$0]) }
        )
    }

    /// Divides platforms into cells of nearby ones: the longer side of a cell is cut at the median
    /// of its platforms, repeatedly, until each cell holds its share.
    ///
    /// - Parameter places: the position of each platform; nil if unknown. Those without one come
    ///   together in the first cells.
    /// - Returns: the cell of each platform, numbered from 0 on.
    static func dividedIntoCells(_ places: [Coordinate?]) -> [Int32] {
        let count = places.count
        let cellSize = (count + cellLimit - 1) / cellLimit
        var cells = [Int32](repeating: 0, count: count)
        var number: Int32 = 0
        var open = [Array(0..<count)]
        while var members = open.popLast() {
            guard members.count > cellSize else {
                for platform in members { cells[platform] = number }
                number += 1
                continue
            }
            let latitudes = members.compactMap { places[$0]?.latitude }
            let longitudes = members.compactMap { places[$0]?.longitude }
            let height = Int64(latitudes.max() ?? 0) - Int64(latitudes.min() ?? 0)
            let width = Int64(longitudes.max() ?? 0) - Int64(longitudes.min() ?? 0)
            func key(_ platform: Int) -> (Int32, Int) {
                let place = places[platform]
                return ((height > width ? place?.latitude : place?.longitude) ?? .min, platform)
            }
            members.sort { key($0) < key($1) }
            let middle = members.count / 2
            open.append(Array(members[middle...]))
            open.append(Array(members[..<middle]))
        }
        return cells
    }
}
