import Chronology
import SeededRandom
import TestSupport
import Testing

@testable import Fares

/// Issue 3, Taxi: "ETAs from the street network with calibration against what really happened".
@Suite("Calibration of arrivals")
struct CalibrationTests {
    private func time(_ text: String) throws -> LocalTime {
        try #require(LocalTime(iso8601: text))
    }

    /// A mapped drive of five minutes for 2 km.
    private let mapped = Milan.drive(seconds: 300, metres: 2_000)

    @Test("it starts at 1, and a few drives are believed in part")
    func first() throws {
        var calibration = Calibration()
        let monday = try time("2026-03-02T08:30")
        #expect(calibration.perMille(decimetres: 20_000, at: monday) == 1_000)
        #expect(calibration.corrected(mapped, at: monday) == mapped)
        for _ in 0..<4 { calibration.learn(mapped: mapped, real: 450_000, at: monday) }
        // Weights 1024 + 939 + 861 + 790 = 3614 for 1.5, against 4096: for the class 1.234, for
        // the hour between 1.5 and that, 1.359.
        let later = try time("2026-03-09T08:59:59")
        #expect(calibration.perMille(decimetres: 20_000, at: later) == 1_359)
        #expect(calibration.known(decimetres: 20_000, at: later) == 4)
        // For another hour, day or class, only the class is known, or nothing.
        for other in ["2026-03-02T09:00", "2026-03-03T08:30"] {
            let time = try time(other)
            #expect(calibration.perMille(decimetres: 20_000, at: time) == 1_234)
        }
        #expect(calibration.perMille(decimetres: 9_999, at: monday) == 1_000)
        #expect(calibration.perMille(decimetres: 30_000, at: monday) == 1_000)
    }

    @Test("drives that prove nothing are not learned")
    func refused() throws {
        var calibration = Calibration()
        let monday = try time("2026-03-02T08:30")
        let short = Milan.drive(seconds: 29, metres: 200)
        let isShortLearned = calibration.learn(mapped: short, real: 90_000, at: monday)
        #expect(!isShortLearned)
        for real: Int64 in [0, -1, .min, .max, 59_000, 2_500_000] {
            let isLearned = calibration.learn(mapped: mapped, real: real, at: monday)
            #expect(!isLearned)
        }
        #expect(calibration == Calibration())
    }

    @Test("one drive in four may be absurd and changes nothing")
    func robust() throws {
        var calibration = Calibration()
        let monday = try time("2026-03-02T08:30")
        for number in 0..<400 {
            let real: Int64 = number % 4 == 3 ? 2_300_000 : 300_000
            calibration.learn(mapped: mapped, real: real, at: monday)
            #expect(calibration.perMille(decimetres: 20_000, at: monday) == 1_000)
        }
        #expect(calibration.known(decimetres: 20_000, at: monday) == Sample.limit)
    }

    @Test("it follows a change, and its memory does not grow")
    func follows() throws {
        var calibration = Calibration()
        let monday = try time("2026-03-02T08:30")
        for _ in 0..<10_000 { calibration.learn(mapped: mapped, real: 450_000, at: monday) }
        let before = calibration.perMille(decimetres: 20_000, at: monday)
        #expect((1_400...1_500).contains(before))
        for _ in 0..<32 { calibration.learn(mapped: mapped, real: 300_000, at: monday) }
        #expect(calibration.perMille(decimetres: 20_000, at: monday) == 1_000)
        #expect(calibration.known(decimetres: 20_000, at: monday) == Sample.limit)
    }

    @Test("the spread is the usual one first, then what was seen nine times in ten")
    func spread() throws {
        var calibration = Calibration()
        let monday = try time("2026-03-02T08:30")
        #expect(calibration.spread(decimetres: 20_000) == .usual)
        for number: Int64 in 0..<32 {
            calibration.learn(mapped: mapped, real: 240_000 + number % 5 * 30_000, at: monday)
        }
        // Ratios 0.8, 0.9, 1.0, 1.1, 1.2.
        #expect(calibration.spread(decimetres: 20_000) == TimeSpread(low: 800, high: 1_200))
    }

    @Test("a median drawn from 32 ratios is the one that plain counting gives")
    func medians() {
        for seed in 0..<UInt64(Effort.instances(2_000)) {
            var random = SeededRandom(seed: seed)
            var sample = Sample()
            for _ in 0..<Int.random(in: 1...50, using: &random) {
                sample.add(UInt16.random(in: 200...220, using: &random))
            }
            let newest = Array(sample.ratios.reversed())
            let total = Sample.weights.prefix(newest.count).reduce(0, +)
            let plain = (200...220).first { ratio in
                let below = newest.indices.filter { newest[$0] <= ratio }
                return 2 * below.reduce(0) { $0 + Sample.weights[$1] } >= total
            }
            #expect(sample.median(towards: 1_000, weighing: 0) == plain.map { Int64($0) })
        }
    }

    @Test("what was learned survives a restart, and damaged bytes are refused or read, no trap")
    func bytes() throws {
        var random = SeededRandom(seed: 17)
        var calibration = Calibration()
        #expect(Calibration(bytes: calibration.bytes) == calibration)
        let monday = try #require(CivilDate(iso8601: "2026-03-02"))
        for _ in 0..<2_000 {
            let time = LocalTime(
                date: monday.adding(days: Int32.random(in: 0..<7, using: &random)),
                second: Int32.random(in: 0..<86_400, using: &random)
            )
            let metres = Int64.random(in: 500...12_000, using: &random)
            let real = metres * Int64.random(in: 80...300, using: &random)
            let mapped = Milan.drive(seconds: metres / 8, metres: metres)
            calibration.learn(mapped: mapped, real: real, at: time)
        }
        let bytes = calibration.bytes
        #expect(Calibration(bytes: bytes) == calibration)
        #expect(Calibration(bytes: []) == nil)
        #expect(Calibration(bytes: bytes + [1]) == nil)
        #expect(Calibration(bytes: Array(bytes.dropLast())) == nil)
        for _ in 0..<Effort.instances(2_000) {
            var damaged = bytes
            for _ in 0..<3 {
                let place = Int.random(in: damaged.indices, using: &random)
                damaged[place] = UInt8.random(in: 0...255, using: &random)
            }
            damaged.removeLast(Int.random(in: 0...20, using: &random))
            if let read = Calibration(bytes: damaged) { #expect(read.bytes == damaged) }
        }
    }

    @Test("in a city with a rush hour, what is foretold becomes much better than the map")
    func better() throws {
        var random = SeededRandom(seed: 3)
        var calibration = Calibration()
        var byMap = ArrivalErrors()
        var learned = ArrivalErrors()
        let monday = try #require(CivilDate(iso8601: "2026-03-02"))
        for day: Int32 in 0..<28 {
            for hour: Int32 in 0..<24 {
                for _ in 0..<4 {
                    let time = LocalTime(date: monday.adding(days: day), second: hour * 3_600)
                    let metres = Int64.random(in: 300...9_000, using: &random)
                    let mapped = Milan.drive(seconds: metres / 8, metres: metres)
                    let isRush = [7, 8, 17, 18].contains(hour) && time.date.weekday < 5
                    var ratio = isRush ? 1.8 : hour < 6 ? 0.9 : 1.25
                    ratio *= Double.random(in: 0.85...1.15, using: &random)
                    if Int.random(in: 0..<20, using: &random) == 0 { ratio *= 4 }
                    let real = Int64(Double(mapped.milliseconds) * ratio)
                    if day >= 14 {
                        byMap.add(told: mapped.seconds, real: real / 1_000)
                        let told = calibration.corrected(mapped, at: time).seconds
                        learned.add(told: told, real: real / 1_000)
                    }
                    calibration.learn(mapped: mapped, real: real, at: time)
                }
            }
        }
        let (map, better) = (byMap.percentile(75), learned.percentile(75))
        #expect(try #require(better) * 2 < (try #require(map)))
        let bias = try #require(learned.biasSeconds)
        #expect(abs(bias) < abs(try #require(byMap.biasSeconds)) / 2)
    }
}

/// spec/taxi.md 5.4: "ETA error (MAE, bias, P90)".
@Suite("Errors of arrivals (taxi.md 5.4)")
struct ArrivalErrorsTests {
    @Test("mean, bias and percentiles are those computed by hand")
    func values() {
        var errors = ArrivalErrors()
        #expect(errors.meanAbsoluteSeconds == nil && errors.biasSeconds == nil)
        #expect(errors.p90Seconds == nil)
        for (told, real) in [(300, 360), (300, 240), (600, 600), (100, 400)] as [(Int64, Int64)] {
            errors.add(told: told, real: real)
        }
        #expect(errors.count == 4)
        #expect(errors.meanAbsoluteSeconds == 105)
        #expect(errors.biasSeconds == -75)
        #expect(errors.percentile(50) == 60)
        #expect(errors.p90Seconds == 300)
        var both = errors
        both.add(errors)
        #expect(both.count == 8 && both.biasSeconds == -75 && both.p90Seconds == 300)
        errors.add(told: .max, real: .min)
        #expect(errors.percentile(100) == ArrivalErrors.limitSeconds)
    }
}
