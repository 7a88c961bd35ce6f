import Columns
import Geo
import Transit

extension AddressDraft {
    /// Adds the stops of a timetable: those of one station together, and those of one name
    /// that lie close together.
    mutating func addStops(of timetable: Timetable) {
        var numbers: [[UInt8]: Int] = [:]
        var named: [(name: UInt32, stops: [Member])] = []
        let stops = timetable.stops
        for stop in stops.indices {
            let station = Self.station(of: stop, stops)
            // Entrances and pathway nodes are no destinations.
            guard stops.kind[stop] < 2, let place = stops.coordinate(station) else { continue }
            let name = timetable.texts[Int(stops.name[station])]
            let key = AddressText.key(name)
            guard !key.isEmpty else { continue }
            let member = Member(stop: stop, stationPlace: place)
            if let number = numbers[key] {
                named[number].stops.append(member)
            } else {
                numbers[key] = named.count
                named.append((texts.number(of: name), [member]))
            }
        }
        let modes = Self.modes(timetable)
        for (name, members) in named {
            var groups = NearbyGroups()
            for member in members { groups.add([member.stationPlace]) }
            let leaders = groups.leadersOfAll()
            for leader in members.indices where leaders[leader] == leader {
                let group = members.indices.filter { leaders[$0] == leader }.map { members[$0] }
                addGroup(name, group, stops, modes)
            }
        }
        joinStations()
    }

    /// The modes of the vehicles that call at each stop, one bit each.
    private static func modes(_ timetable: Timetable) -> [UInt32] {
        var modes = [UInt32](repeating: 0, count: timetable.stops.count)
        let patterns = timetable.patterns
        for pattern in patterns.indices {
            guard let run = patterns.runs(pattern).first,
                let segment = patterns.segments(run).first
            else { continue }
            let trip = patterns.segmentTrip[segment]
            let mode = timetable.routes.mode(timetable.trips.route[trip])
            for position in patterns.positions(pattern) {
                let stop = timetable.platforms.stop[patterns.platform[position]]
                if modes.indices.contains(stop.row) { modes[stop.row] |= mode.bit }
            }
        }
        return modes
    }

    /// The greatest distance between a station on the map and its stops, in metres.
    private static let joinedWithinMetres = 400.0

    /// Gives the stops of a station its names on the map, and removes it from the map's features.
    private mutating func joinStations() {
        var groups: [[UInt8]: [Int]] = [:]
        let towns = Set(
            localities.filter(\.isTown).flatMap { town in
                AddressText.words(texts.texts[Int(town.name)]).map(\.bytes)
            }
        )
        for (number, group) in stops.enumerated() {
            groups[stationKey(group.name, towns), default: []].append(number)
        }
        var others: [Place] = []
        for feature in features {
            guard feature.kind == .station || feature.kind == .metro else {
                others.append(feature)
                continue
            }
            let plane = LocalPlane(at: feature.coordinate)
            let near = (groups[stationKey(feature.name, towns)] ?? []).filter { number in
                // Trams at the entrance of a station are not the station.
                stops[number].kind != .stop
                    && plane.distanceMetres(feature.coordinate, stops[number].coordinate)
                        <= Self.joinedWithinMetres
            }
            for number in near {
                let names = [stops[number].otherNames, feature.name, feature.otherNames]
                    .map { texts.texts[Int($0)] }.filter { !$0.isEmpty }
                stops[number].otherNames = texts.number(of: names.joined(separator: ";"))
                // Trains that the timetable lacks leave from there too.
                if feature.kind == .station, !near.contains(where: { stops[$0].kind == .station }) {
                    stops[number].kind = .station
                }
            }
            if near.isEmpty { others.append(feature) }
        }
        features = others
    }

    /// The words of a station's name without articles, towns and companies, with abbreviations
    /// expanded: the same for "Milano P.ta Genova" and "Porta Genova FS".
    private func stationKey(_ name: UInt32, _ towns: Set<[UInt8]>) -> [UInt8] {
        let words = AddressText.words(texts.texts[Int(name)]).map { word in
            AddressVocabulary.variants(word.bytes).min {
                $0.lexicographicallyPrecedes($1)
            } ?? word.bytes
        }
        let own = words.filter { !AddressVocabulary.isOptional($0) && !towns.contains($0) }
        return Array((own.isEmpty ? words : own).joined(separator: [0x20]))
    }

    /// A stop whose station has a position; some feeds do not state the stop's own.
    private struct Member {
        let stop: StopIndex
        let stationPlace: Coordinate
    }

    /// Adds one group; its station, if it has one, represents the group.
    private mutating func addGroup(
        _ name: UInt32,
        _ group: [Member],
        _ stops: Timetable.Stops,
        _ modes: [UInt32]
    ) {
        let station = group.first { stops.kind[$0.stop] == 1 }
        let first = station ?? group[0]
        let plane = LocalPlane(at: stops.coordinate(first.stop) ?? first.stationPlace)
        var latitude = 0.0
        var longitude = 0.0
        for member in group {
            // A member without a position, or with one far away, uses that of its station.
            guard let place = stops.coordinate(member.stop),
                plane.distanceMetres(plane.origin, place) < 5_000
            else { continue }
            latitude += Double(Int64(place.latitude) - Int64(plane.origin.latitude))
            longitude += Double(Int64(place.longitude) - Int64(plane.origin.longitude))
        }
        let count = Double(group.count)
        let middle = Coordinate(
            latitude: plane.origin.latitude &+ Int32(latitude / count),
            longitude: plane.origin.longitude &+ Int32(longitude / count)
        )
        let others = group.map(\.stop).filter { $0 != first.stop }
        self.stops.append(
            StopGroup(
                name: name,
                kind: Self.kind(group.reduce(0) { $0 | modes[$1.stop.row] }),
                stops: [first.stop] + others,
                coordinate: station == nil ? middle : plane.origin
            )
        )
    }

    /// The kind of a stop for passengers, from the modes of its vehicles.
    private static func kind(_ modes: UInt32) -> PlaceKind {
        if modes & TransitMode.rail.bit != 0 { return .station }
        return modes & (TransitMode.metro.bit | TransitMode.monorail.bit) != 0 ? .metro : .stop
    }

    /// The station that a stop belongs to at the end of its parents; itself where it has none.
    private static func station(of stop: StopIndex, _ stops: Timetable.Stops) -> StopIndex {
        var stop = stop
        // GTFS has at most two levels above a boarding area.
        for _ in 0..<3 { stop = stops.parent.index(stop, below: max(stops.count, 1)) }
        return stop
    }
}
