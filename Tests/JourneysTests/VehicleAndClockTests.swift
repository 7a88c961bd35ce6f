import Chronology
import CityData
import Columns
import Foundation
import Journeys
import OpenData
import Testing
import Transit

/// Faults found by a review; each test fails on the earlier code.
@Suite("Vehicles that go on, and days of 25 hours")
struct VehicleAndClockTests {
    private static let common = [
        "agency.txt":
            "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.it,Europe/Rome",
        "routes.txt": "route_id,route_short_name,route_type\nR,R,3",
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        D,1,1,1,1,1,1,1,20141001,20141130
        """,
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon
        A,A,45.00,9.00
        B,B,45.01,9.00
        C,C,45.02,9.00
        C2,C2,45.0203,9.00
        E,E,45.03,9.00
        """,
    ]

    private func answers(
        _ files: [String: String],
        _ from: UInt32,
        _ to: UInt32,
        _ time: String,
        arriveBy: Bool
    ) throws -> [Itinerary] {
        let texts = Self.common.merging(files) { _, new in new }
        let feed = try GTFSReader.read(.texts(texts), name: "feed").feed
        var writer = SectionWriter()
        _ = try TimetableBuilder.add([FeedInput(feed)], walks: nil, to: &writer)
        var planner = Planner(CitySnapshot(City(try writer.opened())))
        let moment = try #require(LocalTime(iso8601: time))
        return planner.journeys(
            JourneyQuery(
                from: .stop(StopIndex(rawValue: from)),
                to: .stop(StopIndex(rawValue: to)),
                time: moment.instant(in: planner.city.timetable.zone),
                isArriveBy: arriveBy
            )
        )
    }

    @Test("a ride over two trips whose vehicle goes on from the next stop has the metres of both")
    func metres() throws {
        let files = [
            "trips.txt": "trip_id,route_id,service_id,block_id\nT1,R,D,X\nT2,R,D,X",
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            T1,A,0,08:00:00,08:00:00
            T1,B,1,08:05:00,08:05:00
            T1,C,2,08:10:00,08:10:00
            T2,C2,0,08:12:00,08:12:00
            T2,E,1,08:20:00,08:20:00
            """,
        ]
        let whole = try answers(files, 0, 4, "2014-10-20T07:55", arriveBy: false)
        #expect(whole.map(\.transfers) == [0], "riders stay seated")
        // Two hops of 0.01 degrees (1,112 m) and one of 0.0097 (1,079 m).
        #expect(whole.map(\.metres) == [2 * 1_112 + 1_079])
        let part = try answers(files, 1, 4, "2014-10-20T07:55", arriveBy: false)
        #expect(part.map(\.metres) == [1_112 + 1_079])
    }

    @Test("the last hour of a day of 25 hours counts for those who must arrive in it")
    func clockChange() throws {
        let files = [
            "trips.txt": "trip_id,route_id,service_id\nT1,R,D\nT2,R,D",
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            T1,A,0,20:00:00,20:00:00
            T1,B,1,20:10:00,20:10:00
            T2,A,0,23:05:00,23:05:00
            T2,B,1,23:15:00,23:15:00
            """,
        ]
        for day in ["2014-10-25", "2014-10-26", "2014-10-27"] {
            let found = try answers(files, 0, 1, day + "T23:30", arriveBy: true)
            let date = try #require(LocalTime(iso8601: day + "T23:05"))
            let zone = try #require(ZoneTable(identifier: "Europe/Rome"))
            #expect(found.map(\.departure) == [date.instant(in: zone)], "\(day)")
        }
    }

    @Test("a trip at a headway keeps its departures when transfers.txt links it in seat")
    func linkedFrequencies() throws {
        let files = [
            "trips.txt": "trip_id,route_id,service_id\nT1,R,D\nT2,R,D",
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            T1,A,0,08:00:00,08:00:00
            T1,B,1,08:05:00,08:05:00
            T2,B,0,08:10:00,08:10:00
            T2,E,1,08:20:00,08:20:00
            """,
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nT2,06:00:00,22:00:00,600",
            "transfers.txt": """
            from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id
            B,B,4,T1,T2
            """,
        ]
        let found = try answers(files, 1, 4, "2014-10-20T12:01", arriveBy: false)
        let zone = try #require(ZoneTable(identifier: "Europe/Rome"))
        #expect(found.map { $0.departure.iso8601(in: zone) } == ["2014-10-20T12:10:00+02:00"])
    }
}
