import Chronology
import CityData
import DayPlan
package import Geo
import TripPlanning

/// A taxi that is ordered for a journey of a day (V82).
package struct OrderedTaxi: Sendable, Hashable, Codable {
    /// The number of the request in the taxi service.
    package var request: UInt64
    /// The task to which it leads; nil for the journey to the base.
    package var to: DayMemory.Subject?
    /// When it is to come, in seconds since 1970.
    package var departure: Int64
    /// When it is expected to arrive.
    package var arrival: Int64
    private var origin: Point
    private var goal: Point

    private struct Point: Hashable, Codable {
        let latitude: Int32
        let longitude: Int32

        init(_ place: Coordinate) {
            latitude = place.latitude
            longitude = place.longitude
        }

        var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
    }

    /// A taxi for a journey; nil if a place has no position.
    ///
    /// - Parameters:
    ///   - request: the number of the request in the taxi service.
    ///   - journey: the journey of a plan.
    ///   - plan: the plan.
    package init?(_ request: UInt64, for journey: DayJourney, of plan: PlannedDay) {
        guard let from = plan.place(of: journey.from)?.coordinate,
            let to = plan.place(of: journey.to)?.coordinate
        else { return nil }
        self.request = request
        if case .task(let task) = journey.to { self.to = plan.input.tasks[task].subject }
        departure = journey.trip.departure.seconds
        arrival = journey.trip.arrival.seconds
        origin = Point(from)
        goal = Point(to)
    }

    /// Where it comes to.
    package var from: Coordinate { origin.coordinate }
    /// The destination of the ordered ride.
    package var destination: Coordinate { goal.coordinate }

    /// Whether a plan has a journey by taxi to the same task at the time for which it is ordered.
    package func serves(_ journey: DayJourney, of plan: PlannedDay) -> Bool {
        guard journey.trip.kind == .taxi, journey.trip.departure.seconds == departure,
            plan.place(of: journey.from)?.coordinate == from
        else { return false }
        return plan.place(of: journey.to)?.coordinate == destination
    }
}

extension PlannedDay {
    /// The ordered taxis that no journey of the plan needs.
    package func unneeded(_ taxis: [OrderedTaxi]) -> [OrderedTaxi] {
        taxis.filter { taxi in !journeys.contains { taxi.serves($0, of: self) } }
    }
}
