import Geo
import Identity
import OpenData
import Taxi
import TaxiPages
import WebCore
import Zones

/// The zones and how many taxis wait in them.
extension CityAPI {
    /// The scopes that allow reading public data: those for calling taxis do too.
    static let publicScopes: Set<Scope> = [.readCity, .callTaxis, .reserve, .readFleet]

    var zoneOperations: [Operation] {
        [
            .get(
                "/api/zones",
                as: "api.zones.list",
                "List the zones",
                in: .city,
                for: Self.publicScopes,
                returns: .features(.zone)
            ) { _ in
                let zones = taxi.zonesInForce.map { features($0) } ?? []
                return Answer(["type": "FeatureCollection", "features": .list(zones)])
            }
            .explained("The answer is GeoJSON: it can be put on a map as it is."),
            .get(
                "/api/zones/{zone}",
                as: "api.zones.read",
                "Read a zone",
                in: .city,
                for: Self.publicScopes,
                returns: .zone
            ) { call in
                let code = try call.required("zone")
                guard let zones = taxi.zonesInForce, let index = zones.zone(code: code) else {
                    throw Failure.notFound
                }
                return Answer(feature(zones[index]))
            }
            .taking([.zoneCode]),
            .get(
                "/api/zone",
                as: "api.zones.find",
                "Find the zone of a place",
                in: .city,
                for: Self.publicScopes,
                returns: .object([
                    .init("zone", .optional(.zoneName), "The zone; null outside the city.")
                ])
            ) { call in
                let place = try call.coordinate()
                let zones = taxi.zonesInForce
                let zone = zones?.zone(at: place).flatMap { zones?[$0] }
                return Answer(["zone": zone.map { Self.name(of: $0) } ?? .null])
            }
            .taking([.latitude, .longitude]),
        ]
            + [
                .get(
                    "/api/queues",
                    as: "api.queues.list",
                    "List how many taxis wait in each zone",
                    in: .city,
                    for: Self.publicScopes,
                    returns: .object([
                        .init("items", .list(.queue), "The zones, by code.")
                    ])
                ) { _ in
                    let queues = try await taxi.queueLengths().sorted { $0.key < $1.key }
                    return Answer(["items": .list(queues.map { queue($0.key, $0.value) })])
                }
                .explained("Ask again with If-None-Match: nothing is sent while nothing changes."),
                .get(
                    "/api/queues/{zone}",
                    as: "api.queues.read",
                    "Count the taxis that wait in a zone",
                    in: .city,
                    for: Self.publicScopes,
                    returns: .queue
                ) { call in
                    let code = try call.required("zone")
                    guard let count = try await taxi.queueLengths()[code] else {
                        throw Failure.notFound
                    }
                    return Answer(queue(code, count))
                }
                .taking([.zoneCode]),
            ]
    }

    private func queue(_ code: String, _ count: Int) -> JSONValue {
        ["code": .text(code), "name": .text(taxi.zoneName(code)), "taxis": JSONValue(count)]
    }

    /// The zones as features of GeoJSON.
    func features(_ zones: ZoneSet) -> [JSONValue] { zones.zones.map { feature($0) } }

    private func feature(_ zone: Zone) -> JSONValue {
        let parts = zone.area.polygons
        return GeoJSON.Feature(
            id: .text(zone.code),
            geometry: parts.count == 1 ? .polygon(parts[0]) : .multiPolygon(zone.area),
            properties: JSONObject([.init("name", .text(zone.name))])
        ).json
    }

    /// Code and name of a zone.
    static func name(of zone: Zone) -> JSONValue {
        ["code": .text(zone.code), "name": .text(zone.name)]
    }
}

extension InputField {
    /// The code of a zone in the path.
    static let zoneCode = path("zone", .text(200), "The code of a zone.")
}

extension Schema {
    /// A zone as a feature of GeoJSON.
    static let zone = Schema.feature("Zone", [Member("name", .text, "The name of the zone.")])

    /// Code and name of a zone.
    static let zoneName = Schema.named(
        "ZoneName",
        [
            Member("code", .text, "The code of the zone."),
            Member("name", .text, "The name of the zone."),
        ]
    )

    fileprivate static let queue = Schema.named(
        "Queue",
        [
            Member("code", .text, "The code of the zone."),
            Member("name", .text, "The name of the zone."),
            Member("taxis", .integer, "The number of taxis in its queue."),
        ]
    )
}
