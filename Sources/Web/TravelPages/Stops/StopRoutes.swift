import Chronology
import CityData
import HTTPTypes
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

/// A stop with its departures, at a public address (V84).
extension TravelPages {
    var stopRoutes: [Route] {
        [
            .get("/stops/{stop}", as: "stops.stop", for: .everybody, showStop)
                .taking([
                    .stopKey, .query("date", .date, "The day of the departures."),
                    .query("time", .time, "The time from which departures are shown."),
                ]),
            .get("/stops/{stop}/map.svg", as: "stops.stop.map.svg", for: .everybody) { context in
                try picture(of: scene(stop(context)), context)
            }
            .taking([.stopKey])
            .answering(.picture),
            .post("/stops/{stop}/plan", as: "stops.plan", for: .everybody, planAtStop)
                .taking([
                    .stopKey,
                    .set("end", .choice(of: RideEnd.self), "Which end of the trip the stop is."),
                ])
                .answering(.redirect)
                .repeated(because: Self.setsOrder),
        ]
    }

    /// The stop in the address.
    private func stop(_ context: RequestContext) throws -> StopPlace {
        let key = context.parameters["stop"] ?? ""
        let language = context.language.rawValue
        guard let stop = context.cities.stop(key, language: language)?.stop else {
            throw Failure.notFound
        }
        return stop
    }

    private func showStop(_ context: RequestContext) async throws -> Response {
        response(stopPage(try stop(context), from: boardTime(context), context), to: context)
    }

    /// The time in the address; now if there is none.
    private func boardTime(_ context: RequestContext) -> Instant {
        let now = Instant(context.now)
        let day = context.query["date"].flatMap { CivilDate(iso8601: $0) }
        let second = context.query["time"].flatMap { WrittenReading.second($0) }
        guard day != nil || second != nil else { return now }
        let local = LocalTime(
            date: day ?? cityDay(context.now),
            second: second ?? LocalTime(now, in: web.settings.zoneTable).second
        )
        return local.instant(in: web.settings.zoneTable)
    }

    /// The stop on the map.
    func scene(_ stop: StopPlace) -> MapScene {
        MapScene([
            MapScene.Mark(.stop, at: stop.coordinate, Text(same: shortPlace(stop.name)))
        ])
    }

    /// Fills in the stop in the planner's form.
    private func planAtStop(_ context: RequestContext) async throws -> Response {
        let stop = try stop(context)
        guard let end = context.form["end"].flatMap(RideEnd.init(rawValue:)) else {
            throw Failure.badRequest
        }
        var draft = draft(context) ?? OrderDraft()
        let place = ChosenPlace(stop.coordinate, words: stop.name)
        let other = end == .from ? RideEnd.to : .from
        if draft[other].place?.coordinate == place.coordinate { draft[other] = OrderDraft.Wish() }
        let typed = String(stop.name.prefix(OrderDraft.Wish.limit))
        draft[end] = OrderDraft.Wish(typed: typed, place: place)
        return Response.redirect(to: JourneyForm.plan.address).setting(orderCookie(draft, context))
    }
}

extension InputField {
    /// The key of the stop in the address.
    fileprivate static let stopKey = path("stop", .text(200), "The feed and identifier of a stop.")
}
