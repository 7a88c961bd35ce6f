import Drivers
package import WebCore

extension InputField {
    /// The request or ride that a page is about.
    package static let request = path("request", .number(1...Int64.max), "The number of a request.")

    /// The e-mail address of a person.
    package static let email = typed("email", .text(254), "The e-mail address of the person.")

    /// The language of a person.
    package static let language = set(
        "language",
        .choice(["en", "it"]),
        "The language of pages and messages."
    )

    /// The contact of a person without an account.
    package static let contact = typed(
        "contact",
        .text(254),
        "The telephone number or e-mail address of the person."
    )

    /// The person that a page of the console is about.
    package static let person = path("person", .number(1...Int64.max), "The number of a person.")

    /// Where a ride begins.
    package static let from = typed("from", .text(OrderDraft.Wish.limit), "Where the ride begins.")

    /// Where a ride ends.
    package static let to = typed("to", .text(OrderDraft.Wish.limit), "Where the ride ends.")

    /// The order that a page asks to confirm; a form that is too old leads back to the order.
    package static let order = set(
        "order",
        .opaque(OrderSeal.limit),
        "The order that the page showed, sealed."
    ).explained

    /// The reason that a person types, which is logged with the action.
    package static let reason = typed("reason", .text(200), "Why this is done.")

    /// The checkbox that confirms an action that cannot be undone.
    package static let proceed = set("proceed", .flag("yes"), "Confirms what cannot be undone.")
}

extension [InputField] {
    /// The name and contact of a person, as typed.
    package static let person: [InputField] = [
        .typed("name", .text(80), "The first name of the person."),
        .typed("surname", .text(80), "The last name of the person."),
        .typed("phone", .text(40), "The telephone number, with the country code."),
    ]

    /// The documents of a driver and the taxi, as typed.
    package static let papers: [InputField] = [
        .typed("taxi_code", .text(40), "The code under which the city knows the taxi."),
        .typed("plate", .text(40), "The number plate of the taxi."),
        .typed("make", .text(VehicleLook.makeLimit), "The make and model of the taxi."),
        .set("colour", .choice(of: VehicleColour.self), "The colour of the taxi.").explained,
        .typed("taxi_licence", .text(40), "The number of the taxi licence."),
        .typed("taxi_licence_expires", .date, "The last day of the taxi licence."),
        .typed("driving_licence", .text(40), "The number of the driving licence."),
        .typed("driving_licence_expires", .date, "The last day of the driving licence."),
    ]

    /// The pickup time of an order, now or later.
    package static let pickupTime: [InputField] = [
        .set("when", .choice(["now", "later"]), "Whether the taxi comes now or later."),
        .typed("date", .date, "The day of a later ride, in the city's time zone."),
        .typed("time", .time, "The time of a later ride, in the city's time zone."),
        .set(
            "which",
            .choice(["first", "second"]),
            "Which of two equal times of the clock change."
        )
        .explained,
    ]

    /// The party that travels.
    package static let party: [InputField] = [
        .typed("seats", .number(1...9), "How many people travel."),
        .set("needs", .several(.choice(["wheelchair"]), 1), "What the taxi must be equipped for."),
    ]

    /// The pixel at which a ``PressedPicture`` was pressed, in a form.
    package static let pressedPoint: [InputField] = ["point.x", "point.y"].map {
        .set($0, .number(0...Int64(PressedPicture.side - 1)), "The pixel pressed on the map.")
    }
}
