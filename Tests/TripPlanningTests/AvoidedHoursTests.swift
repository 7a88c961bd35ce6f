import Chronology
import CityData
import Journeys
import Testing
import Transit
import TripPlanning

/// Modes that are used only at certain hours (V72), and reasons for those that are missing.
@Suite("Hours of modes")
struct AvoidedHoursTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    private func answer(_ question: TripQuestion) throws(TripFailure) -> TripAnswer {
        var search = TripSearch(CitySnapshot(town.city))
        return try search.answer(question)
    }

    private func question(
        _ time: String = "08:00",
        avoiding rules: String...,
        modes: TripModes = .all
    ) throws -> TripQuestion {
        var question = try town.question(time, modes: modes)
        question.avoided = try rules.map { try #require(ModeHours($0)) }
        return question
    }

    @Test(
        "hours are read as people write them, open at an end or past midnight",
        arguments: [
            ("bike@20:00-07:00", "bike@20:00-07:00"), ("metro@22:00-", "metro@22:00-24:00"),
            ("tram@-06:30", "tram@00:00-06:30"), ("car", "car"),
            ("bicycle@7:05-8:00", "bike@07:05-08:00"),
            ("scooter@23:00-00:00", "scooter@23:00-24:00"),
        ]
    )
    func reading(text: String, read: String) throws {
        #expect(try #require(ModeHours(text)).text == read)
    }

    @Test(
        "other texts are no hours",
        arguments: [
            "", "@", "bike@", "bike@-", "hovercraft@20:00-", "bike@25:00-", "bike@20:60-21:00",
            "bike@20:00", "bike@20:00-20:00", "bike@20-21", "bike@-1:00-02:00", "bike@20:00-07:00@",
            "bike@24:00-07:00", "bike@24:01-",
        ]
    )
    func noHours(text: String) {
        #expect(ModeHours(text) == nil)
    }

    @Test("hours that pass midnight hold on both days, and end at their last minute")
    func midnight() throws {
        let rule = try #require(ModeHours("bike@20:00-07:00"))
        let zone = town.city.timetable.zone
        func isTouched(_ from: String, _ to: String) throws -> Bool {
            rule.touched(by: try town.time(from)..<(try town.time(to)), in: zone) != nil
        }
        #expect(try isTouched("06:00", "06:10"))
        #expect(try isTouched("06:50", "07:10"))
        #expect(try !isTouched("07:00", "20:00"))
        #expect(try isTouched("19:50", "20:01"))
        #expect(try isTouched("23:59", "23:59:30"))
    }

    @Test("a bicycle is not offered in its hours, and the reason is said (V72)")
    func bicycle() throws {
        let free = try answer(try question("12:00", avoiding: "bike@20:00-07:00"))
        #expect(free.options.contains { $0.kind == .bicycle })
        let night = try answer(try question("06:50", avoiding: "bike@20:00-07:00"))
        #expect(!night.options.contains { $0.kind == .bicycle })
        let rule = try #require(ModeHours("bike@20:00-07:00"))
        let missing = try #require(night.missing.first { $0.mode == .kind(.bicycle) })
        #expect(missing.reason == .hours(rule))
        let zone = town.city.timetable.zone
        #expect(missing.reasonText(in: zone) == "not between 20:00 and 07:00")
        let json = try TripJSON(zone: zone).text(night)
        #expect(json.contains("\"mode\" : \"bike\",\n      \"reason\" : \"not between 20:00"))
    }

    @Test("without a vehicle in its hours, the best journey by the others is found (V72)")
    func otherVehicles() throws {
        // The trams from 8:04 to 8:18 are quicker than the bus from 8:05 to 8:25, and would hide
        // a bus that had to be found without them.
        let transit = TripModes(walk: false)
        let all = try answer(try question(avoiding: "car", modes: transit))
        #expect(all.options.first?.steps.compactMap(\.ride?.lineName) == ["2", "3"])
        let bus = try answer(try question(avoiding: "tram@08:10-08:15", modes: transit))
        #expect(bus.options.map { $0.steps.compactMap(\.ride?.lineName) }.contains(["1"]))
        #expect(!bus.options.flatMap(\.steps).contains { $0.ride?.mode == .tram && inHours($0) })
        func inHours(_ step: TripStep) -> Bool {
            guard let start = try? town.time("08:10"), let end = try? town.time("08:15") else {
                return true
            }
            return step.departure < end && step.arrival > start
        }
    }

    @Test("public transport whose hours end soon is found after them (V72)")
    func later() throws {
        // All trams before 8:30 are excluded; the next ones leave at 8:34.
        let rules = ["bus", "tram@08:00-08:30"]
        let found = try answer(
            try question(avoiding: rules[0], rules[1], modes: TripModes(walk: false))
        )
        let first = try #require(found.options.first)
        #expect(first.steps.compactMap(\.ride).first?.lineName == "2")
        #expect(try first.departure >= town.time("08:30"))
        #expect(found.missing.map(\.mode) == [.vehicle(.bus)])
    }

    @Test(
        "a mode is used until its hours begin, and another one goes on (V72)",
        arguments: [false, true]
    )
    func until(isArriveBy: Bool) throws {
        // The second tram would arrive at 8:18. A bus from the middle arrives at 8:22, and is
        // beaten by it; the one from end to end leaves later.
        let other = try TripTown(fares: [
            "trips.txt": """
            trip_id,route_id,service_id,trip_headsign
            slow,one,D,Est
            first,two,D,Mezzo
            second,three,D,Est
            bus,one,D,Est
            """,
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            slow,W,0,08:20:00,08:20:00
            slow,E,1,08:40:00,08:40:00
            first,W,0,08:04:00,08:04:00
            first,M,1,08:10:00,08:10:00
            second,M,0,08:13:00,08:13:00
            second,E,1,08:18:00,08:18:00
            bus,M,0,08:14:00,08:14:00
            bus,E,1,08:22:00,08:22:00
            """,
        ])
        var asked = try other.question(
            isArriveBy ? "08:35" : "08:00",
            modes: TripModes(walk: false)
        )
        asked.isArriveBy = isArriveBy
        asked.avoided = [try #require(ModeHours("tram@08:12-08:30"))]
        var search = TripSearch(CitySnapshot(other.city))
        let lines = try search.answer(asked).options.map {
            $0.steps.compactMap(\.ride?.lineName)
        }
        #expect(lines.first == ["2", "1"])
        #expect(!lines.contains(["2", "3"]))
    }

    @Test("where nothing is left, each mode says why")
    func nothing() throws {
        let asked = try question(
            avoiding: "bike",
            "transit",
            modes: TripModes(walk: false, bicycle: true)
        )
        #expect {
            _ = try answer(asked)
        } throws: { error in
            guard case .excluded(let missing)? = error as? TripFailure else { return false }
            return missing.map(\.mode) == [.kind(.transit), .kind(.bicycle)]
                && missing.allSatisfy { if case .hours = $0.reason { true } else { false } }
        }
    }

    @Test("a journey against a rule is never shown", arguments: 0..<40)
    func never(seed: Int32) throws {
        let start = seed * 37 % 1_440
        let rule = try #require(
            ModeHours(
                [.kind(.transit), .kind(.bicycle), .vehicle(.tram)][Int(seed) % 3],
                from: start,
                to: (start + 30) % 1_440
            )
        )
        var asked = try town.question("0\(7 + seed % 3):\(10 + seed)", modes: .all)
        asked.avoided = [rule]
        asked.isArriveBy = seed % 2 == 0
        let zone = town.city.timetable.zone
        for step in try answer(asked).options.flatMap(\.steps) {
            let isNamed =
                switch rule.mode {
                case .kind(let kind): step.kind == kind
                case .vehicle(let vehicle): step.ride?.mode == vehicle
                }
            #expect(!isNamed || rule.touched(by: step.departure..<step.arrival, in: zone) == nil)
        }
    }
}
