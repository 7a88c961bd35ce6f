import Agenda
import Chronology
import WebCore

/// The fields with which a program states an event or a task; those of the calendar's own form.
enum EventFields {
    /// The ways of saying when an entry is.
    enum Timing: String, CaseIterable {
        /// From a time until another.
        case fixed
        /// Somewhere within a window.
        case flexible
        /// At any time.
        case someday
    }

    /// The longest time that an entry takes, in minutes: a week.
    private static let longestMinutes: Int64 = 10_080

    /// The fields of a new event.
    static let added: [InputField] =
        [title.required] + [
            .set("date", .date, "Its day in the city's time zone, on which a window begins."),
            .set("time", .time, "When it, or its window, begins, in the city's time zone."),
            .set("minutes", .number(1...longestMinutes), "How many minutes it takes."),
        ] + further

    /// The fields of a change.
    static let changed: [InputField] = [title] + Array(added.dropFirst())

    private static let title = InputField.set(
        "title",
        .text(EntryDetails.titleLimit),
        "What it is, in one line."
    )

    /// The fields that are about its time, of which a change states some.
    static let ofTime = [
        "timing", "date", "time", "minutes", "end_date", "end_time", "least_minutes",
        "piece_minutes",
    ]

    private static let further: [InputField] =
        [
            .set(
                "timing",
                .choice(of: Timing.self),
                "At a fixed time, flexibly within a window, or at any time; fixed by default."
            ),
            .set(
                "end_date",
                .date,
                "The day on which a window ends; that of its begin by default."
            ),
            .set("end_time", .time, "When a window ends, in the city's time zone."),
            .set(
                "least_minutes",
                .number(1...longestMinutes),
                "How few minutes a flexible task may take; as many as `minutes` by default."
            ),
            .set(
                "piece_minutes",
                .number(1...longestMinutes),
                "How short a piece of a flexible task may be; without it, it is in one piece."
            ),
            .set("repeat", .choice(frequencies.map(\.rawValue)), "How often it is."),
            .set(
                "weekdays",
                .several(.choice(EntryRepetition.weekdayNames), 7),
                "With `weekly`: on which days of the week; that of its date by default."
            ),
            .set(
                "times",
                .number(1...7),
                "With `times_a_week`: how many times, on days that are chosen for it."
            ),
            .set("repeat_until", .date, "The last day of its repetition."),
            .set("place", .text(EntryDetails.placeLimit), "Where it is, as people call it."),
            .set("latitude", .latitude, "Degrees north of the equator, with longitude."),
            .set("longitude", .longitude, "Degrees east of Greenwich, with latitude."),
            .set("notes", .text(EntryDetails.notesLimit), "More about it."),
        ] + wishes

    /// How often an entry may be; rules of other programs cannot be stated.
    private static let frequencies = EntryRepetition.Frequency.allCases.filter { $0 != .other }

    private static let wishes: [InputField] = [
        .set("exclusivity", .choice(of: EntryExclusivity.self), "What may be at the same time."),
        .set(
            "lead_minutes",
            .number(0...EntryDetails.leadLimit),
            "How many minutes before its start to arrive."
        ),
        .set("category", .choice(of: EntryCategory.self), "What kind of entry it is."),
        .set("is_work", .truth, "Whether it belongs to the person's work."),
        .set(
            "means",
            .several(.choice(of: TravelMeans.self), TravelMeans.allCases.count),
            "The only means of travel to it; those of the person's settings by default."
        ),
        .set("aim", .choice(of: TravelAim.self), "What counts most on the way to it."),
        .set("no_wet", .truth, "Whether nobody cycles to it in the rain."),
        .set("has_notices", .truth, "Whether the person is told when to leave; true by default."),
        .set(
            "template",
            .text(EntryTemplate.nameLimit),
            "The person's template from which it takes over what is not stated here."
        ),
    ]
}

extension EntryTiming {
    /// The way of saying when an entry is.
    var word: EventFields.Timing {
        switch self {
        case .fixed: .fixed
        case .flexible: .flexible
        case .someday: .someday
        }
    }
}
