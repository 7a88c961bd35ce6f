import Drivers
import Taxi

/// What operators see, as the shapes of answers.
extension Schema {
    private static func counts<Key: RawRepresentable<String> & CaseIterable>(
        of keys: Key.Type
    ) -> Schema {
        .object(keys.allCases.map { Member($0.rawValue, .integer, "How many are \($0.rawValue).") })
    }

    /// How busy the fleet is.
    static let busyness = Schema.named(
        "Fleet",
        [
            Member("taxis", counts(of: TaxiStand.self), "The number of taxis by state."),
            Member("requests", counts(of: RequestFilter.self), "The number of requests by state."),
            Member(
                "median_wait_seconds",
                .optional(.integer),
                "The median wait of the last hour; null if no taxi came."
            ),
            Member("unserved_last_hour", .integer, "The requests that found no taxi."),
        ]
    )

    /// A taxi in the operators' table.
    static let taxi = Schema.named(
        "Taxi",
        [
            Member("number", .integer, "The dispatcher's number of the taxi."),
            Member("code", .optional(.text), "The code on the taxi; null once it is removed."),
            Member("state", .choice(TaxiStand.allCases.map(\.rawValue)), "What it does."),
            Member("zone", .optional(.text), "The name of its zone."),
            Member("place_in_queue", .optional(.integer), "Its place, counted from 1."),
            Member("request", .optional(.integer), "The request of its offer or ride."),
            Member("heard", .optional(.moment), "When it last reported."),
        ]
    )

    /// A taxi on the operators' map.
    static let position = Schema.named(
        "Position",
        [
            Member("number", .integer, "The dispatcher's number of the taxi."),
            Member("code", .optional(.text), "The code on the taxi."),
            Member("state", .choice(TaxiStand.allCases.map(\.rawValue)), "What it does."),
            Member("position", .place, "Where it is."),
            Member("at", .moment, "When it was there."),
        ]
    )

    /// A place in a queue.
    static let queued = Schema.named(
        "Queued",
        [
            Member("place", .integer, "The place, counted from 1."),
            Member("number", .integer, "The dispatcher's number of the taxi."),
            Member("code", .optional(.text), "The code on the taxi."),
            Member("state", .choice(TaxiStand.allCases.map(\.rawValue)), "What it does."),
            Member("since", .optional(.moment), "Since when it waits."),
            Member("is_restored", .boolean, "Whether it got its turn back."),
        ]
    )

    /// An open request without its passenger.
    static let openRequest = Schema.named(
        "OpenRequest",
        [
            Member("request", .integer, "The number of the request."),
            Member("zone", .text, "The name of its zone."),
            Member("asked", .optional(.moment), "When it arrived."),
            Member("due", .optional(.moment), "The time of a reservation."),
            Member("seats", .integer, "The number of seats."),
            Member("wheelchair", .boolean, "Whether there is a wheelchair."),
            Member("drivers_asked", .integer, "How many drivers were asked so far."),
            Member("taxi", .optional(.text), "The code of the taxi with the offer or the ride."),
        ]
    )

    /// A notice to drivers.
    static let notice = Schema.named(
        "Notice",
        [
            Member("number", .integer, "The number of the notice."),
            Member("zone", .optional(.text), "The code of the zone whose drivers see it."),
            Member("taxi", .optional(.integer), "The taxi whose driver sees it."),
            Member("made", .moment, "When it was written."),
            Member("until", .moment, "Until when it is shown."),
            Member(
                "texts",
                .list(
                    .object([
                        Member("language", .text, "The language, such as en."),
                        Member("text", .text, "What the notice says."),
                    ])
                ),
                "The text in each language in which it was written."
            ),
            Member("english", .text, "The English text of texts; may be empty."),
            Member("italian", .text, "The Italian text of texts; may be empty."),
        ]
    )

    /// A driver without name and contact.
    static let driver = Schema.named(
        "Driver",
        [
            Member("number", .integer, "The number of the driver."),
            Member("taxi", .text, "The code on the taxi."),
            Member("plate", .text, "The number plate of the taxi."),
            Member("verification", .text, "Whether the office has checked the documents."),
            Member("is_suspended", .boolean, "Whether the office has suspended the driver."),
            Member("taxi_licence_expires", .text, "The last day of the taxi licence."),
            Member("driving_licence_expires", .text, "The last day of the driving licence."),
        ]
    )
}
