import Encoding
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
        var hash = FNV1a()
        let ends = [from.latitude, from.longitude, to.latitude, to.longitude]
        for number in ends.map(UInt32.init(bitPattern:)) + [stretch.lengthDecimetres] {
            hash.add([0, 8, 16, 24].lazy.map { UInt8(truncatingIfNeeded: number >> $0) })
        }
        // The highest bit tells it from numbers of kinds.
        return StreetPart(rawValue: hash.value | 1 << 63)
    }

    /// The directions of stretches of street of which something was learned, in their order.
    ///
    /// - Complexity: linear in the number of stretches.
    package func parts(
        knownBy speeds: LearnedSpeeds
    ) -> [(edge: EdgeIndex, isForward: Bool, part: StreetPart)] {
        guard !speeds.isEmpty else { return [] }
        return (0..<edgeCount).flatMap { number in
            let edge = EdgeIndex(rawValue: UInt32(number))
            return [true, false].map { (edge, $0, part(of: edge, isForward: $0)) }
                .filter { speeds.knows($0.2) }
        }
    }
}
