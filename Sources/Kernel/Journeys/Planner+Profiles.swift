import Chronology
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
        var profiles = query.others.map { other in
            PlaceProfile(journeys: [], directSeconds: direct(query.pair(other))?.walk.seconds)
        }
        guard query.modes.transit != 0, query.windowSeconds >= 0 else { return profiles }
        let pair = query.pair(query.place)
        var question = RangeQuery(
            access: [],
            ends: [],
            moments: 0...0,
            maxTrips: query.maxTransfers &+ 1,
            conditions: pair.rideConditions
        )
        let seconds = Int64(query.windowSeconds)
        let first = query.isArriveBy ? query.time.adding(seconds: 0 &- seconds) : query.time
        let last = query.isArriveBy ? query.time : query.time.adding(seconds: seconds)
        let more = query.isArriveBy == query.isInward ? 0 : Int64(Self.horizonSeconds)
        // The moments of journeys at the one place.
        let near =
            query.isInward
            ? first...last.adding(seconds: more) : first.adding(seconds: 0 &- more)...last
        let far = Int64(Self.horizonSeconds)
        let moments =
            query.isInward
            ? near.lowerBound.adding(seconds: 0 &- far)...near.upperBound
            : near.lowerBound...near.upperBound.adding(seconds: far)
        let isOrigin = !query.isInward
        let ways = accessEgress(query.place, pair, isOrigin: isOrigin, during: moments)
        let otherWays = query.others.map {
            accessEgress($0, pair, isOrigin: !isOrigin, during: moments)
        }
        for part in days(from: near.lowerBound, until: near.upperBound) {
            // Journeys that end on a day may have begun on the day before.
            let day = snapshot.transit.day(query.isInward ? part.date.adding(days: -1) : part.date)
            question.moments = Self.moments(part, since: day.epoch)
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
                guard moment >= first, moment <= last else { continue }
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
