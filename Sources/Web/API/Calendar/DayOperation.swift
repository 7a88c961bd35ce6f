import Chronology
import HTTPTypes
import Identity
import OpenData
import TaxiPages
import WebCore

/// The plan of a day, for programs that are told that it broke (V88, R107).
extension CityAPI {
    var dayPlan: Operation {
        .get(
            "/api/calendar/days/{date}",
            as: "api.calendar.day",
            "Read the plan of a day",
            in: .calendar,
            for: [.readCalendar],
            returns: .dayPlan,
            readDay
        )
        .taking([.path("date", .date, "The day in the city's time zone.")])
        .failing(.conflict)
        .costing(5)
        .explained(
            """
            The journeys between the events of the day, what is wrong with it, and how it may be \
            mended. The answer is that of `viavai day --json`: see docs/answers.md. If the day is \
            being planned, the answer is 503 with `Retry-After`.
            """
        )
    }

    private func readDay(_ call: Call) async throws -> Answer {
        guard let date = call.day("date"), Self.years.contains(date.numbers.year) else {
            throw Failure.notFound
        }
        let text = try await planning.plan(of: try call.owner(), on: date, at: call.now)
        return Answer(try JSONValue(parsing: Array(text.utf8)))
    }
}

/// Plans of days as the planner writes them: docs/answers.md. What is unknown is left out.
extension Schema {
    fileprivate static let dayPlan = Schema.named(
        "DayPlan",
        [
            Member("day", .day, "The day."),
            Member("feasible", .boolean, "Whether it works out."),
            Member("exact", .boolean, "Whether no better plan exists."),
            Member(
                "gap_minutes",
                .integer,
                "If `exact` is false: how many minutes of travel a better plan may save at most.",
                mayLack: true
            ),
            Member("tasks", .list(task), "What takes place, with times for flexible tasks."),
            Member("journeys", .list(journey), "The journeys, in order."),
            Member("warnings", .list(warning), "Where time is short."),
            Member("given_up", .list(.text), "The limits that the plan does not keep to."),
            Member("conflicts", .list(conflict), "Why the day does not work out."),
            Member("repairs", .list(repair), "The ways to mend it, the smallest change first."),
        ]
    )

    private static let task = Schema.named(
        "DayTask",
        [
            Member("uid", .text, "The `uid` of the event."),
            Member("title", .text, "What it is."),
            Member("start", .moment, "When it begins."),
            Member("end", .moment, "When it ends."),
            Member("place", .text, "Where it is.", mayLack: true),
            Member("lat", .number, "Degrees north of the equator.", mayLack: true),
            Member("lon", .number, "Degrees east of Greenwich.", mayLack: true),
        ]
    )

    private static let journey = Schema.named(
        "DayJourney",
        [
            Member("departure", .moment, "When to leave."),
            Member("arrival", .moment, "When it ends."),
            Member("from", .text, "The `uid` of an event, `base`, `here`, or where a vehicle is."),
            Member("to", .text, "The `uid` of an event, `base`, or where a vehicle is."),
            Member("modes", .list(.text), "The means of travel, in order."),
            Member("walk_m", .integer, "The metres on foot."),
            Member("transfers", .integer, "The number of transfers."),
            Member(
                "warnings",
                .list(
                    .object([
                        Member("kind", .text, "The kind of warning."),
                        Member("text", .text, "What to expect, in English."),
                    ])
                ),
                "What to expect on the way."
            ),
            Member("price_minor", .integer, "The price, such as in cents.", mayLack: true),
            Member("currency", .text, "The currency (ISO 4217).", mayLack: true),
            Member("price_kind", .text, "exact, estimated or unknown."),
            Member("co2_g", .integer, "Grams of CO2e.", mayLack: true),
            Member(
                "rental",
                .object([
                    Member("system", .text, "The name of the system."),
                    Member("from", .text, "Where it is rented."),
                    Member("to", .text, "Where it is returned."),
                    Member("page", .text, "The provider's page.", mayLack: true),
                ]),
                "The rental of a shared vehicle.",
                mayLack: true
            ),
            Member("has_ticket", .boolean, "True if the person has the ticket.", mayLack: true),
        ]
    )

    private static let warning = Schema.named(
        "DayWarning",
        [
            Member("kind", .text, "short_wait, long_wait, or late for an arrival after the start."),
            Member("uid", .text, "The `uid` of the event."),
            Member("seconds", .integer, "The wait, or by how much it is late."),
        ]
    )

    private static let conflict = Schema.named(
        "DayConflict",
        [
            Member("kind", .text, "What is wrong: overlap, unreachable or no_room."),
            Member("from", .text, "As in a journey.", mayLack: true),
            Member("to", .text, "As in a journey."),
            Member(
                "preference",
                .text,
                "The preference that alone is in the way: means or walk.",
                mayLack: true
            ),
        ]
    )

    private static let repair = Schema.named(
        "DayRepair",
        [
            Member(
                "changes",
                .list(
                    .object([
                        Member("kind", .text, "What to change: postpone, shorten, drop, …"),
                        Member("uid", .text, "The `uid` of the event.", mayLack: true),
                        Member("minutes", .integer, "By how many minutes.", mayLack: true),
                    ])
                ),
                "The changes, all of which are needed."
            ),
            Member("minutes", .integer, "How many minutes they take from the events."),
            Member("people", .integer, "How many other people they concern."),
            Member("lost_tickets", .integer, "How many tickets they lose.", mayLack: true),
        ]
    )
}
