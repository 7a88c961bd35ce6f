import Chronology
import CityData
import Journeys
import OpenData
import Testing
import Transit

/// Issue 2, "Transit": frequencies of both kinds, daylight saving changes (noon minus 12 h), shifts
/// by whole weeks, and errors reported with file, line and field.
@Suite("Rules of timetables")
struct TimetableRuleTests {
    private static let trip = [
        "trips.txt": "trip_id,route_id,service_id\nT,Bus,D",
        "stop_times.txt": """
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        T,A,0,06:00:00,06:00:00
        T,B,1,06:10:00,06:10:00
        """,
    ]

    @Test("a headway gives departures before its end; without exact_times they are approximate")
    func frequencies() throws {
        var files = Self.trip
        files["frequencies.txt"] = """
            trip_id,start_time,end_time,headway_secs,exact_times
            T,08:00:00,08:30:00,600,1
            T,09:00:00,09:20:00,600,0
            T,10:00:00,10:20:00,600,
            """
        var scene = try FeedScene(files)
        func answer(_ time: String) throws -> [String] {
            try scene.answers("A", "B", "2014-10-20T" + time)
        }
        #expect(try answer("05:30") == ["08:00 A Bus B 08:10"], "the trip itself does not run")
        #expect(try answer("08:11") == ["08:20 A Bus B 08:30"])
        #expect(try answer("08:21") == ["09:00 A Bus~ B 09:10"], "08:30 is the end")
        #expect(try answer("09:11") == ["10:00 A Bus~ B 10:10"], "nothing means not exact")
    }

    @Test("times of the night in which the clocks go back count from noon minus 12 hours")
    func clockChange() throws {
        var files = Self.trip
        files["trips.txt"] = "trip_id,route_id,service_id\nT1,Bus,D\nT2,Tram,D"
        files["stop_times.txt"] = """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            T1,A,0,26:30:00,26:30:00
            T1,B,1,26:40:00,26:40:00
            T2,A,0,02:30:00,02:30:00
            T2,B,1,02:40:00,02:40:00
            """
        var scene = try FeedScene(files)
        // The time 02:30 occurs twice; the previous day's bus runs in summer time, the tram an hour
        // later in winter time.
        let stops = (try scene.stop("A"), try scene.stop("B"))
        let early = try scene.itineraries(from: stops.0, to: stops.1, "2014-10-26T01:50")
        #expect(early.map { $0.departure.iso8601(in: scene.zone) } == ["2014-10-26T02:30:00+02:00"])
        let late = try scene.itineraries(from: stops.0, to: stops.1, "2014-10-26T02:45")
        #expect(late.count == 1)
        let expected = ["2014-10-26T02:30:00+01:00", "2014-10-27T02:30:00+01:00"]
        #expect(expected.contains(late[0].departure.iso8601(in: scene.zone)))
    }

    @Test("a shift in weeks moves every service day, and nothing else")
    func shift() throws {
        var files = Self.trip
        files["calendar.txt"] = """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            D,1,0,0,0,0,0,0,20141020,20141020
            """
        for (weeks, day) in [(Int32(0), "2014-10-20"), (-2, "2014-10-06"), (3, "2014-11-10")] {
            var scene = try FeedScene(files, shiftWeeks: weeks)
            for asked in ["2014-10-06", "2014-10-13", "2014-10-20", "2014-11-10"] {
                let found = try scene.answers("A", "B", asked + "T05:00")
                #expect(
                    found == (asked == day ? ["06:00 A Bus B 06:10"] : []),
                    "\(weeks), \(asked)"
                )
            }
        }
    }

    private static func transfers(_ rules: String) -> [String: String] {
        var files = trip
        files["stops.txt"] = """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
            P,P,45,9,1,
            A,A,45,9,0,P
            B,B,45.001,9,0,P
            """
        files["transfers.txt"] =
            "from_stop_id,to_stop_id,transfer_type,min_transfer_time\n" + rules
        return files
    }

    @Test("two rules for the same stops contradict each other; the later one is named")
    func contradictions() throws {
        func repairs(_ rules: String) throws -> [Diagnostic] {
            try FeedScene(Self.transfers(rules)).repairs
        }
        func contradiction(_ line: Int) -> Diagnostic {
            Diagnostic(
                file: "transfers.txt",
                line: line,
                field: "from_stop_id",
                kind: .contradiction
            )
        }
        #expect(try repairs("A,B,2,60\nA,B,2,90") == [contradiction(3)])
        #expect(try repairs("A,B,2,60\nA,B,2,60").isEmpty)
        #expect(try repairs("P,P,2,60\nA,B,2,90").isEmpty, "a stop's rule beats its station's")
        #expect(try repairs("A,B,2,90\nP,P,2,60").isEmpty)
        #expect(try repairs("P,P,2,60\nP,P,2,90").first == contradiction(3))
    }

    @Test(
        "distances in another unit than the shape's are measured instead, and it is said",
        arguments: [
            ("0", "2", "0", "2000", true), ("0", "2000", "0", "2", true),
            ("0", "2", "0", "2", false), ("0", "2000", "0", "2000", false),
        ]
    )
    func units(values: (String, String, String, String, Bool)) throws {
        let (first, last, start, end, isMismatch) = values
        let middle = last == "2" ? "1" : "1000"
        let scene = try FeedScene([
            "trips.txt": "trip_id,route_id,service_id,shape_id\nT,Bus,D,X",
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time,shape_dist_traveled
            T,A,0,06:00:00,06:00:00,\(first)
            T,B,1,06:10:00,06:10:00,\(middle)
            T,C,2,06:20:00,06:20:00,\(last)
            """,
            "shapes.txt": """
            shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled
            X,45.00,9,1,\(start)
            X,45.02,9,2,\(end)
            """,
        ])
        let expected = Diagnostic(file: "trips.txt", line: 2, field: "shape_id", kind: .otherUnit)
        #expect(scene.repairs == (isMismatch ? [expected] : []))
        var asked = scene
        let stops = (try asked.stop("A"), try asked.stop("C"))
        let found = try asked.itineraries(from: stops.0, to: stops.1, "2014-10-20T05:00")
        #expect(found.map { Int($0.metres) / 10 } == [222])
    }

    @Test("boarding between stops is not honoured, and each row that allows it is counted")
    func continuousStopping() throws {
        var files = Self.trip
        files["routes.txt"] = """
            route_id,route_short_name,route_type,continuous_pickup,continuous_drop_off
            Bus,Bus,3,0,1
            Tram,Tram,0,,
            """
        files["stop_times.txt"] = """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time,continuous_drop_off
            T,A,0,06:00:00,06:00:00,3
            T,B,1,06:10:00,06:10:00,1
            """
        let repairs = try FeedScene(files).repairs
        func note(_ file: String, _ field: String) -> Diagnostic {
            Diagnostic(file: file, line: 2, field: field, kind: .betweenStops)
        }
        #expect(
            repairs == [
                note("routes.txt", "continuous_pickup"),
                note("stop_times.txt", "continuous_drop_off"),
            ]
        )
    }
}
