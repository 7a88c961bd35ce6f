import Chronology
import Transit

extension Planner {
    /// The best journeys that leave at a time or within some seconds after it: those that no
    /// other beats in departure, arrival and number of transfers, in the order of departure.
    ///
    /// A journey that leaves after the window may beat those within it. A way without rides can
    /// begin at any time, so it is compared with each ride from that ride's departure, and is
    /// itself listed once, at the beginning.
    public mutating func journeys(_ query: JourneyQuery, window seconds: Int32) -> [Itinerary] {
        var question = query
        question.isArriveBy = false
        question.comparesWalking = false
        if let emissions = query.emissions {
            let isLimited = emissions.limit != nil
            question.emissions =
                isLimited ? EmissionTerms(emissions.rates, limit: emissions.limit) : nil
        }
        question.origin = onStreets(query.origin)
        question.destination = onStreets(query.destination)
        var found = journeys(question).filter { $0.legs.allSatisfy { $0.ride == nil } }
        let end = query.time.adding(seconds: Int64(seconds))
        let (way, isAvoided) = directWay(question, until: end)
        let span = isAvoided ? Self.horizonSeconds &+ 1 : Self.span(way)
        if query.modes.transit != 0 {
            let ridden =
                !question.hasLimits
                ? rides(question, until: end, within: span)
                : limitedRides(question, until: end, within: span)
            found += isAvoided ? ridden.filter { beatsDirectWay($0, question) } : ridden
        }
        return found.enumerated().sorted { left, right in
            (left.element.departure, left.element.arrival, left.offset)
                < (right.element.departure, right.element.arrival, right.offset)
        }.map { $0.element }
    }

    /// The way without rides, even if it is avoided at some hours, and whether it is within a
    /// window.
    private func directWay(
        _ query: JourneyQuery,
        until end: Instant
    ) -> (way: Direct?, isAvoided: Bool) {
        var free = query
        free.avoided = []
        guard let way = direct(free) else { return (nil, false) }
        let last = max(end, query.time).adding(seconds: Int64(way.walk.seconds))
        return (way, query.avoids(way.walk.means, during: query.time..<last))
    }

    /// Whether a ride is quicker than the way without rides that begins when it does.
    private func beatsDirectWay(_ ride: Itinerary, _ query: JourneyQuery) -> Bool {
        var query = query
        query.time = ride.departure
        guard let direct = direct(query) else { return true }
        return ride.arrival.seconds < ride.departure.seconds &+ Int64(direct.walk.seconds)
    }

    /// The rides of a window, by one search for each day.
    private mutating func rides(
        _ query: JourneyQuery,
        until end: Instant,
        within span: Int32
    ) -> [Itinerary] {
        guard query.time <= end else { return [] }
        let moments = query.time...end.adding(seconds: Int64(span))
        let origin = accessEgress(query.origin, query, isOrigin: true, during: moments)
        let destination = accessEgress(query.destination, query, isOrigin: false, during: moments)
        guard !origin.ways.isEmpty, !destination.ways.isEmpty else { return [] }
        var question = RangeQuery(
            access: [],
            ends: [],
            moments: 0...0,
            maxTrips: query.maxTransfers &+ 1
        )
        var itineraries: [Itinerary] = []
        for part in days(from: query.time, until: end) {
            let day = snapshot.transit.day(part.date)
            question.moments = Self.moments(part, since: day.epoch)
            question.conditions = query.rideConditions(since: day.epoch)
            question.access = origin.sorted(since: day.epoch)
            question.ends = [
                RangeQuery.End(ways: destination.sorted(since: day.epoch), span: span)
            ]
            for journey in search.journeys(question, in: day) {
                itineraries.append(
                    itinerary(journey, origin, destination, day.epoch, query.wheelchair)
                )
            }
        }
        return itineraries
    }

    /// The rides of a window if walking or emissions are limited.
    ///
    /// The search is repeated with a departure just after the earliest of the last rides, until the
    /// window is passed: no ride gets better or worse in between.
    private mutating func limitedRides(
        _ query: JourneyQuery,
        until end: Instant,
        within span: Int32
    ) -> [Itinerary] {
        var question = query
        var found: [Itinerary] = []
        while question.time <= end {
            let last = min(end, lastMoment(ofDay: question.time))
            let rest = Int32(truncatingIfNeeded: last.seconds &- question.time.seconds)
            let rides = transitJourneys(question, within: rest &+ span)
            for ride in rides where ride.departure <= last {
                let gains = ride.arrival < ride.departure.adding(seconds: Int64(span))
                let isKnown = found.contains {
                    $0.departure == ride.departure && $0.arrival == ride.arrival
                        && $0.transfers == ride.transfers
                }
                if gains && !isKnown { found.append(ride) }
            }
            let next = min(rides.map({ $0.departure }).min() ?? last, last)
            question.time = max(next, question.time).adding(seconds: 1)
        }
        return found
    }

    /// A part of a range of moments that lies within one day.
    struct DayPart {
        let date: CivilDate
        let first: Instant
        let last: Instant
    }

    /// Divides a range of moments into days: each has another timetable.
    func days(from first: Instant, until end: Instant) -> [DayPart] {
        var parts: [DayPart] = []
        var first = first
        while first <= end {
            let date = city.timetable.zone.local(first).date
            // In a damaged file, days may end before they begin.
            let last = max(first, min(end, lastMoment(ofDay: first)))
            parts.append(DayPart(date: date, first: first, last: last))
            first = last.adding(seconds: 1)
        }
        return parts
    }

    /// The moments of a part in the seconds of a window.
    static func moments(_ part: DayPart, since epoch: Instant) -> ClosedRange<Int32> {
        let first = Int32(truncatingIfNeeded: part.first.seconds &- epoch.seconds)
        let last = Int32(truncatingIfNeeded: part.last.seconds &- epoch.seconds)
        return first...max(first, last)
    }
}
