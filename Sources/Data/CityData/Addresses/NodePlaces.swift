import Geo

/// The positions of the nodes that ways refer to: two sorted columns, since a dictionary of all
/// nodes of a metropolis would take several times the memory.
struct NodePlaces {
    private let ids: [Int64]
    /// The places of the nodes by row; not on the earth for nodes that the file does not hold.
    private(set) var coordinates: [Coordinate]

    /// The value for a node that is not in the file.
    private static let nowhere = Coordinate(latitude: .min, longitude: .min)

    /// The wanted nodes, in any order and as often as they are referred to.
    init(_ references: [Int64]) {
        let sorted = references.sorted()
        var ids: [Int64] = []
        for id in sorted where ids.last != id { ids.append(id) }
        self.ids = ids
        coordinates = Array(repeating: Self.nowhere, count: ids.count)
    }

    /// Stores the position of a node; does nothing if the node is not needed.
    mutating func set(_ id: Int64, _ coordinate: Coordinate) {
        if let row = row(id) { coordinates[row] = coordinate }
    }

    /// Where nodes are, without those that the file does not hold.
    func coordinates(_ nodes: ArraySlice<Int64>) -> [Coordinate] {
        nodes.compactMap { id in
            knownRow(id).map { coordinates[$0] }
        }
    }

    /// The row of a wanted node where the file holds it; nil otherwise.
    func knownRow(_ id: Int64) -> Int? {
        guard let row = row(id), coordinates[row] != Self.nowhere else { return nil }
        return row
    }

    private func row(_ id: Int64) -> Int? {
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? low : nil
    }
}
