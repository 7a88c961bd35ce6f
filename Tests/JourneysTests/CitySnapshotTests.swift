import Chronology
import Columns
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import Journeys

/// design.md, rule 2: one immutable snapshot, shared by all threads; the same file and overlays
/// give the same answers.
@Suite("Snapshots of a city")
struct CitySnapshotTests {
    /// The days of the questions: more than are kept besides the prepared ones.
    private static let days: ClosedRange<Int32> = 16_361...16_367

    private static func city(seed: UInt64) throws -> City {
        var random = SeededRandom(seed: seed)
        var texts = RandomFeed.texts(seed: seed)
        texts = RandomFeed.withWheelchairs(texts, &random)
        let feed = try RandomTown.feed(texts: texts)
        return City(try RandomTown.city(RandomTown.streets(&random), feed).opened())
    }

    /// Questions of all kinds on all days.
    private static func questions(seed: UInt64, count: Int) -> [JourneyQuery] {
        var random = SeededRandom(seed: seed ^ 0xA5C)
        return (0..<count).map { number in
            let day = Int64(Int32.random(in: days, using: &random))
            return JourneyQuery(
                from: .place(RandomTown.place(&random)),
                to: .place(RandomTown.place(&random)),
                time: Instant(seconds: day * 86_400 + .random(in: 0..<86_400, using: &random)),
                isArriveBy: number % 2 == 1,
                maxWalkMetres: number % 5 == 0 ? 2_000 : nil,
                modes: TravelModes(
                    bicycle: number % 7 == 0,
                    transit: number % 3 == 0 ? TransitMode.bus.bit : TransitMode.all
                ),
                wheelchair: number % 4 == 0
            )
        }
    }

    private static func answers(
        _ snapshot: CitySnapshot,
        _ questions: [JourneyQuery]
    ) -> [[Itinerary]] {
        var planner = Planner(snapshot)
        return questions.map { planner.journeys($0) }
    }

    @Test("threads that share a snapshot get the answers that each gets alone")
    func shared() async throws {
        var rides = 0
        for seed in 1...UInt64(Effort.instances(20, everything: 400)) {
            let city = try Self.city(seed: seed)
            let questions = Self.questions(seed: seed, count: 24)
            let snapshot = CitySnapshot(city)
            let found = await withTaskGroup(of: [[Itinerary]].self) { group in
                for thread in 0..<4 {
                    group.addTask {
                        // They begin apart, so that several lay out the same days or others.
                        let start = thread / 2 * 12
                        let turned = Array(questions[start...] + questions[..<start])
                        let answers = Self.answers(snapshot, turned)
                        let end = answers.count - start
                        return Array(answers[end...] + answers[..<end])
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // A snapshot for each question: nothing that was asked before is left.
            let expected = questions.map { Self.answers(CitySnapshot(city), [$0])[0] }
            for answers in found { #expect(answers == expected, "seed \(seed)") }
            rides += expected.joined().count { $0.transfers > 0 || $0.legs.count > 1 }
        }
        #expect(rides > 0)
    }

    @Test("days that are laid out beforehand change no answer and stay (V54)")
    func prepared() throws {
        for seed in 1...UInt64(Effort.instances(10, everything: 200)) {
            let city = try Self.city(seed: seed)
            let questions = Self.questions(seed: seed, count: 24)
            let snapshot = CitySnapshot(city)
            let first = CivilDate(daysSince1970: Self.days.lowerBound)
            snapshot.prepare(from: first, days: 6)
            #expect(snapshot.transit.dayCount == 7, "the days, and the one before them")
            let day = snapshot.transit.day(first)
            let answers = Self.answers(snapshot, questions)
            #expect(answers == Self.answers(CitySnapshot(city), questions), "seed \(seed)")
            for later in 20..<30 as Range<Int32> {
                _ = snapshot.transit.day(first.adding(days: later))
            }
            #expect(snapshot.transit.dayCount == 7 + LaidOutTimetable.spareDayLimit)
            #expect(snapshot.transit.day(first) === day, "it was kept")
        }
    }

    @Test("street speeds of epoch 2 change the car's time and nothing else (design.md, rule 2)")
    func streetSpeeds() throws {
        let city = try Self.city(seed: 3)
        let time = Instant(seconds: 16_361 * 86_400)
        let base = CitySnapshot(city)
        let calm = try base.with(
            CityOverlays(
                streetSpeeds: Overlay(source: "traffic", time: time, epoch: 1, StreetSpeeds([:]))
            )
        )
        let car = city.streets.metric(.car)
        let changes = (0..<UInt32(city.streets.arcCount)).map { number in
            let arc = ArcIndex(rawValue: number)
            let time = city.streets.milliseconds(arc, by: car)
            let slow = time == StreetDraft.Arc.closed ? time : 3 * time
            return ArcTime(arc: arc, milliseconds: slow)
        }
        let jam = try calm.with(
            CityOverlays(
                streetSpeeds: Overlay(
                    source: "traffic",
                    time: time,
                    epoch: 2,
                    StreetSpeeds([.car: changes])
                )
            )
        )
        #expect(jam.overlays.streetSpeeds?.epoch == 2)
        #expect(jam.overlays.streetSpeeds?.ageSeconds(at: time.adding(seconds: 90)) == 90)
        #expect(jam.transit === base.transit, "laid-out days are shared")
        let others = Self.questions(seed: 3, count: 24)
        let expected = Self.answers(base, others)
        #expect(Self.answers(calm, others) == expected)
        #expect(Self.answers(jam, others) == expected)
        let drives = others.map { query in
            var query = query
            query.modes = TravelModes(walk: false, car: true, transit: 0)
            query.wheelchair = false
            return query
        }
        func seconds(_ snapshot: CitySnapshot) -> [Int64] {
            Self.answers(snapshot, drives).map { answers in
                answers.first.map { $0.arrival.seconds - $0.departure.seconds } ?? 0
            }
        }
        let (before, after) = (seconds(calm), seconds(jam))
        #expect(before == seconds(base))
        #expect(zip(before, after).allSatisfy { $0 <= $1 && $1 <= 3 * $0 + 1 })
        #expect(2 * after.reduce(0, +) > 3 * before.reduce(0, +), "most of the way is on streets")
        let twin = try CitySnapshot(city).with(jam.overlays)
        #expect(Self.answers(twin, drives) == Self.answers(jam, drives), "the same overlays")
        #expect(seconds(try jam.with(CityOverlays())) == before, "the jam is over")
        let other = Overlay(source: "accidents", time: time, epoch: 2, StreetSpeeds([:]))
        let calmer = try jam.with(CityOverlays(streetSpeeds: other))
        #expect(seconds(calmer) == before, "each source numbers its versions by itself")
        #expect(seconds(jam) == after, "and who asked in it is still in it")
    }

    @Test("speeds for a passage that does not exist are refused, and the snapshot stays")
    func unknownPassage() throws {
        let city = try Self.city(seed: 4)
        let base = CitySnapshot(city)
        let arc = ArcIndex(rawValue: UInt32(city.streets.arcCount))
        let overlay = Overlay(
            source: "traffic",
            time: Instant(seconds: 0),
            epoch: 1,
            StreetSpeeds([.car: [ArcTime(arc: arc, milliseconds: 1)]])
        )
        #expect(throws: StreetFailure.inconsistent(.arc, number: 0)) {
            try base.with(CityOverlays(streetSpeeds: overlay))
        }
    }
}
