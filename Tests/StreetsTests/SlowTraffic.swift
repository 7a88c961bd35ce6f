import SeededRandom
import Streets

/// A simple, slow reference for the usual traffic of a passage: what is done in each millisecond is
/// added up.
struct SlowTraffic {
    private static let week = 604_800_000

    /// How many times as long as without traffic, times 256, for each quarter of an hour.
    var factors = [Int](repeating: 256, count: 672)

    private func speed(_ moment: Int) -> Int {
        65_536 * 256 / factors[((moment % Self.week) + Self.week) % Self.week / 900_000]
    }

    /// How long a passage takes that begins at a millisecond of the week.
    func taken(_ least: Int, from begin: Int) -> Int {
        var (done, taken) = (0, 0)
        while done < least * 65_536 {
            done += speed(begin + taken)
            taken += 1
        }
        return taken
    }

    /// How long a passage takes that ends at a millisecond of the week.
    func taken(_ least: Int, until end: Int) -> Int {
        var (done, taken) = (0, 0)
        while done < least * 65_536 {
            taken += 1
            done += speed(end - taken)
        }
        return taken
    }

    /// How long a passage takes at the speed of one moment.
    func taken(_ least: Int, at moment: Int) -> Int {
        (least * 65_536 + speed(moment) - 1) / speed(moment)
    }

    /// How long a passage takes at its slowest.
    func slowest(_ least: Int) -> Int {
        (0..<672).map { taken(least, at: $0 * 900_000) }.max() ?? least
    }
}

extension RandomStreets {
    /// Gives about half of the arcs traffic that changes around a minute of the week.
    ///
    /// - Returns: what the network is told, and the same for the reference, by arcs of the draft.
    static func traffic(
        _ draft: StreetDraft,
        _ network: StreetNetwork,
        around minute: Int,
        _ random: inout SeededRandom
    ) -> (told: [ArcTraffic], slow: [Int: SlowTraffic]) {
        var told: [ArcTraffic] = []
        var slow: [Int: SlowTraffic] = [:]
        let profile = Int(Profile.car.rawValue)
        for edge in draft.edges.indices where Bool.random(using: &random) {
            // All passages of a stretch in one direction have the same traffic.
            for forward in [true, false] {
                var traffic = SlowTraffic()
                var times: [(WeekHours, Int)] = []
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let first = minute / 15 + Int.random(in: -2...2, using: &random)
                    let slot = min(671, max(0, first))
                    let hours = WeekHours([UInt16(slot * 15)..<UInt16(slot * 15 + 15)])
                    // Whole multiples, so that the factor is exact.
                    times.append((hours, Int.random(in: 1...9, using: &random)))
                }
                for (hours, times) in times {
                    for slot in 0..<672 where hours.contains(UInt16(slot * 15)) {
                        traffic.factors[slot] = 256 * times
                    }
                }
                for passage in network.passages(of: EdgeIndex(rawValue: UInt32(edge)))
                where network.passage(passage).forward == forward {
                    let own = network.milliseconds(passage, by: network.metric(.car))
                    guard own < 60_000_000, own > 0 else { continue }
                    told.append(
                        ArcTraffic(
                            arc: passage,
                            times: times.map { ($0.0, own * UInt32($0.1)) }
                        )
                    )
                }
                for (number, arc) in draft.arcs.enumerated()
                where Int(arc.edge) == edge && arc.forward == forward {
                    let own = arc.milliseconds[profile]
                    if own < 60_000_000, own > 0 { slow[number] = traffic }
                }
            }
        }
        return (told, slow)
    }
}
