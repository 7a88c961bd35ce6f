/// All operations that change something, by their names.
extension PageCounterpart {
    /// The counterparts of the operations that change something.
    static let ofOperations: [String: PageCounterpart] =
        ofCalendar.merging(ofPeople) { $1 }.merging(ofRides) { $1 }.merging(ofDrivers) { $1 }
        .merging(ofWebhooks) { $1 }
        .merging([
            "trips.plan-many": .none(because: "People ask one question at a time.")
        ]) { $1 }

    private static let answer = "A box or a choice on the page, true or false here."
    private static let number = "The page keeps a number that it wrote itself; 0 is none."

    // MARK: The calendar

    private static let ofCalendar: [String: PageCounterpart] = [
        "calendar.add": PageCounterpart(
            "calendar.new",
            names: entryNames,
            reasons: entryReasons,
            difference: """
                The page warns before it saves what does not work out. A program adds it and reads \
                calendar.day.
                """
        ),
        "calendar.change": PageCounterpart(
            "calendar.entry",
            names: entryNames,
            reasons: entryReasons,
            difference: """
                The page sends all fields and can change single times of a series. A program sends \
                what changes, and changes all times.
                """
        ),
        "calendar.remove": PageCounterpart(
            "calendar.entry.delete",
            difference: "The page can remove single times of a series, and cancel taxis with it."
        ),
    ]

    private static let entryNames = [
        "date": "day", "time": "start", "end_date": "last", "end_time": "end",
        "least_minutes": "least", "piece_minutes": "piece", "weekdays": "days",
        "repeat_until": "until",
        "exclusivity": "overlapping",
        "lead_minutes": "lead", "is_work": "belongs", "no_wet": "rain", "has_notices": "notices",
    ]

    private static let entryReasons = [
        "repeat": "The rule of another program, which the page shows, cannot be stated anew.",
        "is_work": answer, "no_wet": answer, "has_notices": answer,
        "aim": "On the page, nothing in particular is a choice; here the field is left out.",
    ]

    // MARK: People

    private static let ofPeople: [String: PageCounterpart] = [
        "people.register": PageCounterpart(
            "register",
            reasons: [
                "language": "A page is in the language of its visitor.",
                "gender": "An empty value is sent by programs that have a field for it.",
            ],
            difference: "A password is chosen on the page alone: no program sees it."
        ),
        "profile.change": PageCounterpart(
            "account.edit",
            reasons: ["gender": "An empty value removes what was stated."],
            difference: "The page sends all fields, a program what changes."
        ),
    ]

    // MARK: Rides

    private static let guest = [
        "contact": "A program names the guest for whom it orders; a visitor orders alone.",
        "language": "A page is in the language of its visitor.",
    ]

    private static let sealed = "The page keeps the order sealed and sends it as one field."

    private static let ofRides: [String: PageCounterpart] = [
        "rides.call": PageCounterpart(
            "taxi.order",
            "taxi.request",
            reasons: guest.merging([
                "wait_seconds": "A page is told by a stream of events.", "share": answer,
            ]) { $1 }
        ),
        "rides.cancel": PageCounterpart("ride.cancel"),
        "rides.feedback": PageCounterpart("ride.feedback", reasons: ["report": answer]),
        "rides.share": PageCounterpart("ride.link.make"),
        "rides.unshare": PageCounterpart("ride.link.end"),
        "reservations.make": PageCounterpart("taxi.order", reasons: guest),
        "reservations.change": PageCounterpart("ride.change", "taxi.order"),
        "reservations.cancel": PageCounterpart(
            "ride.cancel",
            reasons: ["scopes": "One page cancels rides and reservations."]
        ),
        "sharing.join": PageCounterpart(
            "taxi.join",
            reasons: ["from": sealed, "to": sealed, "seats": sealed, "needs": sealed]
        ),
    ]

    // MARK: Drivers

    private static let measured = "The page sends several positions as one body."

    private static let ofDrivers: [String: PageCounterpart] = [
        "driver.duty": PageCounterpart(
            "drive.duty",
            names: ["available": "wish"],
            reasons: ["available": answer]
        ),
        "driver.position": PageCounterpart(
            "drive.positions",
            reasons: [
                "latitude": measured, "longitude": measured, "accuracy": measured, "age": measured,
            ]
        ),
        "driver.accept": PageCounterpart(
            "drive.offer.accept",
            reasons: ["request": number, "epoch": number]
        ),
        "driver.refuse": PageCounterpart(
            "drive.offer.refuse",
            reasons: ["request": number, "epoch": number]
        ),
        "driver.arrived": PageCounterpart(
            "drive.ride.arrived",
            names: ["request": "ride"],
            reasons: ["request": number]
        ),
        "driver.board": PageCounterpart(
            "drive.ride.board",
            names: ["request": "ride"],
            reasons: ["request": number]
        ),
        "driver.end": PageCounterpart(
            "drive.ride.finish",
            names: ["request": "ride"],
            reasons: [
                "request": number,
                "surcharges": "The page has a field for each surcharge of the tariff.",
            ]
        ),
    ]

    // MARK: Webhooks

    private static let ofWebhooks: [String: PageCounterpart] = [
        "webhooks.add": PageCounterpart("webhooks.new"),
        "webhooks.change": PageCounterpart("webhooks.edit"),
        "webhooks.remove": PageCounterpart("webhooks.remove"),
        "webhooks.secret": PageCounterpart("webhooks.secret"),
        "webhooks.open": PageCounterpart("webhooks.open"),
        "webhooks.test": PageCounterpart("webhooks.test"),
        "webhooks.send": PageCounterpart("webhooks.send"),
        "webhooks.stream": .none(because: "Only a program reads a stream."),
    ]
}
