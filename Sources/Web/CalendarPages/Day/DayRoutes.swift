import Agenda
import Chronology
import HTTPTypes
import Localization
import Markup
import OpenData
import TaxiPages
import WebCore

/// A day with its tasks and journeys.
extension CalendarPages {
    var dayRoutes: [Route] {
        [
            .get("/calendar", as: "calendar.today", for: .person) {
                try await showDay(cityDay($0.now), $0, $1)
            }
            .taking([.notice]),
            .get("/calendar/day/{date}", as: "calendar.day", for: .person) {
                try await showDay(try date($0), $0, $1)
            }
            .taking(.date).taking([.notice]),
            .get("/calendar/day/{date}/map.svg", as: "calendar.day.map.svg", for: .person) {
                context,
                person in
                let day = try await day(try date(context), of: person.person, context)
                return try picture(of: scene(day), context)
            }
            .taking(.date)
            .answering(.picture)
            .failing(.notFound),
            .post("/calendar/day/{date}/repair", as: "calendar.repair", for: .person, repair)
                .taking(.date)
                .taking([
                    .set("changes", .text(RepairChoice.bytesLimit), "The changes of the day.")
                        .required
                ])
                .answering(.redirect)
                .failing(.conflict),
            .post("/calendar/entry/{entry}/done", as: "calendar.done", for: .person, markDone)
                .taking([.entry])
                .taking([
                    .set("day", .date, "The day whose page is shown next.").required
                ])
                .answering(.redirect)
                .failing(.conflict),
        ]
    }

    /// The day in the address.
    func date(_ context: RequestContext) throws(Failure) -> CivilDate {
        guard let text = context.parameters["date"], let date = CivilDate(iso8601: text),
            Self.years.contains(date.numbers.year)
        else { throw .notFound }
        return date
    }

    /// The years that pages show; others are mistyped, and no calendar reaches them.
    static let years: ClosedRange<Int32> = 1900...2199

    /// The page of a day.
    func address(of date: CivilDate, notice: String? = nil) -> Address {
        guard let notice else { return Address("/calendar/day", date.iso8601) }
        return Address("/calendar/day", date.iso8601, query: ["notice": notice])
    }

    private func showDay(
        _ date: CivilDate,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var day = try await day(date, of: person.person, context)
        day.taxis = try await taxis(of: day, context)
        day.moves = try await moves(of: day, context, person)
        return response(dayPage(day, context), to: context)
    }

    /// Makes the changes that a person chose, all or none of them.
    private func repair(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let date = try date(context)
        guard let choice = RepairChoice(context.form["changes"] ?? "") else {
            throw Failure.badField("changes")
        }
        try await apply(choice, on: date, of: person.person, context)
        return .redirect(to: address(of: date, notice: "repaired"))
    }

    private func markDone(_ context: RequestContext, _ person: SignedIn) async throws -> Response {
        let entry = try await entry(context, person)
        // Nobody is done with an event, nor with a whole series.
        guard entry.item?.kind == .task, !entry.isRepeated else { throw Failure.badField("entry") }
        let changed = entry.marked(isDone: true, zone: agenda.zone, at: Instant(context.now))
        try await refusing { try await agenda.change(entry, to: changed, of: person.person) }
        let date = CivilDate(iso8601: context.form["day"] ?? "") ?? cityDay(context.now)
        return .redirect(to: address(of: date, notice: "done"))
    }
}
