package import Geo

/// A block of elements, decoded and checked: all that is read from it is in range.
package struct OSMBlock: Sendable {
    /// The texts that the block's tags consist of.
    package let strings: OSMStrings
    /// The block's places.
    package let nodes: OSMNodes
    /// The block's lines and outlines.
    package let ways: OSMWays
    /// The block's relations.
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
    /// Whether it has none.
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

/// A key and its value.
package struct OSMTag: Hashable, Sendable {
    /// What is said, such as `highway`.
    package var key: String
    /// What it is, such as `residential`.
    package var value: String

    /// A tag.
    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// A place.
package struct OSMNode: Sendable {
    /// Its id among the nodes.
    package let id: Int64
    /// Where it is.
    package let coordinate: Coordinate
    /// What is known of it.
    package let tags: OSMTags
}

/// A line, or an outline where it ends at its first node.
package struct OSMWay: Sendable {
    /// Its id among the ways.
    package let id: Int64
    /// The ids of the nodes it passes, in order.
    package let nodes: ArraySlice<Int64>
    /// What is known of it.
    package let tags: OSMTags
}

/// Elements that belong together.
package struct OSMRelation: Sendable {
    /// Its id among the relations.
    package let id: Int64
    /// Its parts, in order.
    package let members: ArraySlice<OSMMember>
    /// What is known of it.
    package let tags: OSMTags
}

/// A part of a relation.
package struct OSMMember: Hashable, Sendable {
    /// What kind of element the part is.
    package var kind: Kind
    /// The element's id among those of its kind.
    package var id: Int64
    /// What it does in the relation, such as `from`.
    package var role: String

    /// A part.
    package init(_ kind: Kind, _ id: Int64, role: String) {
        self.kind = kind
        self.id = id
        self.role = role
    }

    /// The kinds of elements, with the numbers that the format gives them.
    package enum Kind: UInt8, Sendable {
        /// A node.
        case node
        /// A way.
        case way
        /// A relation.
        case relation
    }
}
