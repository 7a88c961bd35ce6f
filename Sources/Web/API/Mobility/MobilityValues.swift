import Chronology
import Dispatching
import Encoding
import Geo
import Identity
import OpenData
import Taxi
import TaxiPages
import WebCore
import Zones

/// Vehicles, events and trips in the format of the Mobility Data Specification.
extension CityAPI {
    /// The version of the specification.
    static let version: JSONValue = "2.0.0"
    /// How long an answer about now stays true, in milliseconds.
    private static let lifetime: Int64 = 60_000

    /// An answer about now, with what the standard wants around it.
    func current(_ members: JSONValue, _ call: Call) -> JSONValue {
        let head: [JSONObject.Member] = [
            .init("version", Self.version),
            .init("last_updated", .integer(call.now.milliseconds)),
            .init("ttl", .integer(Self.lifetime)),
        ]
        return .object(JSONObject(head + (members.object?.members ?? [])))
    }

    // MARK: Names

    /// A number in the form of a UUID (RFC 9562, version 8) that is the same each time, and from
    /// which nothing can be learned.
    private func uuid(_ kind: String, _ text: String) -> JSONValue {
        var bytes = Array(accounts.secret.digest("\(kind) \(text)", of: .mobility).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(bytes.hex)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return .text(parts.joined(separator: "-"))
    }

    private var provider: JSONValue { uuid("provider", web.settings.name) }

    private func device(_ code: String) -> JSONValue { uuid("device", code) }

    private func trip(_ request: RequestNumber) -> JSONValue { uuid("trip", "\(request.rawValue)") }

    // MARK: Places

    /// The middle of a zone or, where none is known, that of the city.
    private func place(_ zone: ZoneNumber?) -> JSONValue {
        let zones = taxi.zonesInForce?.zones ?? []
        let own = zone.flatMap { number in
            zones.indices.contains(Int(number.rawValue)) ? zones[Int(number.rawValue)] : nil
        }
        let boxes = (own.map { [$0] } ?? zones).compactMap { $0.area.bounds }
        guard var box = boxes.first else { return ["lat": .number(0), "lng": .number(0)] }
        for other in boxes.dropFirst() { box.extend(to: other) }
        let centre = box.centre
        return [
            "lat": .number(centre.latitudeDegrees), "lng": .number(centre.longitudeDegrees),
        ]
    }

    /// The areas in which an event happened: the city and, if it is known, the zone.
    private func areas(_ zone: ZoneNumber?) -> JSONValue {
        let zones = taxi.zonesInForce?.zones ?? []
        let own = zone.flatMap { number in
            zones.indices.contains(Int(number.rawValue)) ? zones[Int(number.rawValue)] : nil
        }
        let zone = own.map { [uuid("zone", $0.code)] } ?? []
        return .list([uuid("city", web.settings.name)] + zone)
    }

    // MARK: Values

    /// A vehicle, with the code that it shows.
    func json(_ taxi: Taxi, _ visible: String) -> JSONValue {
        [
            "device_id": device(taxi.code), "provider_id": provider,
            "vehicle_id": .text(visible), "vehicle_type": "car",
            "propulsion_types": ["combustion"],
            "accessibility_attributes": taxi.capacity.wheelchair
                ? ["wheelchair_accessible"] : .list([]),
        ]
    }

    /// An event of the taxi with a code in the log.
    func json(_ event: VehicleEvent, of code: String) -> JSONValue {
        let kind = event.kind.rawValue
        let id = "\(code) \(kind) \(event.at.milliseconds)"
        var members: [JSONObject.Member] = [
            .init("device_id", device(code)), .init("provider_id", provider),
            .init("event_id", uuid("event", id)),
            .init("vehicle_state", .text(event.state.rawValue)),
            .init("event_types", [.text(kind)]),
            .init("timestamp", .integer(event.at.milliseconds)),
            .init("event_geographies", areas(event.zone)),
        ]
        if !event.rides.isEmpty {
            members.append(.init("trip_ids", .list(event.rides.map { trip($0) })))
        }
        return .object(JSONObject(members))
    }

    /// The state of a vehicle since its last event.
    func status(_ event: VehicleEvent, of code: String) -> JSONValue {
        let rides = event.state == .onTrip ? event.rides : []
        return [
            "device_id": device(code), "provider_id": provider,
            "last_event": json(event, of: code),
            "last_telemetry": [
                "device_id": device(code), "provider_id": provider,
                "telemetry_id": uuid("telemetry", "\(code) \(event.at.milliseconds)"),
                "timestamp": .integer(event.at.milliseconds),
                "trip_ids": rides.isEmpty ? .null : .list(rides.map { trip($0) }),
                "journey_id": rides.first.map { uuid("journey", "\($0.rawValue)") } ?? .null,
                "location": place(event.zone),
            ],
        ]
    }

    /// A trip of one passenger.
    func json(_ trip: VehicleTrip) -> JSONValue {
        let kind =
            trip.isShared ? "shared" : trip.due == nil ? "private" : "reservation"
        var members: [JSONObject.Member] = [
            .init("provider_id", provider), .init("device_id", device(trip.taxiCode)),
            .init("trip_id", self.trip(trip.request)),
            .init("journey_id", uuid("journey", "\(trip.ride.rawValue)")),
            .init("trip_type", [.text(kind)]),
            .init("start_time", .integer(trip.boarded.milliseconds)),
            .init("end_time", .integer(trip.ended.milliseconds)),
            .init("start_location", place(trip.startZone)),
            .init("end_location", place(trip.endZone)),
            .init(
                "duration",
                .integer(max(0, (trip.ended.milliseconds - trip.boarded.milliseconds) / 1_000))
            ),
            .init("distance", .integer(trip.metres ?? 0)),
            .init(
                "trip_attributes",
                [
                    "hail_type": "app", "passenger_count": .integer(trip.aboard),
                    "requested_time": .integer(trip.asked.milliseconds),
                    "quoted_trip_start_time": .integer(trip.promised.milliseconds),
                    "dispatch_time": .integer(trip.accepted.milliseconds),
                ]
            ),
        ]
        if let paid = trip.paid, let currency = trip.currency {
            members.append(.init("actual_cost", .integer(max(0, paid))))
            members.append(.init("currency", .text(currency)))
        }
        return .object(JSONObject(members))
    }
}

extension ServerSecret.Domain {
    /// What regulators know of vehicles and trips by a number.
    fileprivate static let mobility = Self(rawValue: "mobility data")
}
