import Chronology
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

/// What the page of an application says about it.
extension RegisterPages {
    /// How often the application called in the last 30 days.
    func calls(of found: Application, _ context: RequestContext) async throws -> HTML {
        let first = cityDay(context.now).adding(days: -29).iso8601
        let counts = try await accounts.calls(of: found.number, since: first)
        let calls = counts.reduce(0) { $0 + $1.calls }
        let errors = counts.reduce(0) { $0 + $1.errors }
        return "\(context.say(ApplicationTexts.callsWithErrors(calls, errors)))"
    }

    /// Since when its key is worth nothing.
    func revokedNotice(_ moment: Moment, _ context: RequestContext) -> HTML {
        """
        <div class="notice warn"><p>\(context.say(ApplicationTexts.wasRevoked)) \
        \(time(moment, context))</p></div>
        """
    }

    /// A line of the list of facts about something.
    func fact(_ label: Text, _ value: HTML, _ context: RequestContext) -> HTML {
        "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
    }
}
