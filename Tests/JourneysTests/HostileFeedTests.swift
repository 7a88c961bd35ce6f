import CityData
import OpenData
import Testing
import Transit

/// Issue 2, "How sure": any feed is imported within seconds or refused.
///
/// Exceeded limits are reported with file and line. Without limits each of these feeds takes
/// minutes or gigabytes. The tests do not measure time, because they share cores with others.
@Suite("Feeds made to harm")
struct HostileFeedTests {
    private func clock(_ second: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
    }

    private func lines(_ header: String, _ count: Int, _ line: (Int) -> String) -> String {
        header + "\n" + (0..<count).map(line).joined(separator: "\n")
    }

    private let tripHeader = "trip_id,route_id,service_id,block_id"
    private let timeHeader = "trip_id,stop_id,stop_sequence,arrival_time,departure_time"

    /// Returns two calls of a trip.
    private func calls(_ trip: String, _ from: String, _ to: String, _ start: Int) -> String {
        "\(trip),\(from),0,\(clock(start)),\(clock(start))\n"
            + "\(trip),\(to),1,\(clock(start + 5)),\(clock(start + 5))"
    }

    private func first(_ scene: FeedScene, _ kind: Diagnostic.Kind) -> Diagnostic? {
        scene.repairs.first { $0.kind == kind }
    }

    @Test("a departure every second, stated again and again")
    func frequencies() throws {
        var scene = try FeedScene([
            "trips.txt": tripHeader + "\nT,Bus,D,",
            "stop_times.txt": lines(timeHeader, 100) {
                "T,\($0 % 2 == 0 ? "A" : "B"),\($0),\(clock($0)),\(clock($0))"
            },
            "frequencies.txt": lines("trip_id,start_time,end_time,headway_secs", 1_000) { _ in
                "T,08:00:00,09:00:00,1"
            },
        ])
        // 3,600 departures of 100 calls: 27 rows hold less than ten million calls.
        let expected = Diagnostic(
            file: "frequencies.txt",
            line: 29,
            field: "headway_secs",
            kind: .tooManyDepartures
        )
        #expect(first(scene, .tooManyDepartures) == expected)
        #expect(try scene.answers("A", "B", "2014-10-20T08:30") == ["08:30 A Bus~ B 08:30"])
    }

    @Test("a rule for each pair of thousands of trips at one stop")
    func tripPairs() throws {
        let count = 3_000
        var scene = try FeedScene([
            "trips.txt": lines(tripHeader, count) { "I\($0),Bus,D,\nO\($0),Tram,D," },
            "stop_times.txt": lines(timeHeader, count) {
                calls("I\($0)", "A", "B", 30_000 + $0) + "\n"
                    + calls("O\($0)", "B", "C", 30_000 + $0)
            },
            "transfers.txt": lines(
                "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id",
                count
            ) { "B,B,2,\($0 % 600),I\($0),O\($0)" },
        ])
        let notes = scene.repairs.filter { $0.kind == .tooManyGroups }
        #expect(notes.map(\.line).contains(1_002), "the rule after the first thousand")
        #expect(notes.allSatisfy { $0.file == "transfers.txt" && $0.line >= 2 })
        #expect(try scene.answers("A", "C", "2014-10-20T08:00").count == 1)
    }

    @Test("a vehicle of thousands of trips in a row")
    func longBlock() throws {
        let count = 20_000
        var scene = try FeedScene([
            "trips.txt": lines(tripHeader, count) { "T\($0),Bus,D,X" },
            "stop_times.txt": lines(timeHeader, count) {
                calls("T\($0)", $0 % 2 == 0 ? "A" : "B", $0 % 2 == 0 ? "B" : "A", 5 * $0)
            },
        ])
        let expected = Diagnostic(
            file: "trips.txt",
            line: 2 + ServiceWindow.positionLimit / 2,
            field: "block_id",
            kind: .tooManyTrips
        )
        #expect(first(scene, .tooManyTrips) == expected)
        #expect(try scene.answers("A", "B", "2014-10-20T02:00").count == 1)
    }

    @Test("a vehicle whose trips all run on days of their own")
    func scatteredBlock() throws {
        let count = 30_000
        let scene = try FeedScene([
            "calendar_dates.txt": lines("service_id,date,exception_type", 252) {
                // The months 01 to 09 of days 01 to 28.
                "S\($0),20140\($0 / 28 + 1)\($0 % 28 < 9 ? "0" : "")\($0 % 28 + 1),1"
            },
            "trips.txt": lines(tripHeader, count) { "T\($0),Bus,S\($0 % 252),X" },
            "stop_times.txt": lines(timeHeader, count) { calls("T\($0)", "A", "B", $0) },
        ])
        #expect(scene.repairs.contains { $0.kind == .tooManyTrips && $0.line == 2 })
    }

    @Test("footpaths of no length that link thousands of stops")
    func closure() throws {
        let count = 3_000
        let scene = try FeedScene([
            "stops.txt": lines("stop_id,stop_name,stop_lat,stop_lon", count) { "S\($0),S,45,9" },
            "trips.txt": tripHeader + "\nT,Bus,D,",
            "stop_times.txt": timeHeader + "\n" + calls("T", "S0", "S1", 30_000),
            "transfers.txt": lines(
                "from_stop_id,to_stop_id,transfer_type,min_transfer_time",
                count - 1
            ) { "S\($0),S\($0 + 1),2,0\nS\($0 + 1),S\($0),2,0" },
        ])
        #expect(first(scene, .tooManyWalks)?.file == "transfers.txt")
        #expect(try scene.footpath("S0", "S2999") != nil)
        #expect(try scene.footpath("S2999", "S2998") != nil, "what is stated stays")
    }

    @Test("a rule for a station of thousands of platforms")
    func station() throws {
        let scene = try FeedScene([
            "stops.txt": lines(
                "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station",
                3_000
            ) { $0 == 0 ? "P,P,45,9,1," : "S\($0),S,45,9,0,P" },
            "trips.txt": tripHeader + "\nT,Bus,D,",
            "stop_times.txt": timeHeader + "\n" + calls("T", "S1", "S2", 30_000),
            "transfers.txt": "from_stop_id,to_stop_id,transfer_type\nP,P,0\nS1,S2,0",
        ])
        let expected = Diagnostic(
            file: "transfers.txt",
            line: 2,
            field: "from_stop_id",
            kind: .tooManyPairs
        )
        #expect(first(scene, .tooManyPairs) == expected)
        #expect(try scene.footpath("S1", "S2") != nil)
    }

    @Test("a station of thousands of places")
    func places() throws {
        let scene = try FeedScene([
            "pathways.txt": lines(
                "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional",
                5_000
            ) { "\($0),A,B,1,1" } + "\nX,C,D,1,1",
            "trips.txt": tripHeader + "\nT,Bus,D,",
            "stop_times.txt": timeHeader + "\n" + calls("T", "A", "B", 30_000),
        ])
        let notes = scene.repairs.filter { $0.kind == .tooManyPlaces }
        #expect(notes.first?.line == 2)
        #expect(scene.feed.pathways.map(\.id) == ["X"])
    }

    @Test("a trip of thousands of stops, and shapes of thousands of points")
    func longTrip() throws {
        let count = ServiceWindow.positionLimit
        let scene = try FeedScene([
            "trips.txt": "trip_id,route_id,service_id,shape_id\nL,Bus,D,\nT,Bus,D,X",
            "stop_times.txt": lines(timeHeader, count + 1) {
                "L,\($0 % 2 == 0 ? "A" : "B"),\($0),\(clock($0)),\(clock($0))"
            } + "\n"
                + (0..<count).map {
                    "T,\($0 % 2 == 0 ? "A" : "B"),\($0),\(clock($0)),\(clock($0))"
                }.joined(separator: "\n"),
            "shapes.txt": lines("shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence", 50_000) {
                "X,45.0\($0 % 2),9,\($0)"
            },
        ])
        let long = Diagnostic(file: "trips.txt", line: 2, field: "trip_id", kind: .longTrip)
        #expect(first(scene, .longTrip) == long)
        let shape = Diagnostic(file: "trips.txt", line: 3, field: "shape_id", kind: .longShape)
        #expect(first(scene, .longShape) == shape)
    }
}
