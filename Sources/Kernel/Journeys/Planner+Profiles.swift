public import Chronology
import Transit

extension Planner {
    /// All best journeys between one place and each of many within a window of time.
    ///
    /// A journey is listed if no other leaves as late, arrives as early and has as few transfers,
    /// and if it is quicker than the way without rides. These are the same journeys by departure
    /// and by arrival, so the search always begins at the one place. If the window bounds the other
    /// end of the journeys, the search covers a day more, within which they may take place, and
    /// leaves out what lies outside.
    ///
    /// - Returns: the answers, one for each of the many places, in their order.
    public mutating func profiles(_ query: ProfileQuery) -> [PlaceProfile] {
        var query = query
        query.place = onStreets(query.place)
        query.others = query.others.map { onStreets($0) }
        guard query.isAnswerable else { return directProfiles(query) }
        let pair = query.pair(query.place)
        let (near, isOrigin) = (query.near, !query.isInward)
        let far = Int64(Self.horizonSeconds)
        let moments =
            query.isInward
            ? near.lowerBound.adding(seconds: 0 &- far)...near.upperBound
            : near.lowerBound...near.upperBound.adding(seconds: far)
        return profiles(
            query,
            accessEgress(query.place, pair, isOrigin: isOrigin, during: moments),
            query.others.map {
                accessEgress($0, pair, isOrigin: !isOrigin, during: moments)
            }
        )
    }

    /// All best journeys from each of some places to each other one.
    ///
    /// These are the answers of ``profiles(_:)`` for each place, but the ways to and from stops are
    /// searched once for each place.
    ///
    /// - Parameters:
    ///   - places: the places.
    ///   - departures: when one may leave each of them.
    ///   - query: the means of transport; its places and times are ignored.
    /// - Returns: for each place the answers for all others, in their order.
    public mutating func profiles(
        between places: [Endpoint],
        leaving departures: [ClosedRange<Instant>],
        _ query: ProfileQuery
    ) -> [[PlaceProfile]] {
        let places = places.map { onStreets($0) }
        let numbers = Array(zip(places.indices, departures)).map { $0.0 }
        guard let first = departures.map({ $0.lowerBound }).min(),
            let last = departures.map({ $0.upperBound }).max()
        else { return [] }
        let moments = first...last.adding(seconds: Int64(Self.horizonSeconds))
        let pair = query.pair(query.place)
        let origins = numbers.map {
            accessEgress(places[$0], pair, isOrigin: true, during: moments)
        }
        let destinations = numbers.map {
            accessEgress(places[$0], pair, isOrigin: false, during: moments)
        }
        var all: [[PlaceProfile]] = []
        for origin in numbers {
            let others = numbers.filter { $0 != origin }
            let (from, until) = (departures[origin].lowerBound, departures[origin].upperBound)
            var question = query
            question.isInward = false
            question.isArriveBy = false
            question.place = places[origin]
            question.others = others.map { places[$0] }
            question.time = from
            question.windowSeconds = Int32(clamping: until.seconds &- from.seconds)
            all.append(
                question.isAnswerable
                    ? profiles(question, origins[origin], others.map { destinations[$0] })
                    : directProfiles(question)
            )
        }
        return all
    }

    /// The answers without rides.
    private func directProfiles(_ query: ProfileQuery) -> [PlaceProfile] {
        query.others.map { other in
            var pair = query.pair(other)
            pair.avoided = []
            return PlaceProfile(journeys: [], directSeconds: direct(pair)?.walk.seconds)
        }
    }

    private mutating func profiles(
        _ query: ProfileQuery,
        _ ways: AccessEgressPaths,
        _ otherWays: [AccessEgressPaths]
    ) -> [PlaceProfile] {
        var profiles = directProfiles(query)
        var question = RangeQuery(
            access: [],
            ends: [],
            moments: 0...0,
            maxTrips: query.maxTransfers &+ 1
        )
        let span = query.span
        for part in days(from: query.near.lowerBound, until: query.near.upperBound) {
            // Journeys that end on a day may have begun on the day before.
            let day = snapshot.transit.day(query.isInward ? part.date.adding(days: -1) : part.date)
            question.moments = Self.moments(part, since: day.epoch)
            question.conditions = query.pair(query.place).rideConditions(since: day.epoch)
            question.access = ways.sorted(since: day.epoch)
            question.ends = zip(otherWays, profiles).map { ways, profile in
                RangeQuery.End(
                    ways: ways.sorted(since: day.epoch),
                    span: min(profile.directSeconds ?? .max, Self.horizonSeconds &+ 1)
                )
            }
            let found =
                query.isInward
                ? search.arrivals(question, in: day) : search.departures(question, in: day)
            for connection in found {
                let journey = Self.journey(connection, since: day.epoch)
                let moment = query.isArriveBy ? journey.arrival : journey.departure
                guard span.contains(moment) else { continue }
                profiles[connection.end].journeys.append(journey)
            }
        }
        for number in profiles.indices {
            profiles[number].journeys.sort {
                ($0.departure, $0.arrival) < ($1.departure, $1.arrival)
            }
        }
        return profiles
    }

    private static func journey(
        _ connection: Connection,
        since epoch: Instant
    ) -> PlaceProfile.Journey {
        PlaceProfile.Journey(
            departure: epoch.adding(seconds: Int64(connection.departure)),
            arrival: epoch.adding(seconds: Int64(connection.arrival)),
            transfers: connection.trips - 1,
            walkMetres: connection.walkMetres
        )
    }
}

extension ProfileQuery {
    /// Whether there is anything to search.
    fileprivate var isAnswerable: Bool { modes.transit != 0 && windowSeconds >= 0 }

    /// The window, before the time of a question by arrival and after that of another.
    fileprivate var span: ClosedRange<Instant> {
        let seconds = Int64(windowSeconds)
        return isArriveBy
            ? time.adding(seconds: 0 &- seconds)...time : time...time.adding(seconds: seconds)
    }

    /// The moments of journeys at the one place.
    fileprivate var near: ClosedRange<Instant> {
        let (first, last) = (span.lowerBound, span.upperBound)
        let more = isArriveBy == isInward ? 0 : Int64(Planner.horizonSeconds)
        return isInward
            ? first...last.adding(seconds: more) : first.adding(seconds: 0 &- more)...last
    }
}
