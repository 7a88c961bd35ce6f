import Geo

@testable import Simulation

/// A city of adjacent squares of 1 km, without streets.
func squareCity(_ side: Int) throws -> SimulatedCity {
    let origin = Coordinate(latitude: 454_000_000, longitude: 91_000_000)
    let plane = LocalPlane(at: origin)
    var areas: [MultiPolygon] = []
    var names: [String] = []
    for row in 0..<side {
        for column in 0..<side {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)].map { east, north in
                plane.place(
                    east: Double(column + east) * 1_000,
                    north: Double(row + north) * 1_000
                )
            }
            areas.append(MultiPolygon([Polygon(outline: try Ring(corners))]))
            names.append("\(row + 1)\(Character(UnicodeScalar(UInt8(65 + column))))")
        }
    }
    return SimulatedCity(zoneNames: names, zonesHash: 1, areas: areas, streets: nil)
}
