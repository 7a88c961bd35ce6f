import Columns
import Geo
import Streets

/// A street running due east with a junction every half kilometre: a minute by taxi, 400 s on foot.
enum StraightStreet {
    static let junctions = 21

    /// A junction, by its number from the west.
    static func junction(_ number: Int) -> Coordinate {
        Coordinate(latitude: 454_600_000, longitude: 91_000_000 + Int32(number) * 64_000)
    }

    static func network() throws -> StreetNetwork {
        var draft = StreetDraft()
        for number in 0..<junctions {
            draft.vertices.append(junction(number))
            draft.originals.append(UInt32(number))
        }
        for number in 0..<(junctions - 1) {
            let (from, to) = (UInt32(number), UInt32(number + 1))
            draft.edges.append(
                StreetDraft.Edge(
                    from: from,
                    to: to,
                    geometry: [junction(number), junction(number + 1)],
                    lengthDecimetres: 5_000,
                    kind: .residential
                )
            )
            let times = Profile.allCases.map { profile -> UInt32 in
                profile == .foot ? 400_000 : 60_000
            }
            for forward in [true, false] {
                draft.arcs.append(
                    StreetDraft.Arc(
                        from: forward ? from : to,
                        to: forward ? to : from,
                        edge: from,
                        forward: forward,
                        milliseconds: times
                    )
                )
            }
        }
        var writer = SectionWriter()
        try writer.add(streets: draft)
        return StreetNetwork(try writer.opened())
    }
}
