import Dispatching
import Geo
import SeededRandom
import Streets
import Zones

/// The streets of the demo city, and places on them in each zone.
struct Ground: Sendable {
    /// The streets.
    let streets: StreetNetwork
    /// The zones in force.
    let zones: ZoneSet
    /// Places where a car can be, for each zone; may be empty for one.
    private let places: [[Coordinate]]

    /// At most so many junctions are looked at for places.
    private static let sampleLimit = 4_000
    /// How far from a place a street may be, in metres.
    private static let nearMetres = 500.0

    /// The ground of a city.
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

    /// The place on a street for cars that is nearest to a place; nil where none is near.
    func onStreet(_ place: Coordinate) -> Coordinate? {
        Self.onStreet(place, streets)
    }

    private static func onStreet(_ place: Coordinate, _ streets: StreetNetwork) -> Coordinate? {
        streets.snap(place, for: .taxi, within: nearMetres).first?.point
    }

    /// The zone of a place; nil outside the city.
    func zone(of place: Coordinate) -> ZoneNumber? {
        zones.zone(at: place).map { ZoneNumber(rawValue: $0.rawValue) }
    }

    /// Some place on a street of a zone; nil where it has none.
    func somewhere(in zone: ZoneNumber, _ chance: inout SplitMix) -> Coordinate? {
        guard zone.rawValue < places.count, !places[Int(zone.rawValue)].isEmpty else {
            return nil
        }
        return chance.pick(places[Int(zone.rawValue)])
    }

    /// Some place on a street, in any zone.
    func somewhere(_ chance: inout SplitMix) -> Coordinate? {
        let zone = ZoneNumber(rawValue: UInt32(chance.below(max(1, zones.count))))
        return somewhere(in: zone, &chance) ?? places.lazy.compactMap(\.first).first
    }
}
