import Columns
import Geo
import Streets
import Testing

@testable import TripPlanning

/// Issue 31, point 3: a transfer at Romolo ran "along Milano Rogoredo binario 2".
@Suite("Streets of a leg")
struct TripStreetTests {
    /// Via Uno to the east, from there a platform to the north, and Via Due to the west.
    private static func draft(platform: StreetKind = .platform) -> StreetDraft {
        var draft = StreetDraft()
        draft.names = ["", "Via Uno", "Altra Stazione binario 2", "Via Due"]
        draft.originals = [0, 1, 2, 3]
        draft.vertices = [(0, 0), (0, 30_000), (10_000, 30_000), (10_000, 0)].map { north, east in
            Coordinate(latitude: 450_000_000 + north, longitude: 90_000_000 + east)
        }
        for (number, kind) in [StreetKind.residential, platform, .residential].enumerated() {
            let ends = [draft.vertices[number], draft.vertices[number + 1]]
            let length = UInt32(ends[0].distanceMetres(to: ends[1]) * 10)
            draft.edges.append(
                StreetDraft.Edge(
                    from: UInt32(number),
                    to: UInt32(number + 1),
                    geometry: ends,
                    lengthDecimetres: length,
                    name: UInt32(number + 1),
                    kind: kind
                )
            )
            for isForward in [true, false] {
                draft.arcs.append(
                    StreetDraft.Arc(
                        from: UInt32(isForward ? number : number + 1),
                        to: UInt32(isForward ? number + 1 : number),
                        edge: UInt32(number),
                        forward: isForward,
                        milliseconds: Array(repeating: length * 75, count: 5)
                    )
                )
            }
        }
        return draft
    }

    private static func streets(_ draft: StreetDraft) throws -> [TripStreet] {
        var writer = SectionWriter()
        try writer.add(streets: draft)
        let network = StreetNetwork(try writer.opened())
        let start = try #require(network.snap(draft.vertices[0], for: .foot).first)
        let end = try #require(network.snap(draft.vertices[3], for: .foot).first)
        let route = try #require(
            network.route(
                from: start,
                to: end,
                by: network.metric(.foot),
                using: StreetWorkspace(for: network)
            )
        )
        return TripStreet.all(of: route, in: network)
    }

    @Test("a platform has no street's name, whatever its mapper wrote on it")
    func platform() throws {
        let streets = try Self.streets(Self.draft())
        #expect(streets.map(\.name) == ["Via Uno", "", "Via Due"])
        let footway = try Self.streets(Self.draft(platform: .footway))
        #expect(footway.map(\.name) == ["Via Uno", "Altra Stazione binario 2", "Via Due"])
    }

    @Test("each street has its length, and a turn but for the first")
    func turns() throws {
        let streets = try Self.streets(Self.draft())
        #expect(streets.map(\.turn) == [nil, .left, .left])
        #expect(abs(streets[0].metres - 236) < 3)
        #expect(abs(streets[1].metres - 111) < 3)
    }

    @Test(
        "a turn has a side and a sharpness",
        arguments: [
            (0, 10, TripTurn.straight), (5, 10, .slightRight), (10, 5, .right),
            (10, -10, .sharpRight),
            (-5, 10, .slightLeft), (-10, 5, .left), (-10, -10, .sharpLeft), (0, -10, .back),
        ]
    )
    func kinds(east: Int32, north: Int32, turn: TripTurn) {
        // On the equator degrees are as long to the east as to the north.
        let line = [(-10_000, 0), (0, 0), (north * 1_000, east * 1_000)].map {
            (latitude: Int32, longitude: Int32) in
            Coordinate(latitude: latitude, longitude: longitude)
        }
        #expect(TripStreet.turn(at: 1, line) == turn)
        #expect(TripStreet.turn(at: 0, line) == nil)
        #expect(TripStreet.turn(at: 2, line) == nil)
    }
}
