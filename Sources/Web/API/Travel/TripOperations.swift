import Chronology
import CityData
import HTTPTypes
import Identity
import Journeys
import OpenData
import TaxiPages
import Transit
import TripPlanning
import WebCore

/// Trips from place to place, and what can be reached.
extension CityAPI {
    /// How long a program waits for an answer of the planner.
    private static let patience = Duration.seconds(10)

    /// What a question about a trip costs.
    private static let questionCost = 5

    /// The moment to which a question refers, in the city's time.
    private static let timeFields: [InputField] = [
        .query("date", .date, "The day in the city's time zone; today by default."),
        .query("time", .time, "The time in the city's time zone; now by default."),
    ]

    /// The fields of a question about a trip.
    private static let questionFields: [InputField] =
        [InputField.from.inQuery.required, InputField.to.inQuery.required] + timeFields + [
            .query("arrive_by", .truth, "Whether the time is the latest arrival."),
            .query(
                "means",
                .several(.choice(of: TripKind.self), TripKind.allCases.count),
                "The means of travel; walk and transit by default."
            ),
            .query("transfers", .number(0...Int64(Raptor.tripLimit - 1)), "The most transfers."),
            .query("walk_metres", .number(0...100_000), "The longest total walk."),
            .query("wheelchair", .truth, "Whether every step must be accessible."),
            .query(
                "window_minutes",
                .number(0...1_440),
                "All good departures within this time, instead of the best one only."
            ),
            .names,
        ] + limitFields

    private var tripPlan: Operation {
        .get(
            "/api/plan",
            as: "api.trips.plan",
            "Plan a trip",
            in: .travel,
            for: Self.publicScopes,
            returns: .trips
        ) { call in
            Answer(try await plan(call, until: .now + Self.patience))
        }
        .taking(Self.questionFields)
        .costing(Self.questionCost)
        .explained("The answer is that of `viavai plan --json`: see docs/answers.md.")
    }

    var tripOperations: [Operation] {
        let one = tripPlan
        return [
            one, manyTrips(like: one),
            .get(
                "/api/reach",
                as: "api.trips.reach",
                "Find what can be reached",
                in: .travel,
                for: Self.publicScopes,
                returns: .feature(
                    "Reach",
                    [
                        .init("minutes", .integer, "The greatest travel time."),
                        .init("square_kilometres", .number, "The size of the area."),
                        .init("stops", .integer, "The number of stops in it."),
                    ]
                ),
                reach
            )
            .taking([InputField.from.inQuery.required])
            .taking(Self.timeFields)
            .taking([
                .query("minutes", .number(1...60), "The greatest travel time; 30 by default."),
                .query("wheelchair", .truth, "Whether every step must be accessible."),
                .names,
            ])
            .costing(10)
            .explained("On foot and by public transport, as an area on the map (GeoJSON)."),
        ]
    }

    private func plan(
        _ call: Call,
        until deadline: ContinuousClock.Instant
    ) async throws -> JSONValue {
        let cities = environment.cities.current
        let means = Set(call.all("means").compactMap { TripKind(rawValue: $0) })
        let kinds = means.isEmpty ? [.walk, .transit] : means
        let maxTransfers = call.number("transfers").map { Int($0) }
        var question = TripQuestion(
            from: try resolved("from", call, cities),
            to: try resolved("to", call, cities),
            time: try time(call),
            isArriveBy: call.flag("arrive_by"),
            modes: TripModes(walk: false, transit: 0).with(kinds),
            maxTransfers: maxTransfers ?? JourneyQuery.defaultMaxTransfers,
            maxWalkMetres: call.number("walk_metres").map { UInt32(clamping: $0) },
            wheelchair: call.flag("wheelchair"),
            windowSeconds: call.number("window_minutes").map { Int32(clamping: $0 * 60) },
            language: call["language"] ?? "en"
        )
        try setLimits(of: &question, call, cities)
        let answer = try await cities.answer(question, deadline: deadline)
        let text = try TripJSON(zone: web.settings.zoneTable).text(answer)
        return try JSONValue(parsing: Array(text.utf8))
    }

    // MARK: Several questions

    /// How many questions a program asks at once.
    private static let mostQuestions = 20
    /// How long a program waits for the answers to all of them.
    private static let patienceForAll = Duration.seconds(30)

    private func manyTrips(like one: Operation) -> Operation {
        .post(
            "/api/plan/many",
            as: "api.trips.plan-many",
            "Plan several trips",
            in: .travel,
            for: Self.publicScopes,
            returns: .manyTrips
        ) { call in
            let end = ContinuousClock.now + Self.patienceForAll
            var items: [JSONValue] = []
            for text in call.all("questions") {
                let deadline = min(end, .now + Self.patience)
                items.append(try await answer(to: text, like: one, call, until: deadline))
            }
            return Answer(["items": .list(items)])
        }
        .taking([
            .set(
                "questions",
                .several(.record(Self.questionFields), Self.mostQuestions),
                "The questions, each with the fields of trips.plan."
            ).required
        ])
        .costing(Self.questionCost, eachOf: "questions")
        .repeated(because: "it changes nothing")
        .explained(
            """
            The answers come in the order of the questions: each is a plan, or the problem for \
            which trips.plan refuses that question. Each question counts like one call of \
            trips.plan.
            """
        )
    }

    /// The plan or the problem of one question of several.
    private func answer(
        to text: String,
        like one: Operation,
        _ call: Call,
        until deadline: ContinuousClock.Instant
    ) async throws -> JSONValue {
        var context = call.context
        do {
            guard let json = try? JSONValue(parsing: Array(text.utf8)),
                let form = Form(membersOf: json)
            else { preconditionFailure("a question was accepted and is no object") }
            context.method = .get
            context.query = try one.route.acceptedOfProgram(form, in: .query)
            return ["plan": try await plan(Call(context), until: deadline), "problem": .null]
        } catch {
            switch Operation.refusal(for: error) {
            case let refusal as ProgramRefusal: return ["plan": .null, "problem": refusal.problem]
            case let failure as Failure:
                return ["plan": .null, "problem": ProgramRefusal(failure).problem]
            default: throw error
            }
        }
    }

    private func reach(_ call: Call) async throws -> Answer {
        let cities = environment.cities.current
        let question = ReachQuestion(
            from: try resolved("from", call, cities),
            time: try time(call),
            minutes: Int32(clamping: call.number("minutes") ?? 30),
            wheelchair: call.flag("wheelchair"),
            language: call["language"] ?? "en"
        )
        let found = try await cities.reach(question, deadline: .now + Self.patience)
        let feature = GeoJSON.Feature(
            id: .text(found.question.from.name),
            geometry: .multiPolygon(found.area),
            properties: JSONObject([
                .init("minutes", JSONValue(found.question.minutes)),
                .init("square_kilometres", .number(found.squareKilometres)),
                .init("stops", JSONValue(found.stopCount)),
            ])
        )
        return Answer(feature.json)
    }

    /// The place in a field.
    private func resolved(
        _ name: String,
        _ call: Call,
        _ cities: OpenedCities
    ) throws(ProgramRefusal) -> ResolvedPlace {
        switch cities.places.find(try call.required(name), .asks) {
        case .found(let place): return place
        case .several(let places):
            let names = places.prefix(5).map(\.name).joined(separator: "; ")
            throw .field(name, "ambiguous", "Several places match: \(names).")
        case .nothing:
            let detail = "No place matches: write an address, a stop, or latitude,longitude."
            throw .field(name, "unknown-place", detail)
        }
    }

    /// The moment in the fields; now if there is none.
    func time(_ call: Call) throws(ProgramRefusal) -> Instant {
        let now = Instant(call.now)
        let (day, second) = (call.day("date"), call["time"].flatMap { WrittenReading.second($0) })
        guard day != nil || second != nil else { return now }
        let local = LocalTime(
            date: day ?? web.day(call.now),
            second: second ?? LocalTime(now, in: web.settings.zoneTable).second
        )
        switch ClockReading(local, in: web.settings.zoneTable) {
        case .once(let instant), .twice(let instant, _): return instant
        case .skipped:
            throw .field("time", "skipped", "The clocks go forward: there is no such time.")
        }
    }
}
