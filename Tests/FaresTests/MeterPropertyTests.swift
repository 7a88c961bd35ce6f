import Chronology
import SeededRandom
import TestSupport
import Testing

@testable import Fares

@Suite("Laws of the meter")
struct MeterPropertyTests {
    private static func tariff(_ random: inout SeededRandom) throws -> Tariff {
        var tariff = try TariffBook(text: TariffBook.example).tariffs[0]
        tariff.perKilometre = Int64.random(in: 0...3_000_000, using: &random)
        tariff.perHour = Int64.random(in: 0...90_000_000, using: &random)
        tariff.minimum = Int64.random(in: 0...2_000, using: &random)
        tariff.step = [1, 5, 10, 25].randomElement(using: &random) ?? 1
        tariff.rounding = Tariff.Rounding.allCases.randomElement(using: &random) ?? .down
        tariff.threshold = nil
        return tariff
    }

    private static func drive(_ random: inout SeededRandom) -> Drive {
        Drive(
            (0..<Int.random(in: 0...8, using: &random)).map { _ in
                Drive.Piece(
                    milliseconds: 2 * Int64.random(in: 0...500_000, using: &random),
                    decimetres: 2 * Int64.random(in: 0...30_000, using: &random)
                )
            }
        )
    }

    /// Returns the drive with more time or distance in one piece, or with an additional piece.
    private static func more(
        _ drive: Drive,
        milliseconds: Int64,
        decimetres: Int64,
        _ random: inout SeededRandom
    ) -> Drive {
        var pieces = drive.pieces
        let place = Int.random(in: 0...pieces.count, using: &random)
        if place == pieces.count {
            pieces.append(Drive.Piece(milliseconds: 0, decimetres: 0))
        }
        pieces[place] = Drive.Piece(
            milliseconds: pieces[place].milliseconds + milliseconds,
            decimetres: pieces[place].decimetres + decimetres
        )
        return Drive(pieces)
    }

    @Test("a longer or slower ride never costs less")
    func monotone() throws {
        for seed in 0..<UInt64(Effort.instances(3_000)) {
            var random = SeededRandom(seed: seed)
            let tariff = try Self.tariff(&random)
            let drive = Self.drive(&random)
            let extra = Int64.random(in: 0...50_000, using: &random)
            let longer = Self.more(drive, milliseconds: 0, decimetres: extra, &random)
            let slower = Self.more(drive, milliseconds: extra, decimetres: 0, &random)
            #expect(tariff.travelled(longer) >= tariff.travelled(drive), "seed \(seed)")
            #expect(tariff.travelled(slower) >= tariff.travelled(drive), "seed \(seed)")
        }
    }

    @Test("with a threshold of its own a tariff is monotone on one side, as documented")
    func threshold() throws {
        for seed in 0..<UInt64(Effort.instances(3_000)) {
            var random = SeededRandom(seed: seed)
            var tariff = try Self.tariff(&random)
            tariff.perKilometre += 10_000
            // Both rates are equal at this speed, in metres per hour.
            let even = tariff.perHour * 1_000 / tariff.perKilometre
            let drive = Self.drive(&random)
            let extra = Int64.random(in: 0...50_000, using: &random)
            tariff.threshold = even + Int64.random(in: 1...30_000, using: &random)
            let longer = Self.more(drive, milliseconds: 0, decimetres: extra, &random)
            #expect(tariff.travelled(longer) >= tariff.travelled(drive), "seed \(seed)")
            tariff.threshold = Int64.random(in: 0...even, using: &random)
            let slower = Self.more(drive, milliseconds: extra, decimetres: 0, &random)
            #expect(tariff.travelled(slower) >= tariff.travelled(drive), "seed \(seed)")
        }
    }

    @Test("pieces cut in half cost the same, and the sum is that of an obvious meter")
    func halves() throws {
        for seed in 0..<UInt64(Effort.instances(3_000)) {
            var random = SeededRandom(seed: seed)
            let tariff = try Self.tariff(&random)
            let drive = Self.drive(&random)
            let halves = drive.pieces.flatMap { piece in
                let half = Drive.Piece(
                    milliseconds: piece.milliseconds / 2,
                    decimetres: piece.decimetres / 2
                )
                return [half, half]
            }
            let travelled = tariff.travelled(drive)
            #expect(tariff.travelled(Drive(halves)) == travelled, "seed \(seed)")
            let plain = drive.pieces.reduce(0.0) { sum, piece in
                let time = Double(piece.milliseconds) / 3_600_000 * Double(tariff.perHour)
                let way = Double(piece.decimetres) / 10_000 * Double(tariff.perKilometre)
                return sum + max(time, way) / 10_000
            }
            let step = Double(tariff.step)
            let allowed =
                switch tariff.rounding {
                case .down: -step...0.0
                case .nearest: -step / 2...step / 2
                case .up: 0.0...step
                }
            let difference = Double(travelled) - plain
            #expect(difference >= allowed.lowerBound - 0.001, "seed \(seed)")
            #expect(difference <= allowed.upperBound + 0.001, "seed \(seed)")
        }
    }

    @Test("an estimate is the metered fare, inside its range, and wider spreads are wider")
    func estimates() throws {
        let start = try Milan.moment("2026-03-04T10:00")
        for seed in 0..<UInt64(Effort.instances(2_000)) {
            var random = SeededRandom(seed: seed)
            let tariff = try Self.tariff(&random)
            let input = TariffInput(start: start, drive: Self.drive(&random))
            let fare = tariff.metered(input, in: Milan.clocks)
            #expect(fare.total.minorUnits == fare.lines.reduce(0) { $0 + $1.amount })
            let narrow = tariff.estimate(input, in: Milan.clocks)
            let wide = tariff.estimate(
                input,
                in: Milan.clocks,
                spread: TimeSpread(low: 500, high: 3_000)
            )
            #expect(narrow.likely == fare && wide.likely == fare, "seed \(seed)")
            let amounts = [wide.low, narrow.low, fare.total, narrow.high, wide.high]
            let cents = amounts.map(\.minorUnits)
            #expect(cents == cents.sorted(), "seed \(seed)")
        }
    }

    @Test("numbers beyond all reason are cut and do not trap")
    func extremes() throws {
        var tariff = try TariffBook(text: TariffBook.example).tariffs[0]
        tariff.perKilometre = 999_999_999 * 100_000_000
        tariff.perHour = 999_999_999 * 100_000_000
        let huge = Drive(milliseconds: .max, decimetres: .max)
        #expect(huge.milliseconds == Drive.limit && huge.decimetres == Drive.limit)
        #expect(tariff.travelled(huge) > 0)
        #expect(tariff.travelled(huge.taking(perMille: .max)) > 0)
        #expect(Drive(milliseconds: .min, decimetres: -1) == Drive(milliseconds: 0, decimetres: 0))
    }
}
