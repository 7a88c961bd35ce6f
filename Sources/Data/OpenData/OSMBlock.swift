package import Geo

/// A block of elements, decoded and checked: all that is read from it is in range.
package struct OSMBlock: Sendable {
    /// The texts that the block's tags consist of.
    package let strings: OSMStrings
    /// The nodes of the block.
    package let nodes: OSMNodes
    /// The block's lines and outlines.
    package let ways: OSMWays
    /// The relations of the block.
    package let relations: OSMRelations
}

/// The texts of a block, numbered; number 0 is by convention empty.
///
/// A class, so that each view of an element's tags holds one reference instead of copies.
package final class OSMStrings: Sendable {
    private let bytes: [UInt8]
    private let ranges: [Range<Int>]

    /// Texts that lie at the given places in the bytes.
    init(_ bytes: [UInt8], _ ranges: [Range<Int>]) {
        self.bytes = bytes
        self.ranges = ranges
    }

    /// How many texts there are.
    package var count: Int { ranges.count }

    /// The text with a number, which must be below `count`; wrong UTF-8 is repaired.
    package subscript(number: UInt32) -> String {
        String(decoding: bytes[ranges[Int(number)]], as: UTF8.self)
    }

    /// The bytes of the text with a number, which must be below `count`.
    package func utf8(_ number: UInt32) -> ArraySlice<UInt8> {
        bytes[ranges[Int(number)]]
    }
}

/// The tags of one element: keys and values, in the file's order.
package struct OSMTags: Sendable {
    /// The texts that keys and values are numbers of.
    package let strings: OSMStrings
    /// The numbers of key and value, of the next key and value, and so on.
    package let numbers: ArraySlice<UInt32>

    /// How many tags the element has.
    package var count: Int { numbers.count / 2 }
    /// Whether there are no tags.
    package var isEmpty: Bool { numbers.isEmpty }

    /// The value of the first tag with a key, or nil.
    package subscript(key: String) -> String? {
        var key = key
        return key.withUTF8 { wanted in
            for position in stride(from: numbers.startIndex, to: numbers.endIndex, by: 2)
            where unsafe strings.utf8(numbers[position]).elementsEqual(wanted) {
                return strings[numbers[position + 1]]
            }
            return nil
        }
    }

    /// All keys and values as texts, for tests and rare elements.
    package var pairs: [OSMTag] {
        stride(from: numbers.startIndex, to: numbers.endIndex, by: 2).map { position in
            OSMTag(strings[numbers[position]], strings[numbers[position + 1]])
        }
    }
}

/// A tag: a key with its value.
package struct OSMTag: Hashable, Sendable {
    /// The key, such as `highway`.
    package var key: String
    /// The value, such as `residential`.
    package var value: String

    /// Creates a tag from a key and a value.
    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// A node: a place that may have tags.
package struct OSMNode: Sendable {
    /// The identifier among the nodes.
    package let id: Int64
    /// The position of the node.
    package let coordinate: Coordinate
    /// The tags of the node.
    package let tags: OSMTags
}

/// A line, or an outline where it ends at its first node.
package struct OSMWay: Sendable {
    /// The identifier among the ways.
    package let id: Int64
    /// The ids of the nodes it passes, in order.
    package let nodes: ArraySlice<Int64>
    /// The tags of the way.
    package let tags: OSMTags
}

/// Elements that belong together.
package struct OSMRelation: Sendable {
    /// Its id among the relations.
    package let id: Int64
    /// The members of the relation, in order.
    package let members: ArraySlice<OSMMember>
    /// The tags of the relation.
    package let tags: OSMTags
}

/// A member of a relation.
package struct OSMMember: Hashable, Sendable {
    /// The kind of element that the member is.
    package var kind: Kind
    /// The element's id among those of its kind.
    package var id: Int64
    /// The role in the relation, such as `from`.
    package var role: String

    /// Creates a member of a relation.
    package init(_ kind: Kind, _ id: Int64, role: String) {
        self.kind = kind
        self.id = id
        self.role = role
    }

    /// The kinds of elements, with the numbers of the PBF format.
    package enum Kind: UInt8, Sendable {
        /// A node: a single place.
        case node
        /// A way: a line or an outline.
        case way
        /// A relation: elements with roles.
        case relation
    }
}
