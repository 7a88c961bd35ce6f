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
        let read = readEvent
        return [
            listing, addition, read, changing.conditional(on: read, web.formsInHand), removal,
            dayPlan,
        ]
    }

    private var listing: Operation {
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
            .query("undated", .truth, "Whether open tasks without a date follow."),
        ])
        .explained(
            "At most \(Self.mostDays) days. A recurring event is listed at each of its times."
        )
    }

    private var addition: Operation {
        .post(
            "/api/calendar/events",
            as: "api.calendar.add",
            "Add an event to a calendar",
            in: .calendar,
            for: [.writeCalendar],
            returns: .event,
            addEvent
        )
        .taking(EventFields.added)
        .usually(["date", "time", "minutes"])
        .failing(.created)
        .onceInTransaction
        .explained(
            """
            It needs `date`, `time` and `minutes`, and for a flexible task `end_time`, unless \
            it is a task for someday. Journeys to it are planned where its latitude and \
            longitude are given, which places.search finds. It is added even if the day does \
            not work out then: calendar.day says so. It is refused with status 409 if the \
            city's rules do not let it overlap another event of the calendar.
            """
        )
    }

    private var readEvent: Operation {
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
        .taking([.event])
    }

    private var changing: Operation {
        .post(
            "/api/calendar/events/{event}/change",
            as: "api.calendar.change",
            "Change an event of a calendar",
            in: .calendar,
            for: [.writeCalendar],
            returns: .event,
            changeEvent
        )
        .taking([.event])
        .taking(EventFields.changed)
        .failing(.conflict)
        .onceInTransaction
        .explained(
            """
            What is not sent stays; an empty text or list removes it. A new `place` loses the \
            position of the old one unless it is sent, and a window that is moved keeps its \
            length. A recurring event is changed at all its times.
            """
        )
    }

    private var removal: Operation {
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
            let answer = Answer(["event": .integer(number.rawValue)])
            try await agenda.remove(number, of: owner) { transaction in
                _ = try call.kept(answer, in: transaction)
            }
            return answer
        }
        .taking([.event])
        .onceInTransaction
        .explained("A recurring event is removed with all its times.")
    }

    private func listEvents(_ call: Call) async throws -> Answer {
        let first = call.day("first") ?? web.day(call.now)
        let last = call.day("last") ?? first.adding(days: Self.usualDays - 1)
        guard first <= last, last.daysSince1970 - first.daysSince1970 < Self.mostDays else {
            let detail = "It is not before the first day, and at most \(Self.mostDays) days later."
            throw ProgramRefusal.field("last", "out-of-range", detail)
        }
        guard Self.years.contains(first.numbers.year), Self.years.contains(last.numbers.year) else {
            throw ProgramRefusal.field("first", "out-of-range", "No calendar reaches that year.")
        }
        let zone = agenda.zone.table
        let begin = LocalTime(date: first, second: 0).instant(in: zone)
        let end = LocalTime(date: last.adding(days: 1), second: 0).instant(in: zone)
        let found = try await agenda.entries(
            of: try call.owner(),
            in: begin..<end,
            hasUndated: call.flag("undated")
        )
        let dated = found.occurrences(in: begin..<end, zone: agenda.zone).map { Self.json(of: $0) }
        let undated = call.flag("undated") ? found.undated(zone: agenda.zone) : []
        return Answer(["items": .list(dated + undated.map { Self.json(ofUndated: $0) })])
    }

    private func addEvent(_ call: Call) async throws -> Answer {
        let owner = try call.owner()
        let details = try await details(call, of: owner)
        let calendar = details.calendar(
            uid: "\(ServerSecret.randomBytes().prefix(16).hex)@viavai",
            zone: agenda.zone,
            at: Instant(call.now)
        )
        try await checkOverlap(of: details, calendar, of: owner, call)
        return try await agenda.add(calendar, of: owner) { entry, transaction in
            let place = "/api/calendar/events/\(entry.number.rawValue)"
            return try call.kept(Answer(created: json(of: entry), at: place), in: transaction)
        }
    }

    private func changeEvent(_ call: Call) async throws -> Answer {
        let (number, owner) = (try call.event(), try call.owner())
        let entry = try await agenda.entry(number, of: owner)
        guard let former = entry.details(of: nil, zone: agenda.zone) else {
            throw Failure.notFound
        }
        // The calendar's own pages may have changed it since the condition was checked.
        let tag = Response.entityTag(of: Array(json(of: entry).json.utf8))
        guard call.context.expects(tag) else { throw ProgramRefusal.preconditionFailed }
        let details = try await details(call, of: owner, since: former, replacing: number)
        guard details != former else { return Answer(json(of: entry)) }
        let changed = entry.changed(to: details, zone: agenda.zone, at: Instant(call.now))
        try await checkOverlap(of: details, changed, replacing: entry, of: owner, call)
        return try await agenda.change(entry, to: changed, of: owner) { entry, transaction in
            try call.kept(Answer(json(of: entry)), in: transaction)
        }
    }

    private func details(
        _ call: Call,
        of owner: PersonNumber,
        since former: EntryDetails? = nil,
        replacing entry: EntryNumber? = nil
    ) async throws -> EntryDetails {
        // A program that may only write can use a template whose name it knows, and list none.
        let templates =
            call["template"] == nil ? [] : try await agenda.settings(of: owner).templates
        let details = try EventInput(
            call: call,
            zone: agenda.zone.table,
            former: former,
            templates: templates
        ).details()
        if details.place != former?.place, let position = details.place?.position,
            let reason = planning.refusal(ofPlaceAt: position)
        {
            throw ProgramRefusal.field("place", "refused", reason)
        }
        let year = details.timing.end.map { $0.date.numbers.year } ?? Self.years.lowerBound
        guard Self.years.contains(year) || details.timing == former?.timing else {
            throw ProgramRefusal.field("date", "out-of-range", "No calendar reaches that year.")
        }
        let chosen = try await agenda.choosingDays(
            of: details,
            since: former,
            replacing: entry,
            of: owner
        )
        if let until = chosen.repetition.until, let first = chosen.timing.start, until < first.date
        {
            let detail = "It is before the first of the days that are chosen."
            throw ProgramRefusal.field("repeat_until", "out-of-range", detail)
        }
        return chosen
    }

    /// The years that calendars reach, as on their pages.
    static let years: ClosedRange<Int32> = 1900...2199
}

extension Call {
    /// The person whose calendar it is.
    func owner() throws -> PersonNumber {
        guard let person else { throw Failure.notAllowed }
        return person
    }

    /// The event in the path.
    fileprivate func event() throws -> EntryNumber {
        guard let number = number("event") else { throw Failure.notFound }
        return EntryNumber(rawValue: number)
    }
}

extension InputField {
    fileprivate static let event = path("event", .number(1...Int64.max), "The number of an event.")
}

extension ProgramRefusal {
    /// The entry was changed between reading it and writing it.
    static let calendarChanged = ProgramRefusal(
        "calendar-changed",
        .conflict,
        "The event was changed meanwhile",
        "Read it again, and send the change again."
    )
}
