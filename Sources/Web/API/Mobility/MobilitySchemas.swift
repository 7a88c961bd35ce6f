import OpenData
import Taxi

/// The shapes of the Mobility Data Specification 2.0, as far as they are used.
extension Schema {
    private static let mdsVersion = Member("version", .text, "The version of the specification.")
    private static let device = Member("device_id", .text, "The vehicle, as a UUID.")
    private static let provider = Member("provider_id", .text, "The city's service, as a UUID.")

    private static let point = Schema.named(
        "MDSPoint",
        [
            Member("lat", .number, "Degrees north of the equator."),
            Member("lng", .number, "Degrees east of Greenwich."),
        ]
    )

    private static let links = Schema.object([
        Member("next", .optional(.text), "The address of the next page.")
    ])

    private static func live(_ member: Member) -> Schema {
        .object([
            mdsVersion, Member("last_updated", .integer, "When it was true, in ms since 1970."),
            Member("ttl", .integer, "How long it stays true, in milliseconds."), member,
            Member("links", links, "Where the list goes on."),
        ])
    }

    private static let mdsEvent = Schema.named(
        "MDSEvent",
        [
            device, provider, Member("event_id", .text, "The event, as a UUID."),
            Member(
                "vehicle_state",
                .choice(VehicleEvent.State.allCases.map(\.rawValue)),
                "The state after the event."
            ),
            Member(
                "event_types",
                .list(.choice(VehicleEvent.Kind.allCases.map(\.rawValue))),
                "What happened."
            ),
            Member("timestamp", .integer, "When it happened, in ms since 1970."),
            Member("event_geographies", .list(.text), "The city and the zone, as UUIDs."),
            Member("trip_ids", .list(.text), "The trips that it is about.", mayLack: true),
        ]
    )

    /// A page of vehicles.
    static let mdsVehicles = live(
        Member(
            "vehicles",
            .list(
                .named(
                    "MDSVehicle",
                    [
                        device, provider, Member("vehicle_id", .text, "The code on the taxi."),
                        Member("vehicle_type", .choice(["car"]), "The kind of vehicle."),
                        Member("propulsion_types", .list(.text), "How it is driven."),
                        Member("accessibility_attributes", .list(.text), "Who can board it."),
                    ]
                )
            ),
            "The vehicles."
        )
    )

    /// A page of vehicles with their state.
    static let mdsStatus = live(
        Member(
            "vehicles_status",
            .list(
                .named(
                    "MDSVehicleStatus",
                    [
                        device, provider, Member("last_event", mdsEvent, "The last event."),
                        Member(
                            "last_telemetry",
                            .object([
                                device, provider,
                                Member("telemetry_id", .text, "The place, as a UUID."),
                                Member("timestamp", .integer, "When, in ms since 1970."),
                                Member("trip_ids", .optional(.list(.text)), "The present trips."),
                                Member("journey_id", .optional(.text), "What they have in common."),
                                Member("location", point, "The middle of the zone."),
                            ]),
                            "The zone in which the vehicle was then."
                        ),
                    ]
                )
            ),
            "The vehicles that have worked."
        )
    )

    /// Events of MDS, with the version of the format.
    static let mdsEvents = Schema.object([
        mdsVersion, Member("events", .list(mdsEvent), "The events."),
    ])

    /// Trips of MDS, with the version of the format.
    static let mdsTrips = Schema.object([
        mdsVersion,
        Member(
            "trips",
            .list(
                .named(
                    "MDSTrip",
                    [
                        provider, device, Member("trip_id", .text, "The trip, as a UUID."),
                        Member("journey_id", .text, "What trips in one taxi have in common."),
                        Member(
                            "trip_type",
                            .list(.choice(["private", "shared", "reservation"])),
                            "How the taxi was used."
                        ),
                        Member("start_time", .integer, "When it began, in ms since 1970."),
                        Member("end_time", .integer, "When it ended, in ms since 1970."),
                        Member("start_location", point, "The middle of the zone of the start."),
                        Member("end_location", point, "The middle of the zone of the end."),
                        Member("duration", .integer, "How long it took, in seconds."),
                        Member("distance", .integer, "The distance in metres; 0 if unknown."),
                        Member("trip_attributes", tripAttributes, "More about it."),
                        Member(
                            "actual_cost",
                            .integer,
                            "What the passenger paid, in minor units.",
                            mayLack: true
                        ),
                        Member("currency", .text, "The currency (ISO 4217).", mayLack: true),
                    ]
                )
            ),
            "The trips."
        ),
    ])

    private static let tripAttributes = Schema.object([
        Member("hail_type", .text, "How the taxi was called; always `app`."),
        Member("passenger_count", .integer, "How many people the driver counted."),
        Member("requested_time", .integer, "When it was asked for, in ms since 1970."),
        Member("quoted_trip_start_time", .integer, "When the taxi was expected."),
        Member("dispatch_time", .integer, "When the driver accepted, in ms since 1970."),
    ])
}
