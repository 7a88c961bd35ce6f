import Chronology
import Geo
import SeededRandom
import Streets
import TestSupport
import Testing

@testable import Fares

/// taxi.md R70, from positions to speeds: the drives of a week teach the slow street of a town.
@Suite("A town that taxis teach")
struct TaughtTownTests {
    /// Routes that pass a street from end to end, well away from their own ends.
    private func routes(
        over street: SampledDrive.Street,
        in network: StreetNetwork,
        _ random: inout SeededRandom
    ) -> [StreetRoute] {
        let workspace = StreetWorkspace(for: network)
        var routes: [StreetRoute] = []
        for _ in 0..<20_000 where routes.count < 12 {
            let ends = (0..<2).compactMap { _ in
                let vertex = VertexIndex(rawValue: UInt32(random.below(network.vertexCount)))
                return network.snap(network.place(of: vertex), for: .taxi).first
            }
            guard ends.count == 2,
                let route = network.route(
                    from: ends[0],
                    to: ends[1],
                    by: network.metric(.taxi),
                    using: workspace
                )
            else { continue }
            let middle = route.stretches.dropFirst(2).dropLast(2)
            if middle.contains(where: { $0.edge == street.edge && $0.forward == street.isForward })
            {
                routes.append(route)
            }
        }
        return routes
    }

    @Test("R70: a week of drives teaches a street that it is slow, and its neighbours little")
    func week() throws {
        for seed in 0..<UInt64(Effort.instances(2, everything: 12)) {
            var random = SeededRandom(seed: seed ^ 0x700)
            let network = try DriveTown(&random).network
            // A long street in the middle of the town.
            let middle = (0..<UInt32(network.edgeCount)).map { EdgeIndex(rawValue: $0) }.filter {
                let edge = network.edge($0)
                let number = Int($0.rawValue)
                return edge.lengthDecimetres > 1_100
                    && (network.edgeCount / 3..<network.edgeCount * 2 / 3).contains(number)
            }
            let slow = SampledDrive.Street(edge: random.pick(middle), isForward: true)
            let routes = routes(over: slow, in: network, &random)
            try #require(routes.count >= 6, "seed \(seed)")
            let matcher = DriveMatcher(network)
            let monday: Int32 = 20_584
            let block = WeekBlock(minute: 8 * 60)
            var learned = LearnedSpeeds()
            for day in 0..<5 as Range<Int32> {
                var tally = SpeedTally(secret: random.next())
                for taxi in 0..<6 as Range<UInt32> {
                    let drive = SampledDrive(
                        random.pick(routes),
                        from: Int64(monday + day) * 86_400_000 + 8 * 3_600_000,
                        deviation: 4,
                        &random
                    ) { $0 == slow ? 3 : 1 }
                    for passage in matcher.passages(of: drive.points) {
                        let perMille = try #require(passage.perMille)
                        tally.add(
                            network.part(of: passage.edge, isForward: passage.isForward),
                            .residential,
                            perMille: perMille,
                            by: taxi
                        )
                    }
                }
                learned.learn(tally.counted, in: block, on: monday + day)
            }
            var others: [Int64] = []
            for number in 0..<UInt32(network.edgeCount) {
                for isForward in [true, false] {
                    let street = SampledDrive.Street(
                        edge: EdgeIndex(rawValue: number),
                        isForward: isForward
                    )
                    let part = network.part(of: street.edge, isForward: isForward)
                    let ratio = learned.ratio(of: part, .residential, in: block)
                    guard let ratio else { continue }
                    if street == slow {
                        #expect((1_900...3_200).contains(ratio), "seed \(seed): \(ratio)")
                    } else {
                        others.append(ratio)
                    }
                }
            }
            #expect(learned.knows(network.part(of: slow.edge, isForward: true)), "seed \(seed)")
            #expect(others.count > 3 && others.allSatisfy { $0 < 1_600 }, "seed \(seed): \(others)")
            let usual = others.sorted()[others.count / 2]
            #expect((900...1_150).contains(usual), "seed \(seed): \(usual)")
        }
    }
}
