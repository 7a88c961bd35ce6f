import CityData
import Journeys
import Testing
import Transit
import TripPlanning

/// Issue 33: a limit on emissions, or the wish to emit less, steers the search (V68, V74).
@Suite("Trips that emit less")
struct EmissionSearchTests {
    /// A town with a tram from end to end that leaves after the bus and takes longer.
    private static func town() throws -> TripTown {
        try TripTown(fares: [
            "routes.txt": """
            route_id,route_short_name,route_long_name,route_type,route_color
            one,1,Ovest - Est,3,FF0000
            four,4,,0,
            """,
            "trips.txt":
                "trip_id,route_id,service_id,trip_headsign\nbus,one,D,Est\ntram,four,D,Est",
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            bus,W,0,08:05:00,08:05:00
            bus,E,1,08:25:00,08:25:00
            tram,W,0,08:30:00,08:30:00
            tram,E,1,08:55:00,08:55:00
            """,
        ])
    }

    private static func answer(
        _ town: TripTown,
        _ change: (inout TripQuestion) -> Void
    ) throws -> TripAnswer {
        var search = TripSearch(CitySnapshot(town.city))
        var question = try town.question(modes: TripModes())
        change(&question)
        return try search.answer(question)
    }

    private static func lines(_ answer: TripAnswer) -> [String] {
        answer.options.filter { $0.kind == .transit }
            .map { $0.steps.compactMap(\.ride?.lineName).joined(separator: "+") }
    }

    @Test("V74: within a limit on emissions the slower tram is found, which no one else takes")
    func limit() throws {
        let town = try Self.town()
        #expect(Self.lines(try Self.answer(town) { _ in }) == ["1"])
        #expect(Self.lines(try Self.answer(town) { $0.limits.grams = 300 }) == ["4"])
        // Per person the limit is the same; a party of two needs twice as much.
        let two = try Self.answer(town) {
            $0.limits.grams = 300
            $0.party = 2
        }
        let left = TripLimits(grams: 300).applied(to: two)
        #expect(!left.options.contains { $0.kind == .transit })
        let reason = left.missing.first { $0.mode == .kind(.transit) }?.reason
        #expect(reason == .emissions(known: true))
    }

    @Test("V74: the limit counts what is shown, to the gram")
    func shownAmount() throws {
        let town = try Self.town()
        let free = try Self.answer(town) { $0.preference = .green }
        for option in free.options where option.kind == .transit {
            let grams = try #require(option.emissions).grams
            let line = Self.lines(TripAnswer.only(option, of: free))
            let kept = try Self.answer(town) { $0.limits.grams = grams }
            #expect(Self.lines(kept) == line)
            let less = TripLimits(grams: grams - 1)
                .applied(to: try Self.answer(town) { $0.limits.grams = grams - 1 })
            #expect(Self.lines(less) != line)
        }
    }

    @Test("V68: who prefers to emit less is offered the tram beside the quicker bus")
    func green() throws {
        let town = try Self.town()
        let answer = try Self.answer(town) { $0.preference = .green }
        #expect(Set(Self.lines(answer)) == ["1", "4"])
        let ordered = TripPreference.green.ordered(answer, valueOfHour: 0)
            .filter { $0.kind == .transit }
        #expect(ordered.first?.steps.compactMap(\.ride?.lineName) == ["4"])
    }

    @Test("where public transport counts nothing, a limit excludes none of it")
    func countsNothing() throws {
        var costs = TripCosts.standard
        costs.countsTransit = false
        let town = try Self.town()
        var search = TripSearch(CitySnapshot(town.city), costs: costs)
        var question = try town.question(modes: TripModes())
        question.limits.grams = 0
        #expect(Self.lines(try search.answer(question)) == ["1"])
    }
}

extension TripAnswer {
    /// An answer with one of the options of another.
    fileprivate static func only(_ option: TripOption, of answer: TripAnswer) -> TripAnswer {
        var one = answer
        one.options = [option]
        return one
    }
}
