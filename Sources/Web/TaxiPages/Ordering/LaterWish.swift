package import Chronology
package import Dispatching
import Encoding
import HTTPTypes
import Identity
package import Localization
import Taxi
package import WebCore

extension OrderDraft {
    /// The pickup time of a ride that is not for now.
    package struct Later: Codable, Hashable, Sendable {
        /// The date as entered.
        package var day = ""
        /// The time as entered.
        package var time = ""
        /// Whether the second occurrence is meant, if the local time occurs twice.
        package var isSecond: Bool?
        /// The pickup time in milliseconds since 1970; nil until it is known.
        package var milliseconds: Int64?

        /// Creates a pickup time from the date and time as entered.
        package init(day: String = "", time: String = "") {
            self.day = day
            self.time = time
        }

        /// The maximum length of an entered date or time, in characters.
        package static let limit = 20
    }

    /// The pickup time of the reservation; nil for a ride now.
    package var due: Moment? { later?.milliseconds.map { Moment(milliseconds: $0) } }
}

extension TaxiPageModule {
    /// Whether the visitor is ordering for later, which is possible during a live ride.
    package func wantsLater(_ context: RequestContext) -> Bool {
        context.method == .post
            ? context.form["when"] == "later"
            : context.query["when"] == "later" || draft(context)?.later != nil
    }

    /// The fields for the pickup time (ui.md 4.3): now, or a date and time in the city's time zone.
    package func whenFields(
        _ draft: OrderDraft,
        _ policy: Policy,
        _ problems: OrderProblems,
        _ context: RequestContext
    ) -> [Field] {
        let later = draft.later
        // Without reservations there is nothing to choose; who asks anyway is told.
        guard policy.reserving || later != nil else { return [] }
        var fields = [
            Field(
                name: "when",
                label: LaterTexts.when,
                kind: .oneOf([("now", LaterTexts.now), ("later", LaterTexts.later)]),
                hint: context.session?.person == nil ? LaterTexts.needsAccount : nil,
                value: later == nil ? "now" : "later",
                error: problems.fields["when"]
            ),
            Field(
                name: "date",
                label: LaterTexts.day,
                kind: .date,
                hint: LaterTexts.limits(policy),
                value: later?.day ?? "",
                error: problems.fields["date"]
            ),
            Field(
                name: "time",
                label: LaterTexts.time,
                kind: .time,
                hint: LaterTexts.clocks(clockTime(context.now)),
                value: later?.time ?? "",
                error: problems.fields["time"]
            ),
        ]
        fields[1].example = LaterTexts.example(cityDay(context.now).adding(days: 1).iso8601)
        if problems.fields["which"] != nil || later?.isSecond != nil {
            fields.append(
                Field(
                    name: "which",
                    label: LaterTexts.which,
                    kind: .oneOf([
                        ("first", LaterTexts.firstTime), ("second", LaterTexts.secondTime),
                    ]),
                    value: later?.isSecond.map { $0 ? "second" : "first" } ?? "",
                    error: problems.fields["which"]
                )
            )
        }
        return fields
    }

    /// Reads the submitted date and time into the draft.
    ///
    /// - Parameters:
    ///   - context: the request.
    ///   - policy: limits how far ahead the ride may be.
    ///   - draft: receives the time.
    ///   - problems: receives what is wrong with it.
    ///   - isLater: whether the ride is for later; nil where the form says it.
    package func readLater(
        _ context: RequestContext,
        _ policy: Policy,
        _ draft: inout OrderDraft,
        _ problems: inout OrderProblems,
        isLater: Bool? = nil
    ) {
        guard isLater ?? (context.form["when"] == "later") else {
            if draft.changes != nil {
                problems.fields["when"] = ReserveTexts.notNow
            } else {
                draft.later = nil
            }
            return
        }
        guard policy.reserving else {
            problems.fields["when"] = Refusal.reservationsDisabled.text
            draft.later = OrderDraft.Later()
            return
        }
        func typed(_ name: String) -> String {
            String((context.form[name] ?? "").trimmingBlanks().prefix(OrderDraft.Later.limit))
        }
        var later = OrderDraft.Later(day: typed("date"), time: typed("time"))
        defer { draft.later = later }
        let day = WrittenReading.day(later.day)
        let second = WrittenReading.second(later.time)
        if day == nil {
            problems.fields["date"] = later.day.isEmpty ? LaterTexts.noDay : LaterTexts.badDay
        }
        if second == nil {
            problems.fields["time"] = later.time.isEmpty ? LaterTexts.noTime : LaterTexts.badTime
        }
        guard let day, let second,
            let due = due(
                LocalTime(date: day, second: second),
                context.form["which"],
                &later,
                &problems
            )
        else { return }
        later.milliseconds = due.milliseconds
        if let problem = limitProblem(due, policy, context) {
            // The field that the passenger would correct.
            let isOtherDay = LocalTime(Instant(context.now), in: web.settings.zoneTable).date != day
            problems.fields[isOtherDay && problem.isTooFar ? "date" : "time"] = problem.words
        }
    }

    /// The moment of a local time in the city; nil if the time does not occur, or occurs twice and
    /// the passenger has not chosen yet.
    private func due(
        _ local: LocalTime,
        _ which: String?,
        _ later: inout OrderDraft.Later,
        _ problems: inout OrderProblems
    ) -> Moment? {
        let instant: Instant
        switch ClockReading(local, in: web.settings.zoneTable) {
        case .once(let only): instant = only
        case .skipped(let shown):
            problems.fields["time"] = LaterTexts.skipped(later.time, shown.clockTime())
            return nil
        case .twice(let first, let other):
            guard which == "first" || which == "second" else {
                problems.fields["which"] = LaterTexts.twice(later.time)
                return nil
            }
            later.isSecond = which == "second"
            instant = which == "second" ? other : first
        }
        return Moment(milliseconds: instant.seconds * 1_000)
    }

    /// The error if a pickup time violates the limits of the policy (R75, R76); nil if it is valid.
    private func limitProblem(
        _ due: Moment,
        _ policy: Policy,
        _ context: RequestContext
    ) -> (words: Text, isTooFar: Bool)? {
        let earliest = context.now.adding(seconds: policy[.reserveMin] * 3_600)
        let latest = context.now.adding(seconds: policy[.reserveMax] * 3_600)
        if due < context.now { return (LaterTexts.past, false) }
        if due < earliest { return (LaterTexts.tooSoon(policy, written(earliest)), false) }
        if due > latest { return (LaterTexts.tooFar(policy, written(latest)), true) }
        return nil
    }

    /// A date and time in the city's time zone, in both languages.
    package func written(_ moment: Moment) -> Text {
        let local = LocalTime(Instant(moment), in: web.settings.zoneTable)
        // For a local time that occurs twice, name the occurrence.
        var turn = Text(joining: [])
        if case .twice(let first, _) = ClockReading(local, in: web.settings.zoneTable) {
            turn = first == Instant(moment) ? LaterTexts.first : LaterTexts.second
        }
        let clock = Text(same: ", \(local.clockTime())")
        return Text(joining: [LaterTexts.weekdayAndDay(local.date), clock, turn])
    }
}

extension LaterTexts {
    /// A weekday and a date, such as Friday 27 November.
    package static func weekdayAndDay(_ date: CivilDate, hasYear: Bool = false) -> Text {
        let day = monthDay(date, hasYear: hasYear)
        return Text(joining: [weekdays[Int(date.weekday)], day], separator: " ")
    }

    /// A date without its weekday, such as 27 November 2026.
    package static func monthDay(_ date: CivilDate, hasYear: Bool = true) -> Text {
        let numbers = date.numbers
        let parts = [Text(same: "\(numbers.day)"), months[Int(numbers.month) - 1]]
        let year = hasYear ? [Text(same: "\(numbers.year)")] : []
        return Text(joining: parts + year, separator: " ")
    }
}

extension OrderDraft {
    /// Whether the form asks for a destination (C10).
    ///
    /// Reservations and shared rides always need one (R73, R83).
    package func asksDestination(_ policy: Policy) -> Bool {
        policy.destination != .hidden || later != nil || isShared
    }

    /// Whether the destination is required.
    package func needsDestination(_ policy: Policy) -> Bool {
        policy.destination == .required || later != nil || isShared
    }
}
