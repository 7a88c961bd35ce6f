import Agenda
import Chronology
import Geo
import OpenData
import WebCore

/// Events of a calendar as answers.
extension CityAPI {
    /// An event of a calendar, at its only or first time.
    func json(of entry: AgendaEntry) -> JSONValue {
        guard let details = entry.details(of: nil, zone: agenda.zone) else {
            preconditionFailure("an entry of a calendar has no item")
        }
        let (timing, zone) = (details.timing, agenda.zone.table)
        let (start, end) = (timing.start?.instant(in: zone), timing.end?.instant(in: zone))
        let length = Self.minutes(of: timing, from: start, until: end)
        let isPerWeek = details.repetition.frequency == .timesAWeek
        return [
            "event": .integer(entry.number.rawValue), "uid": .text(entry.item?.uid ?? ""),
            "title": .text(details.title), "starts": JSONValue(start), "ends": JSONValue(end),
            "is_recurring": .bool(entry.isRepeated), "timing": .text(timing.word.rawValue),
            "minutes": JSONValue(length?.usual), "least_minutes": JSONValue(length?.least),
            "repeat": .text(details.repetition.frequency.rawValue),
            "piece_minutes": JSONValue(details.pieceMinutes),
            "weekdays": .list(
                details.repetition.weekdays.sorted().map {
                    .text(EntryRepetition.weekdayNames[Int($0)])
                }
            ),
            "times": isPerWeek ? .integer(Int64(details.repetition.times)) : .null,
            "repeat_until": JSONValue(details.repetition.until?.iso8601),
            "place": Self.json(details.place), "notes": .text(details.notes),
            "exclusivity": .text(details.exclusivity.rawValue),
            "lead_minutes": .integer(details.leadMinutes),
            "category": .text(details.category.rawValue),
            "is_work": details.isWork.map { .bool($0) } ?? .null,
            "means": details.means.map { means in
                .list(TravelMeans.allCases.filter(means.contains).map { .text($0.rawValue) })
            } ?? .null,
            "aim": JSONValue(details.aim?.rawValue), "no_wet": .bool(details.avoidsRain),
            "has_notices": .bool(details.hasNotices), "template": JSONValue(details.template),
        ]
    }

    private static func minutes(
        of timing: EntryTiming,
        from start: Instant?,
        until end: Instant?
    ) -> (usual: Int64, least: Int64)? {
        if case .flexible(_, _, let minutes, let least) = timing { return (minutes, least) }
        guard let start, let end else { return nil }
        let minutes = (end.seconds - start.seconds) / 60
        return (minutes, minutes)
    }

    /// An event at one of its times.
    static func json(of occurrence: AgendaOccurrence) -> JSONValue {
        [
            "event": .integer(occurrence.entry.rawValue), "uid": .text(occurrence.item.uid),
            "title": .text(occurrence.item.summary ?? ""),
            "starts": JSONValue(occurrence.span.lowerBound),
            "ends": JSONValue(occurrence.span.upperBound),
            "is_recurring": .bool(occurrence.isRepeated),
            "is_whole_day": .bool(occurrence.isWholeDay),
            "is_closed": .bool(occurrence.isClosed),
        ]
    }

    /// A task without a date.
    static func json(ofUndated entry: AgendaEntry) -> JSONValue {
        [
            "event": .integer(entry.number.rawValue), "uid": .text(entry.item?.uid ?? ""),
            "title": .text(entry.item?.summary ?? ""), "starts": .null, "ends": .null,
            "is_recurring": false, "is_whole_day": false, "is_closed": false,
        ]
    }

    private static func json(_ place: EntryPlace?) -> JSONValue {
        guard let place else { return .null }
        return [
            "name": .text(place.name), "lat": JSONValue(place.position?.latitudeDegrees),
            "lon": JSONValue(place.position?.longitudeDegrees),
        ]
    }
}

extension JSONValue {
    /// A number; `null` if there is none.
    fileprivate init(_ number: Double?) {
        self = number.map { .number($0) } ?? .null
    }
}

extension Schema {
    private static let main = [
        Member("event", .integer, "The number of the event, by which it can be read."),
        Member("uid", .text, "Its identifier in calendar files and in the plans of days."),
        Member("title", .text, "What it is."),
        Member("starts", .optional(.moment), "When it begins; null for a task without a date."),
        Member("ends", .optional(.moment), "When it ends."),
        Member("is_recurring", .boolean, "Whether it has several times."),
    ]

    /// An event of a calendar.
    static let event = Schema.named(
        "Event",
        main + [
            Member(
                "timing",
                .choice(EventFields.Timing.allCases.map(\.rawValue)),
                "How it is timed."
            ),
            Member("minutes", .optional(.integer), "How long it takes; null for someday."),
            Member("least_minutes", .optional(.integer), "How little it may take."),
            Member(
                "piece_minutes",
                .optional(.integer),
                "How short a piece of it may be; null for one in one piece."
            ),
            Member(
                "repeat",
                .choice(EntryRepetition.Frequency.allCases.map(\.rawValue)),
                "How often it is; `other` by a rule that these words cannot say."
            ),
            Member(
                "weekdays",
                .list(.choice(EntryRepetition.weekdayNames)),
                "Its days of the week if it is weekly or they were chosen; empty for one."
            ),
            Member("times", .optional(.integer), "How many times a week it is, if it says so."),
            Member("repeat_until", .optional(.day), "The last day of its repetition."),
            Member("place", .optional(.eventPlace), "Where it is."),
            Member("notes", .text, "More about it; may be empty."),
            Member(
                "exclusivity",
                .choice(EntryExclusivity.allCases.map(\.rawValue)),
                "What may be at the same time."
            ),
            Member("lead_minutes", .integer, "How many minutes before its start to arrive."),
            Member(
                "category",
                .choice(EntryCategory.allCases.map(\.rawValue)),
                "What kind of entry it is."
            ),
            Member("is_work", .optional(.boolean), "Whether it is work; null if not said."),
            Member(
                "means",
                .optional(.list(.choice(TravelMeans.allCases.map(\.rawValue)))),
                "The only means of travel to it; null for those of the settings."
            ),
            Member(
                "aim",
                .optional(.choice(TravelAim.allCases.map(\.rawValue))),
                "What counts most on the way to it."
            ),
            Member("no_wet", .boolean, "Whether nobody cycles to it in the rain."),
            Member("has_notices", .boolean, "Whether the person is told when to leave."),
            Member("template", .optional(.text), "The template that it follows."),
        ]
    )

    /// An event at one of its times.
    static let occurrence = Schema.named(
        "Occurrence",
        main + [
            Member("is_whole_day", .boolean, "Whether it lasts whole days."),
            Member("is_closed", .boolean, "Whether it is cancelled or done."),
        ]
    )

    private static let eventPlace = Schema.named(
        "EventPlace",
        [
            Member("name", .text, "What the person calls it; may be empty."),
            Member("lat", .optional(.number), "Degrees north of the equator."),
            Member("lon", .optional(.number), "Degrees east of Greenwich."),
        ]
    )
}
