import Foundation
import Geo
import Journeys
import Streets

/// Queries from door to door in any city, derived from its file; the same for the same city.
struct JunctionPairs {
    private let streets: StreetNetwork
    private var state: UInt64 = 20_141_020

    private init(_ city: City) {
        streets = city.streets
    }

    private mutating func chance(_ bound: Int) -> Int {
        // Knuth's multiplier (MMIX); the upper bits are the random ones.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(bound, 1)))
    }

    private mutating func place() -> String {
        let vertex = VertexIndex(rawValue: UInt32(chance(streets.vertexCount)))
        let place = streets.place(of: vertex)
        return String(format: "\"%.7f,%.7f\"", place.latitudeDegrees, place.longitudeDegrees)
    }

    /// A file `id,place` with junctions anywhere in the city.
    static func places(in city: City, count: Int) -> String {
        var pairs = JunctionPairs(city)
        let lines = (1...count).map { "\($0),\(pairs.place())" }
        return "id,place\n" + lines.joined(separator: "\n")
    }

    /// A batch file with pairs of junctions anywhere in the city, and departures uniform from
    /// 06:00 to 22:00 to the minute.
    static func questions(in city: City, count: Int, date: String) -> String {
        var pairs = JunctionPairs(city)
        let lines = (1...count).map { number in
            let (from, to) = (pairs.place(), pairs.place())
            let minute = 6 * 60 + pairs.chance(16 * 60)
            let time = String(format: "%@T%02d:%02d:00", date, minute / 60, minute % 60)
            return "\(number),\(from),\(to),\(time),false,7"
        }
        return "id,from,to,time,arrive_by,max_transfers\n" + lines.joined(separator: "\n")
    }
}
