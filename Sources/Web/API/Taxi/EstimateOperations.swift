import CityData
import Dispatching
import Fares
import Geo
import Identity
import OpenData
import Taxi
import TaxiPages
import WebCore
import Zones

/// What a ride would be like, before it is ordered (R46).
extension CityAPI {
    var estimateOperations: [Operation] {
        [
            .get(
                "/api/estimate",
                as: "api.rides.estimate",
                "Estimate wait and fare",
                in: .rides,
                for: Self.publicScopes,
                returns: .estimate,
                estimate
            )
            .taking([InputField.from.inQuery.required, InputField.to.inQuery])
            .taking([InputField].party.map(\.inQuery))
            .explained("Nothing is ordered. Whatever is not known is null.")
        ]
    }

    private func estimate(_ call: Call) async throws -> Answer {
        let draft = try draft(call)
        guard let order = draft.order(of: PassengerNumber(rawValue: 0), isGuest: true) else {
            throw ProgramRefusal.field("from", "missing", "It is required.")
        }
        let quote = try await taxi.quote(order)
        let zone = quote.zone.flatMap { number in
            taxi.zonesInForce.flatMap { zones in
                zones.zones.indices.contains(Int(number.rawValue))
                    ? Self.name(of: zones.zones[Int(number.rawValue)]) : nil
            }
        }
        return Answer([
            "pickup": JSONValue(order.origin, name: quote.originDescription.text),
            "destination": JSONValue(order.destination, name: order.destinationDescription),
            "zone": zone ?? .null, "taxis_waiting": JSONValue(quote.taxisWaiting),
            "wait_seconds": JSONValue(quote.waitSeconds),
            "ride_seconds": JSONValue(quote.drive?.seconds),
            "fare": JSONValue(quote.fare?.likely.total), "fare_low": JSONValue(quote.fare?.low),
            "fare_high": JSONValue(quote.fare?.high),
            "fare_is_fixed": JSONValue(quote.fare?.isFixed),
        ])
    }

    // MARK: What an order says

    /// The order in the fields of a call, as the order form fills in its draft.
    ///
    /// - Throws: ``ProgramRefusal`` with the fields that are wrong.
    func draft(_ call: Call) throws(ProgramRefusal) -> OrderDraft {
        var draft = OrderDraft()
        var problems: [ProgramRefusal.Field] = []
        for end in RideEnd.allCases {
            guard let typed = call[end.rawValue] else { continue }
            switch placeSearch.find(typed) {
            case .found(let place): draft[end] = OrderDraft.Wish(typed: typed, place: place)
            case .several(let matches):
                let names = matches.prefix(5).map { match in
                    "\(match.label) (\(match.coordinate.latitudeDegrees),"
                        + "\(match.coordinate.longitudeDegrees))"
                }
                let detail = "Several places match: \(names.joined(separator: "; "))."
                problems.append(.init(end.rawValue, "ambiguous", detail))
            case .nothing:
                let detail = "No place matches: write an address, or latitude,longitude."
                problems.append(.init(end.rawValue, "unknown-place", detail))
            }
        }
        if !problems.isEmpty { throw .fields(problems) }
        draft.seats = call.number("seats").map { UInt8(clamping: $0) } ?? 1
        draft.hasWheelchair = call.all("needs").contains("wheelchair")
        return draft
    }
}

extension Schema {
    fileprivate static let estimate = Schema.named(
        "Estimate",
        [
            Member("pickup", .place, "Where the ride begins."),
            Member("destination", .optional(.place), "Where it ends."),
            Member("zone", .optional(.zoneName), "The zone of the pickup; null outside the city."),
            Member("taxis_waiting", .integer, "The suitable taxis in the zone's queue."),
            Member("wait_seconds", .optional(.integer), "The wait for the first of them."),
            Member("ride_seconds", .optional(.integer), "The duration of the ride."),
            Member("fare", .optional(.money), "The likely fare."),
            Member("fare_low", .optional(.money), "The fare in light traffic."),
            Member("fare_high", .optional(.money), "The fare in heavy traffic."),
            Member("fare_is_fixed", .optional(.boolean), "Whether the fare is fixed."),
        ]
    )
}
