import Agenda
import Chronology
import DayPlan
import DayPlanning
import HTTPTypes
import Identity
import Localization
import Markup
import Notify
import OpenData
import Storage
import TaxiPages
import TripPlanning
import WebCore

/// A plan stays as it is until it no longer works, or its owner wants another one (A17).
extension CalendarPages {
    var memoryRoutes: [Route] {
        [
            .post("/calendar/day/{date}/better", as: "calendar.better", for: .person, takeBetter)
                .taking(.date)
                .answering(.redirect),
            .post("/calendar/day/{date}/pin", as: "calendar.pin", for: .person, pin)
                .taking(.date)
                .taking([
                    .set("entry", .number(1...Int64.max), "The task.").required,
                    .set("from", .anyNumber, "From when on it may begin.").required,
                    .set("start", .anyNumber, "When it begins; absent to release it."),
                    .set("time", .text(5), "When it begins instead, on the day's clocks."),
                ]),
        ]
    }

    /// What is remembered of a day; nothing if it was written by another version.
    func memory(of person: PersonNumber, on date: CivilDate) async throws -> DayMemory {
        try await agenda.memory(of: person, on: date).flatMap { DayMemory($0) } ?? DayMemory()
    }

    /// Remembers a plan, and has its owner told when to leave; a failure only makes the next plan
    /// less like this one.
    ///
    /// Of a day that does not work out the plan before stays in mind.
    func remember(
        _ answer: DayPlans.Answer,
        of person: PersonNumber,
        _ subject: Subject,
        in city: OpenedCity,
        at now: Moment
    ) async {
        var memory = subject.memory
        var fares: Agenda.DayFares?
        var postings: [Posting] = []
        var broken: BrokenPlan?
        switch answer {
        case .busy: return
        case .failed: break
        case .planned(let plan, _) where plan.isFeasible:
            memory = DayMemory(
                plan,
                after: subject.memory,
                version: subject.excerpt.version
            )
            postings = await departures(plan, of: person, on: subject.date, at: now)
            fares = try? await self.fares(of: plan, person, in: city, at: now)
        case .planned(let plan, _):
            memory.unreachable = plan.unreachable
            // After a change of the calendar, its owner sees the warning on the page.
            if memory.workedVersion == subject.excerpt.version {
                postings = await unreachableNotices(
                    plan,
                    of: person,
                    on: subject.date,
                    subject.excerpt.version,
                    at: now
                )
                if !postings.isEmpty {
                    broken = BrokenPlan(
                        person: person,
                        day: subject.date,
                        version: subject.excerpt.version
                    )
                }
            }
        }
        try? await agenda.remember(
            memory.text,
            of: person,
            on: subject.date,
            version: subject.excerpt.version,
            fares: fares
        ) { [postings, broken] transaction in
            for posting in postings { try transaction.post(posting, at: now) }
            if let broken { try breaking(broken, now, transaction) }
        }
    }

    /// Changes what is remembered of a day, of which another plan is made then.
    func wish(
        of person: PersonNumber,
        on date: CivilDate,
        _ change: (inout DayMemory) throws -> Void
    ) async throws {
        var memory = try await memory(of: person, on: date)
        try change(&memory)
        try await agenda.wish(memory.text, of: person, on: date)
    }

    /// Forgets the plan but what its owner keeps, so that the best one takes its place.
    private func takeBetter(_ context: RequestContext, _ person: SignedIn) async throws -> Response
    {
        let date = try date(context)
        try await wish(of: person.person, on: date) { $0.forgetPlan() }
        return .redirect(to: address(of: date, notice: "repaired"))
    }

    /// Keeps a task at its time or at another one, or releases it.
    private func pin(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let date = try date(context)
        func number(_ name: String) -> Int64? { context.form[name].flatMap { Int64($0) } }
        guard let entry = number("entry"), let from = number("from") else {
            throw Failure.badField("entry")
        }
        let found = try await refusing {
            try await agenda.entry(EntryNumber(rawValue: entry), of: person.person)
        }
        guard let uid = found.item?.uid else { throw Failure.notFound }
        var start = number("start")
        if let text = context.form["time"] {
            switch chosenStart(text, of: found, from: from, on: date, context) {
            case .success(let chosen): start = chosen.seconds
            case .failure(let flaw): return try await refuse(flaw, on: date, context, person)
            }
        }
        // The form states an occurrence of the day and a time that was found for it.
        let day = span(of: date)
        let isOfDay = start.map { abs($0 - day.lowerBound.seconds) <= Day.longestSeconds } ?? true
        guard day.contains(Instant(seconds: from)) || from < day.lowerBound.seconds, isOfDay else {
            throw Failure.badField("start")
        }
        try await wish(of: person.person, on: date) { memory in
            guard start == nil || memory.pins.count < Day.pieceLimit else {
                throw Failure.badField("start")
            }
            memory.pins[DayMemory.Subject(uid: uid, from: from)] = start
        }
        let notice = start == nil ? "released" : "pinned"
        return .redirect(to: address(of: date, notice: notice))
    }

    /// Why a task cannot begin when its owner wants it to.
    private struct StartFlaw: Error {
        let text: Text
    }

    /// The time at which a task is to begin, within its window and not in the past.
    private func chosenStart(
        _ text: String,
        of entry: AgendaEntry,
        from: Int64,
        on date: CivilDate,
        _ context: RequestContext
    ) -> Result<Instant, StartFlaw> {
        let zone = web.settings.zoneTable
        let occurrence = AgendaExcerpt(version: 0, entries: [entry])
            .occurrences(in: span(of: date), zone: agenda.zone)
            .first { $0.span.lowerBound.seconds == from && !$0.isFixed }
        guard let occurrence,
            case .flexible(_, _, _, let least) =
                EntryDetails(occurrence.item, zone: agenda.zone).timing,
            let time = LocalTime(iso8601: "\(date.iso8601)T\(text)")
        else { return .failure(StartFlaw(text: TimelineTexts.badTime)) }
        let start = time.instant(in: zone)
        let last = occurrence.span.upperBound.adding(seconds: -least * 60)
        guard start >= occurrence.span.lowerBound, start <= last else {
            let title = occurrence.item.summary ?? ""
            let (first, end) = (clockTime(occurrence.span.lowerBound), clockTime(last))
            return .failure(StartFlaw(text: TimelineTexts.outsideWindow(title, first, end)))
        }
        guard start > Instant(context.now) else {
            return .failure(StartFlaw(text: TimelineTexts.pastTime))
        }
        return .success(start)
    }

    /// The page of the day, with what is wrong with a time.
    private func refuse(
        _ flaw: StartFlaw,
        on date: CivilDate,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        let day = try await day(date, of: person.person, context)
        var page = dayPage(day, context)
        let notice = Notice(.warning, isAnnounced: true, "\(context.say(flaw.text))")
        page.body = "\(notice.html(context))\(page.body)"
        page.status = .unprocessableContent
        return response(page, to: context)
    }

    // MARK: What changed

    /// What the plan changed since the one before, and a better plan if there is one.
    func changes(_ day: PersonDay, _ context: RequestContext) -> HTML? {
        guard case .answered(.planned(let plan, let better)) = day.outcome, plan.isFeasible else {
            return nil
        }
        let change = plan.change(since: day.memory, version: day.excerpt.version)
        let moved = change.moved.map { moved -> HTML in
            let (title, spans) = (plan.input.tasks[moved.task].title, plan.spans(of: moved.task))
            let text =
                spans.count > 1
                ? TimelineTexts.movedPieces(title, clockTimes(spans))
                : TimelineTexts.moved(
                    title,
                    clockTime(plan.time(of: moved.task).lowerBound, roundsUp: true),
                    clockTime(moved.before, roundsUp: true)
                )
            return "<li>\(context.say(text))</li>"
        }
        let means = change.means.map { journey, before -> HTML in
            let (now, old) = (Self.means(journey.trip.kind), Self.means(before))
            let text =
                if case .task(let task) = journey.to {
                    TimelineTexts.otherMeans(plan.input.tasks[task].title, now, old)
                } else { TimelineTexts.otherMeansBack(now, old) }
            return "<li>\(context.say(text))</li>"
        }
        let list: HTML = """
            <div class="notice"><p>\(context.say(change.reason.text))</p>\
            <ul>\(moved)\(means)</ul></div>
            """
        let offered = better.map { suggestion($0, plan, day, context) }
        return "\(HTML.when(!change.isEmpty, list))\(offered)"
    }

    /// A means of travel in words.
    private static func means(_ kind: TripKind) -> Text {
        TravelMeans(rawValue: kind.rawValue)?.text ?? Text(same: kind.rawValue)
    }

    private func suggestion(
        _ better: PlannedDay,
        _ plan: PlannedDay,
        _ day: PersonDay,
        _ context: RequestContext
    ) -> HTML {
        let gain = TimelineTexts.duration(plan.travelSeconds - better.travelSeconds)
        let address = Address("/calendar/day", day.date.iso8601, "better")
        return """
            <form class="notice" method="post" action=\(address)>\(context.formToken)\
            <p>\(context.say(TimelineTexts.better(gain)))</p>\
            \(Button(TimelineTexts.takeBetter).html(context))</form>
            """
    }

    /// The button that keeps a placed task at its time, or releases it.
    func pinForm(
        _ occurrence: AgendaOccurrence,
        at time: Range<Instant>?,
        _ day: PersonDay,
        _ context: RequestContext
    ) -> HTML? {
        guard !occurrence.isFixed, !occurrence.isClosed, let time, day.plan?.isFeasible == true,
            time.lowerBound > Instant(context.now)
        else { return nil }
        let from = occurrence.span.lowerBound.seconds
        let subject = DayMemory.Subject(uid: occurrence.item.uid, from: from)
        let isPinned = day.memory.pins[subject] != nil
        let address = Address("/calendar/day", day.date.iso8601, "pin")
        let start: HTML = """
            <input type="hidden" name="start" value="\(time.lowerBound.seconds)">
            """
        let label = isPinned ? TimelineTexts.release : TimelineTexts.pin
        let subjectFields: HTML = """
            <input type="hidden" name="entry" value="\(occurrence.entry.rawValue)">\
            <input type="hidden" name="from" value="\(from)">
            """
        let title: HTML = "<span class=\"hidden\"> (\(occurrence.item.summary ?? ""))</span>"
        let wish = day.memory.pins[subject].map { Instant(seconds: $0) }
        let elsewhere = wish.flatMap { $0 == time.lowerBound ? nil : clockTime($0) }
            .map { TimelineTexts.pinnedElsewhere($0) }
        return """
            \(elsewhere.map { warningLine($0, context) })\
            <form method="post" action=\(address)>\(context.formToken)\
            \(subjectFields)\(HTML.when(!isPinned, start))\
            <button class="plain">\(Icon.check.html) <span>\(context.say(label))\
            \(title)</span></button></form>\
            <details><summary>\(context.say(TimelineTexts.chooseTime))\(title)</summary>\
            <form method="post" action=\(address)>\(context.formToken)\(subjectFields)\
            <label>\(context.say(TimelineTexts.beginsAt)) <input type="time" name="time" required \
            value="\(clockTime(wish ?? time.lowerBound, roundsUp: true))"></label> \
            <button class="plain">\(context.say(TimelineTexts.keepThere))</button></form></details>
            """
    }
}

extension ReplanReason {
    /// Why a plan changed, in words.
    var text: Text {
        switch self {
        case .calendar: TimelineTexts.changedBecause
        case .strike: TimelineTexts.changedByStrike
        case .disruption: TimelineTexts.changedByDisruption
        case .rain: TimelineTexts.changedByRain
        case .traffic: TimelineTexts.changedByTraffic
        case .city: TimelineTexts.changedByCity
        }
    }
}
