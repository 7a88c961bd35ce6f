import CityData
import Journeys
import Testing
import Transit
import TripPlanning

/// Issue 33: a limit on money, or the wish to pay less, steers the search (V68, V74).
@Suite("Trips that cost less")
struct PriceSearchTests {
    /// A town in which later vehicles take longer and cost less.
    private static func town() throws -> TripTown {
        try TripTown(fares: [
            "routes.txt": """
            route_id,route_short_name,route_long_name,route_type,route_color
            one,1,Ovest - Est,3,FF0000
            four,4,,3,
            five,5,,3,
            six,6,,3,
            """,
            "trips.txt": """
            trip_id,route_id,service_id,trip_headsign
            fast,one,D,Est
            slow,four,D,Est
            slower,five,D,Est
            unpriced,six,D,Est
            """,
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            fast,W,0,08:05:00,08:05:00
            fast,E,1,08:15:00,08:15:00
            slow,W,0,08:07:00,08:07:00
            slow,E,1,08:26:00,08:26:00
            slower,W,0,08:09:00,08:09:00
            slower,E,1,08:38:00,08:38:00
            unpriced,W,0,08:20:00,08:20:00
            unpriced,E,1,08:35:00,08:35:00
            """,
            "fare_attributes.txt": """
            fare_id,price,currency_type,payment_method,transfers,transfer_duration
            dear,4.00,EUR,1,0,
            fair,1.50,EUR,1,0,
            cheap,0.80,EUR,1,0,
            """,
            "fare_rules.txt": "fare_id,route_id\ndear,one\nfair,four\ncheap,five",
        ])
    }

    private static func lines(_ change: (inout TripQuestion) -> Void) throws -> [String] {
        let town = try town()
        var search = TripSearch(CitySnapshot(town.city))
        var question = try town.question(modes: TripModes())
        change(&question)
        let answer = question.limits.applied(to: try search.answer(question))
        return answer.options.filter { $0.kind == .transit }
            .compactMap { $0.steps.compactMap(\.ride?.lineName).first }
    }

    @Test("V74: within a limit on money the slower bus is found, which no one else takes")
    func limit() throws {
        #expect(try Self.lines { _ in } == ["1"])
        #expect(try Self.lines { $0.limits.minorUnits = 399 } == ["4"])
        #expect(try Self.lines { $0.limits.minorUnits = 150 } == ["4"])
        #expect(try Self.lines { $0.limits.minorUnits = 149 } == ["5"])
        #expect(try Self.lines { $0.limits.minorUnits = 79 }.isEmpty)
    }

    @Test("V74: a limit is for all who travel, and passes count")
    func partyAndPasses() throws {
        let two = try Self.lines {
            $0.limits.minorUnits = 300
            $0.party = 2
        }
        #expect(two == ["4"])
        let poor = try Self.lines {
            $0.limits.minorUnits = 299
            $0.party = 2
        }
        #expect(poor == ["5"])
        // One of the two owns a ticket for the fast bus.
        let owner = try Self.lines {
            $0.limits.minorUnits = 400
            $0.party = 2
            $0.passes = ["dear"]
        }
        #expect(owner == ["1"])
    }

    @Test("V74: asked by arrival, the latest departure within the limit is found")
    func arriveBy() throws {
        func lines(_ time: String, _ limit: Int64?) throws -> [String] {
            let time = try Self.town().time(time)
            return try Self.lines {
                ($0.isArriveBy, $0.time) = (true, time)
                $0.limits.minorUnits = limit
            }
        }
        // Nobody knows what the last one costs, so it keeps to no limit.
        #expect(try lines("08:40", nil) == ["6"])
        #expect(try lines("08:40", 500) == ["5"])
        #expect(try lines("08:30", 500) == ["4"])
        #expect(try lines("08:30", 149).isEmpty)
    }

    @Test(
        "V68: who wants to pay less is offered the cheapest beside the quickest",
        arguments: [
            TripPreference.cheap, .balanced,
        ]
    )
    func preference(_ preference: TripPreference) throws {
        let found = try Self.lines { $0.preference = preference }
        #expect(found.contains("1") && found.contains("5"), "\(found)")
        #expect(!(try Self.lines { $0.preference = .quick }).contains("5"))
    }

    @Test("V52: where the limit on money alone excludes every trip, it is given up")
    func relaxed() throws {
        let town = try Self.town()
        var search = TripSearch(CitySnapshot(town.city))
        var question = try town.question(modes: TripModes(walk: false))
        question.limits.minorUnits = 50
        question.relaxing = [.money]
        let answer = try search.answer(question)
        #expect(answer.givenUp == [.money])
        #expect(answer.options.allSatisfy { !$0.excesses.isEmpty })
    }
}
