import Dispatching
import Fares
import OpenData
import Taxi
import TaxiPages

/// What a driver's program learns, which is what the driver's pages show.
extension CityAPI {
    /// An offer, with as much of its places as the city's rules show before it is accepted.
    static func json(_ offer: OfferShown, _ zone: JSONValue) -> JSONValue {
        [
            "request": JSONValue(offer.request.rawValue), "epoch": .integer(offer.epoch),
            "answer_by": JSONValue(offer.deadline), "zone": zone,
            "seats": JSONValue(offer.needs.seats),
            "wheelchair": .bool(offer.needs.wheelchair), "due": JSONValue(offer.due),
            "pickup": place(offer.meeting), "metres_away": JSONValue(offer.straightMetres),
            "destination": offer.destination.map { .text($0.text) } ?? .null,
        ]
    }

    /// A ride, with as much of its places as the city's rules show its driver.
    static func json(_ shown: RideShown) -> JSONValue {
        [
            "request": JSONValue(shown.request.rawValue), "stage": .text(shown.ride.stage.word),
            "seats": JSONValue(shown.needs.seats),
            "wheelchair": .bool(shown.needs.wheelchair),
            "aboard": JSONValue(shown.ride.aboard), "due": JSONValue(shown.due),
            "pickup": place(shown.meeting), "destination": place(shown.destination),
            "stops": .list(shown.stops.map { place($0) }),
            "parties": .list(
                shown.parties.map { party in
                    [
                        "request": JSONValue(party.request.rawValue),
                        "seats": JSONValue(party.needs.seats),
                    ]
                }
            ),
        ]
    }

    private static func place(_ meeting: MeetingPlace?) -> JSONValue {
        JSONValue(meeting?.place, name: meeting?.words.text)
    }
}

extension TaxiStatus {
    /// The status for programs.
    var word: String {
        switch self {
        case .available: "available"
        case .pendingConfirmation: "offered"
        case .riding: "riding"
        case .unavailable: "unavailable"
        case .outOfCity: "out-of-city"
        case .outOfContact: "out-of-contact"
        case .removed: "removed"
        }
    }

    /// The words of all statuses, in the order of the enumeration.
    fileprivate static let words = allCases.map(\.word)
}

extension Ride.Stage {
    /// The stage for programs.
    fileprivate var word: String {
        switch self {
        case .onTheWay: "coming"
        case .atMeetingPoint: "here"
        case .aboard: "aboard"
        }
    }
}

extension Schema {
    /// How a driver stands.
    static let driverAtWork = Schema.named(
        "DriverAtWork",
        [
            Member("status", .choice(TaxiStatus.words), "What the taxi does."),
            Member("available", .boolean, "Whether the driver is available for offers."),
            Member("zone", .optional(.zoneName), "The zone in which the taxi is."),
            Member("taxis_ahead", .optional(.integer), "The taxis ahead in the queue."),
            Member("taxis_queued", .integer, "The taxis in the queue of the zone."),
            Member("position", .optional(.place), "Where the taxi is."),
            Member("position_at", .optional(.moment), "When it was there."),
        ]
    )

    /// The answer about a position that was used.
    static let reported = Schema.object([
        Member("at", .moment, "When the position was measured.")
    ])

    /// The offer to a driver.
    static let offer = Schema.object([
        Member(
            "offer",
            .optional(
                .named(
                    "Offer",
                    [
                        Member("request", .integer, "The number of the request."),
                        Member("epoch", .integer, "Which offer of the request it is."),
                        Member("answer_by", .moment, "Until when an answer counts."),
                        Member("zone", .optional(.zoneName), "The zone of the pickup."),
                        Member("seats", .integer, "How many people travel."),
                        Member("wheelchair", .boolean, "Whether a wheelchair must fit."),
                        Member("due", .optional(.moment), "The time of a reservation."),
                        Member("pickup", .optional(.place), "Where the passengers are."),
                        Member("metres_away", .optional(.integer), "The straight-line distance."),
                        Member("destination", .optional(.text), "Where they want to go."),
                    ]
                )
            ),
            "The offer; null if there is none. What the city's rules hide is null."
        )
    ])

    /// The ride of a driver.
    static let rideAtWork = Schema.object([
        Member(
            "ride",
            .optional(
                .named(
                    "RideAtWork",
                    [
                        Member("request", .integer, "The number of the ride."),
                        Member("stage", .choice(["coming", "here", "aboard"]), "How far it is."),
                        Member("seats", .integer, "How many people travel."),
                        Member("wheelchair", .boolean, "Whether a wheelchair must fit."),
                        Member("aboard", .integer, "How many people are on board."),
                        Member("due", .optional(.moment), "The time of a reservation."),
                        Member("pickup", .optional(.place), "Where the passengers are."),
                        Member("destination", .optional(.place), "Where the ride ends."),
                        Member("stops", .list(.place), "The stops of a shared ride."),
                        Member(
                            "parties",
                            .list(
                                .object([
                                    Member("request", .integer, "The number of the request."),
                                    Member("seats", .integer, "How many people it has."),
                                ])
                            ),
                            "Those who share the ride; the first one ordered it."
                        ),
                    ]
                )
            ),
            "The ride; null if there is none. What the city's rules hide is null."
        )
    ])

    /// The end of a ride.
    static let rideEnd = Schema.object([
        Member("request", .integer, "The number of the ride."),
        Member("fare", .optional(.money), "The fare of the whole ride."),
    ])
}
