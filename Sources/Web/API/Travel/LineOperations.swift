import Geo
import Identity
import OpenData
import TaxiPages
import TripPlanning
import WebCore

/// The lines of public transport and their routes.
extension CityAPI {
    var lineOperations: [Operation] {
        [
            .get(
                "/api/lines",
                as: "api.lines.list",
                "List the lines",
                in: .stops,
                for: Self.publicScopes,
                returns: .page(of: .line)
            ) { call in
                let all = environment.cities.current.lines(language: call["language"] ?? "en")
                let first = Int(clamping: call.number("after") ?? 0)
                let page = all.dropFirst(first).prefix(call.limit)
                let last = first + page.count
                return Answer([
                    "items": .list(page.map { Self.json($0) }),
                    "next": JSONValue(last < all.count && !page.isEmpty ? "\(last)" : nil),
                ])
            }
            .taking([.after(.number(0...1_000_000)), .limit, .names]),
            .get(
                "/api/lines/{line}",
                as: "api.lines.read",
                "Read a line with its routes",
                in: .stops,
                for: Self.publicScopes,
                returns: .object([
                    .init("line", .line, "The line."),
                    .init("directions", .list(.direction), "Its directions."),
                ]),
                readLine
            )
            .taking([
                .path("line", .text(200), "The key of a line."),
                .query("date", .date, "The day of the departures; today by default."), .names,
            ]),
        ]
    }

    private func readLine(_ call: Call) async throws -> Answer {
        let (key, language) = (try call.required("line"), call["language"] ?? "en")
        guard let found = environment.cities.current.line(key, language: language) else {
            throw Failure.notFound
        }
        let day = call.day("date") ?? web.day(call.now)
        let directions = found.guide.directions(of: found.line, on: day, language: language)
        return Answer([
            "line": Self.json(found.line), "directions": .list(directions.map { Self.json($0) }),
        ])
    }

    private static func json(_ direction: LineDirection) -> JSONValue {
        let stops = direction.stops.map { stop -> JSONValue in
            [
                "key": JSONValue(stop.key), "name": .text(stop.name),
                "lat": JSONValue(stop.coordinate?.latitudeDegrees),
                "lon": JSONValue(stop.coordinate?.longitudeDegrees),
            ]
        }
        return [
            "headsign": .text(direction.headsign), "stops": .list(stops),
            "departures": .list(direction.departures.map { JSONValue($0) }),
            "headway_seconds": JSONValue(direction.headwaySeconds),
            "has_variants": .bool(direction.hasVariants),
        ]
    }

    /// A line as `Schema.line` declares it.
    static func json(_ line: TransitLine) -> JSONValue {
        [
            "key": .text(line.id), "mode": .text("\(line.mode)"), "name": .text(line.name),
            "long_name": .text(line.longName), "agency": .text(line.agency),
        ]
    }
}

extension Schema {
    /// A line of public transport.
    static let line = Schema.named(
        "Line",
        [
            Member("key", .text, "The key, by which it can be read."),
            Member("mode", .text, "The kind of vehicle."), Member("name", .text, "The name."),
            Member("long_name", .text, "The long name; may be empty."),
            Member("agency", .text, "The operator."),
        ]
    )

    fileprivate static let direction = Schema.named(
        "Direction",
        [
            Member("headsign", .text, "The destination that its vehicles show."),
            Member(
                "stops",
                .list(
                    .object([
                        Member("key", .optional(.text), "The key of the stop."),
                        Member("name", .text, "The name."),
                        Member("lat", .optional(.number), "Degrees north of the equator."),
                        Member("lon", .optional(.number), "Degrees east of Greenwich."),
                    ])
                ),
                "The stops in order."
            ),
            Member("departures", .list(.moment), "The departures from the first stop that day."),
            Member("headway_seconds", .optional(.integer), "The usual time between two."),
            Member("has_variants", .boolean, "Whether some vehicles go elsewhere."),
        ]
    )
}
