import Foundation
import Geo
import OpenData
import SeededRandom
import TestSupport

@testable import Zones

/// Returns the place at a distance in metres east and north of a point in Milan.
func place(_ east: Double, _ north: Double) -> Coordinate {
    let plane = LocalPlane(at: Coordinate(latitude: 454_642_000, longitude: 91_900_000))
    return plane.place(east: east, north: north)
}

/// Creates a ring from corners in metres.
func ring(_ corners: [(Double, Double)]) throws -> Ring {
    let places = corners.map { place($0.0, $0.1) }
    return try Ring(places + places.prefix(1))
}

/// Creates an area from corners in metres.
func area(_ corners: [(Double, Double)], holes: [[(Double, Double)]] = []) throws -> MultiPolygon {
    MultiPolygon([Polygon(outline: try ring(corners), holes: try holes.map { try ring($0) })])
}

/// Returns the corners of a rectangle in metres.
func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [(Double, Double)] {
    [(west, south), (east, south), (east, north), (west, north)]
}

/// Creates zones a, b, c and so on from areas.
func zones(_ areas: [MultiPolygon]) -> [Zone] {
    areas.enumerated().map { number, area in
        let code = String(UnicodeScalar(UInt8(97 + number % 26)))
        return Zone(code: number < 26 ? code : code + String(number), name: "Zone", area: area)
    }
}

/// Returns the problems of zones; empty if they can be healed.
func problems(_ areas: [MultiPolygon]) -> [ZoneProblem] {
    do {
        _ = try ZoneDraft(zones(areas)).healed()
        return []
    } catch {
        return error.problems
    }
}

/// Reads the zones of a real data file.
func realZones(_ path: String) throws -> ZoneSet {
    try ZoneSet.read(try realBytes(path), file: path)
}

/// Reads the bytes of a real data file.
func realBytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: RealData.url(path)))
}

extension SeededRandom {
    /// Returns a random number in a range.
    mutating func number(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &self)
    }

    /// Returns a random integer in a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// Draws a random place in a box.
    mutating func place(in box: BoundingBox) -> Coordinate {
        Coordinate(
            latitude: Int32.random(in: box.south...box.north, using: &self),
            longitude: Int32.random(in: box.west...box.east, using: &self)
        )
    }
}
