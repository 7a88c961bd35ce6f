import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("Snapping to the nearest usable street (issue 2, Streets)")
struct SnappingTests {
    @Test("the places found are those of a search over all edges")
    func random() throws {
        for seed in 0..<800 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let draft = RandomStreets.draft(&random)
            let network = try RandomStreets.network(draft)
            for profile in Profile.allCases {
                let main = mainEdges(draft, profile)
                let open = openEdges(draft, profile)
                for _ in 0..<5 {
                    let coordinate = Coordinate(
                        latitude: 454_500_000 + Int32.random(in: 0...240_000, using: &random),
                        longitude: 91_700_000 + Int32.random(in: 0...320_000, using: &random)
                    )
                    let count = Int.random(in: 1...4, using: &random)
                    let radius = Double.random(in: 0...2_000, using: &random)
                    var expected = nearest(draft, main, coordinate, count, radius)
                    if expected.isEmpty {
                        expected = nearest(draft, open, coordinate, count, radius)
                    }
                    let found = network.snap(
                        coordinate,
                        for: profile,
                        count: count,
                        within: radius
                    )
                    try #require(
                        found.map { Int($0.edge.rawValue) } == expected,
                        "seed \(seed) \(profile)"
                    )
                    for place in found { try check(place, draft, coordinate, seed) }
                }
            }
        }
    }

    @Test("only a place nearer to an islet than to the streets is on it (issue 31, point 6)")
    func islets() throws {
        var random = SeededRandom(seed: 31)
        var draft = RandomStreets.grid(columns: 3, rows: 3, oneWayShare: 0, &random)
        let ends = [(455_000_000, 91_900_000), (455_000_000, 91_910_000)] as [(Int32, Int32)]
        for (latitude, longitude) in ends {
            draft.originals.append(UInt32(draft.vertices.count))
            draft.vertices.append(Coordinate(latitude: latitude, longitude: longitude))
        }
        draft.edges.append(
            StreetDraft.Edge(
                from: 9,
                to: 10,
                geometry: Array(draft.vertices.suffix(2)),
                lengthDecimetres: 800,
                kind: .footway,
                features: .islet
            )
        )
        let network = try RandomStreets.network(draft)
        for (coordinate, expected) in [
            (draft.vertices[9], true), (draft.vertices[4], false),
        ] {
            let place = try #require(network.snap(coordinate, for: .foot, within: 9_000).first)
            #expect(place.edge.rawValue != UInt32(draft.edges.count - 1))
            #expect(network.isOnIslet(coordinate, joinedTo: place, for: .foot) == expected)
        }
    }

    /// Checks that the point matches its fraction and distance.
    private func check(
        _ place: StreetPlace,
        _ draft: StreetDraft,
        _ coordinate: Coordinate,
        _ seed: UInt64
    ) throws {
        let plane = LocalPlane(at: coordinate)
        let distance = plane.distanceMetres(coordinate, place.point)
        try #require(abs(distance - place.distanceMetres) < 0.05, "seed \(seed)")
        let course = draft.edges[Int(place.edge.rawValue)].geometry
        var total = 0.0
        var atPlace: Double?
        for (start, end) in zip(course, course.dropFirst()) {
            let whole = plane.distanceMetres(start, end)
            let first = plane.distanceMetres(start, place.point)
            let second = plane.distanceMetres(place.point, end)
            if atPlace == nil, first + second - whole < 0.001 { atPlace = total + first }
            total += whole
        }
        guard let atPlace, total > 50 else { return }
        let fraction = Double(place.fraction) / Double(StreetPlace.whole)
        // The geometry may cross itself, and then two answers are correct.
        if course.count == 2 { try #require(abs(fraction - atPlace / total) < 0.01) }
    }

    private func openEdges(_ draft: StreetDraft, _ profile: Profile) -> Set<Int> {
        let slow = SlowStreets(draft: draft, profile: profile)
        return Set(draft.arcs.filter { slow.time($0) != nil }.map { Int($0.edge) })
    }

    /// The edges of the largest strongly connected components.
    private func mainEdges(_ draft: StreetDraft, _ profile: Profile) -> Set<Int> {
        let slow = SlowStreets(draft: draft, profile: profile)
        let arcs = draft.arcs.filter { slow.time($0) != nil }
        let reached = draft.vertices.indices.map { start in
            var reached: Set<Int> = [start]
            var before = 0
            while reached.count != before {
                before = reached.count
                for arc in arcs where reached.contains(Int(arc.from)) {
                    reached.insert(Int(arc.to))
                }
            }
            return reached
        }
        let components = draft.vertices.indices.map { vertex in
            reached[vertex].filter { reached[$0].contains(vertex) }
        }
        let largest = components.map(\.count).max() ?? 0
        return Set(
            arcs.filter { arc in
                let component = components[Int(arc.from)]
                return component.count == largest && component.contains(Int(arc.to))
            }.map { Int($0.edge) }
        )
    }

    private func nearest(
        _ draft: StreetDraft,
        _ edges: Set<Int>,
        _ coordinate: Coordinate,
        _ count: Int,
        _ radius: Double
    ) -> [Int] {
        let plane = LocalPlane(at: coordinate)
        let distances = edges.map { edge -> (Double, Int) in
            let course = draft.edges[edge].geometry.map { plane.project($0) }
            let pieces = zip(course, course.dropFirst()).map { squaredDistance($0, $1) }
            return (pieces.min() ?? .infinity, edge)
        }
        return distances.filter { $0.0 <= radius * radius }.sorted { $0 < $1 }.prefix(count)
            .map(\.1)
    }

    private func squaredDistance(
        _ start: (east: Double, north: Double),
        _ end: (east: Double, north: Double)
    ) -> Double {
        let east = end.east - start.east
        let north = end.north - start.north
        let square = east * east + north * north
        let share =
            square > 0
            ? min(1, max(0, -(start.east * east + start.north * north) / square)) : 0
        let footEast = start.east + share * east
        let footNorth = start.north + share * north
        return footEast * footEast + footNorth * footNorth
    }
}
