import Chronology
import SeededRandom
import Streets
import Testing

@testable import Fares

/// taxi.md R70: streets learn their speeds by the hour of the week from the taxis' drives.
@Suite("Speeds that streets learn")
struct LearnedSpeedsTests {
    /// Wednesday, 13 May 2026.
    private static let day: Int32 = 20_586

    private func block(_ hour: Int32, weekday: Int32 = 0) throws -> WeekBlock {
        let date = try #require(CivilDate(iso8601: "2026-05-\(11 + weekday)"))
        return WeekBlock(LocalTime(date: date, second: hour * 3_600))
    }

    private func part(_ number: UInt64) -> StreetPart {
        StreetPart(rawValue: 1 << 63 | number)
    }

    /// Forty streets that take as long as on the map, the first of them a multiple of it.
    private func streets(
        first: UInt16,
        taxis: UInt8 = 6,
        kind: StreetKind = .residential
    ) -> [SpeedTally.Street] {
        (0..<40).map { number in
            SpeedTally.Street(
                part: part(number),
                kind: kind,
                perMille: number == 0 ? first : 1_000,
                taxis: taxis
            )
        }
    }

    // MARK: Counting

    @Test("R70: a street counts with three taxis and their median, and one taxi once")
    func tally() {
        var tally = SpeedTally(secret: 5)
        for _ in 0..<1_000 { tally.add(part(1), .primary, perMille: 9_000, by: 7) }
        tally.add(part(2), .primary, perMille: 2_000, by: 7)
        tally.add(part(2), .primary, perMille: 2_000, by: 8)
        #expect(tally.counted.isEmpty)
        tally.add(part(2), .primary, perMille: 1_500, by: 9)
        tally.add(part(2), .primary, perMille: 9_000, by: 9)
        let street = SpeedTally.Street(part: part(2), kind: .primary, perMille: 2_000, taxis: 3)
        #expect(tally.counted == [street])
        for taxi in 10..<100 as Range<UInt32> {
            tally.add(part(2), .primary, perMille: 1_000, by: taxi)
        }
        #expect(tally.counted.map(\.taxis) == [UInt8(SpeedTally.mostTaxis)])
    }

    @Test("R70: an attacker with one account moves nothing: two honest taxis hold the street")
    func attacker() throws {
        var random = SeededRandom(seed: 33)
        let block = try block(8)
        for honest in [2, 3, 8] as [UInt32] {
            var (fair, attacked) = (LearnedSpeeds(), LearnedSpeeds())
            for day in 0..<20 as Range<Int32> {
                let secret = random.next()
                var tallies = [SpeedTally(secret: secret), SpeedTally(secret: secret)]
                for number in 0..<40 as Range<UInt64> {
                    for taxi in 0..<max(3, honest) {
                        tallies[0].add(part(number), .primary, perMille: 1_000, by: taxi)
                    }
                    for taxi in 0..<honest {
                        tallies[1].add(part(number), .primary, perMille: 1_000, by: taxi)
                    }
                    // They drive there as often as they can, and report what they like.
                    for _ in 0..<50 {
                        tallies[1].add(part(number), .primary, perMille: 10_000, by: 666)
                    }
                }
                fair.learn(tallies[0].counted, in: block, on: Self.day + day)
                attacked.learn(tallies[1].counted, in: block, on: Self.day + day)
            }
            for number in 0..<40 as Range<UInt64> {
                let ratio = attacked.ratio(of: part(number), .primary, in: block)
                #expect(ratio == 1_000)
                #expect(ratio == fair.ratio(of: part(number), .primary, in: block))
            }
            #expect(attacked.pace(in: block) == 1_000)
        }
    }

    // MARK: Learning

    @Test("R70: a slow street is learned at its hours within days, and its neighbours are not")
    func converges() throws {
        let (rush, noon) = (try block(8), try block(13))
        var learned = LearnedSpeeds()
        #expect(learned.ratio(of: part(0), .residential, in: rush) == nil)
        learned.learn(streets(first: 3_000, taxis: 3), in: rush, on: Self.day)
        // Three drives prove little.
        let first = try #require(learned.ratio(of: part(0), .residential, in: rush))
        #expect((1_500..<2_000).contains(first))
        for day in 1..<8 as Range<Int32> {
            learned.learn(streets(first: 3_000), in: rush, on: Self.day + day)
            learned.learn(streets(first: 1_000), in: noon, on: Self.day + day)
        }
        let last = try #require(learned.ratio(of: part(0), .residential, in: rush))
        #expect((2_600...3_000).contains(last))
        #expect(learned.ratio(of: part(0), .residential, in: noon) == 1_000)
        for number in 1..<40 as Range<UInt64> {
            #expect(learned.ratio(of: part(number), .residential, in: rush) == 1_000)
        }
        #expect(learned.streetCount == 40)
        // When the works are over, the street is as quick as before.
        for day in 8..<20 as Range<Int32> {
            learned.learn(streets(first: 1_000), in: rush, on: Self.day + day)
        }
        #expect(learned.ratio(of: part(0), .residential, in: rush) == 1_000)
    }

    @Test("the city's pace is left to the calibration, and a street's level reaches other hours")
    func levels() throws {
        let (rush, night) = (try block(8), try block(3))
        var learned = LearnedSpeeds()
        let slow = streets(first: 4_000).map { street in
            SpeedTally.Street(
                part: street.part,
                kind: street.kind,
                perMille: street.perMille * 2,
                taxis: street.taxis
            )
        }
        for day in 0..<8 as Range<Int32> {
            learned.learn(slow, in: rush, on: Self.day + day)
            learned.learn(
                [slow[0]].map { street in
                    SpeedTally.Street(
                        part: street.part,
                        kind: street.kind,
                        perMille: 3_000,
                        taxis: street.taxis
                    )
                },
                in: nil,
                on: Self.day + day
            )
        }
        #expect((1_900...2_000).contains(learned.pace(in: rush)))
        #expect(learned.pace(in: night) == 1_000)
        // All others are as slow as the city.
        let other = try #require(learned.ratio(of: part(1), .residential, in: rush))
        #expect((950...1_050).contains(other))
        let own = try #require(learned.ratio(of: part(0), .residential, in: rush))
        #expect((3_500...4_200).contains(own))
        let level = try #require(learned.ratio(of: part(0), .residential, in: night))
        #expect((2_500...3_000).contains(level))
        #expect(learned.ratio(of: part(77), .residential, in: night) == nil)
    }

    @Test("what was learned weighs half after 28 days, and is forgotten after 224")
    func forgets() throws {
        let (rush, noon) = (try block(8), try block(13))
        var learned = LearnedSpeeds()
        learned.learn(streets(first: 3_000, taxis: 4), in: rush, on: Self.day)
        // Four taxis weigh as much as the doubt, and then half as much.
        let kind = try #require(learned.ratio(of: part(0), .residential, in: rush))
        #expect(kind == 2_000)
        learned.learn([], in: noon, on: Self.day + 28)
        #expect(learned.ratio(of: part(0), .residential, in: rush) == 1_667)
        learned.learn([], in: noon, on: Self.day + 223)
        #expect(learned.knows(part(0)))
        learned.learn([], in: noon, on: Self.day + 224)
        #expect(!learned.knows(part(0)) && learned.isEmpty && learned.count == 0)
    }

    @Test("the newest samples of a street and hour replace the oldest")
    func newest() throws {
        let rush = try block(8)
        var learned = LearnedSpeeds()
        for day in 0..<100 as Range<Int32> {
            learned.learn(streets(first: 1_000), in: rush, on: Self.day + day)
        }
        // Forty streets, their kind and the city.
        #expect(learned.count == 42 * LearnedSpeeds.sampleLimit)
    }

    // MARK: Storage

    @Test("what is stored is read again, and nothing else")
    func bytes() throws {
        var random = SeededRandom(seed: 3)
        var learned = LearnedSpeeds()
        for number in 0..<60 as Range<Int32> {
            let streets = (0..<9).map { _ in
                SpeedTally.Street(
                    part: part(random.next() >> 1),
                    kind: random.pick(StreetKind.allCases),
                    perMille: UInt16(250 + random.below(9_000)),
                    taxis: UInt8(3 + random.below(12))
                )
            }
            let block = number % 3 == 0 ? nil : random.pick(WeekBlock.all)
            learned.learn(streets, in: block, on: Self.day + number / 10)
        }
        let parts = (0..<LearnedSpeeds.partCount).map { learned.bytes(of: $0) }
        #expect(LearnedSpeeds(parts: parts) == learned)
        #expect(LearnedSpeeds(parts: []) == LearnedSpeeds())
        let full = try #require(parts.first { $0.count > 20 })
        #expect(LearnedSpeeds(parts: [Array(full.dropLast())]) == nil)
        #expect(LearnedSpeeds(parts: [[2] + full.dropFirst()]) == nil)
        #expect(LearnedSpeeds(parts: [full, full]) == nil)
        #expect(LearnedSpeeds(parts: [[]]) == nil)
        for _ in 0..<500 {
            var damaged = full
            damaged[random.below(damaged.count)] = UInt8(truncatingIfNeeded: random.next())
            // It is read or refused, and never traps.
            let read = LearnedSpeeds(parts: [damaged])
            _ = read.map { $0.ratio(of: part(1), .primary, in: WeekBlock.all[0]) }
        }
    }

    // MARK: Hours and streets

    @Test("each minute of the week lies in one block, the one that its moment has")
    func blocks() throws {
        let all = WeekBlock.all
        #expect(all.map(\.number) == Array(0..<WeekBlock.count))
        let hours = all.map { WeekBlock.hours(of: [$0.number]) }
        for minute in 0..<WeekHours.weekMinutes {
            let block = WeekBlock(minute: minute)
            let date = try #require(CivilDate(iso8601: "2026-05-\(11 + minute / 1_440)"))
            let time = LocalTime(date: date, second: Int32(minute) % 1_440 * 60)
            #expect(WeekBlock(time) == block)
            let found = hours.indices.filter { hours[$0].contains(minute) }
            #expect(found == [block.number])
        }
        let monday = try [8, 9].map { try block($0) }
        #expect(monday[0] != monday[1])
        let eight = try [4, 5, 6].map { try block(8, weekday: $0) }
        #expect(eight[0] == monday[0] && Set(eight).count == 3)
    }

    @Test("the directions of a street are two parts, and a new city file gives them again")
    func parts() throws {
        let (network, again) = (try StraightStreet.network(), try StraightStreet.network())
        var parts: Set<StreetPart> = []
        for number in 0..<UInt32(network.edgeCount) {
            for isForward in [true, false] {
                let edge = EdgeIndex(rawValue: number)
                let part = network.part(of: edge, isForward: isForward)
                #expect(part == again.part(of: edge, isForward: isForward))
                parts.insert(part)
            }
        }
        #expect(parts.count == 2 * network.edgeCount)
    }
}
