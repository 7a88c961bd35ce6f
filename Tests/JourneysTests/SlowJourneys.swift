import Chronology
import Foundation
import Geo
import OpenData

/// A simple, slow reference for journeys: it applies the rules of GTFS directly to the rows of the
/// feed, examines every vehicle of every day for every number of trips, and shares no code with
/// timetables, windows or rounds.
struct SlowJourneys {
    /// A trip on a day, with times in seconds since 1970.
    struct Vehicle {
        let trip: Int
        let stops: [Int]
        let arrivals: [Int]
        let departures: [Int]
        let mayBoard: [Bool]
        let mayAlight: [Bool]
        /// The first time at any stop; nobody is on board before.
        let start: Int
        /// The last time at any stop; nobody is on board after.
        let end: Int
        /// The previous vehicle, from which passengers may have stayed seated.
        var predecessor: Int?
    }

    /// A passenger leaving a vehicle.
    private struct Alighting {
        let stop: Int
        let trip: Int
        let moment: Int
    }

    static let never = Int.max / 4

    let feed: GTFSFeed
    /// The fastest composed footpath between two stops, in seconds.
    private(set) var walks: [[Int]]
    /// The length of these footpaths in metres.
    private(set) var walkMetres: [[Int]]
    /// The rules for certain routes or trips; those for trips have a greater weight.
    private let specialRows: [(weight: Int, row: GTFSFeed.Transfer)]
    private var hasSpecialRules: Bool { !specialRows.isEmpty }

    init(_ feed: GTFSFeed) {
        self.feed = feed
        specialRows = feed.transfers.compactMap { row in
            let weight =
                (row.fromTrip != nil ? 3 : row.fromRoute != nil ? 1 : 0)
                + (row.toTrip != nil ? 3 : row.toRoute != nil ? 1 : 0)
            let isOfSeats = row.kind == .inSeat || row.kind == .notInSeat
            return weight == 0 || isOfSeats ? nil : (weight, row)
        }
        (walks, walkMetres) = Self.closedWalks(feed)
    }

    // MARK: Rules

    static func isWithin(_ stop: Int, _ place: Int?, _ feed: GTFSFeed) -> Bool {
        var ancestor: Int? = stop
        while let current = ancestor {
            if current == place { return true }
            ancestor = feed.stops[current].parent
        }
        return false
    }

    /// Returns the first general rule for two stops; rules for stops precede those for stations.
    static func general(_ from: Int, _ to: Int, _ feed: GTFSFeed) -> GTFSFeed.Transfer? {
        let rows = feed.transfers.filter {
            $0.fromRoute == nil && $0.toRoute == nil && $0.fromTrip == nil && $0.toTrip == nil
                && isWithin(from, $0.from, feed) && isWithin(to, $0.to, feed)
        }
        func isOfStations(_ row: GTFSFeed.Transfer) -> Bool {
            [row.from, row.to].contains { $0.map { feed.stops[$0].kind == .station } ?? false }
        }
        return rows.first { !isOfStations($0) } ?? rows.first
    }

    static func seconds(
        _ row: GTFSFeed.Transfer,
        _ from: Int,
        _ to: Int,
        _ feed: GTFSFeed
    ) -> Int {
        if row.kind == .impossible { return never }
        if let stated = row.seconds { return Int(stated) }
        if row.kind == .timed { return 0 }
        if from == to { return 120 }
        guard let here = feed.stops[from].coordinate, let there = feed.stops[to].coordinate else {
            return 0
        }
        return Int((here.distanceMetres(to: there) / 1.2).rounded(.up))
    }

    private static func metres(_ from: Int, _ to: Int, _ feed: GTFSFeed) -> Int {
        guard let here = feed.stops[from].coordinate, let there = feed.stops[to].coordinate else {
            return 0
        }
        return Int(here.distanceMetres(to: there).rounded())
    }

    private static func closedWalks(_ feed: GTFSFeed) -> ([[Int]], [[Int]]) {
        let count = feed.stops.count
        var walks = [[Int]](repeating: [Int](repeating: never, count: count), count: count)
        var lengths = walks
        guard !feed.transfers.isEmpty else { return (walks, lengths) }
        var forbidden = Set<[Int]>()
        let served = feed.stops.indices.filter { feed.stops[$0].kind == .stop }
        for from in served {
            for to in served where from != to {
                guard let row = general(from, to, feed) else { continue }
                walks[from][to] = seconds(row, from, to, feed)
                lengths[from][to] = metres(from, to, feed)
                if row.kind == .impossible { forbidden.insert([from, to]) }
            }
        }
        for middle in served {
            for from in served where walks[from][middle] < never {
                for to in served where from != to && walks[middle][to] < never {
                    let seconds = walks[from][middle] + walks[middle][to]
                    let length = lengths[from][middle] + lengths[middle][to]
                    if (seconds, length) < (walks[from][to], lengths[from][to]) {
                        walks[from][to] = seconds
                        lengths[from][to] = length
                    }
                }
            }
        }
        for pair in forbidden { walks[pair[0]][pair[1]] = never }
        return (walks, lengths)
    }

    /// Returns the seconds and metres of a change between two trips.
    func changeWithMetres(
        _ from: Int,
        _ trip: Int,
        _ to: Int,
        _ next: Int
    ) -> (seconds: Int, metres: Int) {
        let seconds = change(from, trip, to, next)
        if from == to { return (seconds, 0) }
        let isSpecial = hasSpecialRules && specialRule(from, trip, to, next) != nil
        return (seconds, isSpecial ? Self.metres(from, to, feed) : walkMetres[from][to])
    }

    /// Returns the seconds of a change between two trips.
    private func change(_ from: Int, _ trip: Int, _ to: Int, _ next: Int) -> Int {
        if let rule = specialRule(from, trip, to, next) {
            return Self.seconds(rule, from, to, feed)
        }
        return plainChange(from, to)
    }

    /// Returns the most specific rule for certain routes or trips that applies to a change.
    private func specialRule(
        _ from: Int,
        _ trip: Int,
        _ to: Int,
        _ next: Int
    ) -> GTFSFeed.Transfer? {
        var best: (weight: Int, row: GTFSFeed.Transfer)?
        for (weight, row) in specialRows {
            guard weight > best?.weight ?? 0, Self.isWithin(from, row.from, feed),
                Self.isWithin(to, row.to, feed), row.fromTrip ?? trip == trip,
                row.toTrip ?? next == next,
                row.fromRoute ?? feed.trips[trip].route == feed.trips[trip].route,
                row.toRoute ?? feed.trips[next].route == feed.trips[next].route
            else { continue }
            best = (weight, row)
        }
        return best?.row
    }

    private func plainChange(_ from: Int, _ to: Int) -> Int {
        guard from == to else { return walks[from][to] }
        guard !feed.transfers.isEmpty, let row = Self.general(from, to, feed) else { return 120 }
        return Self.seconds(row, from, to, feed)
    }

    // MARK: Vehicles

    /// Returns all vehicles of the service days from two days before to two days after a date.
    func vehicles(around date: Date, zone: TimeZone) -> [Vehicle] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var result: [Vehicle] = []
        for offset in -2...2 {
            guard let day = calendar.date(byAdding: .day, value: offset, to: date),
                let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: day)
            else { continue }
            let parts = calendar.dateComponents([.year, .month, .day], from: day)
            let start = Int(noon.timeIntervalSince1970) - 43_200
            result += vehicles(
                year: Int32(parts.year ?? 0),
                month: Int32(parts.month ?? 0),
                day: Int32(parts.day ?? 0),
                start: start,
                firstNumber: result.count
            )
        }
        return Self.inOrderOfDeparture(result)
    }

    /// Sorts vehicles by departure, so that a predecessor comes first.
    private static func inOrderOfDeparture(_ vehicles: [Vehicle]) -> [Vehicle] {
        let order = vehicles.indices.sorted {
            (vehicles[$0].departures[0], vehicles[$0].trip, $0)
                < (vehicles[$1].departures[0], vehicles[$1].trip, $1)
        }
        var places = [Int](repeating: 0, count: vehicles.count)
        for (place, number) in order.enumerated() { places[number] = place }
        return order.map { number in
            var vehicle = vehicles[number]
            vehicle.predecessor = vehicle.predecessor.map { places[$0] }
            return vehicle
        }
    }

    private func vehicles(
        year: Int32,
        month: Int32,
        day: Int32,
        start: Int,
        firstNumber: Int
    ) -> [Vehicle] {
        guard let date = GTFSTestDate.date(year, month, day) else { return [] }
        var result: [Vehicle] = []
        for (number, trip) in feed.trips.enumerated()
        where !trip.stopTimes.isEmpty && feed.services[trip.service].days.contains(date) {
            let repeats = feed.frequencies.filter { $0.trip == number }
            let first = Int(feed.stopTimes.departure[trip.stopTimes.lowerBound])
            var starts: [Int] = repeats.isEmpty ? [first] : []
            for row in repeats {
                var second = row.start
                while second < row.end {
                    starts.append(Int(second))
                    second += row.headway
                }
            }
            for second in starts {
                result.append(vehicle(number, trip, move: start + second - first))
            }
        }
        linkBlocks(&result, firstNumber: firstNumber)
        return result
    }

    private func vehicle(_ number: Int, _ trip: GTFSFeed.Trip, move: Int) -> Vehicle {
        let arrivals = trip.stopTimes.map { Int(feed.stopTimes.arrival[$0]) + move }
        let departures = trip.stopTimes.map { Int(feed.stopTimes.departure[$0]) + move }
        return Vehicle(
            trip: number,
            stops: trip.stopTimes.map { Int(feed.stopTimes.stop[$0]) },
            arrivals: arrivals,
            departures: departures,
            mayBoard: trip.stopTimes.map { feed.stopTimes.pickup[$0] != .none },
            mayAlight: trip.stopTimes.map { feed.stopTimes.dropOff[$0] != .none },
            start: (arrivals + departures).min() ?? 0,
            end: (arrivals + departures).max() ?? 0
        )
    }

    /// Links each vehicle of a block to the next one of the same day.
    private func linkBlocks(_ vehicles: inout [Vehicle], firstNumber: Int) {
        let repeated = Set(feed.frequencies.map(\.trip))
        for index in vehicles.indices {
            let block = feed.trips[vehicles[index].trip].block
            guard !block.isEmpty, !repeated.contains(vehicles[index].trip) else { continue }
            func key(_ number: Int) -> [Int] {
                [vehicles[number].departures[0], vehicles[number].trip]
            }
            let earlier = vehicles.indices.filter {
                feed.trips[vehicles[$0].trip].block == block
                    && !repeated.contains(vehicles[$0].trip)
                    && key($0).lexicographicallyPrecedes(key(index))
            }
            guard let last = earlier.max(by: { key($0).lexicographicallyPrecedes(key($1)) }),
                let end = vehicles[last].arrivals.last, end <= vehicles[index].departures[0],
                let stop = vehicles[last].stops.last,
                isSamePlace(stop, vehicles[index].stops[0]),
                !feed.transfers.contains(where: {
                    $0.kind == .notInSeat && $0.fromTrip == vehicles[last].trip
                        && $0.toTrip == vehicles[index].trip
                })
            else { continue }
            vehicles[index].predecessor = last + firstNumber
        }
    }

    private func isSamePlace(_ stop: Int, _ other: Int) -> Bool {
        if stop == other { return true }
        if let parent = feed.stops[stop].parent, parent == feed.stops[other].parent { return true }
        guard let here = feed.stops[stop].coordinate, let there = feed.stops[other].coordinate
        else { return false }
        return here.distanceMetres(to: there) <= 100
    }

    // MARK: Journeys

    /// Returns the earliest arrival for each limit of trips from 0 (walking) to `maxTrips`.
    ///
    /// Arrivals after `latest` may be missing. Vehicles that end before `moment`, or leave after an
    /// arrival with fewer trips, are skipped, because they improve nothing.
    func arrivals(
        from origin: Int,
        to destination: Int,
        at moment: Int,
        latest: Int,
        maxTrips: Int,
        _ vehicles: [Vehicle]
    ) -> [Int] {
        let origins = feed.stops.indices.filter { Self.isWithin($0, origin, feed) }
        let destinations = Set(feed.stops.indices.filter { Self.isWithin($0, destination, feed) })
        var ready = [Int](repeating: Self.never, count: feed.stops.count)
        for stop in origins {
            ready[stop] = moment
            for other in feed.stops.indices where walks[stop][other] < Self.never {
                ready[other] = min(ready[other], moment + walks[stop][other])
            }
        }
        for stop in origins { ready[stop] = moment }
        func finish(_ alighting: Alighting) -> Int {
            if destinations.contains(alighting.stop) { return alighting.moment }
            let walk = destinations.map { walks[alighting.stop][$0] }.min() ?? Self.never
            return alighting.moment + walk
        }
        var best = [destinations.map { ready[$0] }.min() ?? Self.never]
        var alightings: [Alighting] = []
        for trips in 1...max(1, maxTrips) where trips <= maxTrips {
            var isAboardAtEnd = [Bool](repeating: false, count: vehicles.count)
            var found: [Alighting] = []
            let horizon = min(best[trips - 1], latest)
            for number in vehicles.indices
            where vehicles[number].end >= moment && vehicles[number].start <= horizon {
                let vehicle = vehicles[number]
                var isAboard = vehicle.predecessor.map { isAboardAtEnd[$0] } ?? false
                for position in vehicle.stops.indices {
                    if isAboard, position > 0 || vehicle.predecessor != nil,
                        vehicle.mayAlight[position],
                        position > 0
                            || vehicle.stops[0] != vehicles[vehicle.predecessor ?? 0].stops.last
                    {
                        found.append(
                            Alighting(
                                stop: vehicle.stops[position],
                                trip: vehicle.trip,
                                moment: vehicle.arrivals[position]
                            )
                        )
                    }
                    // Boarding a trip at its last stop is impossible.
                    if !isAboard, vehicle.mayBoard[position], position + 1 < vehicle.stops.count {
                        isAboard = canBoard(vehicle, position, ready, alightings, trips)
                    }
                }
                isAboardAtEnd[number] = isAboard
            }
            alightings = found
            if !hasSpecialRules { relax(found, &ready) }
            best.append(min(best[trips - 1], found.map(finish).min() ?? Self.never))
        }
        return best
    }

    /// Returns whether boarding is possible: from the origin in the first round, or after an
    /// alighting of the previous round, which includes those of fewer trips.
    private func canBoard(
        _ vehicle: Vehicle,
        _ position: Int,
        _ ready: [Int],
        _ alightings: [Alighting],
        _ trips: Int
    ) -> Bool {
        let stop = vehicle.stops[position]
        let moment = vehicle.departures[position]
        if ready[stop] <= moment { return true }
        guard hasSpecialRules else { return false }
        return alightings.contains {
            $0.moment <= moment
                && $0.moment + change($0.stop, $0.trip, stop, vehicle.trip) <= moment
        }
    }

    private func relax(_ alightings: [Alighting], _ ready: inout [Int]) {
        var earliest = [Int](repeating: Self.never, count: feed.stops.count)
        for alighting in alightings {
            earliest[alighting.stop] = min(earliest[alighting.stop], alighting.moment)
        }
        for stop in earliest.indices where earliest[stop] < Self.never {
            ready[stop] = min(ready[stop], earliest[stop] + plainChange(stop, stop))
            guard !feed.transfers.isEmpty else { continue }
            for other in earliest.indices where walks[stop][other] < Self.never {
                ready[other] = min(ready[other], earliest[stop] + walks[stop][other])
            }
        }
    }
}
