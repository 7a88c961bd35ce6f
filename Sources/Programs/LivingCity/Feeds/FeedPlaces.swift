import Columns
import Geo
import Journeys
import Streets
import Transit

/// The places of a demo city that its live feeds are about.
struct FeedPlaces: Sendable {
    /// A stop beside a street.
    struct Stop: Hashable, Sendable {
        /// The name that riders know.
        let name: String
        /// The nearest place on a street for bicycles.
        let place: Coordinate
    }

    /// The middle of all junctions.
    let middle: Coordinate
    /// The stops, one for each name, the nearest to the middle first.
    let stops: [Stop]
    /// How far most of the stops lie from the middle, in metres.
    let radiusMetres: Double
    /// Places on streets for cars, all over the city.
    let kerbs: [Coordinate]

    /// The maximum number of junctions that are examined for kerbs.
    private static let sampleLimit = 2_000
    /// The maximum distance from a place to its street, in metres.
    private static let nearMetres = 150.0

    /// Finds the places of a city.
    init(_ city: City) {
        let streets = city.streets
        let junctions = (0..<streets.vertexCount).map {
            streets.place(of: .init(rawValue: UInt32($0)))
        }
        let middle = RingZones.middle(of: junctions)
        let timetable = city.timetable
        var names: Set<String> = []
        let stops = timetable.stops.indices.compactMap { index -> Stop? in
            let name = timetable.texts[Int(timetable.stops.name[index])]
            guard let place = timetable.stops.coordinate(index),
                let street = streets.snap(place, for: .bicycle, within: Self.nearMetres).first,
                names.insert(name).inserted
            else { return nil }
            return Stop(name: name, place: street.point)
        }
        self.middle = middle
        self.stops = stops.sorted {
            middle.distanceMetres(to: $0.place) < middle.distanceMetres(to: $1.place)
        }
        let most = self.stops.dropLast(stops.count / 10).last
        radiusMetres = most.map { middle.distanceMetres(to: $0.place) } ?? Self.nearMetres
        let step = max(1, junctions.count / Self.sampleLimit)
        kerbs = stride(from: 0, to: junctions.count, by: step).compactMap {
            streets.snap(junctions[$0], for: .car, within: Self.nearMetres).first?.point
        }
    }
}
