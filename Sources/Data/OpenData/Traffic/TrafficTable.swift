package import Chronology
package import Geo
package import Streets

/// How fast cars drive on a street.
package struct TrafficLine: Sendable, Equatable {
    /// The street, in the direction of driving; at least 2 points.
    package var points: [Coordinate]
    /// Whether the same holds against the direction of the line.
    package var isBothWays: Bool
    /// The speeds; of several that apply at a moment the last one counts.
    package var speeds: [Speed]

    /// A speed and when it applies.
    package struct Speed: Sendable, Equatable {
        /// The hours in which it applies.
        package var span: Span
        /// Kilometres per hour, from ``TrafficTable/slowest`` to ``TrafficTable/quickest``.
        package var kilometresPerHour: Double

        /// Whether it holds once, as in a jam.
        package var isOnce: Bool { if case .once = span { true } else { false } }
    }

    /// When a speed applies.
    package enum Span: Sendable, Equatable {
        /// In these hours of every week.
        case weekly(WeekHours)
        /// Once, between two moments.
        case once(Range<Instant>)
    }
}

/// The traffic of a city as GeoJSON: lines along streets with the usual speeds by the hours of the
/// week and, on top of them, those of present jams.
///
/// ```json
/// {"type": "FeatureCollection", "features": [{
///   "type": "Feature",
///   "geometry": {"type": "LineString", "coordinates": [[9.190, 45.464], [9.195, 45.466]]},
///   "properties": {"both_ways": false, "speeds": [
///     {"hours": "Mo-Fr 07:30-09:30", "kmh": 14},
///     {"from": "2026-03-02T16:20:00Z", "until": "2026-03-02T17:00:00Z", "kmh": 6}
///   ]}
/// }]}
/// ```
package struct TrafficTable: Sendable, Equatable {
    /// The usable lines, with the errors of the others.
    package private(set) var lines = FeedEntries<TrafficLine>()

    /// Slower than this is read as this, in kilometres per hour: a walk.
    package static let slowest = 2.0
    /// The greatest speed that is read, in kilometres per hour.
    package static let quickest = 200.0
    /// The most lines of a file.
    private static let lineLimit = 100_000
    /// The most speeds of a line.
    private static let speedLimit = 200
    /// The longest span of a jam, in seconds: after a week the hour of the week comes again.
    private static let onceLimit: Int64 = 6 * 86_400

    /// Whether two tables say the same about the same lines.
    package static func == (one: TrafficTable, other: TrafficTable) -> Bool {
        one.lines.entries == other.lines.entries
    }

    /// Reads a document.
    ///
    /// - Throws: what is wrong with the file as a whole; a line with an error is left out.
    package init(_ bytes: [UInt8]) throws(FeedFailure) {
        do throws(FeedTrouble) {
            let document = try FeedFields(parsing: bytes)
            guard let features = document["features"]?.list else {
                throw FeedTrouble("features", .missing)
            }
            guard features.count <= Self.lineLimit else {
                throw FeedTrouble("features", .tooMany(limit: Self.lineLimit))
            }
            for (index, feature) in features.enumerated() {
                do throws(FeedTrouble) {
                    lines.entries += try Self.lines(of: try FeedFields(feature))
                } catch {
                    lines.reject(error.within("features[\(index)]").failure(in: "traffic"))
                }
            }
        } catch {
            throw error.failure(in: "traffic")
        }
    }

    private static func lines(of feature: FeedFields) throws(FeedTrouble) -> [TrafficLine] {
        let parts = try parts(of: try feature.required("geometry", feature["geometry"]))
        let properties = try FeedFields(try feature.required("properties", feature["properties"]))
        let isBothWays = try properties.flag("both_ways") ?? false
        let all = try properties.required("speeds", properties["speeds"]?.list)
        guard all.count <= speedLimit else {
            throw FeedTrouble("properties.speeds", .tooMany(limit: speedLimit))
        }
        var speeds: [TrafficLine.Speed] = []
        for (index, entry) in all.enumerated() {
            do throws(FeedTrouble) {
                speeds.append(try speed(try FeedFields(entry)))
            } catch {
                throw error.within("properties.speeds[\(index)]")
            }
        }
        return parts.map { TrafficLine(points: $0, isBothWays: isBothWays, speeds: speeds) }
    }

    private static func parts(of value: JSONValue) throws(FeedTrouble) -> [[Coordinate]] {
        let geometry: GeoJSON.Geometry?
        do throws(GeoJSONFailure) {
            geometry = try GeoJSON.geometry(value)
        } catch {
            throw FeedTrouble("geometry", .badGeometry(error))
        }
        switch geometry {
        case .line(let line): return [line]
        case .multiLine(let lines): return lines
        default: throw FeedTrouble("geometry", .expected("a LineString"))
        }
    }

    private static func speed(_ entry: FeedFields) throws(FeedTrouble) -> TrafficLine.Speed {
        let kmh = try entry.required("kmh", try entry.amount("kmh"))
        guard kmh <= quickest else { throw FeedTrouble("kmh", .badValue("\(kmh)")) }
        let span: TrafficLine.Span
        if let text = try entry.text("hours") {
            guard let hours = WeekHours(openingHours: text[...]) else {
                throw FeedTrouble("hours", .badValue(text))
            }
            span = .weekly(hours)
        } else {
            let from = try entry.required("from", try entry.instant("from"))
            let until = try entry.required("until", try entry.instant("until"))
            guard from < until, until.seconds - from.seconds <= onceLimit else {
                throw FeedTrouble("until", .badValue("\(until.seconds)"))
            }
            span = .once(from..<until)
        }
        return TrafficLine.Speed(span: span, kilometresPerHour: max(kmh, slowest))
    }
}
