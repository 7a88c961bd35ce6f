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
            // Entrances and nodes of pathways are no destinations.
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
        for (name, members) in named {
            var groups = NearbyGroups()
            for member in members { groups.add([member.stationPlace]) }
            let leaders = groups.leadersOfAll()
            for leader in members.indices where leaders[leader] == leader {
                let group = members.indices.filter { leaders[$0] == leader }.map { members[$0] }
                addGroup(name, group, stops)
            }
        }
    }

    /// A stop whose station has a position; the stop's own is unknown in some feeds.
    private struct Member {
        let stop: StopIndex
        let stationPlace: Coordinate
    }

    /// Adds one group; its station, if it has one, represents the group.
    private mutating func addGroup(_ name: UInt32, _ group: [Member], _ stops: Timetable.Stops) {
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
                stops: [first.stop] + others,
                coordinate: station == nil ? middle : plane.origin
            )
        )
    }

    /// The station that a stop belongs to at the end of its parents; itself where it has none.
    private static func station(of stop: StopIndex, _ stops: Timetable.Stops) -> StopIndex {
        var stop = stop
        // GTFS has at most two levels above a boarding area.
        for _ in 0..<3 { stop = stops.parent.index(stop, below: max(stops.count, 1)) }
        return stop
    }
}
