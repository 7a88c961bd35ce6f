import Agenda
import Chronology
import DayPlanning
import Localization
import Markup
import TaxiPages
import WebCore

/// The journey to an entry, on the entry's own page (V40).
extension CalendarPages {
    /// How long the form waits for the plan of its day, in milliseconds.
    private static let journeyPatience: Int64 = 500

    /// Departure, arrival and legs of the journey that the plan of the day has for an entry, with
    /// what the plan gives up for it; nil if there is none, or it is not planned yet.
    func entryJourney(
        _ target: EntryTarget,
        _ details: EntryDetails,
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> HTML? {
        guard !target.isSeries, let date = details.timing.start?.date else { return nil }
        let day = try await day(
            date,
            of: person.person,
            patience: Self.journeyPatience,
            context
        )
        guard let plan = day.plan,
            let task = day.tasks(of: target.number, in: plan).first,
            let journey = plan.journey(to: task)
        else { return nil }
        let warning = warning(of: task, plan).map { warningLine($0, context) }
        return """
            <section><h2>\(context.say(EntryTexts.journey))</h2><ol class="day-plan">\
            \(journeyItem(journey, plan, day, context))</ol>\(warning)</section>
            """
    }
}
