package import Chronology
package import Journeys
import Transit

extension ModeHours {
    /// The hours that a span touches, in order.
    func spans(during span: Range<Instant>, in zone: ZoneTable) -> [Range<Instant>] {
        var spans: [Range<Instant>] = []
        var rest = span
        while !rest.isEmpty, let hours = touched(by: rest, in: zone) {
            spans.append(hours)
            rest = max(rest.lowerBound, min(hours.upperBound, rest.upperBound))..<rest.upperBound
        }
        return spans
    }
}

extension TripConditions {
    /// When a means must not be used in a span of time: in hours that rules exclude, and where
    /// nobody may cycle in rain, from the present on, while it rains or that is not known.
    package func closedSpans(
        of kind: TripKind,
        avoiding rules: [ModeHours],
        avoidsRain: Bool,
        during span: Range<Instant>,
        in zone: ZoneTable
    ) -> [Range<Instant>] {
        let hours = rules.filter { $0.mode == .kind(kind) }
            .flatMap { $0.spans(during: span, in: zone) }
        guard avoidsRain, kind.isCycling, now < span.upperBound else { return hours }
        let rest = max(now, span.lowerBound)..<span.upperBound
        return hours + TripRain(self).closedSpans(during: rest)
    }

    /// Why nobody should cycle in a span of time; nil if it stays dry.
    package func rain(during span: Range<Instant>) -> TripMissing.Reason? {
        TripRain(self).reason(during: span)
    }

    /// What a trip has against rules on hours, and where nobody may cycle in rain against the rain,
    /// each once.
    package func breaches(
        of trip: TripOption,
        avoiding rules: [ModeHours],
        avoidsRain: Bool,
        in zone: ZoneTable
    ) -> [TripMissing.Reason] {
        TripRules(rules, avoidsRain: avoidsRain, self, zone).breaches(of: trip)
            .reduce(into: []) { reasons, breach in
                if !reasons.contains(breach.reason) { reasons.append(breach.reason) }
            }
    }

    /// The disruptions in the time of a trip, and the alerts about its lines and stops.
    package func disruptions(of trip: TripOption) -> [Disruption] {
        TripSearch.disruptions([trip], disruptions, near: trip.departure)
    }
}

extension CitySnapshot {
    /// The city without the rides that rules on hours exclude in a span of time.
    ///
    /// A vehicle that is under way in these hours is left out as a whole.
    package func without(
        ridesIn rules: [ModeHours],
        during span: Range<Instant>?,
        _ conditions: TripConditions
    ) -> CitySnapshot {
        guard let span else { return self }
        let timetable = city.timetable
        var rides = conditions.disruptions
        for rule in rules {
            let routes = timetable.routes.indices.filter { route in
                switch rule.mode {
                case .kind(let kind): kind == .transit
                case .vehicle(let vehicle): timetable.routes.mode(route) == vehicle
                }
            }
            guard !routes.isEmpty else { continue }
            rides.close(Set(routes), during: rule.spans(during: span, in: timetable.zone))
        }
        return rides == conditions.disruptions ? self : rides.applied(to: self)
    }
}
