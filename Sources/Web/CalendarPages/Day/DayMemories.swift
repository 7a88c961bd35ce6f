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
                ])
                .answering(.redirect),
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
            memory = DayMemory(plan, after: subject.memory)
            memory.workedVersion = subject.excerpt.version
            postings = await departures(plan, of: person, on: subject.date, at: now)
            fares = try? await self.fares(of: plan, person, in: city, at: now)
        case .planned(let plan, _):
            memory.unreachable = plan.unreachable
            // Who changes the calendar sees the warning on the page.
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

    /// Keeps a task at its time, or releases it.
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
        let start = number("start")
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

    // MARK: What changed

    /// What the plan changed since the one before, and a better plan if there is one.
    func changes(_ day: PersonDay, _ context: RequestContext) -> HTML? {
        guard case .answered(.planned(let plan, let better)) = day.outcome, plan.isFeasible else {
            return nil
        }
        let moved = plan.told(by: day.memory).map { moved -> HTML in
            let text = TimelineTexts.moved(
                plan.input.tasks[moved.task].title,
                clockTime(plan.time(of: moved.task).lowerBound, roundsUp: true),
                clockTime(moved.before, roundsUp: true)
            )
            return "<li>\(context.say(text))</li>"
        }
        let list: HTML = """
            <div class="notice"><p>\(context.say(TimelineTexts.changedBecause))</p>\
            <ul>\(moved)</ul></div>
            """
        return
            "\(HTML.when(!moved.isEmpty, list))\(better.map { suggestion($0, plan, day, context) })"
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
        return """
            <form method="post" action=\(address)>\(context.formToken)\
            <input type="hidden" name="entry" value="\(occurrence.entry.rawValue)">\
            <input type="hidden" name="from" value="\(from)">\(HTML.when(!isPinned, start))\
            <button class="plain">\(Icon.pin.html) <span>\(context.say(label))\
            <span class="hidden"> (\(occurrence.item.summary ?? ""))</span></span></button></form>
            """
    }
}
