import Chronology
import SeededRandom
import TestSupport
import Testing

@Suite("Local times")
struct LocalTimeTests {
    @Test("times are read with and without seconds (issue 2, `--depart 2014-10-20T08:30`)")
    func reading() throws {
        let date = try #require(CivilDate(year: 2014, month: 10, day: 20))
        #expect(
            LocalTime(iso8601: "2014-10-20T08:30") == LocalTime(date: date, second: 30_600)
        )
        #expect(
            LocalTime(iso8601: "2014-10-20T23:59:59") == LocalTime(date: date, second: 86_399)
        )
        #expect(LocalTime(date: date, second: 30_600).iso8601 == "2014-10-20T08:30:00")
    }

    @Test("what was written is read back")
    func roundTrip() {
        var random = SeededRandom(seed: 81)
        for _ in 0..<Effort.instances(5_000) {
            let time = LocalTime(
                date: CivilDate(
                    daysSince1970: Int32.random(in: -700_000...700_000, using: &random)
                ),
                second: Int32.random(in: 0..<86_400, using: &random)
            )
            #expect(LocalTime(iso8601: time.iso8601) == time)
        }
    }

    @Test(
        "what is no local time is refused",
        arguments: [
            "", "2014-10-20", "2014-10-20T", "2014-10-20T8:30", "2014-10-20T08:3",
            "2014-10-20 08:30", "2014-10-20t08:30", "2014-10-20T24:00", "2014-10-20T08:60",
            "2014-10-20T08:30:60", "2014-10-20T08:30:0", "2014-10-20T08:30Z", "2014-10-20T-8:30",
            "2014-10-20T08:30:00+02:00", "2014-02-30T08:30", "2014-10-20T0830", "2014-10-20T+8:30",
        ]
    )
    func noTime(text: String) {
        #expect(LocalTime(iso8601: text) == nil)
    }

    @Test("moments are written with their offset")
    func offsets() {
        func text(_ seconds: Int64, _ offset: Int32) -> String {
            Instant(seconds: seconds).iso8601(in: ZoneTable(starts: [0], offsets: [offset]))
        }
        #expect(text(1_413_786_600, 7_200) == "2014-10-20T08:30:00+02:00")
        #expect(text(1_413_786_600, 0) == "2014-10-20T06:30:00+00:00")
        #expect(text(1_413_786_600, -10_800) == "2014-10-20T03:30:00-03:00")
        #expect(text(0, 19_800) == "1970-01-01T05:30:00+05:30")
        #expect(text(-1, -34_200) == "1969-12-31T14:29:59-09:30")
        // Liberia's offset was 44 min 30 s until 1972; the text must still denote the exact moment.
        #expect(text(0, -2_670) == "1969-12-31T23:15:00-00:45")
        _ = text(.max, .max)
        _ = text(.min, .min)
    }

    @Test("readings of one clock are ordered")
    func order() throws {
        let early = try #require(LocalTime(iso8601: "2014-10-20T23:59:59"))
        let late = try #require(LocalTime(iso8601: "2014-10-21T00:00"))
        #expect(early < late && !(late < early) && !(early < early))
    }
}
