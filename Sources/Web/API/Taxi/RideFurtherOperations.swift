import Dispatching
import Encoding
import HTTPTypes
import Identity
import Markup
import OpenData
import Taxi
import TaxiPages
import WebCore

/// What can be done with a ride besides following it: its arrival, a link for others, feedback.
extension CityAPI {
    var rideFurtherOperations: [Operation] {
        [
            .get(
                "/api/rides/{request}/arrival",
                as: "api.rides.arrival",
                "Read when the taxi arrives",
                in: .rides,
                for: Self.rideScopes,
                returns: .arrival,
                arrival
            )
            .taking([.request])
            .explained("While the taxi comes, its arrival; on board, that at the destination."),
            .get(
                "/api/rides/{request}/receipt",
                as: "api.rides.receipt",
                "Read the receipt of a ride",
                in: .rides,
                for: Self.rideScopes,
                returns: .receipt
            ) { call in
                let ride = try await seenRide(call)
                let passenger = ride.passenger.passenger
                let receipt = try await taxi.receipt(of: ride.number, for: passenger)
                return Answer([
                    "text": .text(receipt.receipt.text), "signature": .text(receipt.signature.hex),
                ])
            }
            .taking([.request])
            .explained("The text is signed, so that anybody can have it verified."),
            .get(
                "/api/rides/{request}/link",
                as: "api.rides.link",
                "Read the link to a ride",
                in: .rides,
                for: Self.rideScopes,
                returns: .link
            ) { call in Answer(try await link(to: try await ownRide(call), call)) }
            .taking([.request]),
            .post(
                "/api/rides/{request}/link",
                as: "api.rides.share",
                "Make a link to a ride",
                in: .rides,
                for: Self.rideScopes,
                returns: .link
            ) { call in
                let ride = try await ownRide(call)
                try await taxi.makeTripLink(to: ride.number, for: ride.passenger.passenger)
                return Answer(try await link(to: ride, call))
            }
            .taking([.request])
            .onceByNature(because: "a ride has one link, which stays as it is")
            .explained("Whoever has the link sees when the ride arrives, but no place."),
            .post(
                "/api/rides/{request}/unlink",
                as: "api.rides.unshare",
                "End the link to a ride",
                in: .rides,
                for: Self.rideScopes,
                returns: .link
            ) { call in
                let ride = try await ownRide(call)
                try await taxi.endTripLink(to: ride.number, for: ride.passenger.passenger)
                return Answer(try await link(to: ride, call))
            }
            .taking([.request])
            .onceByNature(because: "a link that has ended cannot end again"),
            .post(
                "/api/rides/{request}/feedback",
                as: "api.rides.feedback",
                "Say how a ride was",
                in: .rides,
                for: Self.rideScopes,
                returns: .feedback,
                takeFeedback
            )
            .taking([
                .request,
                .set("stars", .number(1...5), "How good the ride was."),
                .set("words", .text(1_000), "What the passenger says about it."),
                .set("report", .truth, "Whether the office must look into it."),
            ])
            .onceByNature(because: "a ride has one feedback, which is set")
            .explained("Only operators see it. A later one replaces an earlier one."),
        ]
    }

    private func arrival(_ call: Call) async throws -> Answer {
        let ride = try await seenRide(call)
        let view = try await taxi.view(ride.number, for: ride.passenger.passenger)
        guard let view else { throw Failure.notFound }
        let destination = await taxi.arrivalAtDestination(of: view)
        var pickup = JSONValue.null
        if case .at(let moment) = view.arrival { pickup = JSONValue(moment) }
        return Answer([
            "state": .text(RideState(view).word), "pickup": pickup,
            "destination": JSONValue(destination),
        ])
    }

    private func link(to ride: ApplicationRide, _ call: Call) async throws -> JSONValue {
        let passenger = ride.passenger.passenger
        let token = try await taxi.tripLink(to: ride.number, for: passenger)
        return ["address": JSONValue(token.map { full(Address("/trip", $0), call.context) })]
    }

    private func takeFeedback(_ call: Call) async throws -> Answer {
        let ride = try await ownRide(call)
        let (stars, words) = (call.number("stars"), call["words"] ?? "")
        if stars == nil, words.isEmpty {
            throw ProgramRefusal.field("stars", "missing", "Send stars, words or both.")
        }
        let passenger = ride.passenger.passenger
        try await taxi.say(
            of: ride.number,
            for: passenger,
            stars: stars,
            words: words,
            isReport: call.flag("report")
        )
        guard let kept = try await taxi.feedback(on: ride.number, for: passenger) else {
            throw Failure.notFound
        }
        return Answer([
            "stars": JSONValue(kept.stars), "words": .text(kept.words),
            "report": .bool(kept.isReport), "made": JSONValue(kept.made),
        ])
    }
}

extension Schema {
    fileprivate static let arrival = Schema.named(
        "Arrival",
        [
            Member("state", .choice(RideState.words), "How far the ride is."),
            Member("pickup", .optional(.moment), "When the taxi arrives at the pickup."),
            Member("destination", .optional(.moment), "When it arrives at the destination."),
        ]
    )

    fileprivate static let receipt = Schema.named(
        "Receipt",
        [
            Member("text", .text, "The receipt, one fact a line."),
            Member("signature", .text, "The city's signature (Ed25519) in hexadecimal digits."),
        ]
    )

    fileprivate static let link = Schema.named(
        "Link",
        [Member("address", .optional(.text), "The address; null if there is no link.")]
    )

    fileprivate static let feedback = Schema.named(
        "Feedback",
        [
            Member("stars", .optional(.integer), "How good the ride was, from 1 to 5."),
            Member("words", .text, "What the passenger says about it."),
            Member("report", .boolean, "Whether the office must look into it."),
            Member("made", .moment, "When it was said."),
        ]
    )
}
