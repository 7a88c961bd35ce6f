package import Chronology
import CityData
import Columns
import Journeys
import Synchronization
import Transit

extension TransitGuide {
    /// All lines with trips, sorted by mode and name.
    package func lines(language: String) -> [TransitLine] {
        if let known = sortedLines.withLock({ $0[language] }) { return known }
        let names = names(language)
        let lines = arrangement.shares.compactMap { route, shares in
            shares.first.map { line(route, feed: Self.feed(of: $0, timetable), names) }
        }.sorted { $0.precedes($1) }
        sortedLines.withLock { $0[language] = lines }
        return lines
    }

    /// The line with a key; nil if there is none.
    package func line(_ key: String, language: String) -> TransitLine? {
        let arrangement = arrangement
        guard let route = arrangement.routeByKey[key], let share = arrangement.shares[route]?.first
        else { return nil }
        return line(route, feed: Self.feed(of: share, timetable), names(language))
    }

    func line(_ route: RouteIndex, feed: FeedIndex, _ names: TransitNames) -> TransitLine {
        let color = timetable.routes.color[route]
        return TransitLine(
            id: Self.key(feed, timetable.texts[Int(timetable.routes.id[route])], timetable),
            route: route,
            mode: timetable.routes.mode(route),
            shortName: names.shortName(route, feed: feed),
            longName: names.longName(route, feed: feed),
            color: color <= 0xFF_FFFF ? color : nil,
            agency: names.agency(route, feed: feed)
        )
    }

    /// The directions of a line on a day, each by the stops that most of its vehicles serve.
    ///
    /// Feeds do not always state the direction of trips. A pattern runs in the other direction if
    /// it serves more stops of the most frequent pattern in reverse order than in order.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - day: the service day of the departures.
    ///   - language: the language of names.
    /// - Returns: one or two directions; none for a line without trips.
    package func directions(
        of line: TransitLine,
        on day: CivilDate,
        language: String
    ) -> [LineDirection] {
        let arrangement = arrangement
        let shares = (arrangement.shares[line.route] ?? []).sorted { left, right in
            (right.runs, right.positions.count, left.pattern.rawValue)
                < (left.runs, left.positions.count, right.pattern.rawValue)
        }
        guard let main = shares.first else { return [] }
        let places = places(of: main, arrangement)
        var order: [Int: Int] = [:]
        for (number, place) in places.enumerated() where order[place] == nil {
            order[place] = number
        }
        var sides: [[Share]] = [[], []]
        for share in shares {
            let numbers = self.places(of: share, arrangement).compactMap { order[$0] }
            let steps = zip(numbers, numbers.dropFirst())
            let back = steps.count { $0 > $1 }
            sides[back > steps.count { $0 < $1 } ? 1 : 0].append(share)
        }
        return sides.compactMap { direction($0, on: day, names(language), arrangement) }
    }

    private func direction(
        _ shares: [Share],
        on day: CivilDate,
        _ names: TransitNames,
        _ arrangement: Arrangement
    ) -> LineDirection? {
        guard let main = shares.first else { return nil }
        let stops = main.positions.map { Self.stop(of: main.pattern, at: $0, timetable) }
        let start = places(of: main, arrangement).first
        let feed = Self.feed(of: main, timetable)
        let trip = timetable.patterns.trip(main.run, at: main.positions.lowerBound)
        let shown = names.headsign(timetable.trips.headsign[trip], trip: trip, feed: feed)
        let route = timetable.trips.route[trip]
        let departures = shares.filter { places(of: $0, arrangement).first == start }
            .flatMap { share in
                arrangement.departures.departures(
                    of: share.pattern,
                    from: share.positions.lowerBound,
                    on: day
                )
                .filter { found in serves(found, share, route) }
            }
        return LineDirection(
            headsign: shown.isEmpty ? stops.last.map(names.stop) ?? "" : shown,
            stops: stops.map { stop in
                LineStop(
                    key: key(of: stop),
                    name: names.stop(stop),
                    coordinate: timetable.stops.coordinate(stop)
                )
            },
            geometry: city.geometry(of: main.run, main.pattern, main.positions),
            departures: departures.map(\.time).sorted(),
            hasVariants: shares.count > 1
        )
    }

    /// Whether a run of a pattern serves a line's share of it; other runs may belong to other
    /// lines.
    private func serves(
        _ found: StopDepartures.Departure,
        _ share: Share,
        _ route: RouteIndex
    ) -> Bool {
        let patterns = timetable.patterns
        return patterns.segments(found.run).contains { segment in
            Int(patterns.segmentPosition[segment]) == share.positions.lowerBound
                && Int(patterns.segmentLast[segment]) == share.positions.upperBound - 1
                && timetable.trips.route[patterns.segmentTrip[segment]] == route
        }
    }

    /// The places that a line's share of a pattern serves, without those whose position is unknown.
    private func places(of share: Share, _ arrangement: Arrangement) -> [Int] {
        share.positions.compactMap { position in
            let stop = Self.stop(of: share.pattern, at: position, timetable)
            return arrangement.groupOfStop[stop.row]
        }
    }
}
