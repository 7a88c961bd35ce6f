import Agenda
import Chronology
import CityData
import DayPlanning
import HTTPTypes
import Identity
import Localization
import TaxiPages
import TripPlanning
import WebCore

/// Where people and their vehicles are when a day, or the rest of it, is planned (V51, V65, V79).
extension CalendarPages {
    var whereaboutsRoutes: [Route] {
        [
            .post("/calendar/here", as: "calendar.here", for: .person) { context, person in
                var problems: [String: Text] = [:]
                var input = PlaceInput(context.form)
                guard let place = typedSpot(&input, context, &problems) else {
                    throw Failure.badField("place")
                }
                return try await setOut(from: place, context, person)
            }
            .taking(.place)
            .answering(.redirect),
            .post("/calendar/day/{date}/whole", as: "calendar.whole", for: .person) {
                context,
                person in
                let date = try date(context)
                try await wish(of: person.person, on: date) { $0.whereabouts = nil }
                return .redirect(to: address(of: date, notice: "repaired"))
            }
            .taking(.date)
            .answering(.redirect),
            .post("/calendar/day/{date}/walk-limits", as: "calendar.walk.limits", for: .person) {
                context,
                person in
                let date = try date(context)
                try await wish(of: person.person, on: date) { $0.dropsWalkLimits = false }
                return .redirect(to: address(of: date, notice: "repaired"))
            }
            .taking(.date)
            .answering(.redirect),
        ]
    }

    /// Plans the rest of today from where its owner is, and leads to it.
    func setOut(
        from place: SettingsPlace,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let (today, now) = (cityDay(context.now), Instant(context.now))
        try await wish(of: person.person, on: today) { memory in
            memory.whereabouts = DayMemory.Whereabouts(
                at: DayMemory.Spot(place.name, at: place.position),
                time: now.seconds
            )
        }
        return .redirect(to: address(of: today, notice: "here"))
    }

    /// Where own vehicles stand when a day begins, or from the moment on when that was said.
    ///
    /// A plan brings a vehicle to where the day after finds it.
    func spots(
        of person: PersonNumber,
        on date: CivilDate,
        _ settings: TravelSettings
    ) async throws -> [TravelMeans: SettingsPlace] {
        let since = date.adding(days: -Self.daysOfVehicles)
        let days = try await agenda.memories(of: person, from: since, before: date)
            .compactMap { day, text in DayMemory(text).map { (day, $0) } }
        var spots: [TravelMeans: SettingsPlace] = [:]
        let first = settings.base(on: date.adding(days: -1))
        for vehicle in TravelMeans.vehicles {
            let parked = settings.parked[vehicle]
            let day = parked.map {
                LocalTime(Instant(seconds: $0.since), in: web.settings.zoneTable).date
            }
            if let day, day > date {
                spots[vehicle] = first
                continue
            }
            // What was said today counts more than what was planned before.
            let last = days.last { known, memory in
                memory.vehicles[vehicle.rawValue] != nil && day.map { known >= $0 } ?? true
            }
            let planned = last.flatMap { $0.1.vehicles[vehicle.rawValue] }
                .map { SettingsPlace($0.name, at: $0.position) }
            spots[vehicle] = planned ?? parked?.place ?? first
        }
        return spots
    }

    /// After how many days without a plan a vehicle is where its owner said last.
    private static let daysOfVehicles: Int32 = 7
}

extension TravelMeans {
    /// The same for the planner.
    var kind: TripKind? { TripKind(rawValue: rawValue) }
}
