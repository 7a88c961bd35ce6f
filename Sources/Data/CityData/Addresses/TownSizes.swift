import Columns
import Geo

/// How large the towns of a register are, by the number of their streets.
///
/// People who do not say which of several places they mean usually mean the one in the city that
/// the register is about. Its size is its number of streets, since maps seldom state inhabitants.
struct TownSizes {
    private let entries: AddressBook.Entries
    /// The number of streets in each locality, by its entry.
    private var streets: [UInt32]
    private let largest: Int

    /// The centre of the largest town; nil if no street lies in a town.
    var centre: Coordinate? { streets[largest] > 0 ? entries.coordinate(largest) : nil }

    /// Counts the streets of all towns; of towns with equally many streets the first one is the
    /// largest.
    init(_ entries: AddressBook.Entries) {
        self.entries = entries
        var streets = [UInt32](
            repeating: 0,
            count: max(1, entries.rows(.locality).upperBound)
        )
        for row in entries.rows(.street) {
            let town = Int(entries.town[row])
            if town > 0, town < streets.count { streets[town] += 1 }
        }
        self.streets = streets
        largest = streets.indices.reduce(0) { streets[$1] > streets[$0] ? $1 : $0 }
    }

    /// Whether an entry is, or lies in, a town with fewer than half as many streets as the largest;
    /// false if its town is unknown.
    func isSmaller(entry: Int) -> Bool {
        var town = Int(entries.town[entry])
        if town == 0, entry < streets.count, streets[entry] > 0 { town = entry }
        guard town > 0, town < streets.count else { return false }
        return UInt64(streets[town]) * 2 < UInt64(streets[largest])
    }
}
