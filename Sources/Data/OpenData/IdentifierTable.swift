import Encoding

/// Identifiers of a feed and the numbers they were given, found by their bytes.
///
/// A hash table with open addressing over one arena of bytes: looking up millions of identifiers
/// as `String` keys would cost more than reading the file.
package struct IdentifierTable {
    private var arena: [UInt8] = []
    private var starts: [Int32] = [0]
    private var slots: [Int32]
    private var mask: Int

    /// Creates an empty table.
    package init() {
        slots = Array(repeating: -1, count: 16)
        mask = 15
    }

    /// How many identifiers there are.
    package var count: Int { starts.count - 1 }

    /// The number of an identifier; nil if it is unknown.
    package func number(of identifier: ArraySlice<UInt8>) -> Int? {
        let slot = slots[slot(of: identifier)]
        return slot < 0 ? nil : Int(slot)
    }

    /// The number of an identifier; nil if it is unknown.
    package func number(of identifier: String) -> Int? {
        number(of: ArraySlice(Array(identifier.utf8)))
    }

    /// Assigns the next number to an identifier; nil if it has one already.
    package mutating func insert(_ identifier: ArraySlice<UInt8>) -> Int? {
        let place = slot(of: identifier)
        guard slots[place] < 0 else { return nil }
        let number = count
        slots[place] = Int32(number)
        arena.append(contentsOf: identifier)
        starts.append(Int32(arena.count))
        if (number + 1) * 2 > slots.count { grow() }
        return number
    }

    /// The slot that holds an identifier, or the free one where it belongs.
    private func slot(of identifier: ArraySlice<UInt8>) -> Int {
        let hash = FNV1a(identifier).value
        var place = Int(truncatingIfNeeded: hash ^ (hash >> 29)) & mask
        while slots[place] >= 0 {
            let number = Int(slots[place])
            let range = Int(starts[number])..<Int(starts[number + 1])
            if range.count == identifier.count, arena[range].elementsEqual(identifier) { break }
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        mask = slots.count - 1
        for number in 0..<count {
            let range = Int(starts[number])..<Int(starts[number + 1])
            slots[slot(of: arena[range])] = Int32(number)
        }
    }
}
