import Geo
package import Streets

/// One direction of a stretch of street, as it is known when the city's map has changed.
///
/// The number is a hash of both ends and the length, because the numbers of streets change with
/// each city file. A stretch that was mapped anew begins without experience.
package struct StreetPart: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number of the part.
    package let rawValue: UInt64

    /// Creates a part from its number.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The lesser number comes first.
    package static func < (one: StreetPart, other: StreetPart) -> Bool {
        one.rawValue < other.rawValue
    }

    /// Whether it is a street, and not all streets of a kind or city.
    var isStreet: Bool { rawValue >> 63 == 1 }

    /// What all streets together stand for.
    static let city = StreetPart(rawValue: 1)

    /// What all streets of a kind together stand for.
    static func all(of kind: StreetKind) -> StreetPart {
        StreetPart(rawValue: 2 + UInt64(kind.rawValue))
    }
}

extension StreetNetwork {
    /// The part of a stretch of street in one direction.
    ///
    /// - Complexity: constant.
    package func part(of edge: EdgeIndex, isForward: Bool) -> StreetPart {
        let stretch = self.edge(edge)
        let from = place(of: isForward ? stretch.from : stretch.to)
        let to = place(of: isForward ? stretch.to : stretch.from)
        // FNV-1a (draft-eastlake-fnv). The highest bit tells it from numbers of kinds.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for number in [from.latitude, from.longitude, to.latitude, to.longitude] {
            hash = Self.mixed(hash, UInt32(bitPattern: number))
        }
        return StreetPart(rawValue: Self.mixed(hash, stretch.lengthDecimetres) | 1 << 63)
    }

    private static func mixed(_ hash: UInt64, _ number: UInt32) -> UInt64 {
        [0, 8, 16, 24].reduce(hash) { hash, shift in
            (hash ^ UInt64(number >> UInt32(shift) & 0xFF)) &* 0x100_0000_01B3
        }
    }
}
