import Columns
import Geo
import Transit

extension AddressDraft {
    /// Adds the stops of a timetable: those of one station together, and those of one name
    /// that lie close together.
    mutating func addStops(of timetable: Timetable) {
        var stopsOfKey: [[UInt8]: Int] = [:]
        var named: [(name: UInt32, stops: [UInt32])] = []
        let stops = timetable.stops
        for stop in 0..<stops.count {
            let root = Self.station(of: stop, stops)
            let place = stops.coordinate(root)
            let kind = stops.kind[stop]
            // Entrances and nodes of pathways are no destinations; (0, 0) is nowhere.
            guard kind < 2, place.latitude != 0 || place.longitude != 0 else { continue }
            let name = timetable.texts[Int(stops.name[root])]
            let key = AddressText.key(name)
            guard !key.isEmpty else { continue }
            if let number = stopsOfKey[key] {
                named[number].stops.append(UInt32(stop))
            } else {
                stopsOfKey[key] = named.count
                named.append((texts.number(of: name), [UInt32(stop)]))
            }
        }
        for (name, members) in named {
            var groups = NearbyGroups()
            for stop in members {
                groups.add([stops.coordinate(Self.station(of: Int(stop), stops))])
            }
            let leaders = groups.leadersOfAll()
            for leader in members.indices where leaders[leader] == leader {
                let group = members.indices.filter { leaders[$0] == leader }.map { members[$0] }
                addGroup(name, group, stops)
            }
        }
    }

    /// Adds one group; its station, if it has one, represents the group.
    private mutating func addGroup(_ name: UInt32, _ group: [UInt32], _ stops: Timetable.Stops) {
        let stations = group.filter { stops.kind[Int($0)] == 1 }
        let first = stations.first ?? group[0]
        let plane = LocalPlane(at: stops.coordinate(Int(first)))
        var latitude = 0.0
        var longitude = 0.0
        for stop in group {
            let place = stops.coordinate(Int(stop))
            // A member without a position uses that of its station.
            guard plane.distanceMetres(plane.origin, place) < 5_000 else { continue }
            latitude += Double(Int64(place.latitude) - Int64(plane.origin.latitude))
            longitude += Double(Int64(place.longitude) - Int64(plane.origin.longitude))
        }
        let count = Double(group.count)
        let middle = Coordinate(
            latitude: plane.origin.latitude &+ Int32(latitude / count),
            longitude: plane.origin.longitude &+ Int32(longitude / count)
        )
        self.stops.append(
            StopGroup(
                name: name,
                stops: [first] + group.filter { $0 != first },
                coordinate: stations.isEmpty ? middle : plane.origin
            )
        )
    }

    /// The station that a stop belongs to at the end of its parents; itself where it has none.
    private static func station(of stop: Int, _ stops: Timetable.Stops) -> Int {
        var stop = stop
        // GTFS has at most two levels above a boarding area.
        for _ in 0..<3 { stop = stops.parent.index(stop, below: max(stops.count, 1)) }
        return stop
    }
}
