import Agenda
import Chronology
import Geo
import OpenData
import WebCore

/// Events of a calendar as answers.
extension CityAPI {
    /// An event of a calendar, at its only or first time.
    func json(of entry: AgendaEntry) -> JSONValue {
        let details = entry.details(of: nil, zone: agenda.zone)
        let timing = details?.timing
        let zone = agenda.zone.table
        return [
            "event": .integer(entry.number.rawValue), "title": .text(details?.title ?? ""),
            "starts": JSONValue(timing?.start?.instant(in: zone)),
            "ends": JSONValue(timing?.end?.instant(in: zone)),
            "is_recurring": .bool(entry.isRepeated),
            "place": Self.json(details?.place), "notes": .text(details?.notes ?? ""),
        ]
    }

    /// An event at one of its times.
    static func json(of occurrence: AgendaOccurrence) -> JSONValue {
        [
            "event": .integer(occurrence.entry.rawValue),
            "title": .text(occurrence.item.summary ?? ""),
            "starts": JSONValue(occurrence.span.lowerBound),
            "ends": JSONValue(occurrence.span.upperBound),
            "is_recurring": .bool(occurrence.isRepeated),
            "is_whole_day": .bool(occurrence.isWholeDay),
            "is_closed": .bool(occurrence.isClosed),
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
        Member("title", .text, "What it is."),
        Member("starts", .optional(.moment), "When it begins; null for a task without a date."),
        Member("ends", .optional(.moment), "When it ends."),
        Member("is_recurring", .boolean, "Whether it has several times."),
    ]

    /// An event of a calendar.
    static let event = Schema.named(
        "Event",
        main + [
            Member("place", .optional(.eventPlace), "Where it is."),
            Member("notes", .text, "More about it; may be empty."),
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
