import Agenda
import Chronology
import Encoding
import Geo
import HTTPTypes
import Identity
import OpenData
import TaxiPages
import WebCore

/// The calendar of a person who lets an application read it, or write to it (V88, R107).
extension CityAPI {
    /// For how many days events are listed at once.
    private static let mostDays: Int32 = 62
    /// For how many days they are listed where no last day is given.
    private static let usualDays: Int32 = 7

    var calendarOperations: [Operation] {
        [
            .get(
                "/api/calendar/events",
                as: "api.calendar.list",
                "List the events of a calendar",
                in: .calendar,
                for: [.readCalendar],
                returns: .object([
                    .init("items", .list(.occurrence), "The events, in order of their start.")
                ]),
                listEvents
            )
            .taking([
                .query("first", .date, "The first day; today by default."),
                .query("last", .date, "The last day; six days later by default."),
            ])
            .explained(
                "At most \(Self.mostDays) days. A recurring event is listed at each of its times."
            ),
            .post(
                "/api/calendar/events",
                as: "api.calendar.add",
                "Add an event to a calendar",
                in: .calendar,
                for: [.writeCalendar],
                returns: .event,
                addEvent
            )
            .taking(Self.eventFields)
            .failing(.created)
            .explained(
                """
                Journeys to an event are planned where its latitude and longitude are given. \
                Operation places.search finds them.
                """
            ),
            .get(
                "/api/calendar/events/{event}",
                as: "api.calendar.read",
                "Read an event of a calendar",
                in: .calendar,
                for: [.readCalendar],
                returns: .event
            ) { call in
                let entry = try await agenda.entry(try call.event(), of: try call.owner())
                return Answer(json(of: entry))
            }
            .taking([.event]),
            .post(
                "/api/calendar/events/{event}/remove",
                as: "api.calendar.remove",
                "Remove an event from a calendar",
                in: .calendar,
                for: [.writeCalendar],
                returns: .object([.init("event", .integer, "The number of the removed event.")])
            ) { call in
                let (number, owner) = (try call.event(), try call.owner())
                _ = try await agenda.entry(number, of: owner)
                try await agenda.remove(number, of: owner)
                return Answer(["event": .integer(number.rawValue)])
            }
            .taking([.event])
            .explained("A recurring event is removed with all its times."),
        ]
    }

    private static let eventFields: [InputField] = [
        InputField.set("title", .text(EntryDetails.titleLimit), "What it is, in one line.")
            .required,
        InputField.set("date", .date, "Its day in the city's time zone.").required,
        InputField.set("time", .time, "When it begins, in the city's time zone.").required,
        InputField.set("minutes", .number(1...10_080), "How many minutes it lasts.").required,
        .set("place", .text(EntryDetails.placeLimit), "Where it is, as people call it."),
        .set("latitude", .latitude, "Degrees north of the equator, with longitude."),
        .set("longitude", .longitude, "Degrees east of Greenwich, with latitude."),
        .set("notes", .text(EntryDetails.notesLimit), "More about it."),
    ]

    private func listEvents(_ call: Call) async throws -> Answer {
        let first = call.day("first") ?? web.day(call.now)
        let last = call.day("last") ?? first.adding(days: Self.usualDays - 1)
        guard first <= last, last.daysSince1970 - first.daysSince1970 < Self.mostDays else {
            let detail = "It is not before the first day, and at most \(Self.mostDays) days later."
            throw ProgramRefusal.field("last", "out-of-range", detail)
        }
        let zone = agenda.zone.table
        let begin = LocalTime(date: first, second: 0).instant(in: zone)
        let end = LocalTime(date: last.adding(days: 1), second: 0).instant(in: zone)
        let found = try await agenda.entries(of: try call.owner(), in: begin..<end)
            .occurrences(in: begin..<end, zone: agenda.zone)
        return Answer(["items": .list(found.map { Self.json(of: $0) })])
    }

    private func addEvent(_ call: Call) async throws -> Answer {
        let owner = try call.owner()
        let details = try details(call)
        let calendar = details.calendar(
            uid: "\(ServerSecret.randomBytes().prefix(16).hex)@viavai",
            zone: agenda.zone,
            at: Instant(call.now)
        )
        let number: EntryNumber?
        do {
            number = try await agenda.add([calendar], of: owner).first
        } catch AgendaFailure.tooManyEntries(let limit) {
            let detail = "It has at most \(limit) events: remove old ones first."
            throw ProgramRefusal("calendar-full", .conflict, "The calendar is full", detail)
        }
        guard let number else { preconditionFailure("an event was added and has no number") }
        let entry = try await agenda.entry(number, of: owner)
        return Answer(created: json(of: entry), at: "/api/calendar/events/\(number.rawValue)")
    }

    /// What the fields say of an event, if the form of the calendar would accept it.
    private func details(_ call: Call) throws(ProgramRefusal) -> EntryDetails {
        let start = try time(call)
        let zone = agenda.zone.table
        let end = start.adding(seconds: (call.number("minutes") ?? 0) * 60)
        let timing = EntryTiming.fixed(
            start: LocalTime(start, in: zone),
            end: LocalTime(end, in: zone)
        )
        var details = EntryDetails(title: try call.required("title"), timing: timing)
        details.notes = call["notes"] ?? ""
        let hasPosition = call["latitude"] != nil || call["longitude"] != nil
        let position = hasPosition ? try call.coordinate() : nil
        if call["place"] != nil || hasPosition {
            details.place = EntryPlace(call["place"] ?? "", at: position)
        }
        let flaws = details.flaws(at: LocalTime(Instant(call.now), in: zone))
        let wrong = flaws.map(\.refusal)
        guard wrong.isEmpty else { throw .fields(wrong) }
        return details
    }
}

extension Call {
    /// The person whose calendar it is.
    fileprivate func owner() throws -> PersonNumber {
        guard let person else { throw Failure.notAllowed }
        return person
    }

    /// The event in the path.
    fileprivate func event() throws -> EntryNumber {
        guard let number = number("event") else { throw Failure.notFound }
        return EntryNumber(rawValue: number)
    }
}

extension EntryFlaw {
    /// The field that is wrong, and why.
    fileprivate var refusal: ProgramRefusal.Field {
        switch self {
        case .noTitle: .init("title", "missing", "It has no letter.")
        case .titleTooLong: .init("title", "malformed", "It is one line.")
        case .notesTooLong: .init("notes", "too-long", "It is too long.")
        case .placeTooLong: .init("place", "malformed", "It is one line.")
        case .past: .init("time", "past", "It is past: an event begins later than now.")
        case .endsBeforeStart, .tooLong:
            .init("minutes", "out-of-range", "It lasts at least a minute and at most a week.")
        case .longerThanWindow, .leastTooLong, .overlapsItself, .endsBeforeFirst, .leadTooLong,
            .noMeans, .flexibleOverlap:
            preconditionFailure("an event of a program has no \(self)")
        }
    }
}

extension InputField {
    fileprivate static let event = path("event", .number(1...Int64.max), "The number of an event.")
}
