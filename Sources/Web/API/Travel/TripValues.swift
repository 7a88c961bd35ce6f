/// Trips as the planner writes them: docs/answers.md. What is unknown is left out.
extension Schema {
    /// The answer to a question.
    static let trips = Schema.named(
        "Trips",
        [
            Member("from", tripEnd, "The place from which the trip begins."),
            Member("to", tripEnd, "The place at which it ends."),
            Member("itineraries", .list(itinerary), "The trips to choose from."),
            Member(
                "missing",
                .list(
                    .object([
                        Member("mode", .text, "The mode."),
                        Member("reason", .text, "The reason in English."),
                    ])
                ),
                "The requested modes without a trip."
            ),
            Member("disruptions", .list(disruption), "The strikes and alerts in that time."),
            Member(
                "given_up",
                .list(.text),
                "The limits that no trip keeps to and that were given up (`relax`).",
                mayLack: true
            ),
        ]
    )

    /// The answers to several questions.
    static let manyTrips = Schema.object([
        Member(
            "items",
            .list(
                .object([
                    Member("plan", .optional(.trips), "The trips; null if there is a problem."),
                    Member("problem", .optional(.problem), "Why there is no plan."),
                ])
            ),
            "The answers, in the order of the questions."
        )
    ])

    private static let disruption = Schema.named(
        "Disruption",
        [
            Member("id", .text, "Its identifier in its register or feed."),
            Member("kind", .text, "A strike or an alert."),
            Member("text", .text, "What it is, in English."),
            Member("closed", .boolean, "Whether trips do not use what it is about."),
            Member("revoked", .boolean, "Whether it is a strike that is probably called off."),
            Member(
                "spans",
                .list(
                    .object([
                        Member("start", .moment, "When a part of it begins."),
                        Member("end", .moment, "When that part ends."),
                    ])
                ),
                "When it takes place."
            ),
        ]
    )

    private static let tripEnd = Schema.named(
        "TripEnd",
        [
            Member("name", .text, "The name."), Member("kind", .text, "The kind of place."),
            Member("lat", .number, "Degrees north of the equator.", mayLack: true),
            Member("lon", .number, "Degrees east of Greenwich.", mayLack: true),
        ]
    )

    private static let itinerary = Schema.named(
        "Itinerary",
        [
            Member("id", .text, "Names the trip within the answer."),
            Member("kind", .text, "The means: walk, bike, car, taxi, transit or a shared vehicle."),
            Member("departure", .moment, "When it begins."),
            Member("arrival", .moment, "When it ends."),
            Member("durationSeconds", .integer, "How long it takes."),
            Member("transfers", .integer, "The number of transfers."),
            Member("walkMetres", .integer, "The metres on foot."),
            Member("distanceMetres", .integer, "The whole length."),
            Member("legs", .list(leg), "The legs in order."),
            Member(
                "taxi",
                .object([
                    Member("waitSeconds", .integer, "The wait.", mayLack: true),
                    Member("fareMinorUnits", .integer, "The fare, such as cents.", mayLack: true),
                    Member("currency", .text, "The currency (ISO 4217).", mayLack: true),
                ]),
                "The estimate of a taxi.",
                mayLack: true
            ),
            Member(
                "price",
                .object([
                    Member("kind", .text, "exact, estimated or unknown."),
                    Member("minor", .integer, "The price, such as in cents.", mayLack: true),
                    Member("currency", .text, "The currency (ISO 4217).", mayLack: true),
                ]),
                "What it costs."
            ),
            Member("co2_g", .integer, "Grams of CO2e; left out if unknown.", mayLack: true),
            Member("co2_scope", .text, "What the grams count.", mayLack: true),
            Member("wet_min", .integer, "Minutes in the rain, if known.", mayLack: true),
            Member("on_time", .number, "The probability of being on time.", mayLack: true),
            Member("traffic_min", .integer, "Minutes lost in traffic, if any.", mayLack: true),
            Member(
                "exceeds",
                .list(.text),
                "What it has against the limits that were given up, in English.",
                mayLack: true
            ),
        ]
    )

    private static let leg = Schema.named(
        "Leg",
        [
            Member("mode", .text, "walk, bike, car, taxi, or the kind of vehicle."),
            Member("departure", .moment, "When it begins."),
            Member("arrival", .moment, "When it ends."),
            Member("durationSeconds", .integer, "How long it takes."),
            Member("distanceMetres", .integer, "Its length."),
            Member("from", stop, "The stop where it begins.", mayLack: true),
            Member("to", stop, "The stop where it ends.", mayLack: true),
            Member("geometry", .text, "The line on the map (encoded polyline, precision 5)."),
            Member(
                "streets",
                .list(
                    .object([
                        Member("name", .text, "The name of the street; may be empty."),
                        Member("metres", .number, "How far it is followed."),
                        Member("turn", .text, "The turn onto it.", mayLack: true),
                    ])
                ),
                "The streets in order.",
                mayLack: true
            ),
            Member("straightStartMetres", .integer, "Off the map at the start.", mayLack: true),
            Member("straightEndMetres", .integer, "Off the map at the end.", mayLack: true),
            Member(
                "rental",
                .object([
                    Member("system", .text, "The name of the system."),
                    Member("pickupStation", .text, "Where it is rented.", mayLack: true),
                    Member("returnStation", .text, "Where it is returned.", mayLack: true),
                    Member("page", .text, "The provider's page.", mayLack: true),
                    Member("knownSince", .moment, "The age of the state.", mayLack: true),
                ]),
                "The rental of a shared vehicle.",
                mayLack: true
            ),
            Member("route", .anything("A route of docs/answers.md."), "The ride.", mayLack: true),
        ]
    )

    private static let stop = Schema.named(
        "TripStop",
        [
            Member("id", .text, "The identifier in the feed."),
            Member("feed", .text, "The feed."), Member("name", .text, "The name."),
            Member("platform", .text, "The platform.", mayLack: true),
            Member("latitude", .number, "Degrees north of the equator.", mayLack: true),
            Member("longitude", .number, "Degrees east of Greenwich.", mayLack: true),
            Member("wheelchair", .boolean, "Whether it is accessible.", mayLack: true),
            Member("arrival", .moment, "When the vehicle arrives.", mayLack: true),
            Member("departure", .moment, "When the vehicle leaves.", mayLack: true),
        ]
    )
}
