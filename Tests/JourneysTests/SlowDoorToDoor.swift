import Columns
import Foundation
import Geo
import Journeys
import OpenData
import Streets
import TestSupport

@testable import CityData

/// A simple, slow reference for door to door queries: each walk is a separate query on the street
/// network, and each round examines every vehicle.
///
/// For each stop it keeps all times at which a passenger with a walking distance can be ready.
struct SlowDoorToDoor {
    /// A walk to or from a stop, or all the way.
    struct Way {
        let stop: Int
        let seconds: Int
        let metres: Int
        /// When taxis come, for a ride in a taxi.
        var pickups: Pickups?
        /// When nobody is on the way, in order.
        var avoided: [Range<Int>] = []

        /// When the way ends for those who may set out from a moment on.
        func end(leavingAt moment: Int) -> Int {
            var start = pickups.map { $0.earliest(moment) } ?? moment
            for span in avoided where start < span.upperBound && span.lowerBound < start + seconds {
                start = span.upperBound
            }
            return start + seconds
        }
    }

    /// A passenger at a stop.
    private struct Label {
        let moment: Int
        let metres: Int
    }

    static let never = SlowJourneys.never
    /// Issue 2, "How good": the limit of walks for access, egress and changes, in metres.
    static let limit = 1_500.0

    let slow: SlowJourneys
    let network: StreetNetwork
    let workspace: StreetWorkspace
    private let links: [[StopLinkBuilder.StopLink]]
    private let changes: [[Way]]

    init(_ feed: GTFSFeed, _ network: StreetNetwork) {
        slow = SlowJourneys(feed)
        self.network = network
        workspace = StreetWorkspace(for: network)
        links = StopLinkBuilder([FeedInput(feed)], network, .foot).links
        changes = Self.changes(slow, links, network, workspace)
    }

    static func ends(_ cost: Cost) -> (seconds: Int, metres: Double) {
        ((Int(cost.milliseconds) + 999) / 1_000, cost.metres)
    }

    /// Returns the changes from each stop: on the streets, but not faster than a rule permits.
    private static func changes(
        _ slow: SlowJourneys,
        _ links: [[StopLinkBuilder.StopLink]],
        _ network: StreetNetwork,
        _ workspace: StreetWorkspace
    ) -> [[Way]] {
        let metric = network.metric(.foot)
        return links.indices.map { from in
            guard !links[from].isEmpty else { return [Way]() }
            var ways = [
                Way(stop: from, seconds: slow.changeWithMetres(from, 0, from, 0).seconds, metres: 0)
            ]
            for to in links.indices where to != from {
                var best: (seconds: Int, metres: Int)?
                for start in links[from] where !start.isEntryOnly {
                    for end in links[to]
                    where start.place.point.distanceMetres(to: end.place.point) <= limit + 1
                        && !end.isExitOnly
                    {
                        let cost = network.cost(
                            from: start.place,
                            to: end.place,
                            by: metric,
                            using: workspace
                        )
                        let street = ends(cost)
                        let metres = start.metres + street.metres + end.metres
                        guard cost.isPossible, metres <= limit else { continue }
                        let seconds = Int(start.seconds) + street.seconds + Int(end.seconds)
                        let way = (seconds, Int(metres.rounded()))
                        if best.map({ way < $0 }) ?? true { best = way }
                    }
                }
                guard let best else { continue }
                let least = slow.rule(from, to)
                ways.append(Way(stop: to, seconds: max(best.seconds, least), metres: best.metres))
            }
            return ways
        }
    }

    // MARK: Walks

    func aside(_ place: StreetPlace) -> (seconds: Int, metres: Int) {
        (
            Int((place.distanceMetres * (1 / 1.33)).rounded(.up)),
            Int(place.distanceMetres.rounded())
        )
    }

    /// Returns the ways between a place and stops: by default walks on streets as in their best
    /// hours, or those of who leave the place or come to it at a moment.
    func ways(
        _ place: Coordinate,
        isOrigin: Bool,
        by profile: Profile = .foot,
        _ vehicleLinks: [[StopLinkBuilder.StopLink]]? = nil,
        limit: Double = Self.limit,
        at moment: WeekMoment? = nil
    ) -> [Way] {
        let links = vehicleLinks ?? self.links
        let hour = moment.map { PassageMoment.whole($0) } ?? .best
        guard let start = network.snap(place, for: profile, at: hour).first,
            start.distanceMetres <= limit
        else { return [] }
        let own = aside(start)
        let reach = UInt32((limit - start.distanceMetres) * 10)
        let passages = moment.map { moment in
            let milliseconds = Int64(moment.milliseconds)
            let aside = Int64(own.seconds) * 1_000
            return isOrigin
                ? PassageMoment.departure(WeekMoment(milliseconds: milliseconds + aside))
                : .arrival(WeekMoment(milliseconds: milliseconds - aside))
        }
        var found: [Way] = []
        for stop in links.indices {
            for link in links[stop]
            where place.distanceMetres(to: link.place.point) <= limit + 1
                && !(isOrigin ? link.isExitOnly : link.isEntryOnly)
            {
                let cost = network.cost(
                    from: isOrigin ? start : link.place,
                    to: isOrigin ? link.place : start,
                    by: network.metric(profile),
                    at: passages ?? .best,
                    using: workspace
                )
                let metres =
                    own.metres + (Int(cost.decimetres) + 5) / 10 + Int(link.metres.rounded())
                guard cost.isPossible, cost.decimetres <= reach, Double(metres) <= limit
                else { continue }
                let seconds = own.seconds + Self.ends(cost).seconds + Int(link.seconds)
                found.append(Way(stop: stop, seconds: seconds, metres: metres))
            }
        }
        return found
    }

    /// Returns the walk all the way; nil if there is none within the limit.
    func walk(_ from: Coordinate, _ to: Coordinate, maxMetres: Int?) -> Way? {
        guard let start = network.snap(from, for: .foot).first,
            let end = network.snap(to, for: .foot).first
        else { return nil }
        if from == to { return Way(stop: 0, seconds: 0, metres: 0) }
        let cost = network.cost(
            from: start,
            to: end,
            by: network.metric(.foot),
            using: workspace
        )
        guard cost.isPossible else { return nil }
        let first = aside(start)
        let last = aside(end)
        let metres = first.metres + (Int(cost.decimetres) + 5) / 10 + last.metres
        guard metres <= maxMetres ?? .max else { return nil }
        let seconds = first.seconds + Self.ends(cost).seconds + last.seconds
        return seconds <= 86_400 ? Way(stop: 0, seconds: seconds, metres: metres) : nil
    }

    // MARK: Journeys

    /// A query with its walks, which are independent of the time.
    struct Question {
        let access: [Way]
        let egress: [Way]
        let walk: Way?
        let maxTrips: Int
        let maxMetres: Int?
        let vehicles: [SlowJourneys.Vehicle]
    }

    /// Returns the earliest arrival for each limit of trips from 0 (walking) to `maxTrips`.
    func arrivals(_ question: Question, at moment: Int) -> [Int] {
        let limit = question.maxMetres
        var ready = [[Label]](repeating: [], count: links.count)
        for way in question.access {
            Self.add(way.end(leavingAt: moment), way.metres, limit, to: &ready[way.stop])
        }
        var best = [question.walk.map { moment + $0.seconds } ?? Self.never]
        for trips in 1...question.maxTrips {
            let found = alightings(question, ready)
            var arrival = best[trips - 1]
            for way in question.egress {
                for label in found[way.stop] where label.metres + way.metres <= limit ?? .max {
                    arrival = min(arrival, way.end(leavingAt: label.moment))
                }
            }
            best.append(arrival)
            for stop in found.indices {
                for label in found[stop] {
                    for way in changes[stop] where way.seconds < Self.never {
                        Self.add(
                            label.moment + way.seconds,
                            label.metres + way.metres,
                            limit,
                            to: &ready[way.stop]
                        )
                    }
                }
            }
        }
        return best
    }

    /// Returns all alightings after one more trip.
    private func alightings(_ question: Question, _ ready: [[Label]]) -> [[Label]] {
        var found = [[Label]](repeating: [], count: links.count)
        let vehicles = question.vehicles
        var atEnd = [Int](repeating: Self.never, count: vehicles.count)
        for (number, vehicle) in vehicles.enumerated() {
            let last = vehicle.predecessor.map { vehicles[$0].stops.last } ?? nil
            var aboard = vehicle.predecessor.map { atEnd[$0] } ?? Self.never
            for (position, stop) in vehicle.stops.enumerated() {
                if aboard < Self.never, vehicle.mayAlight[position],
                    position > 0 || (last.map { $0 != stop } ?? false)
                {
                    let moment = vehicle.arrivals[position]
                    Self.add(moment, aboard, question.maxMetres, to: &found[stop])
                }
                guard vehicle.mayBoard[position], position + 1 < vehicle.stops.count else {
                    continue
                }
                for label in ready[stop] where label.moment <= vehicle.departures[position] {
                    aboard = min(aboard, label.metres)
                }
            }
            atEnd[number] = aboard
        }
        return found
    }

    /// Adds a label unless another dominates it in time and distance; without a
    /// limit distances are 0.
    private static func add(
        _ moment: Int,
        _ metres: Int,
        _ limit: Int?,
        to labels: inout [Label]
    ) {
        let metres = limit == nil ? 0 : metres
        if metres > limit ?? .max || moment >= never { return }
        if labels.contains(where: { $0.moment <= moment && $0.metres <= metres }) { return }
        labels.removeAll { $0.moment >= moment && $0.metres >= metres }
        labels.append(Label(moment: moment, metres: metres))
    }
}

extension SlowJourneys {
    /// Returns the minimum seconds of a change by the feed's general rules; ``never`` if forbidden,
    /// 0 if there is no rule.
    func rule(_ from: Int, _ to: Int) -> Int {
        guard let row = Self.general(from, to, feed) else { return 0 }
        return Self.seconds(row, from, to, feed)
    }
}
