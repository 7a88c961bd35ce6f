import CityData
import Testing
import Transit

/// Issue 2, "Transit": blocks (stay seated) and transfers between trips; GTFS reference,
/// `block_id` and "Linked trips".
@Suite("Staying seated")
struct StaySeatedTests {
    /// A bus from A to C that continues as a tram to E and as a bus to F.
    private static func vehicle(block: String, transfers: String? = nil) -> [String: String] {
        var files = [
            "trips.txt": """
            trip_id,route_id,service_id,block_id,wheelchair_accessible
            T1,Bus,D,\(block),1
            T2,Tram,D,\(block),2
            T3,Bus,D,\(block),1
            """,
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            T1,A,0,08:00:00,08:00:00
            T1,B,1,08:05:00,08:05:00
            T1,C,2,08:10:00,08:10:00
            T2,C,0,08:10:00,08:10:00
            T2,D,1,08:15:00,08:15:00
            T2,E,2,08:20:00,08:20:00
            T3,E,0,08:20:00,08:20:00
            T3,F,1,08:30:00,08:30:00
            """,
        ]
        files["transfers.txt"] = transfers.map {
            "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id\n" + $0
        }
        return files
    }

    private static let morning = "2014-10-20T07:55"

    @Test("trips of one block are one ride, without time to change; others are not")
    func block() throws {
        var block = try FeedScene(Self.vehicle(block: "X"))
        #expect(try block.answers("A", "F", Self.morning) == ["08:00 A Bus F 08:30"])
        #expect(
            try block.answers("A", "F", "2014-10-20T09:00", arriveBy: true)
                == ["08:00 A Bus F 08:30"]
        )
        var apart = try FeedScene(Self.vehicle(block: ""))
        #expect(try apart.answers("A", "F", Self.morning) == [], "the tram leaves at once")
        #expect(try apart.answers("A", "C", Self.morning) == ["08:00 A Bus C 08:10"])
    }

    @Test(
        "on a vehicle of several trips those of the chosen modes are ridden, the others not",
        arguments: [false, true]
    )
    func modes(arriveBy: Bool) throws {
        var scene = try FeedScene(Self.vehicle(block: "X"))
        func answers(_ from: String, _ to: String, _ modes: [TransitMode]) throws -> [String] {
            let time = arriveBy ? "2014-10-20T09:00" : Self.morning
            return try scene.answers(from, to, time, arriveBy: arriveBy, modes: modes)
        }
        #expect(try answers("A", "C", [.bus]) == ["08:00 A Bus C 08:10"])
        #expect(try answers("C", "E", [.tram]) == ["08:10 C Tram E 08:20"])
        #expect(try answers("E", "F", [.bus]) == ["08:20 E Bus F 08:30"])
        #expect(try answers("A", "D", [.bus]) == [], "the tram is refused")
        #expect(try answers("A", "F", [.bus]) == [], "nobody stays seated in a refused tram")
        #expect(try answers("B", "C", [.tram]) == [], "the bus before the tram is refused")
        #expect(try answers("A", "D", [.bus, .tram]) == ["08:00 A Bus D 08:15"])
    }

    @Test("a wheelchair rides the trips of a vehicle that take it")
    func wheelchair() throws {
        var files = Self.vehicle(block: "X")
        files["stops.txt"] =
            "stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding\n"
            + "ABCDEF".enumerated().map { "\($1),\($1),45.0\($0),9,\($1 == "B" ? 2 : 1)" }
            .joined(separator: "\n")
        var scene = try FeedScene(files)
        func answers(_ from: String, _ to: String) throws -> [String] {
            try scene.answers(from, to, Self.morning, wheelchair: true)
        }
        #expect(try answers("A", "C") == ["08:00 A Bus C 08:10"])
        #expect(try answers("E", "F") == ["08:20 E Bus F 08:30"])
        #expect(try answers("C", "D") == [], "the tram takes none")
        #expect(try answers("A", "F") == [])
        #expect(try answers("B", "C") == [], "the stop takes none")
    }

    @Test("transfers.txt joins trips that share no block (type 4) and parts those that do (5)")
    func stated() throws {
        let joined = Self.vehicle(block: "", transfers: "C,C,4,T1,T2\nE,E,4,T2,T3")
        var joinedScene = try FeedScene(joined)
        #expect(try joinedScene.answers("A", "F", Self.morning) == ["08:00 A Bus F 08:30"])
        #expect(
            try joinedScene.answers("C", "F", Self.morning, modes: [.tram, .bus])
                == ["08:10 C Tram F 08:30"]
        )
        var parted = try FeedScene(Self.vehicle(block: "X", transfers: "C,C,5,T1,T2"))
        #expect(try parted.answers("A", "D", Self.morning) == [])
        #expect(try parted.answers("C", "F", Self.morning) == ["08:10 C Tram F 08:30"])
    }

    @Test("trips of one block on different days are joined on the days that they share")
    func days() throws {
        var files = Self.vehicle(block: "X")
        files["calendar_dates.txt"] = "service_id,date,exception_type\nM,20141020,1"
        files["trips.txt"] = """
            trip_id,route_id,service_id,block_id
            T1,Bus,D,X
            T2,Tram,M,X
            T3,Bus,D,X
            """
        var scene = try FeedScene(files)
        #expect(try scene.answers("A", "F", Self.morning) == ["08:00 A Bus F 08:30"])
        #expect(
            try scene.answers("A", "F", "2014-10-21T07:55") == [],
            "without the tram the bus leaves from too far away"
        )
    }
}
