import Chronology
import Dispatching
import Fares
import Geo
import Positions
import Storage
import StorageTestSupport
import Streets
import TestClock
import Testing

@testable import Taxi

/// taxi.md R70: streets learn their speeds from the drives of taxis.
@Suite("Streets that learn their speeds")
struct StreetLearningTests {
    /// Half a kilometre in 50 s, where the map says 60 s.
    private static let part: StreetPart = {
        do {
            return try TaxiTown.street().part(of: EdgeIndex(rawValue: 1), isForward: true)
        } catch {
            preconditionFailure("the town has a street: \(error)")
        }
    }()

    /// A passenger calls at 1,500 m, and a taxi comes and takes them a little way; the phones of
    /// all taxis report where they are.
    private static func ride(
        _ town: TaxiTown,
        _ passenger: UInt64,
        _ places: inout [TaxiNumber: Double]
    ) async throws -> TaxiNumber {
        let (request, taxi) = try await town.ride(passenger, from: 1_500)
        var metres = places[taxi] ?? 0
        while metres != 1_500 {
            metres = metres < 1_500 ? min(1_500, metres + 50) : max(1_500, metres - 50)
            places[taxi] = metres
            town.test.advance(seconds: 5)
            for (taxi, metres) in places { town.report(taxi, at: metres) }
        }
        try await town.until("the meeting point is reached") {
            try await town.service.store.record(of: request)?.reached != nil
        }
        let code = try await town.service.ride(of: taxi)?.code
        #expect(try await town.service.board(taxi, aboard: 1, code: code))
        _ = try await town.service.endRide(taxi)
        try await town.untilRead()
        return taxi
    }

    /// Lets the block of the day end, and what was learned be stored.
    private static func endBlock(_ town: TaxiTown) async throws {
        town.test.advance(seconds: 8 * 3_600)
        try await town.service.learnSpeeds()
    }

    @Test(
        "R70: three taxis teach a street its speed, which is kept over a restart",
        arguments: TestEngine.allCases
    )
    func learns(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = SettableClock.atMidnight()
            try await TaxiTown.open(in: database, clock, taxis: 3) { town in
                var places = Dictionary(
                    uniqueKeysWithValues: (0..<3).map { (TaxiNumber(rawValue: $0), 100.0) }
                )
                var taxis: Set<TaxiNumber> = []
                for number in 1...3 as ClosedRange<UInt64> {
                    taxis.insert(try await Self.ride(town, number, &places))
                }
                #expect(taxis.count == 3)
                try await town.service.learnSpeeds()
                // Nothing is known before the block is over.
                #expect(try await town.service.store.streetSpeedsDay() == nil)
                try await Self.endBlock(town)
                try await town.until("the speeds are stored") {
                    try await town.service.store.streetSpeedsDay() == 20_586
                }
                #expect(town.service.streetSpeeds.isEmpty)
                try await town.service.refreshStreetSpeeds()
                let learned = town.service.streetSpeeds
                let block = WeekBlock(LocalTime(clock.now.instant, in: .utc))
                let night = WeekBlock(minute: 2 * 1_440)
                #expect(block != night)
                let ratio = try #require(learned.ratio(of: Self.part, .residential, in: night))
                #expect((850..<1_000).contains(ratio), "\(ratio)")
                #expect(learned.ratio(of: Self.part, .residential, in: block) == 1_000)
                let back = try TaxiTown.street().part(
                    of: EdgeIndex(rawValue: 1),
                    isForward: false
                )
                #expect(!learned.knows(back))
            }
            try await TaxiTown.run(in: database, clock) { town in
                #expect(town.service.streetSpeeds.isEmpty)
                try await town.service.refreshStreetSpeeds()
                #expect(town.service.streetSpeeds.knows(Self.part))
                #expect(try await town.service.store.streetSpeeds() == town.service.streetSpeeds)
            }
        }
    }

    @Test("R70: one taxi teaches the streets nothing, however often it drives")
    func oneTaxi() async throws {
        try await withStorage(on: .sqlite) { database in
            let clock = SettableClock.atMidnight()
            try await TaxiTown.open(in: database, clock, taxis: 1) { town in
                let taxi = TaxiNumber(rawValue: 0)
                for number in 1...4 as ClosedRange<UInt64> {
                    var places = [taxi: 100.0]
                    town.test.advance(seconds: 120)
                    town.report(taxi, at: 100)
                    _ = try await Self.ride(town, number, &places)
                }
                try await Self.endBlock(town)
                town.test.advance(seconds: 86_400)
                try await town.service.learnSpeeds()
                #expect(try await town.service.store.streetSpeedsDay() == nil)
            }
        }
    }

    @Test("an hour counts for the drives that were matched within a quarter of an hour after it")
    func blocks() async throws {
        let streets = try TaxiTown.street()
        let learning = StreetLearning(streets, zone: .utc)
        /// Drives from end to end of the street, from a moment on.
        func drive(_ taxi: UInt32, from seconds: Int64) async {
            var trace = DriveTrace(taxi: TaxiNumber(rawValue: taxi))
            for step in 0...60 as ClosedRange<Int64> {
                trace.points.append(
                    DrivePoint(
                        milliseconds: (seconds + step * 5) * 1_000,
                        place: TaxiTown.place(Double(step) * 50),
                        accuracyMetres: 5
                    )
                )
            }
            await learning.count(trace)
        }
        let seven: Int64 = 1_778_630_400 + 7 * 3_600
        for taxi in 0..<3 as Range<UInt32> { await drive(taxi, from: seven - 600) }
        #expect(await learning.close(at: Instant(seconds: seven + 899)) == nil)
        let learned = try #require(await learning.close(at: Instant(seconds: seven + 900)))
        let six = WeekBlock(minute: 2 * 1_440 + 6 * 60)
        #expect(learned.ratio(of: Self.part, .residential, in: six) != nil)
        // These come too late for the hour before seven.
        for taxi in 3..<9 as Range<UInt32> { await drive(taxi, from: seven - 600) }
        #expect(await learning.close(at: Instant(seconds: seven + 3_600 + 900)) == nil)
        // The day is learned from as a whole.
        let day = await learning.close(at: Instant(seconds: seven + 17 * 3_600 + 900))
        #expect(day != nil && day != learned)
        // A new city file has the same streets.
        await learning.renew(streets)
        let slow = await learning.slowStreets(learned, at: Instant(seconds: seven))
        #expect(slow.isEmpty, "it is quicker than the map")
    }

    @Test("positions of drives are bounded, and leave memory within ten minutes")
    func traces() {
        let (one, two) = (TaxiNumber(rawValue: 1), TaxiNumber(rawValue: 2))
        var traces = DriveTraces()
        func report(_ second: Int64, isStated: Bool = false) -> PositionReport {
            PositionReport(
                at: Moment(milliseconds: second * 1_000),
                place: TaxiTown.place(Double(second)),
                accuracyMetres: 5,
                isStated: isStated
            )
        }
        traces.pass(report(0), of: one)
        #expect(!traces.follows(one))
        traces.begin(one)
        traces.begin(two)
        for second in 1...3 as ClosedRange<Int64> { traces.pass(report(second), of: one) }
        traces.pass(report(4, isStated: true), of: one)
        let now = Moment(milliseconds: 10_000)
        #expect(traces.take(100, at: now).isEmpty)
        traces.end(one)
        traces.end(one)
        #expect(!traces.follows(one) && traces.follows(two))
        let taken = traces.take(100, at: now)
        #expect(taken.map(\.taxi) == [one] && taken.first?.points.count == 3)
        #expect(traces.take(100, at: now).isEmpty)
        // A long drive is matched in parts that follow each other.
        for second in stride(from: Int64(0), through: 1_500, by: 5) {
            traces.pass(report(second), of: two)
        }
        let parts = traces.take(100, at: Moment(milliseconds: 1_500_000))
        #expect(parts.map(\.points.count) == [121], "the limit is reached")
        let rest = traces.take(.max, at: Moment(milliseconds: 1_500_000))
        #expect(rest.map(\.points.count) == [121])
        #expect(parts.first?.points.last == rest.first?.points.first)
        // A phone that is silent keeps nothing here.
        let last = traces.take(.max, at: Moment(milliseconds: 2_000_000))
        #expect(last.map(\.points.count) == [61])
        #expect(traces.take(.max, at: Moment(milliseconds: 9_000_000)).isEmpty)
        // What waits is bounded.
        for _ in 0..<1_000 {
            traces.begin(one)
            for second in 0..<100 as Range<Int64> { traces.pass(report(second), of: one) }
            traces.end(one)
        }
        let all = traces.take(.max, at: Moment(milliseconds: 9_000_000))
        #expect(all.reduce(0) { $0 + $1.points.count } == DriveTraces.waitingLimit)
    }
}
