import Chronology
import CityData
import Columns
import Geo
import Journeys
import Streets
import Transit

extension TripSearch {
    /// Why there is no answer.
    func failure(
        _ question: TripQuestion,
        _ conditions: TripConditions,
        _ findings: Findings
    ) -> TripFailure {
        for place in [question.from, question.to] {
            guard place.stops.isEmpty, let coordinate = place.coordinate else { continue }
            if planner.city.streets.snap(coordinate, for: .foot).isEmpty {
                return .outside(place.name)
            }
        }
        if question.modes.transit != 0, findings.breaches.isEmpty,
            let outside = outside(question.time)
        {
            return outside
        }
        if let from = question.from.coordinate, let to = question.to.coordinate,
            from.distanceMetres(to: to) > Self.farMetres
        {
            return .tooFar
        }
        let disruptions = Self.disruptions(question, [], conditions).filter(\.isClosing)
        if !disruptions.isEmpty { return .disrupted(disruptions) }
        guard findings.breaches.isEmpty, findings.sharing.isEmpty else {
            return .excluded(Self.missing(question, [], [], findings, outside: nil))
        }
        return .noWay
    }

    /// The failure for a day that no timetable covers; nil for a day that is covered.
    func outside(_ time: Instant) -> TripFailure? {
        let timetable = planner.city.timetable
        let feeds = timetable.feeds.indices
        let day = timetable.zone.local(time).date.daysSince1970
        guard let first = feeds.map({ timetable.feeds.firstDay[$0] }).min(),
            let last = feeds.map({ timetable.feeds.lastDay[$0] }).max(), day < first || day > last
        else { return nil }
        return .outsideTimetable(
            first: CivilDate(daysSince1970: first),
            last: CivilDate(daysSince1970: last)
        )
    }
}
