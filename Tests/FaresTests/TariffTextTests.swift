import Chronology
import SeededRandom
import TestSupport
import Testing

@testable import Fares

/// spec/taxi.md 1.12, "Tariff file"; bad input never traps (design.md, rule 9).
@Suite("Tariff files (taxi.md 1.12)")
struct TariffTextTests {
    private static let least = """
        valid_from: 2026-01-01
        currency: EUR
        initial.day: 4.00
        per_km: 1.20
        per_hour: 30
        """

    @Test("a tariff needs five keys; the rest has stated defaults")
    func defaults() throws {
        let tariff = try #require(try TariffBook(text: Self.least).tariffs.first)
        #expect(tariff.validFrom.iso8601 == "2026-01-01")
        #expect(tariff.currency == .euro)
        #expect(tariff.initial == Tariff.Initial(day: 400, night: 400, holiday: 400))
        #expect(tariff.perKilometre == 1_200_000)
        #expect(tariff.perHour == 30_000_000)
        #expect(tariff.threshold == nil)
        #expect(tariff.minimum == 0 && tariff.step == 1 && tariff.rounding == .down)
        #expect(tariff.night == nil && tariff.holidays == Tariff.Holidays())
        #expect(tariff.fixed.isEmpty && tariff.surcharges.isEmpty)
    }

    @Test("the example is read, says that it is one, and shows every kind of key")
    func example() throws {
        let book = try TariffBook(text: TariffBook.example)
        #expect(book.tariffs.map(\.name) == ["Example, Milan 2025", "Example, Milan 2026"])
        #expect(TariffBook.example.hasPrefix("# EXAMPLE VALUES"))
        let tariff = book.tariffs[0]
        #expect(tariff.threshold == 25_000 && tariff.step == 10 && tariff.minimum == 600)
        #expect(tariff.night == Tariff.Night(from: 75_600, to: 21_600))
        #expect(tariff.places.map(\.name) == ["malpensa", "linate", "milano"])
        #expect(tariff.holidays.yearly.count == 11 && tariff.holidays.dates.count == 2)
        #expect(
            tariff.surcharges == [
                Tariff.Surcharge(name: "phone", amount: 200, free: nil),
                Tariff.Surcharge(name: "luggage", amount: 100, free: 1),
                Tariff.Surcharge(name: "passenger", amount: 100, free: 4),
            ]
        )
        #expect(tariff.fixed[1] == Tariff.FixedFare(from: 0, to: 2, amount: 10_000))
    }

    @Test("tariffs stand in any order and in several files; currencies without cents are read")
    func order() throws {
        let yen = """
            valid_from: 2027-01-01 # later
            currency: JPY
            currency.digits: 0
            initial.day: 500
            per_km: 396.5
            per_hour: 2850
            place.bay: zones [Shinagawa, "Minato"]
            ---
            valid_from: 2026-01-01
            currency: JPY
            currency.digits: 0
            initial.day: 480
            per_km: 380
            per_hour: 2700
            """
        var book = try TariffBook(text: yen)
        #expect(book.tariffs.map(\.initial.day) == [480, 500])
        #expect(book.tariffs[1].perKilometre == 3_965_000)
        #expect(book.tariffs[1].places[0].extent == .zones(["Shinagawa", "Minato"]))
        #expect(Money(1_250, book.tariffs[0].currency).text == "1250 JPY")
        let next = book.tariffs[1].validFrom
        #expect(book.lastDay(of: book.tariffs[0]) == next.adding(days: -1))
        #expect(book.lastDay(of: book.tariffs[1]) == nil)
        let before = book
        #expect(throws: TariffFailure.otherCurrency("EUR", line: nil)) {
            try book.add(
                try TariffBook(text: Self.least.replacing("2026-01-01", with: "2028-01-01"))
            )
        }
        #expect(throws: TariffFailure.self) { try book.add(before) }
        #expect(book == before)
    }

    @Test(
        "what is wrong is named with its line and key",
        arguments: [
            ("per_km: 1,20", TariffFailure.repeatedKey("per_km", line: 6)),
            ("per_mile: 2", .unknownKey("per_mile", line: 6)),
            ("nonsense", .badLine("nonsense", line: 6)),
            ("night.from: 21:00", .missingKey("night.to", line: 1)),
            ("night.to: 06:00", .missingKey("night.from", line: 1)),
            ("initial.night: 7.00", .missingKey("night.from", line: 1)),
            ("initial.holiday: 7.00", .missingKey("holidays", line: 1)),
            ("holidays.sundays: true", .missingKey("initial.holiday", line: 1)),
            ("night.from: 21:00\nnight.to: 06:00", .missingKey("initial.night", line: 1)),
            ("fixed.a.b: 3", .unknownPlace("a", key: "fixed.a.b", line: 6)),
            ("fixed.a: 3", .unknownKey("fixed.a", line: 6)),
            ("place.A: all zones", .unknownKey("place.A", line: 6)),
            ("---\nname: second", .missingKey("currency", line: 7)),
        ]
    )
    func failures(added: String, expected: TariffFailure) {
        #expect(throws: expected) { try TariffBook(text: Self.least + "\n" + added) }
        #expect(!expected.sentence.isEmpty)
    }

    @Test(
        "a value that the key does not take is named",
        arguments: [
            "minimum: 1,20", "minimum: -1", "minimum: 1.234", "minimum: 1.", "minimum: .5",
            "minimum: 1e3", "minimum: 9999999999", "meter.step: 0", "meter.rounding: off",
            "threshold_kmh: fast", "night.from: 25:00", "holidays: 12-25",
            "holidays: [02-30]", "holidays: [2026-02-29]", "holidays.sundays: yes",
            "place.x: zones []", "place.x: zones", "place.x: area [1 1, 2 2]",
            "place.x: area [1 1, 2 2, 3]", "place.x: area [91 1, 2 2, 3 1]",
            "place.x: area [1 1, 2 x, 3 1]", "place.x: area [1 1, 999 999, 3 1]",
            "place.x: area [0 0, 1 1, 0 1, 1 0]",
            "surcharge.x: 1", "surcharge.x: 1 twice", "surcharge.x: each",
            "surcharge.x: 1 each over -1", "currency.digits: 5",
        ]
    )
    func values(added: String) throws {
        let colon = try #require(added.firstIndex(of: ":"))
        let key = String(added[..<colon])
        do throws(TariffFailure) {
            _ = try TariffBook(text: Self.least + "\n" + added)
            Issue.record("it was taken")
        } catch {
            guard case .badValue(key, _, _, line: 6) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error.sentence.contains("Line 6") && error.sentence.contains(key))
        }
    }

    @Test("empty files, equal dates and mixed currencies are refused")
    func books() {
        #expect(throws: TariffFailure.empty) { try TariffBook(text: "# nothing\n---\n") }
        let twice = Self.least + "\n---\n" + Self.least
        #expect(throws: TariffFailure.self) { try TariffBook(text: twice) }
        let other =
            Self.least + "\n---\n"
            + Self.least.split(separator: "\n").map { line in
                line.hasPrefix("currency") ? "currency: CHF" : String(line)
            }.joined(separator: "\n")
        #expect(throws: TariffFailure.self) { try TariffBook(text: other) }
    }

    @Test("a damaged file is read or refused, never a trap")
    func damage() {
        let bytes = Array(TariffBook.example.utf8)
        let spice = Array("0123456789.:-[]#, \n\"xé".utf8)
        for seed in 0..<UInt64(Effort.instances(2_000)) {
            var random = SeededRandom(seed: seed)
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: damaged.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: damaged.remove(at: place)
                case 1: damaged[place] = spice.randomElement(using: &random) ?? 0
                case 2: damaged.insert(spice.randomElement(using: &random) ?? 0, at: place)
                default:
                    let end = min(damaged.count, place + 40)
                    damaged.removeSubrange(place..<end)
                }
            }
            let text = String(decoding: damaged, as: UTF8.self)
            do throws(TariffFailure) {
                let book = try TariffBook(text: text)
                #expect(!book.tariffs.isEmpty, "seed \(seed)")
            } catch {
                #expect(!error.sentence.isEmpty, "seed \(seed)")
            }
        }
    }
}
