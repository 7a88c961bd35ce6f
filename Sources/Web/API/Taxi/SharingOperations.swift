import Dispatching
import Fares
import HTTPTypes
import Identity
import OpenData
import Storage
import Taxi
import TaxiPages
import WebCore

/// Rides that people share (R83 to R92), for programs that act for one of them.
///
/// A guest shares no ride: nobody would know who sits beside whom. A taxi that others may join is
/// called with `rides.call`.
extension CityAPI {
    var sharingOperations: [Operation] {
        let operations: [Operation] = [
            .get(
                "/api/shared-rides",
                as: "api.sharing.find",
                "Find shared rides to join",
                in: .rides,
                for: [.shareRides],
                returns: .object([
                    .init("items", .list(.proposal), "The rides, the earliest first.")
                ])
            ) { call in
                let (order, _) = try await sharedOrder(call)
                let rides = try await taxi.proposals(for: order)
                return Answer(["items": .list(rides.map(Self.json))])
            }
            .taking([InputField.from.inQuery.required, InputField.to.inQuery.required])
            .taking([InputField].party.map(\.inQuery))
            .failing(.conflict)
            .costing(5)
            .explained("Nobody's name or destination is in it, and nothing is ordered."),
            .post(
                "/api/shared-rides/{ride}/join",
                as: "api.sharing.join",
                "Join a shared ride",
                in: .rides,
                for: [.shareRides],
                returns: .ride,
                join
            )
            .taking([.path("ride", .number(1...Int64.max), "The number of the shared ride.")])
            .taking([InputField.from.required, InputField.to.required])
            .taking(.party)
            .failing(.created)
            .onceByKey
            .explained("The person's own request of that ride has a number of its own."),
            .get(
                "/api/rides/{request}/sharing",
                as: "api.sharing.read",
                "Read how a ride is shared",
                in: .rides,
                for: [.shareRides],
                returns: .sharedRide,
                readSharing
            )
            .taking([.request]),
        ]
        return operations.map { $0.of(.sharing).acting([.person]) }
    }

    /// The person's order that shares its taxi, with the state of the service for that person.
    private func sharedOrder(_ call: Call) async throws -> (RideOrder, ServiceNow) {
        guard let person = call.person else { throw Failure.notAllowed }
        let now = try await taxi.now(for: person.passenger)
        if let reason = now.suspension { throw Failure.suspended(reason: reason) }
        guard now.policy.sharing else { throw Refusal.sharingDisabled }
        var draft = try draft(call)
        draft.isShared = true
        guard let order = draft.order(of: person.passenger, isGuest: false),
            order.destination != nil
        else { throw ProgramRefusal.field("to", "missing", "A shared ride needs it.") }
        return (order, now)
    }

    private func join(_ call: Call) async throws -> Answer {
        if let made = try await requestMadeBefore(call.context) {
            return try await created(made, call)
        }
        let (order, now) = try await sharedOrder(call)
        let owner = RequestNumber(rawValue: UInt64(clamping: call.number("ride") ?? 0))
        do {
            let joined = try await taxi.join(
                order,
                to: owner,
                given: now,
                key: Self.orderKey(call.context),
                recording: recording(call, for: PersonNumber(passenger: order.passenger))
            )
            return try await created(joined.request, call)
        } catch Refusal.noSuchRequest {
            throw Refusal.notShared
        }
    }

    private func readSharing(_ call: Call) async throws -> Answer {
        let ride = try await ownRide(call)
        let passenger = ride.passenger.passenger
        guard let view = try await taxi.view(ride.number, for: passenger) else {
            throw Failure.notFound
        }
        let split = try await taxi.shareEstimate(of: ride.number, for: passenger)
        return Answer([
            "shared": .bool(view.isShared), "joined": .bool(view.ride != view.request),
            "parties": JSONValue(view.parties), "share": JSONValue(split?.share),
            "total": JSONValue(split?.total), "alone": JSONValue(split?.alone),
        ])
    }

    /// A ride to join: the fare of the whole ride is left out, because it would tell how far the
    /// others travel (I27).
    private static func json(_ ride: RideProposal) -> JSONValue {
        [
            "ride": JSONValue(ride.ride.rawValue), "pickup": .text(ride.meeting.text),
            "at": JSONValue(ride.at), "walk_seconds": .integer(ride.walkSeconds),
            "people": JSONValue(ride.people), "share": JSONValue(ride.split?.share),
            "alone": JSONValue(ride.split?.alone),
        ]
    }
}

extension Schema {
    fileprivate static let proposal = Schema.named(
        "SharedRideOffer",
        [
            Member("ride", .integer, "The number by which it is joined."),
            Member("pickup", .text, "Where all board."),
            Member("at", .moment, "When the taxi is there."),
            Member("walk_seconds", .integer, "The walk to it."),
            Member("people", .integer, "How many people ride so far."),
            Member("share", .optional(.money), "About what the person would pay."),
            Member("alone", .optional(.money), "About what a ride alone would cost."),
        ]
    )

    fileprivate static let sharedRide = Schema.named(
        "SharedRide",
        [
            Member("shared", .boolean, "Whether others may join."),
            Member("joined", .boolean, "Whether the person joined the ride of others."),
            Member("parties", .integer, "How many parties share the taxi."),
            Member("share", .optional(.money), "About what the person pays."),
            Member("total", .optional(.money), "About what the whole ride costs."),
            Member("alone", .optional(.money), "About what a ride alone would cost."),
        ]
    )
}
