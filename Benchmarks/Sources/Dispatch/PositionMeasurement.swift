import Chronology
import Dispatching
import Foundation
import Geo
import Positions
import Zones

/// Measures zone look-ups, and position reports with the resulting decision, per second.
enum PositionMeasurement {
    static let taxis = 10_000
    private static let rounds = 60
    private static let start = Moment(milliseconds: 1_778_630_400_000)

    /// Measures with the zones of a GeoJSON file, or those of the generated town; also a Redis
    /// server at a socket and a PostgreSQL with PostGIS at an address, where these are given.
    static func run(zones file: String?, redis: String?, postgis: String?) throws -> String {
        let zones = try file.map { try read($0) } ?? Town().zones
        guard let box = bounds(of: zones) else { throw Failure.usage }
        let reports = reports(in: box)
        var figures = Figures()
        figures.add("zones", zones.count)
        figures.add("reports", reports.count)
        var inside = 0
        figures.add(
            "lookups_per_second",
            rate(of: reports.count) {
                inside = 0
                for report in reports where zones.zone(at: report.place) != nil { inside += 1 }
            }
        )
        figures.add("inside", inside)
        var changes = 0
        figures.add(
            "reports_per_second",
            rate(of: reports.count) {
                var tracker = tracker(zones)
                changes = 0
                for report in reports {
                    let batch = PositionBatch(
                        taxi: report.taxi,
                        sentAt: report.at,
                        reports: [
                            PositionReport(at: report.at, place: report.place, accuracyMetres: 8)
                        ]
                    )
                    changes += tracker.take(batch, at: report.at).count
                }
            }
        )
        figures.add("changes", changes)
        if let redis {
            figures.add("redis_per_second", try RedisPeer.rate(redis, reports.map(\.place)))
        }
        if let postgis {
            let places = reports.prefix(100_000).map(\.place)
            let (rate, found) = try PostGISPeer.rate(postgis, zones, Array(places))
            figures.add("postgis_per_second", rate)
            let ours = places.count { zones.zone(at: $0) != nil }
            figures.add("postgis_inside_difference", abs(found - ours))
        }
        return figures.json
    }

    private static func read(_ path: String) throws -> ZoneSet {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        return try ZoneSet.read(bytes, file: path)
    }

    static func bounds(of zones: ZoneSet) -> BoundingBox? {
        var whole = zones.zones.first?.area.bounds
        for zone in zones.zones {
            if let box = zone.area.bounds { whole?.extend(to: box) }
        }
        return whole
    }

    /// Some minutes of reports by every taxi every five seconds.
    private static func reports(
        in box: BoundingBox
    ) -> [(taxi: TaxiNumber, at: Moment, place: Coordinate)] {
        let fleet = Fleet(taxis, in: box, seed: 3)
        var reports: [(taxi: TaxiNumber, at: Moment, place: Coordinate)] = []
        reports.reserveCapacity(taxis * rounds)
        for round in 0..<rounds {
            for taxi in 0..<taxis {
                let seconds = Double(round * 5) + Double(taxi) / 2_000
                reports.append(
                    (
                        TaxiNumber(rawValue: UInt32(taxi)),
                        start.adding(milliseconds: Int64(seconds * 1_000)),
                        fleet.place(taxi, after: seconds)
                    )
                )
            }
        }
        return reports
    }

    private static func tracker(_ zones: ZoneSet) -> PositionTracker {
        var tracker = PositionTracker(zones: zones, policy: .viavai)
        var dispatcher = Dispatcher()
        for index in 0..<taxis {
            _ = try? dispatcher.log(.register(TaxiForm(code: "T\(index)")))
        }
        for taxi in dispatcher.taxis { tracker.follow(taxi, at: start) }
        return tracker
    }
}
