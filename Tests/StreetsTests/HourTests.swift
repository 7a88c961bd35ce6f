import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

/// Issue 31, point 6: rules for certain hours are obeyed at the moment of each passage.
@Suite("Streets at certain hours")
struct HourTests {
    /// A random moment of the week, often close to its end, and the hours around it.
    private func moment(_ random: inout SeededRandom) -> WeekMoment {
        let minute = [0, 10_079, 5_000].randomElement(using: &random) ?? 0
        return WeekMoment(
            milliseconds: Int64(minute) * 60_000 + Int64.random(in: 0..<60_000, using: &random)
        )
    }

    @Test("ways by departure, by arrival, at one moment and at any hour equal a plain search")
    func random() throws {
        var differing = 0
        let instances = Effort.instances(300, everything: 3_000)
        for seed in 0..<UInt64(instances) {
            var random = SeededRandom(seed: seed ^ 0x40)
            var draft = RandomStreets.draft(&random)
            guard !draft.edges.isEmpty else { continue }
            let week = moment(&random)
            let minute = Int(week.milliseconds / 60_000)
            RandomStreets.addRules(to: &draft, around: minute, &random)
            let network = try RandomStreets.network(draft)
            let workspace = StreetWorkspace(for: network)
            let profile = Profile.allCases.randomElement(using: &random) ?? .car
            let metric = network.metric(profile)
            for moment in [PassageMoment.departure(week), .arrival(week), .whole(week), .always] {
                let slow = SlowHours(draft, profile, moment)
                let isArrival = moment == .arrival(week)
                let place = RandomStreets.place(draft, &random)
                let all = slow.all(place)
                let others = (0..<6).map { _ in RandomStreets.place(draft, &random) }
                for other in others {
                    let comment: Comment = "seed \(seed) \(profile) \(moment)"
                    let expected = slow.answer(all, place, other)
                    let (from, to) = isArrival ? (other, place) : (place, other)
                    let best = network.cost(from: from, to: to, by: metric, using: workspace)
                    let cost = network.cost(
                        from: from,
                        to: to,
                        by: metric,
                        at: moment,
                        using: workspace
                    )
                    try #require(cost.answer == expected, comment)
                    try #require(best <= cost, comment)
                    if best != cost { differing += 1 }
                    let route = network.route(
                        from: from,
                        to: to,
                        by: metric,
                        at: moment,
                        using: workspace
                    )
                    try #require(route?.cost.answer == expected, comment)
                    if let route { try check(route, slow, comment) }
                }
                let tree = network.shortestPathTree(
                    place,
                    within: SearchLimit(),
                    isArrival ? .backward : .forward,
                    by: metric,
                    at: moment,
                    using: workspace
                )
                for other in others {
                    let expected = slow.answer(all, place, other)
                    try #require(tree.cost(other).answer == expected, "seed \(seed) \(moment)")
                }
            }
        }
        #expect(differing >= instances / 3)
    }

    /// Checks that each stretch may be passed, and takes the stated time, when it is reached.
    private func check(_ route: StreetRoute, _ slow: SlowHours, _ comment: Comment) throws {
        let draft = slow.slow.draft
        var elapsed = 0
        let isArrival = if case .arrival = slow.moment { true } else { false }
        for stretch in isArrival ? route.stretches.reversed() : route.stretches {
            let arcs = draft.arcs.indices.filter { arc in
                draft.arcs[arc].edge == stretch.edge.rawValue
                    && draft.arcs[arc].forward == stretch.forward
                    && slow.part(arc, stretch.fromFraction, stretch.toFraction, after: elapsed)
                        == stretch.cost.answer
            }
            try #require(!arcs.isEmpty, comment)
            elapsed += Int(stretch.cost.milliseconds)
        }
        try #require(elapsed == Int(route.cost.milliseconds), comment)
    }

    @Test("only streets that are open at the moment are found beside a place")
    func snapping() throws {
        for seed in 0..<UInt64(Effort.instances(200, everything: 2_000)) {
            var random = SeededRandom(seed: seed ^ 0x41)
            var draft = RandomStreets.draft(&random)
            guard !draft.edges.isEmpty else { continue }
            let week = moment(&random)
            let minute = Int(week.milliseconds / 60_000)
            RandomStreets.addRules(to: &draft, around: minute, &random)
            let network = try RandomStreets.network(draft)
            let slow = SlowHours(draft, .car, .whole(week))
            let open = Set(
                draft.arcs.indices.filter { slow.part($0, 0, 0, after: 0) != nil }
                    .map { draft.arcs[$0].edge }
            )
            let all = network.snap(draft.vertices[0], for: .car, count: 1_000, within: 90_000)
            let now = network.snap(
                draft.vertices[0],
                for: .car,
                at: .departure(week),
                count: 1_000,
                within: 90_000
            )
            try #require(now.allSatisfy { open.contains($0.edge.rawValue) }, "seed \(seed)")
            if all.contains(where: { open.contains($0.edge.rawValue) }) {
                let expected = all.filter { open.contains($0.edge.rawValue) }
                try #require(now == expected, "seed \(seed)")
            }
        }
    }

    @Test("traffic makes no passage quicker in its restricted hours")
    func traffic() throws {
        var random = SeededRandom(seed: 9)
        var draft = RandomStreets.grid(columns: 2, rows: 1, oneWayShare: 0, &random)
        draft.hours = [WeekHours([600..<660])]
        draft.arcs = draft.arcs.map { arc in
            var arc = arc
            arc.milliseconds = Profile.allCases.map { _ in 10_000 }
            return arc
        }
        draft.rules = draft.arcs.indices.map {
            StreetDraft.Rule(arc: UInt32($0), profile: .car, hours: 0, milliseconds: 30_000)
        }
        let network = try RandomStreets.network(draft)
        let workspace = StreetWorkspace(for: network)
        let edge = EdgeIndex(rawValue: 0)
        let ends = [0, StreetPlace.whole].map {
            StreetPlace(edge: edge, fraction: $0, point: draft.vertices[0], distanceMetres: 0)
        }
        for (time, minute, expected) in [
            (20_000, 599, 20_000), (20_000, 600, 30_000), (20_000, 660, 20_000),
            (50_000, 600, 50_000),
        ] as [(UInt32, Int64, UInt32)] {
            let metric = try network.metric(
                network.metric(.car),
                changing: network.passages(of: edge).map { ArcTime(arc: $0, milliseconds: time) }
            )
            let cost = network.cost(
                from: ends[0],
                to: ends[1],
                by: metric,
                at: .departure(WeekMoment(milliseconds: minute * 60_000)),
                using: workspace
            )
            #expect(cost.milliseconds == expected)
        }
    }

    @Test("hours are joined, sorted and cut to the week")
    func hours() {
        let hours = WeekHours([600..<660, 0..<10, 650..<700, 10_000..<12_000, 5..<5])
        #expect(hours.minutes == [0..<10, 600..<700, 10_000..<10_080])
        #expect(hours.contains(699) && !hours.contains(700) && !WeekHours().contains(0))
        #expect(WeekMoment(milliseconds: -1).milliseconds == 604_799_999)
        #expect(WeekMoment(milliseconds: 604_800_000).milliseconds == 0)
    }
}
