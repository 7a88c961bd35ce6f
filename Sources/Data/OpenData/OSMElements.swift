import Geo

/// The places of a block, in the file's order.
package struct OSMNodes: RandomAccessCollection, Sendable {
    let tags: OSMTagColumns
    let ids: [Int64]
    let coordinates: [Coordinate]

    /// The index of the first element, 0.
    package var startIndex: Int { 0 }
    /// The number of elements.
    package var endIndex: Int { ids.count }

    /// A place by its number in the block.
    package subscript(position: Int) -> OSMNode {
        OSMNode(id: ids[position], coordinate: coordinates[position], tags: tags[position])
    }

    /// Whether a place has tags, which is cheaper than looking at them.
    package func isTagged(_ position: Int) -> Bool {
        tags.isTagged(position)
    }
}

/// The lines and outlines of a block, in the file's order.
package struct OSMWays: RandomAccessCollection, Sendable {
    let tags: OSMTagColumns
    let ids: [Int64]
    /// Where each way's nodes end in `nodes`.
    let ends: [Int]
    let nodes: [Int64]

    /// The index of the first element, 0.
    package var startIndex: Int { 0 }
    /// The number of elements.
    package var endIndex: Int { ids.count }

    /// A line by its number in the block.
    package subscript(position: Int) -> OSMWay {
        let start = position == 0 ? 0 : ends[position - 1]
        return OSMWay(
            id: ids[position],
            nodes: nodes[start..<ends[position]],
            tags: tags[position]
        )
    }
}

/// The relations of a block, in the file's order.
package struct OSMRelations: RandomAccessCollection, Sendable {
    let tags: OSMTagColumns
    let ids: [Int64]
    /// Where each relation's members end in `members`.
    let ends: [Int]
    let members: [OSMMember]

    /// The index of the first element, 0.
    package var startIndex: Int { 0 }
    /// The number of elements.
    package var endIndex: Int { ids.count }

    /// A relation by its number in the block.
    package subscript(position: Int) -> OSMRelation {
        let start = position == 0 ? 0 : ends[position - 1]
        return OSMRelation(
            id: ids[position],
            members: members[start..<ends[position]],
            tags: tags[position]
        )
    }
}

/// The tags of all elements of one kind in a block, one after the other.
struct OSMTagColumns: Sendable {
    let strings: OSMStrings
    /// Where each element's tags end in `numbers`.
    private(set) var ends: [Int] = []
    /// Key, value, key, value, …: numbers of texts, all in range.
    private(set) var numbers: [UInt32] = []

    init(_ strings: OSMStrings) {
        self.strings = strings
    }

    subscript(position: Int) -> OSMTags {
        let start = position == 0 ? 0 : ends[position - 1]
        return OSMTags(strings: strings, numbers: numbers[start..<ends[position]])
    }

    func isTagged(_ position: Int) -> Bool {
        ends[position] > (position == 0 ? 0 : ends[position - 1])
    }

    /// Adds a tag to the element that ``endElement()`` will end.
    mutating func add(
        _ key: UInt64,
        _ value: UInt64,
        _ reader: ProtobufReader
    )
        throws(ProtobufFailure)
    {
        let limit = UInt64(strings.count)
        guard key < limit, value < limit else {
            throw reader.failure(
                .valueOutOfRange(Int64(truncatingIfNeeded: key < limit ? value : key))
            )
        }
        numbers.append(UInt32(truncatingIfNeeded: key))
        numbers.append(UInt32(truncatingIfNeeded: value))
    }

    /// Ends an element; the next tags belong to the next one.
    mutating func endElement() {
        ends.append(numbers.count)
    }
}
