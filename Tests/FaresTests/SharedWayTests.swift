import Fares
import Geo
import SeededRandom
import TestSupport
import Testing

/// R86 and spec/taxi.md 1.12: walking time against the taxi's arrival, detour, further wait; on a
/// street with a junction every 500 m, a minute by taxi and 400 s on foot.
@Suite("Joining a shared ride on the streets (R86)")
struct SharedWayTests {
    private func junction(_ number: Int) -> Coordinate { StraightStreet.junction(number) }

    private func ride(taxi: Int?, sharers: [(Int, Int)]) -> SharedWay.Ride {
        SharedWay.Ride(
            meetingPoint: junction(10),
            sharers: sharers.map { SharedWay.Sharer(from: junction($0.0), to: junction($0.1)) },
            taxi: taxi.map { junction($0) },
            usualSeconds: 420
        )
    }

    private func join(
        _ ride: SharedWay.Ride,
        _ from: Int,
        _ to: Int
    ) throws -> SharedWay? {
        let arrivals = Arrivals(try StraightStreet.network())
        let joiner = SharedWay.Sharer(from: junction(from), to: junction(to))
        return arrivals.sharing(ride, joinedBy: joiner)
    }

    @Test("on the way of the owner nobody goes out of the way")
    func along() throws {
        let way = try #require(try join(ride(taxi: 2, sharers: [(10, 20)]), 11, 15))
        #expect(way.walkSeconds == 400 && way.taxiSeconds == 480)
        // The joiner's direct drive takes 4 minutes, the shared one 5: 25%. The
        // owner loses nothing.
        #expect(way.detourPercent == 25 && way.stop == 0)
        #expect(way.extraWaitSeconds == 0)
    }

    @Test("the joiner's stop is where the longest detour is shortest")
    func stop() throws {
        // Owner 10 to 15; joiner 10 to 20: owner first, or else 5 minutes become 15.
        let later = try #require(try join(ride(taxi: 2, sharers: [(10, 15)]), 10, 20))
        #expect(later.stop == 1 && later.detourPercent == 0)
        // Joiner 10 to 8 of an owner 10 to 20: 14 minutes for 10 is 40%; 22 for 2 is 1000%.
        let back = try #require(try join(ride(taxi: 2, sharers: [(10, 20)]), 10, 8))
        #expect(back.stop == 0 && back.detourPercent == 40)
    }

    @Test("while none has accepted the usual time counts; a late joiner makes the others wait")
    func times() throws {
        let open = try #require(try join(ride(taxi: nil, sharers: [(10, 20)]), 11, 15))
        #expect(open.taxiSeconds == 420 && open.extraWaitSeconds == 0)
        let late = try #require(try join(ride(taxi: 9, sharers: [(10, 20)]), 11, 15))
        #expect(late.taxiSeconds == 60 && late.extraWaitSeconds == 340)
    }

    @Test("what is unknown, empty or too full has no answer")
    func unknown() throws {
        #expect(try join(ride(taxi: 2, sharers: []), 11, 15) == nil)
        let full = Array(repeating: (10, 20), count: 16)
        #expect(try join(ride(taxi: 2, sharers: full), 11, 15) == nil)
        var lost = ride(taxi: nil, sharers: [(10, 20)])
        lost.taxi = Milan.place(48.85, 2.35)
        #expect(try join(lost, 11, 15) == nil)
    }

    @Test("detour and stop are those of trying everything by hand")
    func random() throws {
        let arrivals = Arrivals(try StraightStreet.network())
        for seed in 0..<UInt64(Effort.instances(1_000)) {
            var random = SeededRandom(seed: seed)
            func any() -> Int { Int.random(in: 0..<StraightStreet.junctions, using: &random) }
            let others = (0..<Int.random(in: 1...3, using: &random)).map { _ in (10, any()) }
            let joiner = (any(), any())
            let way = arrivals.sharing(
                ride(taxi: any(), sharers: others),
                joinedBy: SharedWay.Sharer(from: junction(joiner.0), to: junction(joiner.1))
            )
            var best = (detour: Int.max, stop: 0)
            for stop in 0...others.count {
                var all = others
                all.insert(joiner, at: stop)
                var (place, minutes, worst) = (10, 0, 0)
                for (from, to) in all {
                    minutes += abs(to - place)
                    place = to
                    // A route of length zero takes a millisecond.
                    let alone = from == to ? 1 : abs(to - from) * 60_000
                    let over = max(0, minutes * 60_000 - alone)
                    worst = max(worst, (over * 100 + alone - 1) / alone)
                }
                if worst < best.detour { best = (worst, stop) }
            }
            #expect(way?.stop == best.stop, "seed \(seed)")
            #expect(way?.detourPercent == Int32(clamping: best.detour), "seed \(seed)")
            #expect(way?.walkSeconds == Int32(abs(joiner.0 - 10) * 400), "seed \(seed)")
        }
    }
}
