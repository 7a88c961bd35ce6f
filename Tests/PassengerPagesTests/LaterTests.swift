import Chronology
import CityData
import Dispatching
import Foundation
import Localization
import StorageTestSupport
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Days and times in the city's time zone (I17, F17): input, gaps and overlaps.
@Suite("Later", .serialized)
struct LaterTests {
    private static let rome = ZoneTable(identifier: "Europe/Rome") ?? .utc

    private static func reading(_ text: String) throws -> ClockReading {
        ClockReading(try #require(LocalTime(iso8601: text)), in: rome)
    }

    @Test("most times come once, in summer and in winter")
    func once() throws {
        for (text, seconds) in [
            ("2027-01-16T06:00", Int64(1_800_075_600)), ("2027-07-01T00:00", 1_814_392_800),
            // Just before and after the clocks change.
            ("2027-03-28T01:59", 1_806_195_540), ("2027-03-28T03:00", 1_806_195_600),
            ("2027-10-31T01:59", 1_824_940_740), ("2027-10-31T03:00", 1_824_948_000),
        ] {
            #expect(try Self.reading(text) == .once(Instant(seconds: seconds)), "\(text)")
        }
    }

    @Test("in spring the clocks skip an hour, in autumn they show one twice")
    func changes() throws {
        let shown = try #require(LocalTime(iso8601: "2027-03-28T03:30"))
        #expect(try Self.reading("2027-03-28T02:30") == .skipped(shown))
        #expect(
            try Self.reading("2027-10-31T02:30")
                == .twice(
                    first: Instant(seconds: 1_824_942_600),
                    second: Instant(seconds: 1_824_946_200)
                )
        )
    }

    @Test("days and times are read as browsers send and as people write them")
    func written() {
        let day = CivilDate(year: 2027, month: 1, day: 16)
        for text in ["2027-01-16", "16/1/2027", "16.01.2027", "16 1 2027"] {
            #expect(WrittenReading.day(text) == day, "\(text)")
        }
        for text in ["", "16/1/27", "2027-1-16", "30/2/2027", "+16/1/2027", "16/1/2027/"] {
            #expect(WrittenReading.day(text) == nil, "\(text)")
        }
        for text in ["06:00", "6:00", "6.00", "06:00:00"] {
            #expect(WrittenReading.second(text) == 21_600, "\(text)")
        }
        for text in ["", "6", "24:00", "06:60", "6:0", "-6:00", "06:00:0", "06:00:00:00"] {
            #expect(WrittenReading.second(text) == nil, "\(text)")
        }
        // What is chosen stands in the folded row as people write it, in their language.
        let words = WrittenReading.words("2027-01-16", "6:05")
        #expect(words.in(.english) == "Saturday 16 January, 06:05")
        #expect(words.in(.italian) == "sabato 16 gennaio, 06:05")
        #expect(WrittenReading.words("tomorrow", "6:05").in(.english) == "tomorrow 6:05")
    }

    @Test("an hour that comes twice is asked about, one that is skipped is explained (F17)")
    func pages() async throws {
        try await RideTown.open(.viavai) { town in
            // To 30 October 2027, 12:00 UTC.
            town.site.clock.advance(seconds: 24_897_600)
            let visitor = try await town.passenger()
            var fields = RideTown.later(day: "2027-10-31", time: "02:30")
            let asked = try await town.fill(visitor, fields)
            #expect(asked.status == 422)
            #expect(asked.text.contains("02:30 occurs twice"), "\(asked.text)")
            fields["which"] = "second"
            let path = try await town.reserve(visitor, fields)
            #expect(try await town.due(path).milliseconds == 1_824_946_200_000)
            // The page and the list say which of the two hours it is.
            for page in [path, "/reservations"] {
                let told = try await visitor.get(page).text
                #expect(told.contains("31 October, 02:30 (the second time)"), "\(told)")
            }
        }
        try await RideTown.open(.viavai) { town in
            // To 27 March 2027, 12:00 UTC.
            town.site.clock.advance(seconds: 6_148_800)
            let visitor = try await town.passenger()
            let skipped = try await town.fill(
                visitor,
                RideTown.later(day: "2027-03-28", time: "02:30")
            )
            #expect(skipped.status == 422)
            #expect(skipped.text.contains("skip 02:30, which becomes 03:30"))
        }
    }
}
