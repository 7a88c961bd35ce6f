/// The assignment problem: pairs rows with columns so that as many rows as possible have one, and,
/// among such pairings, the sum of the costs is least.
///
/// The Hungarian method with potentials (Kuhn 1955; shortest augmenting paths as in Jonker and
/// Volgenant 1987, doi:10.1007/BF02278710). It is exact; integer costs leave nothing to rounding.
enum Assignment {
    /// A cost above any sum of real ones, which leaves a row without a column.
    private static let unassigned: Int64 = 1 << 40
    /// The greatest cost of a pair; 2^20 pairs at this cost stay below ``unassigned``.
    static let costLimit: Int64 = 1 << 20

    /// Pairs rows with columns at the least cost.
    ///
    /// - Parameters:
    ///   - costs: a row for each list, with the cost of each column; nil where the pair is
    ///     impossible. All rows have the same length, and costs are from 0 to ``costLimit``.
    ///   - columns: the number of columns.
    /// - Returns: the column of each row, or nil for a row that gets none.
    /// - Complexity: O(r² · (c + r)) for r rows and c columns.
    static func leastCost(_ costs: [[Int64?]], columns: Int) -> [Int?] {
        let rows = costs.count
        // One spare column for each row stands for "none". An impossible pair costs more than it.
        let width = columns + rows
        func cost(_ row: Int, _ column: Int) -> Int64 {
            guard column < columns else { return unassigned }
            return costs[row][column] ?? 2 * unassigned
        }
        var rowPotential = [Int64](repeating: 0, count: rows)
        var columnPotential = [Int64](repeating: 0, count: width)
        var rowOf = [Int?](repeating: nil, count: width)
        for start in 0..<rows {
            var least = [Int64](repeating: .max, count: width)
            var previous = [Int?](repeating: nil, count: width)
            var isVisited = [Bool](repeating: false, count: width)
            var visited: [Int] = []
            var row = start
            var last: Int?
            // Extends the cheapest path from the new row until it ends at a free column.
            while true {
                var next = -1
                for column in 0..<width where !isVisited[column] {
                    let reduced = cost(row, column) - rowPotential[row] - columnPotential[column]
                    if reduced < least[column] {
                        least[column] = reduced
                        previous[column] = last
                    }
                    if next < 0 || least[column] < least[next] { next = column }
                }
                let step = least[next]
                rowPotential[start] += step
                for column in visited {
                    if let owner = rowOf[column] { rowPotential[owner] += step }
                    columnPotential[column] -= step
                }
                for column in 0..<width where !isVisited[column] { least[column] -= step }
                isVisited[next] = true
                visited.append(next)
                last = next
                guard let owner = rowOf[next] else { break }
                row = owner
            }
            // Passes the columns of the path on, from its end to the new row.
            while let column = last {
                if let before = previous[column] {
                    rowOf[column] = rowOf[before]
                } else {
                    rowOf[column] = start
                }
                last = previous[column]
            }
        }
        var result = [Int?](repeating: nil, count: rows)
        for column in 0..<columns {
            if let row = rowOf[column] { result[row] = column }
        }
        return result
    }
}
