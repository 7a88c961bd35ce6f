import CityData
import Testing
import Transit

/// Issue 2, "Transit": transfers of every type; "Footpaths between stops are walked on the
/// streets", so what `transfers.txt` states is the least time for a change.
@Suite("Rules for changing")
struct ChangeRuleTests {
    /// A bus that arrives at B at 08:05, and trams from C at 08:06, 08:08, 08:11, 08:14 and 08:20.
    private static func files(_ rule: String) -> [String: String] {
        var times = ["trip_id,stop_id,stop_sequence,arrival_time,departure_time"]
        times += ["T0,A,0,08:00:00,08:00:00", "T0,B,1,08:05:00,08:05:00"]
        var trips = ["trip_id,route_id,service_id,wheelchair_accessible", "T0,Bus,D,1"]
        for (number, minute) in ["06", "08", "11", "14", "20"].enumerated() {
            trips.append("T\(number + 1),Tram,D,1")
            times.append("T\(number + 1),C,0,08:\(minute):00,08:\(minute):00")
            times.append("T\(number + 1),D,1,08:\(minute):30,08:\(minute):30")
        }
        return [
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding\n"
                + "ABCD".enumerated().map { "\($1),\($1),45.0\($0),9,1" }.joined(separator: "\n"),
            "trips.txt": trips.joined(separator: "\n"),
            "stop_times.txt": times.joined(separator: "\n"),
            "transfers.txt": """
            from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id,to_route_id,\
            from_trip_id,to_trip_id
            \(rule)
            """,
        ]
    }

    /// Walks between B and C of 5 minutes on foot and 8 minutes in a wheelchair; `nil` for none.
    private static func walks(onFoot: Int32?, stepFree: Int32?) -> StopWalks {
        func list(_ seconds: Int32?) -> [[StopWalk]] {
            let way = seconds.map { seconds in { [StopWalk(to: $0, seconds: seconds, metres: 300)] }
            }
            return [[], way?(2) ?? [], way?(1) ?? [], []]
        }
        return StopWalks(
            onFoot: list(onFoot),
            stepFree: list(stepFree),
            hasStreet: [false, true, true, false]
        )
    }

    private func tram(
        _ rule: String,
        _ walks: StopWalks?,
        wheelchair: Bool = false
    ) throws -> [String] {
        var scene = try FeedScene(Self.files(rule), walks: walks)
        return try scene.answers("A", "D", "2014-10-20T07:55", wheelchair: wheelchair).map {
            String($0.suffix(5))
        }
    }

    @Test(
        "a rule for routes or trips never makes a change quicker than the walk on the streets",
        arguments: ["B,C,2,60,Bus,Tram,,", "B,C,2,60,Bus,,,", "B,C,1,,,Tram,,"]
    )
    func special(rule: String) throws {
        let walks = Self.walks(onFoot: 300, stepFree: 480)
        #expect(try tram(rule, walks) == ["08:11"])
        #expect(try tram(rule, walks, wheelchair: true) == ["08:14"])
        let stairs = Self.walks(onFoot: 300, stepFree: nil)
        #expect(try tram(rule, stairs) == ["08:11"])
        #expect(try tram(rule, stairs, wheelchair: true) == [], "the only way has steps")
        #expect(try tram(rule, Self.walks(onFoot: nil, stepFree: nil)) == [], "there is no way")
        #expect(try tram(rule, nil) == ["08:06"])
    }

    @Test("a rule for routes or trips may make a change slower than the walk, or forbid it")
    func slower() throws {
        let walks = Self.walks(onFoot: 120, stepFree: 120)
        #expect(try tram("B,C,2,420,Bus,Tram,,", walks) == ["08:14"])
        #expect(try tram("B,C,3,,Bus,Tram,,", walks) == [])
        #expect(try tram("B,C,3,,,,T0,T2", walks) == ["08:11"], "T2 leaves at 08:08")
        #expect(try tram("B,C,2,420,,,T0,T2\nB,C,2,60,Bus,Tram,,", walks) == ["08:11"])
    }
}
