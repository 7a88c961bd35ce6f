import Columns
import Geo

extension ServiceWindow {
    /// Cells are divided until they hold no more platforms than this.
    private static let cellSize = 8

    /// Divides the platforms into cells of near ones: the longer side of a cell is cut in the
    /// middle of its platforms, again and again.
    ///
    /// - Returns: the cell of each platform, numbered from 0 on.
    static func dividedIntoCells(_ timetable: Timetable) -> [Int32] {
        let count = timetable.platforms.count
        let places = (0..<count).map {
            timetable.stops.coordinate(Int(truncatingIfNeeded: timetable.platforms.stop[$0]))
        }
        var cells = [Int32](repeating: 0, count: count)
        var number: Int32 = 0
        var open = [Array(0..<count)]
        while var members = open.popLast() {
            guard members.count > cellSize else {
                for platform in members { cells[platform] = number }
                number += 1
                continue
            }
            let latitudes = members.map { places[$0].latitude }
            let longitudes = members.map { places[$0].longitude }
            let height = Int64(latitudes.max() ?? 0) - Int64(latitudes.min() ?? 0)
            let width = Int64(longitudes.max() ?? 0) - Int64(longitudes.min() ?? 0)
            members.sort { first, second in
                height > width
                    ? (places[first].latitude, first) < (places[second].latitude, second)
                    : (places[first].longitude, first) < (places[second].longitude, second)
            }
            let middle = members.count / 2
            open.append(Array(members[middle...]))
            open.append(Array(members[..<middle]))
        }
        return cells
    }
}
