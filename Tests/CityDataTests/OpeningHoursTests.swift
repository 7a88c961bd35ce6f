import Chronology
import Geo
import OpenData
import Streets
import Testing

@testable import CityData

/// Issue 32, point 1: when a shop is open on a day.
@Suite("Opening hours of places")
struct OpeningHoursTests {
    /// The clocks of Italy in 2014.
    private static let rome = ZoneTable(
        starts: [0, 1_396_141_200, 1_414_285_200],
        offsets: [3_600, 7_200, 3_600]
    )

    private static func place(_ hours: String) -> ResolvedPlace {
        let coordinate = Coordinate(latitude: 454_640_000, longitude: 91_900_000)
        return ResolvedPlace(
            name: "Shop",
            kind: .feature,
            coordinate: coordinate,
            match: AddressMatch(
                kind: .feature,
                label: "Shop",
                coordinate: coordinate,
                exactness: .place,
                category: "shop",
                openingHours: hours,
                stops: []
            )
        )
    }

    @Test(
        "a place is open when its hours say so, minute by minute, also past midnight",
        arguments: [
            "24/7", "Mo-Fr 08:30-12:30,15:30-19:30; Sa 09:00-12:00", "22:00-06:00",
            "Su 01:30-02:30", "Su,Mo 00:00-24:00", "Sa off", "PH off",
        ],
        ["2014-03-29", "2014-10-18", "2014-10-25"]
    )
    func minutes(hours: String, date: String) throws {
        let week = try #require(WeekHours(openingHours: hours[...]))
        let date = try #require(CivilDate(iso8601: date))
        let start = Self.rome.instant(date, second: 36_000)
        let span = start..<start.adding(seconds: 2 * 86_400)
        let openings = try #require(Self.place(hours).openings(in: span, zone: Self.rome))
        for (one, next) in zip(openings, openings.dropFirst()) {
            #expect(one.upperBound < next.lowerBound)
        }
        for minute in Int64(0)..<2_880 {
            let moment = start.adding(seconds: minute * 60)
            let local = Self.rome.local(moment)
            // When clocks change, some times come twice or never.
            if ["2014-03-30", "2014-10-26"].contains(local.date.iso8601),
                (3_600..<14_400).contains(local.second)
            {
                continue
            }
            let isOpen = week.contains(UInt16(local.date.weekday * 1_440 + local.second / 60))
            #expect(openings.contains { $0.contains(moment) } == isOpen, "minute \(minute)")
        }
    }

    @Test("hours that are not stated, or not understood, are not known")
    func unknown() {
        let start = Instant(seconds: 1_414_000_000)
        let span = start..<start.adding(seconds: 86_400)
        for hours in ["", "sunrise-sunset", "by appointment"] {
            #expect(Self.place(hours).openings(in: span, zone: Self.rome) == nil)
        }
        #expect(Self.place("PH off").openings(in: span, zone: Self.rome) == [])
    }
}
