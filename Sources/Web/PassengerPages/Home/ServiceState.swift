import Dispatching
import Identity
import Localization
package import Markup
import Taxi
import TaxiPages
package import WebCore

extension PassengerPages {
    /// The notice to all visitors while the service is not open yet or is suspended (R4, R12).
    package func serviceState(_ context: RequestContext) async throws -> HTML? {
        let state: (isOpen: Bool, suspension: String?)
        do {
            state = try await taxi.dispatch.read { ($0.isSetUp, $0.suspension) }
        } catch DispatchService.Failure.notServing {
            // Another server is active, or this one is still starting: the state is unknown.
            return nil
        }
        if !state.isOpen {
            return stateNotice(.notOpenYet(missing: []), context)
        }
        // Signed-in visitors see a suspension notice at the top of every page.
        guard context.session?.person == nil else { return nil }
        guard let line = state.suspension else { return nil }
        let notice = SuspensionNotice(line: line)
        return """
            <div class="notice warn" role="status">\
            <h2>\(context.say(SuspensionNotice.title))</h2>
            <p>\(context.say(SuspensionTexts.because)) \(notice.html(in: context.language))</p>
            \(until(notice, context))</div>
            """
    }

    private func stateNotice(_ failure: Failure, _ context: RequestContext) -> HTML {
        """
        <div class="notice warn" role="status"><h2>\(context.say(failure.title))</h2>
        <p>\(context.say(failure.advice))</p></div>
        """
    }
}
