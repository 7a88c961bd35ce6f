import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("What a driver does along a route (R60)")
struct ManoeuvreTests {
    /// The actions on the way from one vertex of a sketch to another.
    private func actions(
        _ sketch: StreetSketch,
        _ from: String,
        _ to: String
    ) throws -> [Manoeuvre] {
        let network = try RandomStreets.network(sketch.draft)
        let metric = network.metric(.taxi)
        let route = try #require(
            network.route(
                from: try sketch.place(from),
                to: try sketch.place(to),
                by: metric,
                using: StreetWorkspace(for: network)
            )
        )
        return network.manoeuvres(of: route, by: metric)
    }

    @Test(
        "a crossing has turns to both sides, and nothing to do straight on",
        arguments: [
            ("n", [.depart, .arrive]), ("e", [.depart, .right, .arrive]),
            ("w", [.depart, .left, .arrive]), ("ne", [.depart, .slightRight, .arrive]),
            ("sw", [.depart, .sharpLeft, .arrive]),
        ] as [(String, [Manoeuvre.Action])]
    )
    func crossing(to: String, expected: [Manoeuvre.Action]) throws {
        var sketch = StreetSketch()
        sketch.street("South Street", "s -100 0", "c 0 0")
        sketch.street("North Street", "c", "n 100 0")
        sketch.street("East Street", "c", "e 0 100")
        sketch.street("West Street", "c", "w 0 -100")
        if to.count == 2 {
            sketch.street("Slant", "c", to == "ne" ? "ne 100 70" : "sw -100 -70")
        }
        let found = try actions(sketch, "s", to)
        #expect(found.map(\.action) == expected)
        #expect(found.map(\.metres) == found.map(\.metres).sorted())
        #expect(abs(found[found.count - 1].metres - 200) < 25)
        if expected.count == 3 { #expect(abs(found[1].metres - 100) < 0.5) }
    }

    @Test("a bend without another street is no turn, and neither is a driveway beside it")
    func bend() throws {
        var sketch = StreetSketch()
        sketch.street("Road", "a -100 0", "b 0 0")
        sketch.street("Road", "b", "c 0 100")
        #expect(try actions(sketch, "a", "c").map(\.action) == [.depart, .arrive])
        sketch.street("", "b", "d -40 -100", kind: .service)
        #expect(try actions(sketch, "a", "c").map(\.action) == [.depart, .arrive])
        sketch.street("", "b", "e 100 0", kind: .service)
        #expect(try actions(sketch, "a", "c").map(\.action) == [.depart, .right, .arrive])
    }

    @Test("a fork tells the side, and the name of the street that follows")
    func fork() throws {
        var sketch = StreetSketch()
        sketch.street("Trunk", "a -100 0", "b 0 0")
        sketch.street("Left Branch", "b", "l 100 -20")
        sketch.street("Right Branch", "b", "r 100 20")
        let left = try actions(sketch, "a", "l")
        #expect(left.map(\.action) == [.depart, .keepLeft, .arrive])
        #expect(left.map { sketch.draft.names[Int($0.name)] } == ["Trunk", "Left Branch", ""])
        #expect(try actions(sketch, "a", "r").map(\.action) == [.depart, .keepRight, .arrive])
        sketch.street("Middle", "b", "m 100 0")
        #expect(try actions(sketch, "a", "m").map(\.action) == [.depart, .straight, .arrive])
    }

    @Test("a roundabout counts its exits, but not a driveway", arguments: [("e", 1), ("n", 2)])
    func roundabout(to: String, exit: Int32) throws {
        var sketch = StreetSketch()
        sketch.street("South Street", "s -120 0", "rs -20 0")
        sketch.street("East Street", "re 0 20", "e 0 120")
        sketch.street("North Street", "rn 20 0", "n 120 0")
        sketch.street("", "rx -14 14", "x -60 60", kind: .service)
        for (from, to) in [("rs", "rx"), ("rx", "re"), ("re", "rn"), ("rn", "rs")] {
            sketch.street("Circus", from, to, isOneWay: true, features: .roundabout)
        }
        let found = try actions(sketch, "s", to)
        #expect(found.map(\.action) == [.depart, .roundabout(exit: exit), .arrive])
        #expect(abs(found[1].metres - 100) < 0.5)
        let name = sketch.draft.names[Int(found[1].name)]
        #expect(name == (to == "e" ? "East Street" : "North Street"))
    }

    @Test("on random networks they are those of a slow search through angles")
    func random() throws {
        var compared = 0
        try RandomStreets.each(0..<UInt64(Effort.instances(1_000))) { seed, draft, _, _, random in
            var draft = draft
            for edge in draft.edges.indices {
                if Int.random(in: 0..<4, using: &random) == 0 { draft.edges[edge].kind = .service }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    draft.edges[edge].features = .roundabout
                }
            }
            let network = try RandomStreets.network(draft)
            let workspace = StreetWorkspace(for: network)
            let slow = SlowManoeuvres(draft: draft, profile: .taxi)
            for _ in 0..<6 {
                let route = network.route(
                    from: RandomStreets.place(draft, &random),
                    to: RandomStreets.place(draft, &random),
                    by: network.metric(.taxi),
                    using: workspace
                )
                guard let route, let expected = slow.actions(of: route) else { continue }
                let found = network.manoeuvres(of: route, by: network.metric(.taxi))
                compared += 1
                try #require(
                    found.map(\.action) == expected.map(\.0)
                        && found.map(\.point) == expected.map(\.1),
                    "seed \(seed)"
                )
                try check(found, route, "seed \(seed)")
            }
        }
        #expect(compared > Effort.instances(1_000))
    }

    /// Checks that distances ascend, and are those of the geometry.
    private func check(_ found: [Manoeuvre], _ route: StreetRoute, _ comment: Comment) throws {
        var metres = 0.0
        var next = 0
        for point in route.geometry.indices {
            if point > 0 {
                metres += route.geometry[point - 1].distanceMetres(to: route.geometry[point])
            }
            while next < found.count, found[next].point == point {
                try #require(abs(found[next].metres - metres) < 0.01 + metres / 100, comment)
                next += 1
            }
        }
        try #require(next == found.count, comment)
    }

    @Test("a route that leaves in the direction of a moving car does not turn on the spot")
    func direction() throws {
        var sketch = StreetSketch()
        sketch.street("Road", "a 0 -1000", "b 0 0")
        sketch.street("Road", "b", "c 0 300")
        sketch.street("Side", "b", "d 300 0")
        let network = try RandomStreets.network(sketch.draft)
        let metric = network.metric(.taxi)
        let workspace = StreetWorkspace(for: network)
        var origin = StreetPlace(
            edge: EdgeIndex(rawValue: 0),
            fraction: StreetPlace.whole / 2,
            point: try sketch.coordinate("a").halfway(to: try sketch.coordinate("b")),
            distanceMetres: 0
        )
        let target = try sketch.place("a")
        func first() throws -> StreetRoute.Stretch {
            try #require(
                network.route(from: origin, to: target, by: metric, using: workspace)
            ).stretches[0]
        }
        #expect(try !first().forward)
        origin.leavesForward = true
        #expect(try first().forward)
        let cost = network.cost(from: origin, to: target, by: metric, using: workspace)
        #expect(cost.decimetres == 15_000)
        #expect(abs(network.bearingDegrees(at: origin) - 90) < 0.1)
        let side = try sketch.place("d")
        #expect(side.fraction == StreetPlace.whole)
        let north = network.bearingDegrees(at: side)
        #expect(min(north, 360 - north) < 0.1)
    }
}
