import Chronology
import CityData
import Geo
import Journeys
import Streets
import Transit

/// Finds the way of a taxi, on the streets that taxis may use.
struct TaxiSearch {
    private let streets: StreetNetwork
    private let metric: StreetMetric
    private let zone: ZoneTable
    private let workspace: StreetWorkspace

    /// Creates a search in a snapshot.
    init(_ snapshot: CitySnapshot) {
        streets = snapshot.city.streets
        metric = snapshot.metric(.taxi)
        zone = snapshot.city.timetable.zone
        workspace = StreetWorkspace(for: streets)
    }

    /// The ride between two places; nil if no taxi can drive it.
    ///
    /// Passengers order at the requested time, or early enough to arrive by it. If the taxi service
    /// does not know the wait, it counts as none; if it does not know the time of the ride, that of
    /// the map is used.
    func option(_ question: TripQuestion, _ estimate: TaxiEstimate) -> TripOption? {
        guard let from = question.from.coordinate, let to = question.to.coordinate,
            let route = route(from, to, question, waitSeconds: estimate.waitSeconds ?? 0)
        else { return nil }
        let mapped = Int64((route.cost.milliseconds + 999) / 1_000)
        let seconds = estimate.rideSeconds.map { Int64($0) } ?? mapped
        let wait = Int64(estimate.waitSeconds ?? 0)
        let ordered =
            question.isArriveBy
            ? question.time.adding(seconds: -(wait + seconds)) : question.time
        let pickup = ordered.adding(seconds: wait)
        let arrival = pickup.adding(seconds: seconds)
        let metres = (route.cost.decimetres + 5) / 10
        let step = TripStep(
            kind: .taxi,
            fromName: question.from.name,
            toName: question.to.name,
            departure: pickup,
            arrival: arrival,
            metres: metres,
            geometry: route.geometry,
            streets: TripStreet.all(of: route, in: streets)
        )
        return TripOption(
            id: TripKind.taxi.rawValue,
            kind: .taxi,
            steps: [step],
            departure: ordered,
            arrival: arrival,
            walkMetres: 0,
            metres: metres,
            transfers: 0,
            taxi: estimate
        )
    }

    /// The way of the taxi by the rules of the hours at which it drives; a place on a street that
    /// has closed by then is joined to one that never closes.
    private func route(
        _ from: Coordinate,
        _ to: Coordinate,
        _ question: TripQuestion,
        waitSeconds: Int32
    ) -> StreetRoute? {
        let wait = question.isArriveBy ? 0 : Int64(waitSeconds)
        let week = WeekMoment(question.time.adding(seconds: wait), in: zone)
        for open in [PassageMoment.whole(week), .always] {
            guard let start = streets.snap(from, for: .taxi, at: open).first,
                let end = streets.snap(to, for: .taxi, at: open).first,
                let route = streets.route(
                    from: start,
                    to: end,
                    by: metric,
                    at: question.isArriveBy ? .arrival(week) : .departure(week),
                    using: workspace
                )
            else { continue }
            return route
        }
        return nil
    }
}
