import Chronology
import SeededRandom
import Testing
import TripPlanning

/// Issue 31, point 3: what a person would choose from, in order of usefulness.
@Suite("Choosing trips")
struct TripChoiceTests {
    private typealias Candidate = TripChoice.Candidate

    /// A candidate with times in minutes.
    private static func candidate(
        _ kind: TripKind,
        _ departure: Int64,
        _ arrival: Int64,
        changes: Int = 0,
        walk: UInt32 = 0
    ) -> Candidate {
        Candidate(
            kind: kind,
            departure: Instant(seconds: departure * 60),
            arrival: Instant(seconds: arrival * 60),
            transfers: changes,
            walkMetres: walk
        )
    }

    private static func chosen(_ candidates: [Candidate]) -> [Int] {
        TripChoice.chosen(from: candidates, isArriveBy: false)
    }

    @Test("a walk of hours is left out beside a train, and stays where it is the only way")
    func farWalk() {
        let walk = Self.candidate(.walk, 0, 146, walk: 11_700)
        let train = Self.candidate(.transit, 5, 40, changes: 1)
        #expect(Self.chosen([walk, train]) == [1])
        #expect(Self.chosen([walk]) == [0])
        // At night the first train leaves when one has long arrived on foot.
        let morning = Self.candidate(.transit, 300, 335)
        #expect(Self.chosen([walk, morning]) == [0, 1])
    }

    @Test("the best of each mode stands beside the others, whichever arrives first")
    func modes() {
        let candidates = [
            Self.candidate(.car, 0, 13), Self.candidate(.taxi, 0, 18),
            Self.candidate(.bicycle, 0, 30), Self.candidate(.walk, 0, 70, walk: 5_600),
            Self.candidate(.transit, 4, 27, changes: 1, walk: 400), Self.candidate(.car, 0, 20),
        ]
        #expect(Self.chosen(candidates) == [4, 3, 2, 0, 1])
    }

    @Test("the answer in a word is what anyone can take: first there, or last to leave")
    func best() {
        let candidates = [
            Self.candidate(.transit, 4, 27), Self.candidate(.transit, 9, 30, changes: 1),
            Self.candidate(.walk, 0, 40), Self.candidate(.car, 0, 13),
        ]
        #expect(TripChoice.best(of: candidates, isArriveBy: false) == 0)
        #expect(TripChoice.best(of: candidates, isArriveBy: true) == 1)
        let others = [Self.candidate(.taxi, 0, 18), Self.candidate(.car, 0, 13)]
        #expect(TripChoice.best(of: others, isArriveBy: false) == 1)
        #expect(TripChoice.best(of: [], isArriveBy: false) == nil)
    }

    @Test("V62: a taxi for a part of the way is listed if it saves ten minutes, and never sums up")
    func taxiForPart() {
        let bus = Self.candidate(.transit, 0, 40)
        let taxi = Self.candidate(.taxi, 0, 15)
        func changing(_ arrival: Int64) -> Candidate {
            var candidate = Self.candidate(.transit, 0, arrival)
            candidate.changesToTaxi = true
            return candidate
        }
        #expect(Self.chosen([changing(30), bus, taxi]) == [1, 0, 2])
        #expect(Self.chosen([changing(31), bus, taxi]) == [1, 2])
        #expect(Self.chosen([changing(30), changing(25), bus]) == [2, 1])
        #expect(TripChoice.best(of: [changing(30), bus, taxi], isArriveBy: false) == 1)
        // Where no line leads there on foot, it is worth any time.
        #expect(Self.chosen([changing(60), taxi]) == [0, 1])
    }

    @Test("V62: a shared vehicle for a part of the way is listed if it saves five minutes")
    func sharedForPart() {
        let bus = Self.candidate(.transit, 0, 40)
        func changing(_ arrival: Int64, taxi: Bool = false) -> Candidate {
            var candidate = Self.candidate(.transit, 0, arrival)
            candidate.changesToRental = !taxi
            candidate.changesToTaxi = taxi
            return candidate
        }
        #expect(Self.chosen([changing(35), bus]) == [1, 0])
        #expect(Self.chosen([changing(36), bus]) == [1])
        #expect(Self.chosen([changing(35), changing(30), bus]) == [2, 1])
        // It is no rival of a taxi, nor of anything else.
        #expect(Self.chosen([changing(28), changing(29, taxi: true), bus]) == [2, 0, 1])
        #expect(Self.chosen([changing(28), changing(31, taxi: true), bus]) == [2, 0])
        #expect(TripChoice.best(of: [changing(20), bus], isArriveBy: false) == 1)
        #expect(Self.chosen([changing(90)]) == [0])
    }

    @Test("two minutes are not worth three changes, unless nothing arrives earlier")
    func changes() {
        let direct = Self.candidate(.transit, 0, 40)
        let hasty = Self.candidate(.transit, 0, 38, changes: 3)
        let quick = Self.candidate(.transit, 0, 20, changes: 1)
        #expect(Self.chosen([direct, hasty, quick]) == [2, 0])
        #expect(Self.chosen([hasty, direct]) == [1, 0])
    }

    @Test("leaving earlier to arrive at the same time with more changes is left out")
    func dominated() {
        let late = Self.candidate(.transit, 10, 40)
        let early = Self.candidate(.transit, 0, 40, changes: 1)
        #expect(Self.chosen([early, late]) == [1])
    }

    @Test("a bus for one stop is left out where walking is as quick")
    func oneStop() {
        let walk = Self.candidate(.walk, 0, 8, walk: 600)
        let bus = Self.candidate(.transit, 5, 12, walk: 200)
        #expect(Self.chosen([bus, walk]) == [1])
        // It stays where it saves time.
        let express = Self.candidate(.transit, 0, 4, walk: 100)
        #expect(Self.chosen([walk, express]) == [1, 0])
    }

    @Test("journeys of a period are listed by departure, the walk where it is useful")
    func timetable() {
        let candidates = [
            Self.candidate(.walk, 0, 50, walk: 4_000), Self.candidate(.transit, 30, 45),
            Self.candidate(.transit, 10, 25), Self.candidate(.transit, 20, 35),
        ]
        let chosen = TripChoice.chosen(from: candidates, isArriveBy: false, isTimetable: true)
        #expect(chosen == [2, 3, 1, 0])
    }

    @Test("to arrive by a time, the journey that leaves last comes first")
    func arriveBy() {
        let early = Self.candidate(.transit, 0, 30)
        let late = Self.candidate(.transit, 20, 55, changes: 1)
        #expect(TripChoice.chosen(from: [early, late], isArriveBy: true) == [1, 0])
    }

    private static func random(_ random: inout SeededRandom, _ isArriveBy: Bool) -> [Candidate] {
        (0..<Int.random(in: 1...14, using: &random)).map { _ in
            let kind =
                Int.random(in: 0..<3, using: &random) == 0
                ? TripKind.allCases.randomElement(using: &random) ?? .walk : .transit
            let start = kind == .transit ? Int64.random(in: 0...2_400, using: &random) : 0
            let length = Int64.random(in: 60...9_000, using: &random)
            // What has no timetable begins at the time, or ends at it.
            let departure = isArriveBy ? 12_000 - start - length : start
            return Candidate(
                kind: kind,
                departure: Instant(seconds: departure),
                arrival: Instant(seconds: departure + length),
                transfers: kind == .transit ? Int.random(in: 0...4, using: &random) : 0,
                walkMetres: UInt32.random(in: 0...1_500, using: &random),
                bringsVehicle: kind == .transit && Int.random(in: 0..<5, using: &random) == 0,
                changesToTaxi: kind == .transit && Int.random(in: 0..<6, using: &random) == 0,
                changesToRental: kind == .transit && Int.random(in: 0..<6, using: &random) == 0
            )
        }
    }

    @Test(
        "the most timely, the fewest changes and the only option are never left out",
        arguments: [false, true]
    )
    func neverLeftOut(isArriveBy: Bool) throws {
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let all = Self.random(&random, isArriveBy)
            let indices = TripChoice.chosen(from: all, isArriveBy: isArriveBy)
            let chosen = indices.map { all[$0] }
            try #require(!chosen.isEmpty, "seed \(seed)")
            try #require(Set(indices).count == indices.count, "seed \(seed)")
            // A taxi or a shared vehicle for a part of the way is never the only answer where there
            // is another one.
            func isForPart(_ candidate: Candidate) -> Bool {
                candidate.changesToTaxi || candidate.changesToRental
            }
            let others = all.filter { !isForPart($0) }
            let kept = chosen.filter { !isForPart($0) }
            try #require(chosen.count { $0.changesToTaxi } <= 2, "seed \(seed)")
            try #require(chosen.count - kept.count <= 2, "seed \(seed)")
            if isArriveBy {
                let latest = others.map(\.departure).max()
                try #require(kept.map(\.departure).max() == latest, "seed \(seed)")
            } else {
                let earliest = others.map(\.arrival).min()
                try #require(kept.map(\.arrival).min() == earliest, "seed \(seed)")
            }
            if let fewest = others.filter({ $0.kind == .transit }).map(\.transfers).min() {
                // Walking counts as no change at all.
                let least = try #require(kept.map(\.transfers).min())
                try #require(least <= fewest, "seed \(seed)")
            }
            // Of each kind without a timetable there is one at most.
            for kind in TripKind.allCases where kind != .transit {
                try #require(chosen.count { $0.kind == kind } <= 1, "seed \(seed)")
            }
        }
    }

    @Test("choosing is deterministic, and from a choice everything is chosen again")
    func idempotent() throws {
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let isArriveBy = seed % 2 == 1
            let all = Self.random(&random, isArriveBy)
            func choose(_ candidates: [Candidate]) -> [Candidate] {
                TripChoice.chosen(from: candidates, isArriveBy: isArriveBy).map { candidates[$0] }
            }
            let chosen = choose(all)
            try #require(choose(all) == chosen, "seed \(seed)")
            try #require(choose(chosen) == chosen, "seed \(seed)")
        }
    }
}
