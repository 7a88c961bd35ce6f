import Chronology
import Geo
import Identity
import OpenData
import TaxiPages
import TripPlanning
import WebCore

/// The stops of public transport and their departures (V84).
extension CityAPI {
    /// The most stops around a place.
    private static let mostStops = 100

    var stopOperations: [Operation] {
        [
            .get(
                "/api/stops",
                as: "api.stops.near",
                "List the stops near a place",
                in: .stops,
                for: Self.publicScopes,
                returns: .object([.init("items", .list(.nearStop), "The stops, nearest first.")])
            ) { call in
                let place = try call.coordinate()
                let found =
                    environment.cities.current.guide(at: place)?.stops(
                        near: place,
                        withinMetres: Double(call.number("metres") ?? 500),
                        limit: Self.mostStops,
                        language: call["language"] ?? "en"
                    ) ?? []
                let items = found.map { stop, metres -> JSONValue in
                    ["metres": .integer(Int64(metres.rounded())), "stop": Self.json(stop)]
                }
                return Answer(["items": .list(items)])
            }
            .taking([
                .latitude, .longitude,
                .query("metres", .number(1...5_000), "The greatest distance; 500 by default."),
                .names,
            ]),
            .get(
                "/api/stops/{stop}",
                as: "api.stops.read",
                "Read a stop",
                in: .stops,
                for: Self.publicScopes,
                returns: .stopPlace
            ) { call in Answer(Self.json(try found(call).stop)) }
            .taking([.stopKey, .names]),
            .get(
                "/api/stops/{stop}/departures",
                as: "api.stops.departures",
                "List the departures of a stop",
                in: .stops,
                for: Self.publicScopes,
                returns: .object([
                    .init("stop", .stopPlace, "The stop."),
                    .init("from", .moment, "The moment from which departures are listed."),
                    .init("items", .list(.departure), "The departures in order."),
                ]),
                departures
            )
            .taking([
                .stopKey, .query("date", .date, "The day; today by default."),
                .query("time", .time, "The time; now by default."),
                .query("minutes", .number(1...1_440), "For how long; 60 by default."), .names,
            ]),
        ]
    }

    private func found(_ call: Call) throws -> (guide: TransitGuide, stop: StopPlace) {
        let key = try call.required("stop")
        let language = call["language"] ?? "en"
        let stop = environment.cities.current.stop(key, language: language)
        guard let stop else { throw Failure.notFound }
        return stop
    }

    private func departures(_ call: Call) async throws -> Answer {
        let (guide, stop) = try found(call)
        let start = try time(call)
        let end = start.adding(seconds: (call.number("minutes") ?? 60) * 60)
        let boards = guide.board(of: stop, in: start..<end, language: call["language"] ?? "en")
        let all = boards.flatMap { board in board.departures.map { (board, $0) } }
            .sorted { $0.1.time < $1.1.time }
        let items = all.map { board, departure -> JSONValue in
            [
                "time": JSONValue(departure.time), "line": Self.json(board.line),
                "headsign": .text(board.headsign), "platform": JSONValue(departure.platform),
                "wheelchair": JSONValue(departure.wheelchair),
                "is_approximate": .bool(departure.isApproximate),
                "is_by_arrangement": .bool(departure.isByArrangement),
            ]
        }
        return Answer([
            "stop": Self.json(stop), "from": JSONValue(start), "items": .list(items),
        ])
    }

    private static func json(_ stop: StopPlace) -> JSONValue {
        [
            "key": .text(stop.key), "name": .text(stop.name),
            "lat": .number(stop.coordinate.latitudeDegrees),
            "lon": .number(stop.coordinate.longitudeDegrees),
            "wheelchair": JSONValue(stop.wheelchair),
            "lines": .list(stop.lines.map { json($0) }),
        ]
    }
}

extension InputField {
    fileprivate static let stopKey = path("stop", .text(200), "The key of a stop.")
}

extension Schema {
    fileprivate static let stopPlace = Schema.named(
        "Stop",
        [
            Member("key", .text, "The key, by which it can be read."),
            Member("name", .text, "The name."),
            Member("lat", .number, "Degrees north of the equator."),
            Member("lon", .number, "Degrees east of Greenwich."),
            Member("wheelchair", .optional(.boolean), "Whether it is accessible."),
            Member("lines", .list(.line), "The lines that leave there."),
        ]
    )

    fileprivate static let nearStop = Schema.named(
        "NearStop",
        [
            Member("metres", .integer, "The distance in a straight line."),
            Member("stop", stopPlace, "The stop."),
        ]
    )

    fileprivate static let departure = Schema.named(
        "Departure",
        [
            Member("time", .moment, "When the vehicle leaves."),
            Member("line", .line, "The line."),
            Member("headsign", .text, "The destination that the vehicle shows."),
            Member("platform", .optional(.text), "The platform."),
            Member("wheelchair", .optional(.boolean), "Whether the vehicle is accessible."),
            Member("is_approximate", .boolean, "Whether it runs at a headway."),
            Member("is_by_arrangement", .boolean, "Whether boarding must be arranged."),
        ]
    )
}
