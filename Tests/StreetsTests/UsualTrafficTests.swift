import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

/// Issue 33, "Traffic": speeds by hour of the week (V53).
@Suite("Usual traffic by hour of the week")
struct UsualTrafficTests {
    /// A moment just before or after speeds change, often where the week begins anew.
    private func moment(_ random: inout SeededRandom) -> WeekMoment {
        let slot = [0, 671, 333].randomElement(using: &random) ?? 0
        return WeekMoment(
            milliseconds: Int64(slot) * 900_000 + Int64.random(in: -90_000..<90_000, using: &random)
        )
    }

    @Test("ways by departure, by arrival, at one moment and at any hour equal a plain search")
    func random() throws {
        var differing = 0
        let instances = Effort.instances(120, everything: 1_500)
        for seed in 0..<UInt64(instances) {
            var random = SeededRandom(seed: seed ^ 0x77)
            var draft = RandomStreets.draft(&random)
            guard !draft.edges.isEmpty else { continue }
            let week = moment(&random)
            let minute = Int(week.milliseconds / 60_000)
            if seed % 2 == 0 { RandomStreets.addRules(to: &draft, around: minute, &random) }
            let network = try RandomStreets.network(draft)
            let traffic = RandomStreets.traffic(draft, network, around: minute, &random)
            let metric = try network.metric(network.metric(.car), traffic: traffic.told)
            let workspace = StreetWorkspace(for: network)
            for moment in [PassageMoment.departure(week), .arrival(week), .whole(week), .always] {
                var slow = SlowHours(draft, .car, moment)
                slow.traffic = traffic.slow
                let isArrival = moment == .arrival(week)
                let place = RandomStreets.place(draft, &random)
                let all = slow.all(place)
                let tree = network.shortestPathTree(
                    place,
                    within: SearchLimit(),
                    isArrival ? .backward : .forward,
                    by: metric,
                    at: moment,
                    using: workspace
                )
                let others = (0..<4).map { _ in RandomStreets.place(draft, &random) }
                let expected = others.map { slow.answer(all, place, $0) }
                for (other, expected) in zip(others, expected) {
                    try #require(tree.cost(other).answer == expected, "seed \(seed) \(moment)")
                }
                for (other, expected) in zip(others, expected) {
                    let (from, to) = isArrival ? (other, place) : (place, other)
                    let best = network.cost(from: from, to: to, by: metric, using: workspace)
                    let cost = network.cost(
                        from: from,
                        to: to,
                        by: metric,
                        at: moment,
                        using: workspace
                    )
                    try #require(cost.answer == expected, "seed \(seed) \(moment)")
                    if best != cost { differing += 1 }
                }
            }
        }
        #expect(differing >= instances / 3)
    }

    @Test("a street that is slow at every hour takes longer at its best hour, too")
    func always() throws {
        var sketch = StreetSketch()
        sketch.street("Via Roma", "a 0 0", "b 0 500")
        sketch.street("Via Milano", "b", "c 0 1000")
        let network = try RandomStreets.network(sketch.draft)
        let metric = network.metric(.car)
        let arcs = network.passages(of: EdgeIndex(rawValue: 0))
        let arc = try #require(arcs.first { network.passage($0).forward })
        let own = network.milliseconds(arc, by: metric)
        let week = WeekHours([0..<WeekHours.weekMinutes])
        let slow = try network.metric(
            metric,
            traffic: [ArcTraffic(arc: arc, times: [(week, 3 * own)])]
        )
        #expect(network.milliseconds(arc, by: slow) == 3 * own)
        #expect(!slow.variesByHour)
        // Of two for the same passage the last one counts.
        let night = WeekHours([0..<360])
        let mixed = try network.metric(
            metric,
            traffic: [
                ArcTraffic(arc: arc, times: [(week, 9 * own)]),
                ArcTraffic(arc: arc, times: [(week, 3 * own), (night, 2 * own)]),
            ]
        )
        #expect(network.milliseconds(arc, by: mixed) == 2 * own)
        #expect(mixed.variesByHour)
        let workspace = StreetWorkspace(for: network)
        for (hour, times) in [(1, 2), (12, 3)] as [(Int64, UInt32)] {
            let cost = network.cost(
                from: try sketch.place("a"),
                to: try sketch.place("b"),
                by: mixed,
                at: .departure(WeekMoment(milliseconds: hour * 3_600_000)),
                using: workspace
            )
            #expect((times * own...times * own + 10).contains(cost.milliseconds))
        }
    }

    @Test("nobody arrives earlier by leaving later, and arriving by a moment is the mirror")
    func order() throws {
        for seed in 0..<UInt64(Effort.instances(100, everything: 1_500)) {
            var random = SeededRandom(seed: seed ^ 0x78)
            let draft = RandomStreets.draft(&random)
            guard !draft.edges.isEmpty else { continue }
            let week = moment(&random)
            let network = try RandomStreets.network(draft)
            let minute = Int(week.milliseconds / 60_000)
            let traffic = RandomStreets.traffic(draft, network, around: minute, &random)
            let metric = try network.metric(network.metric(.car), traffic: traffic.told)
            let workspace = StreetWorkspace(for: network)
            let from = RandomStreets.place(draft, &random)
            let to = RandomStreets.place(draft, &random)
            var last = Int64.min
            for later in stride(from: Int64(0), to: 3_000_000, by: 61_003) {
                let departure = Int64(week.milliseconds) + later
                func way(_ moment: PassageMoment) -> Cost {
                    network.cost(from: from, to: to, by: metric, at: moment, using: workspace)
                }
                let cost = way(.departure(WeekMoment(milliseconds: departure)))
                guard cost.isPossible else { break }
                let arrival = departure + Int64(cost.milliseconds)
                try #require(arrival >= last, "seed \(seed)")
                last = arrival
                // Who leaves then arrives at the latest when that was asked for, and could not
                // have left a second later.
                let back = way(.arrival(WeekMoment(milliseconds: arrival)))
                try #require(back.isPossible && back.milliseconds <= cost.milliseconds)
                let latest = arrival - Int64(back.milliseconds)
                let again = way(.departure(WeekMoment(milliseconds: latest)))
                try #require(latest + Int64(again.milliseconds) <= arrival, "seed \(seed)")
                let late = way(.departure(WeekMoment(milliseconds: latest + 1)))
                try #require(latest + 1 + Int64(late.milliseconds) > arrival, "seed \(seed)")
            }
        }
    }

    @Test("a street that is quicker at night than the map says makes the ways quicker then")
    func quicker() throws {
        var random = SeededRandom(seed: 9)
        var draft = RandomStreets.grid(columns: 2, rows: 1, oneWayShare: 0, &random)
        draft.arcs = draft.arcs.map { arc in
            var arc = arc
            arc.milliseconds = Profile.allCases.map { _ in 60_000 }
            return arc
        }
        let network = try RandomStreets.network(draft)
        let workspace = StreetWorkspace(for: network)
        let edge = EdgeIndex(rawValue: 0)
        let ends = [0, StreetPlace.whole].map {
            StreetPlace(edge: edge, fraction: $0, point: draft.vertices[0], distanceMetres: 0)
        }
        let night = WeekHours([0..<300])
        let evening = WeekHours([960..<1_140])
        let metric = try network.metric(
            network.metric(.car),
            traffic: network.passages(of: edge).map {
                ArcTraffic(arc: $0, times: [(night, 40_000), (evening, 180_000)])
            }
        )
        #expect(metric.variesByHour && !network.metric(.car).variesByHour)
        for (minute, expected) in [(60, 40_000), (600, 60_000), (1_000, 180_000)] {
            let cost = network.cost(
                from: ends[0],
                to: ends[1],
                by: metric,
                at: .departure(WeekMoment(milliseconds: Int64(minute) * 60_000)),
                using: workspace
            )
            #expect(abs(Int(cost.milliseconds) - expected) <= expected / 100, "minute \(minute)")
        }
        // A third of the street at the speed of the evening, the rest after it.
        let end = Int64(1_140) * 60_000
        let cost = network.cost(
            from: ends[0],
            to: ends[1],
            by: metric,
            at: .departure(WeekMoment(milliseconds: end - 60_000)),
            using: workspace
        )
        #expect(abs(Int(cost.milliseconds) - 100_000) <= 1_000)
        #expect(metric.unchangedMilliseconds(from: WeekMoment(milliseconds: 0)) == 300 * 60_000)
    }
}
