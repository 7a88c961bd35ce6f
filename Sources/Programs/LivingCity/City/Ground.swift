import Dispatching
import Geo
import SeededRandom
import Streets
import Zones

/// The streets of the demo city, and places on them in each zone.
struct Ground: Sendable {
    /// The street network for cars.
    let streets: StreetNetwork
    /// The zones of the demo city.
    let zones: ZoneSet
    /// Places where a car can be, for each zone; may be empty for a zone.
    private let places: [[Coordinate]]

    /// The maximum number of junctions that are examined for places.
    private static let sampleLimit = 4_000
    /// The maximum distance from a place to its street, in metres.
    private static let nearMetres = 500.0

    /// Samples places on the streets of each zone.
    init(_ streets: StreetNetwork, _ zones: ZoneSet) {
        self.streets = streets
        self.zones = zones
        var places = [[Coordinate]](repeating: [], count: zones.count)
        let step = max(1, streets.vertexCount / Self.sampleLimit)
        for vertex in stride(from: 0, to: streets.vertexCount, by: step) {
            let junction = streets.place(of: .init(rawValue: UInt32(vertex)))
            guard let place = Self.onStreet(junction, streets), let zone = zones.zone(at: place)
            else { continue }
            places[Int(zone.rawValue)].append(place)
        }
        self.places = places
    }

    /// The nearest place on a street for cars; nil if none is near.
    func onStreet(_ place: Coordinate) -> Coordinate? {
        Self.onStreet(place, streets)
    }

    private static func onStreet(_ place: Coordinate, _ streets: StreetNetwork) -> Coordinate? {
        streets.snap(place, for: .taxi, within: nearMetres).first?.point
    }

    /// The zone of a place; nil outside all zones.
    func zone(of place: Coordinate) -> ZoneNumber? {
        zones.zone(at: place).map { ZoneNumber(rawValue: $0.rawValue) }
    }

    /// A random place on a street of a zone; nil if it has none.
    func somewhere(in zone: ZoneNumber, _ chance: inout SeededRandom) -> Coordinate? {
        guard zone.rawValue < places.count, !places[Int(zone.rawValue)].isEmpty else {
            return nil
        }
        return chance.pick(places[Int(zone.rawValue)])
    }

    /// A random place on a street, in any zone.
    func somewhere(_ chance: inout SeededRandom) -> Coordinate? {
        let zone = ZoneNumber(rawValue: UInt32(chance.below(max(1, zones.count))))
        return somewhere(in: zone, &chance) ?? places.lazy.compactMap(\.first).first
    }
}
