import Foundation
import Geo
import OpenData
import TestSupport

@testable import Zones

/// A place in metres east and north of one in Milan.
func place(_ east: Double, _ north: Double) -> Coordinate {
    let plane = LocalPlane(at: Coordinate(latitude: 454_642_000, longitude: 91_900_000))
    return plane.place(east: east, north: north)
}

/// A ring through corners in metres.
func ring(_ corners: [(Double, Double)]) throws -> Ring {
    let places = corners.map { place($0.0, $0.1) }
    return try Ring(places + places.prefix(1))
}

/// An area within corners in metres.
func area(_ corners: [(Double, Double)], holes: [[(Double, Double)]] = []) throws -> MultiPolygon {
    MultiPolygon([Polygon(outline: try ring(corners), holes: try holes.map { try ring($0) })])
}

/// The corners of a rectangle in metres.
func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [(Double, Double)] {
    [(west, south), (east, south), (east, north), (west, north)]
}

/// Zones a, b, c and so on with areas.
func zones(_ areas: [MultiPolygon]) -> [Zone] {
    areas.enumerated().map { number, area in
        let code = String(UnicodeScalar(UInt8(97 + number % 26)))
        return Zone(code: number < 26 ? code : code + String(number), name: "Zone", area: area)
    }
}

/// What is wrong with zones; empty where they can be healed.
func problems(_ areas: [MultiPolygon]) -> [ZoneProblem] {
    do {
        _ = try ZoneDraft(zones(areas)).healed()
        return []
    } catch {
        return error.problems
    }
}

/// The zones of a file of the real data.
func realZones(_ path: String) throws -> ZoneSet {
    try ZoneSet.read(try realBytes(path), file: path)
}

/// The bytes of a file of the real data.
func realBytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: RealData.url(path)))
}

extension SeededRandom {
    /// A number in a range.
    mutating func number(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &self)
    }

    /// A whole number in a range.
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
