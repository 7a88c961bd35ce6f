import Agenda
import Chronology
import CityData
import DayPlanning
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import OpenData
import TaxiPages
import TripPlanning
import WebCore

/// Adding, changing and deleting entries.
extension CalendarPages {
    var entryRoutes: [Route] {
        [
            .get("/calendar/new", as: "calendar.new.form", for: .person, showNew)
                .taking([.query("day", .date, "The day that the form begins with.")]),
            .post("/calendar/new", as: "calendar.new", for: .person) { context, person in
                try await take(EntryTarget(), context, person)
            }
            .taking(Self.entryFields)
            .failing(.conflict),
            .get("/calendar/entry/{entry}", as: "calendar.entry.form", for: .person, showEntry)
                .taking([.entry, .occurrence, .range]),
            .post("/calendar/entry/{entry}", as: "calendar.entry", for: .person) {
                context,
                person in
                try await take(try await self.target(context, person), context, person)
            }
            .taking([.entry, .occurrence, .range])
            .taking(Self.entryFields)
            .taking([
                .set("revision", .number(1...Int64.max), "The entry as it was shown.").required
            ])
            .failing(.conflict),
            .get(
                "/calendar/entry/{entry}/delete",
                as: "calendar.entry.delete.form",
                for: .person,
                showDeletion
            )
            .taking([.entry, .occurrence]),
            .post(
                "/calendar/entry/{entry}/delete",
                as: "calendar.entry.delete",
                for: .person,
                delete
            )
            .taking([.entry])
            .taking([
                .set("at", .anyNumber, "The occurrence that alone is deleted."),
                .set("from", .anyNumber, "The occurrence that is deleted with all later ones."),
                .set(
                    "taxi",
                    .several(.number(1...Int64.max), Self.taxisLimit),
                    "The taxis that are cancelled with it."
                ),
            ])
            .answering(.redirect)
            .failing(.conflict),
        ]
    }

    /// How many taxis may be cancelled with an entry.
    private static let taxisLimit = 50

    /// The fields of the form.
    private static let entryFields: [InputField] =
        typedFields + .mapPress + [
            .set("find", .flag("yes"), "Whether to look for good times, and save nothing."),
            .set("slot", .text(30), "The day and time that was chosen of those found."),
            .set("check", .flag("yes"), "Whether to plan the day only, and save nothing."),
            .set("point", .choice(of: PointStep.self), "What is wanted of the map.").explained,
            .set("anyway", .flag("yes"), "Whether to save it although the day does not work out."),
            .set("repair", .text(RepairChoice.bytesLimit), "The changes with which to save it."),
        ]

    /// The names of the fields that are typed or chosen, which a page in between carries.
    static let carriedFields = typedFields.map(\.name)

    /// The fields that are typed or chosen.
    private static let typedFields: [InputField] =
        .place + .wishes + [
            .typed("title", .text(EntryDetails.titleLimit), "What it is."),
            .set("timing", .choice(of: EntryForm.Timing.self), "How its time is stated."),
            .typed("day", .date, "Its day, in the city's time zone."),
            .typed("start", .time, "When it, or its window, begins."),
            .typed("end", .time, "When it, or its window, ends."),
            .typed("last", .date, "Its last day, if it ends on another one."),
            .typed("minutes", .number(1...10_080), "How long it takes within its window."),
            .typed("least", .number(1...10_080), "How little it may take."),
            .typed("piece", .number(1...10_080), "How short a piece of it may be."),
            .set("repeat", .choice(of: EntryRepetition.Frequency.self), "How often it is."),
            .set(
                "days",
                .several(.choice(EntryRepetition.weekdayNames), 7),
                "On which days of the week it is; that of its start if none is sent."
            ),
            .typed("times", .number(1...7), "How many times a week it is, on days with room."),
            .typed("until", .date, "The last day of its repetition."),
            .set(
                "overlapping",
                .choice(of: EntryExclusivity.self),
                "What may be at the same time."
            ),
            .set("template", .text(EntryTemplate.nameLimit), "The template that it follows."),
            .set("aim", .choice(SettingsForm.aims.map(\.value)), "What counts most on the way."),
            .set("rain", .several(.choice(["dry"]), 1), "Whether nobody cycles there in rain."),
            .set("notices", .choice(["on", "off"]), "Whether to be told when to leave for it."),
            .typed("notes", .text(EntryDetails.notesLimit), "More about it."),
        ]

    /// The entry in the address.
    ///
    /// - Throws: `Failure.notFound` if the person has no such entry.
    func entry(_ context: RequestContext, _ person: SignedIn) async throws -> AgendaEntry {
        guard let number = Int64(context.parameters["entry"] ?? "") else { throw Failure.notFound }
        return try await refusing {
            try await agenda.entry(EntryNumber(rawValue: number), of: person.person)
        }
    }

    /// An identifier that no other entry has.
    static func newIdentifier() -> String { "\(ServerSecret.randomBytes().prefix(16).hex)@viavai" }

    /// What is edited, as the address says.
    func target(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> EntryTarget {
        let entry = try await entry(context, person)
        let id = context.query["at"].flatMap { Int64($0) }.map { OccurrenceID(seconds: $0) }
        var target = EntryTarget(entry: entry)
        target.isRepeated = entry.isRepeated
        if let id {
            guard let day = entry.details(of: id, zone: agenda.zone)?.timing.start?.date else {
                throw Failure.notFound
            }
            // The only occurrence is the entry.
            guard target.isRepeated else { return target }
            (target.occurrence, target.day) = (id, day)
            let isOfLater = context.query["range"] == "later"
            let division = entry.divided(
                at: id,
                uid: Self.newIdentifier(),
                zone: agenda.zone,
                at: Instant(context.now)
            )
            // From the first one on is all.
            target.isDivisible = division?.before != nil
            guard target.isDivisible || !isOfLater else { throw Failure.notFound }
            if isOfLater { target.division = division }
        }
        return target
    }

    private func showNew(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let now = LocalTime(Instant(context.now), in: web.settings.zoneTable)
        let day = context.query["day"].flatMap { CivilDate(iso8601: $0) } ?? now.date
        let isToday = day == now.date
        var form = EntryForm(day: day, hour: isToday ? now.second / 3_600 + 1 : 9)
        form.templates = try await agenda.settings(of: person.person).templates
        return response(entryPage(form, EntryTarget(), context), to: context)
    }

    private func showEntry(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let target = try await self.target(context, person)
        guard let details = target.details(agenda.zone) else {
            throw Failure.notFound
        }
        var form = EntryForm(details)
        form.isPartlyCovered = covers(details.place) == .covered(.partly)
        form.templates = try await agenda.settings(of: person.person).templates
        let journey = try await entryJourney(target, details, context, person)
        return response(entryPage(form, target, journey: journey, context), to: context)
    }

    /// Runs an operation on the calendar; its refusals become those of the page.
    func refusing<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as AgendaFailure {
            switch failure {
            case .noSuchEntry: throw Failure.notFound
            case .changedMeanwhile: throw Failure.changedMeanwhile
            // The form says so.
            case .tooManyEntries: throw failure
            case .tooLarge, .unreadable, .notOneEntry: throw Failure.badField("title")
            }
        }
    }
}

extension Failure {
    /// The calendar was changed since the page was shown.
    static let changedMeanwhile = Failure(
        "calendar-changed",
        .conflict,
        title: CalendarTexts.changedTitle,
        advice: CalendarTexts.changedAdvice
    )
}

extension [InputField] {
    /// What an entry, or a template of entries, asks of the journey to it, and what kind it is.
    static let wishes: [InputField] = [
        .typed("lead", .number(0...EntryDetails.leadLimit), "How many minutes early to arrive."),
        .set("category", .choice(of: EntryCategory.self), "What kind of entry it is."),
        .set("belongs", .choice(of: Belonging.self), "Whether it is work."),
        .set(
            "means",
            .several(.choice(of: TravelMeans.self), TravelMeans.allCases.count),
            "The only means by which to travel to it."
        ),
    ]
}

extension InputField {
    /// The number of an entry of the person's calendar.
    static let entry = path("entry", .number(1...Int64.max), "The entry of the person's calendar.")
    /// One of the times of an entry.
    static let occurrence = query("at", .anyNumber, "The occurrence that alone is meant.")
    /// How many of the times of an entry are meant.
    static let range = query("range", .choice(["later"]), "Whether all later ones are meant too.")
}
