import Chronology
import SeededRandom
import TestSupport
import Testing

@Suite("Civil dates")
struct CivilDateTests {
    @Test("every day from year 1 to 9999 has its numbers and its weekday")
    func everyDay() throws {
        var day = try #require(CivilDate(year: 1, month: 1, day: 1)).daysSince1970
        // 1 January of year 1 of the proleptic calendar was a Monday.
        var weekday: Int32 = 0
        var wrong = 0
        for year: Int32 in 1...9_999 {
            let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
            let lengths: [Int32] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for month: Int32 in 1...12 {
                for number in 1...lengths[Int(month - 1)] {
                    let date = CivilDate(daysSince1970: day)
                    if date.numbers != (year, month, number) || date.weekday != weekday
                        || CivilDate(year: year, month: month, day: number) != date
                    {
                        wrong += 1
                    }
                    day += 1
                    weekday = (weekday + 1) % 7
                }
            }
        }
        #expect(wrong == 0)
        #expect(CivilDate(year: 1970, month: 1, day: 1) == CivilDate(daysSince1970: 0))
        #expect(CivilDate(year: 2014, month: 10, day: 20)?.weekday == 0, "a Monday")
    }

    @Test(
        "days that do not exist are refused",
        arguments: [
            (2014, 2, 29), (1900, 2, 29), (2014, 4, 31), (2014, 0, 1), (2014, 13, 1),
            (2014, 1, 0), (2014, 1, 32), (0, 1, 1), (10_000, 1, 1), (Int32.max, 1, 1),
        ] as [(Int32, Int32, Int32)]
    )
    func noSuchDay(year: Int32, month: Int32, day: Int32) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test("the ends of the numbers do not trap")
    func extremes() {
        for days in [Int32.min, Int32.min + 1, Int32.max - 1, Int32.max] {
            let date = CivilDate(daysSince1970: days)
            _ = (date.numbers, date.weekday, date.iso8601, date.adding(days: days))
        }
        #expect(CivilDate(daysSince1970: -719_529).iso8601 == "-0001-12-31")
    }

    @Test("dates are written and read as ISO 8601")
    func iso8601() throws {
        var random = SeededRandom(seed: 71)
        let last = try #require(CivilDate(year: 9_999, month: 12, day: 31)).daysSince1970
        let first = try #require(CivilDate(year: 1, month: 1, day: 1)).daysSince1970
        for _ in 0..<Effort.instances(5_000) {
            let date = CivilDate(daysSince1970: Int32.random(in: first...last, using: &random))
            #expect(CivilDate(iso8601: date.iso8601) == date)
        }
        #expect(CivilDate(iso8601: "2014-10-20")?.numbers ?? (0, 0, 0) == (2014, 10, 20))
        #expect(CivilDate(daysSince1970: first).iso8601 == "0001-01-01")
    }

    @Test(
        "what is no ISO 8601 date is refused",
        arguments: [
            "", "2014-10-2", "2014-1-20", "20141020", "2014-10-200", "2014/10/20", "2014-02-29",
            "+014-10-20", "2014-10-2x", " 2014-10-20", "2014-10-20 ", "２014-10-20", "0000-01-01",
        ]
    )
    func noDate(text: String) {
        #expect(CivilDate(iso8601: text) == nil)
    }
}
