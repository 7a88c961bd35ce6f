import Chronology
import TestSupport
import Testing

@testable import Fares

/// spec/taxi.md 1.12, "Tariff file"; values computed by hand from the example tariff of 2025:
/// 4.00 by day, 7.00 at night, 6.00 on holidays, 1.20 a km, 30.00 an hour below 25 km/h, at least
/// 6.00, in steps of 0.10.
@Suite("The meter (taxi.md 1.12)")
struct MeterTests {
    private let book: TariffBook
    private let tariff: Tariff

    init() throws {
        book = try TariffBook(text: TariffBook.example)
        tariff = book.tariffs[0]
    }

    private func cents(_ start: String, _ drive: Drive) throws -> Int64 {
        let input = TariffInput(start: try Milan.moment(start), drive: drive)
        return tariff.metered(input, in: Milan.clocks).total.minorUnits
    }

    @Test(
        "distance or time counts by the speed of each piece",
        arguments: [
            // 5 km at 30 km/h: 4.00 + 6.00.
            ([(600, 5_000)], 1_000),
            // The same with six minutes at a red light: 3.00 more.
            ([(600, 5_000), (360, 0)], 1_300),
            // 1 km at 10 km/h, six minutes: 3.00 for time, the minimum is passed.
            ([(360, 1_000)], 700),
            // 1 km at 25 km/h: 1.20 by either, so the minimum.
            ([(144, 1_000)], 600),
            // 3.37 km at 40 km/h: 4.044, of which 40 full steps.
            ([(303, 3_370)], 800),
            // Nothing was driven.
            ([], 600),
        ] as [([(Int64, Int64)], Int64)]
    )
    func pieces(pieces: [(Int64, Int64)], expected: Int64) throws {
        let drive = Drive(
            pieces.map { Drive.Piece(milliseconds: $0.0 * 1_000, decimetres: $0.1 * 10) }
        )
        #expect(try cents("2025-10-08T10:00", drive) == expected)
    }

    @Test(
        "the initial charge is the night's before the holiday's before the day's",
        arguments: [
            ("2025-10-08T10:00", 1_000 as Int64), ("2025-10-08T20:59:59", 1_000),
            ("2025-10-08T21:00", 1_300), ("2025-10-09T05:59:59", 1_300),
            ("2025-10-09T06:00", 1_000), ("2025-10-12T12:00", 1_200),
            ("2025-10-12T22:00", 1_300), ("2025-12-25T12:00", 1_200),
            ("2025-04-21T12:00", 1_200), ("2025-07-09T21:30", 1_300),
        ]
    )
    func times(start: String, expected: Int64) throws {
        #expect(try cents(start, Milan.drive(seconds: 600, metres: 5_000)) == expected)
    }

    @Test("night begins by the city's clocks in summer too")
    func summer() throws {
        // 19:30 UTC is 21:30 in Milan in July, and 20:30 in January.
        for (date, expected) in [("2025-07-09", 700 as Int64), ("2025-01-08", 400)] {
            let day = try #require(CivilDate(iso8601: date))
            let start = ZoneTable.utc.instant(day, second: 19 * 3_600 + 1_800)
            let input = TariffInput(start: start, drive: Milan.drive(seconds: 600, metres: 5_000))
            let fare = tariff.metered(input, in: Milan.clocks)
            #expect(fare.lines[0].amount == expected)
        }
    }

    @Test("at the threshold itself distance counts, below it time")
    func threshold() throws {
        var tariff = tariff
        tariff.threshold = 20_000
        // 1 km at exactly 20 km/h: 1.20; a second slower: 1.508 for time.
        #expect(tariff.travelled(Milan.drive(seconds: 180, metres: 1_000)) == 120)
        #expect(tariff.travelled(Milan.drive(seconds: 181, metres: 1_000)) == 150)
    }

    @Test("a step that is not full is charged as the tariff says")
    func rounding() throws {
        var tariff = tariff
        // 4.044 and 4.056.
        let drives = [3_370, 3_380].map { Milan.drive(seconds: 300, metres: $0) }
        for (rounding, expected) in [
            (Tariff.Rounding.down, [400, 400]), (.nearest, [400, 410]), (.up, [410, 410]),
        ] as [(Tariff.Rounding, [Int64])] {
            tariff.rounding = rounding
            #expect(drives.map { tariff.travelled($0) } == expected)
        }
    }

    @Test("a receipt's lines add up, surcharges come after the minimum")
    func lines() throws {
        let input = TariffInput(
            start: try Milan.moment("2025-10-08T10:00"),
            drive: Milan.drive(seconds: 120, metres: 1_000),
            extras: ["luggage": 3, "phone": 2, "passenger": 4, "dog": 1]
        )
        let fare = tariff.metered(input, in: Milan.clocks)
        #expect(
            fare.lines == [
                Fare.Line(kind: .initialDay, amount: 400),
                Fare.Line(kind: .travelled, amount: 120),
                Fare.Line(kind: .minimum, amount: 80),
                Fare.Line(kind: .surcharge("phone", count: 1), amount: 200),
                Fare.Line(kind: .surcharge("luggage", count: 2), amount: 200),
            ]
        )
        #expect(fare.total.text == "10.00 EUR")
        #expect(!fare.isFixed)
    }

    @Test("a fixed fare holds in both directions, includes everything, and the first one wins")
    func fixed() throws {
        func fare(_ from: TariffInput.End?, _ to: TariffInput.End?) throws -> Fare {
            tariff.metered(
                TariffInput(
                    start: try Milan.moment("2025-10-08T23:00"),
                    drive: Milan.drive(seconds: 3_600, metres: 50_000),
                    from: from,
                    to: to,
                    extras: ["phone": 1]
                ),
                in: Milan.clocks
            )
        }
        let there = try fare(Milan.malpensa, Milan.duomo)
        #expect(there.lines == [Fare.Line(kind: .fixed("malpensa", "milano"), amount: 10_000)])
        #expect(there.isFixed)
        #expect(try fare(Milan.duomo, Milan.malpensa).total == there.total)
        // Linate is within a zone as well, but its own fare comes first.
        #expect(try fare(Milan.linate, Milan.malpensa).total.minorUnits == 11_000)
        // 7.00 + 60.00 + 2.00: metered if an end is unknown or not within a place.
        #expect(try fare(Milan.malpensa, nil).total.minorUnits == 6_900)
        #expect(try fare(Milan.duomo, Milan.centrale).total.minorUnits == 6_900)
        let nowhere = TariffInput.End(Milan.place(45.7, 9.6))
        #expect(try fare(Milan.malpensa, nowhere).total.minorUnits == 6_900)
    }

    @Test("the tariff in force at the start counts, and before the first none is known")
    func validFrom() throws {
        let drive = Milan.drive(seconds: 600, metres: 5_000)
        func cents(_ start: String) throws -> Int64? {
            let input = TariffInput(start: try Milan.moment(start), drive: drive)
            return book.metered(input, in: Milan.clocks)?.total.minorUnits
        }
        #expect(try cents("2024-12-31T12:00") == nil)
        #expect(try cents("2025-12-31T12:00") == 1_000)
        #expect(try cents("2025-12-31T23:59") == 1_300)
        // 7.40 + 6.20 (6.25 in full steps); New Year's night.
        #expect(try cents("2026-01-01T00:00") == 1_360)
        let early = TariffInput(start: try Milan.moment("2024-12-31T12:00"), drive: drive)
        #expect(book.estimate(early, in: Milan.clocks) == nil)
    }

    @Test("an estimate is the metered fare of the same ride, in a range of traffic")
    func estimate() throws {
        let drive = Drive([
            Drive.Piece(milliseconds: 600_000, decimetres: 50_000),
            Drive.Piece(milliseconds: 360_000, decimetres: 10_000),
        ])
        let input = TariffInput(start: try Milan.moment("2026-03-04T10:00"), drive: drive)
        let estimate = try #require(
            book.estimate(input, in: Milan.clocks, spread: TimeSpread(low: 500, high: 2_000))
        )
        // 4.20 + 5 km 6.25 + 6 min 3.15; 20 km/h all distance 7.50; 15 km/h and 5 km/h all time.
        #expect(estimate.likely.total.minorUnits == 420 + 940)
        #expect(estimate.low.minorUnits == 420 + 780)
        #expect(estimate.high.minorUnits == 420 + 1_680)
        #expect(!estimate.isFixed)
        var airport = input
        (airport.origin, airport.destination) = (Milan.duomo, Milan.malpensa)
        let fixed = try #require(book.estimate(airport, in: Milan.clocks))
        #expect(fixed.isFixed && fixed.low == fixed.high)
        #expect(fixed.low.minorUnits == 10_400)
    }
}
