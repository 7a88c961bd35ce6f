import Chronology
import Geo
import Journeys
import OpenData
import SeededRandom
import Streets

/// The traffic of the demo city: main streets are slow in the morning and in the evening, and each
/// hour one of them is jammed.
struct TrafficDocument: Sendable {
    private let lines: [Line]
    private let seed: UInt64

    private struct Line: Sendable {
        let points: [Coordinate]
        let isBothWays: Bool
        /// Kilometres per hour without traffic.
        let free: Double
        /// The share of it that is left in the rush hours.
        let share: Double
    }

    /// The hours in which main streets are slow.
    private static let rush = "Mo-Fr 07:30-09:30,16:00-19:30"
    /// How long a jam lasts, and a version of the file, in seconds.
    private static let jam: Int64 = 3_600
    /// The most streets: those nearest to the middle.
    private static let lineLimit = 20_000

    init(_ city: City, _ places: FeedPlaces, seed: UInt64) {
        self.seed = seed
        let streets = city.streets
        let metric = streets.metric(.car)
        var found: [(metres: Double, line: Line)] = []
        for number in 0..<streets.edgeCount {
            let index = EdgeIndex(rawValue: UInt32(number))
            let edge = streets.edge(index)
            guard edge.kind.rawValue <= StreetKind.tertiary.rawValue else { continue }
            let ways = streets.passages(of: index).filter {
                streets.milliseconds($0, by: metric) != StreetDraft.Arc.closed
            }
            guard let way = ways.first else { continue }
            let forwards = Set(ways.map { streets.passage($0).forward })
            var points = streets.geometry(of: index)
            if !forwards.contains(true) { points.reverse() }
            let milliseconds = max(1, streets.milliseconds(way, by: metric))
            let metres = points[0].distanceMetres(to: places.middle)
            let line = Line(
                points: points,
                isBothWays: forwards.count == 2,
                free: Double(edge.lengthDecimetres) * 360 / Double(milliseconds),
                share: 0.3 + 0.4 * min(1, metres / max(1, places.radiusMetres))
            )
            found.append((metres, line))
        }
        lines = found.sorted { $0.metres < $1.metres }.prefix(Self.lineLimit).map(\.line)
    }

    /// The file of the traffic, which is made again each hour.
    var document: FeedDocument {
        FeedDocument(path: "/traffic.json", type: "application/geo+json", seconds: Self.jam) {
            start,
            _ in
            table(start)
        }
    }

    private func table(_ now: Instant) -> [UInt8] {
        var random = SeededRandom(seed: seed, 9, now.seconds / Self.jam)
        let jammed = lines.isEmpty ? nil : random.pick(Array(lines.indices))
        var features: [GeoJSON.Feature] = []
        for (number, line) in lines.enumerated() {
            var speeds: [JSONValue] = [
                ["hours": .text(Self.rush), "kmh": .number(Self.rounded(line.free * line.share))]
            ]
            if number == jammed {
                let end = now.adding(seconds: Self.jam).seconds
                speeds.append(
                    ["from": .integer(now.seconds), "until": .integer(end), "kmh": 4]
                )
            }
            features.append(
                GeoJSON.Feature(
                    geometry: .line(line.points),
                    properties: JSONObject([
                        .init("both_ways", .bool(line.isBothWays)),
                        .init("speeds", .list(speeds)),
                    ])
                )
            )
        }
        return GeoJSON(features).bytes
    }

    private static func rounded(_ kilometresPerHour: Double) -> Double {
        (max(kilometresPerHour, TrafficTable.slowest) * 10).rounded() / 10
    }
}
