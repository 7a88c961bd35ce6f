import Columns
package import Transit

/// The stops of a timetable by their identifiers.
package struct StopDirectory: Sendable {
    private let timetable: Timetable
    private let byIdentifier: [String: [StopIndex]]

    /// The stops of a timetable.
    package init(_ timetable: Timetable) {
        self.timetable = timetable
        var stops: [String: [StopIndex]] = [:]
        for stop in timetable.stops.indices {
            stops[timetable.texts[Int(timetable.stops.id[stop])], default: []].append(stop)
        }
        byIdentifier = stops
    }

    /// The stops with an identifier: `ID`, which several feeds may share, or `FEED/ID`.
    package func stops(_ id: String) -> [StopIndex] {
        // An identifier may contain a slash, so the whole text is tried first.
        if let found = byIdentifier[id] { return found }
        guard let slash = id.firstIndex(of: "/") else { return [] }
        let rest = byIdentifier[String(id[id.index(after: slash)...])] ?? []
        return rest.filter { feed(of: $0) == id[..<slash] }
    }

    /// An identifier that no other stop has: `FEED/ID`.
    package func identifier(_ stop: StopIndex) -> String {
        "\(feed(of: stop))/\(timetable.texts[Int(timetable.stops.id[stop])])"
    }

    /// The name of a stop, as its feed has it.
    package func name(_ stop: StopIndex) -> String {
        timetable.texts[Int(timetable.stops.name[stop])]
    }

    /// Whether a stop is a station, which its feed divides into platforms.
    package func isStation(_ stop: StopIndex) -> Bool {
        // Source: GTFS reference, `stops.txt`, `location_type`.
        timetable.stops.kind[stop] == 1
    }

    /// A stop as a place.
    package func place(_ stop: StopIndex) -> ResolvedPlace {
        ResolvedPlace(
            name: name(stop),
            kind: isStation(stop) ? .station : .stop,
            coordinate: timetable.stops.coordinate(stop),
            stops: [stop]
        )
    }

    private func feed(of stop: StopIndex) -> String {
        timetable.texts[Int(timetable.feeds.name[timetable.stops.feed[stop]])]
    }
}
