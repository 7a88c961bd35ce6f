package import Chronology
import CityData
import Columns
package import Geo
package import Transit

extension TransitGuide {
    /// Departures of one vehicle from two platforms of a place count as one within this time, in
    /// seconds.
    private static let sameVehicleSeconds: Int64 = 300

    /// The stop with a key; nil if there is none.
    ///
    /// - Parameters:
    ///   - key: the key of one of its stops.
    ///   - language: the language of names (BCP 47).
    /// - Returns: the whole place.
    package func stop(_ key: String, language: String) -> StopPlace? {
        let arrangement = arrangement
        return arrangement.groupByKey[key].map { place(arrangement.groups[$0], language) }
    }

    /// The key of the place of a stop of the timetable; nil if it has none.
    package func key(of stop: StopIndex) -> String? {
        let arrangement = arrangement
        guard arrangement.groupOfStop.indices.contains(stop.row),
            let group = arrangement.groupOfStop[stop.row]
        else { return nil }
        return arrangement.groups[group].stops.first.map { Self.key(of: $0, timetable) }
    }

    /// The stops around a place at which vehicles leave, the nearest first.
    ///
    /// - Parameters:
    ///   - centre: the place.
    ///   - metres: the greatest distance.
    ///   - limit: the greatest number of stops.
    ///   - language: the language of names.
    /// - Returns: each stop with its distance in a straight line, in metres.
    package func stops(
        near centre: Coordinate,
        withinMetres metres: Double,
        limit: Int,
        language: String
    ) -> [(stop: StopPlace, metres: Double)] {
        let arrangement = arrangement
        let (groups, order) = (arrangement.groups, arrangement.bySouth)
        // A degree of latitude is never shorter than 110 km.
        let reach = Int64(metres / 110_000 * 1e7) + 1
        let (south, north) = (Int64(centre.latitude) - reach, Int64(centre.latitude) + reach)
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            let latitude = Int64(groups[order[middle]].coordinate.latitude)
            if latitude < south { low = middle + 1 } else { high = middle }
        }
        var found: [(group: Int, metres: Double)] = []
        for group in order[low...] {
            guard Int64(groups[group].coordinate.latitude) <= north else { break }
            guard !groups[group].routes.isEmpty else { continue }
            let distance = groups[group].coordinate.distanceMetres(to: centre)
            if distance <= metres { found.append((group, distance)) }
        }
        return found.sorted { ($0.metres, $0.group) < ($1.metres, $1.group) }.prefix(limit)
            .map { (place(groups[$0.group], language), $0.metres) }
    }

    /// The departures of a stop, by line and direction.
    ///
    /// - Parameters:
    ///   - place: the stop.
    ///   - period: the time of departure; the end is excluded.
    ///   - language: the language of names.
    /// - Returns: the directions, that of the next departure first.
    package func board(
        of place: StopPlace,
        in period: Range<Instant>,
        language: String
    ) -> [DirectionBoard] {
        let names = names(language)
        let platforms = place.stops.flatMap { Array(timetable.platforms.platforms(ofStop: $0)) }
        var boards: [DirectionBoard] = []
        var numbers: [String: Int] = [:]
        var last: [[Int32]: Instant] = [:]
        for found in arrangement.departures.departures(from: platforms, in: period) {
            let vehicle = [Int32(bitPattern: found.run.rawValue), found.day.daysSince1970]
            if let before = last[vehicle],
                found.time.seconds - before.seconds < Self.sameVehicleSeconds
            {
                continue
            }
            last[vehicle] = found.time
            let trip = timetable.patterns.trip(found.run, at: found.position)
            let route = timetable.trips.route[trip]
            let stop = timetable.platforms.stop[found.platform]
            let headsign = headsign(found, trip, stop, names)
            let departure = departure(found, trip, stop)
            let key = "\(route.rawValue) \(headsign)"
            if let number = numbers[key] {
                boards[number].departures.append(departure)
            } else {
                numbers[key] = boards.count
                let line = line(route, feed: timetable.stops.feed[stop], names)
                boards.append(
                    DirectionBoard(line: line, headsign: headsign, departures: [departure])
                )
            }
        }
        return boards
    }

    /// The destination that a vehicle shows, otherwise the last stop of its trip.
    private func headsign(
        _ departure: StopDepartures.Departure,
        _ trip: TripIndex,
        _ stop: StopIndex,
        _ names: TransitNames
    ) -> String {
        let patterns = timetable.patterns
        let positions = patterns.positions(departure.pattern)
        let stated = patterns.headsign[positions.lowerBound.advanced(by: departure.position)]
        let number = stated == 0 ? timetable.trips.headsign[trip] : stated
        let shown = names.headsign(number, trip: trip, feed: timetable.stops.feed[stop])
        guard shown.isEmpty else { return shown }
        let segment = patterns.segments(departure.run).first { patterns.segmentTrip[$0] == trip }
        let last = segment.map { Int(patterns.segmentLast[$0]) } ?? positions.count - 1
        let end = min(max(last, 0), positions.count - 1)
        return names.stop(Self.stop(of: departure.pattern, at: end, timetable))
    }

    private func departure(
        _ found: StopDepartures.Departure,
        _ trip: TripIndex,
        _ stop: StopIndex
    ) -> BoardDeparture {
        let patterns = timetable.patterns
        let position = patterns.positions(found.pattern).lowerBound.advanced(by: found.position)
        let platform = timetable.texts[Int(timetable.stops.platformCode[stop])]
        return BoardDeparture(
            time: found.time,
            platform: platform.isEmpty ? nil : platform,
            wheelchair: TripBuilder.known(timetable.trips.wheelchair[trip]),
            isApproximate: patterns.runIsApproximate[found.run] == 1,
            isByArrangement: patterns.flags[position]
                & Timetable.PositionFlags.pickupByArrangement != 0
        )
    }

    /// Converts a group into a place.
    func place(_ group: Group, _ language: String) -> StopPlace {
        let names = names(language)
        let first = group.stops.first ?? .zero
        // Only stops with platforms matter here; a station itself may say nothing about
        // wheelchairs.
        let boarded = group.stops.filter { !timetable.platforms.platforms(ofStop: $0).isEmpty }
        let known = boarded.map { TripBuilder.known(timetable.stops.wheelchair[$0]) }
        let isSame = known.first.map { first in known.allSatisfy { $0 == first } } ?? false
        return StopPlace(
            key: Self.key(of: first, timetable),
            name: names.stop(first),
            coordinate: group.coordinate,
            stops: group.stops,
            wheelchair: isSame ? known.first ?? nil : nil,
            lines: group.routes.map { line($0.route, feed: $0.feed, names) }.sorted {
                $0.precedes($1)
            }
        )
    }
}
