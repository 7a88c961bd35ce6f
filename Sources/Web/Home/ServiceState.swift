import Dispatching
import Markup
import Taxi
import Words

extension Site {
    /// What everybody is told while the service does not serve: not open yet, or suspended (R4,
    /// R12).
    func serviceState(_ visit: Visit) async throws -> HTML? {
        let state: (isOpen: Bool, suspension: String?)
        do {
            state = try await taxi.dispatch.read { ($0.isSetUp, $0.suspension) }
        } catch DispatchService.Failure.notServing {
            // Another server serves the taxis, or this one is just starting: nothing is known.
            return nil
        }
        if !state.isOpen {
            return stateNotice(.notOpenYet(missing: []), visit)
        }
        return state.suspension.map { stateNotice(.suspended(reason: $0), visit) }
    }

    private func stateNotice(_ failure: Failure, _ visit: Visit) -> HTML {
        """
        <div class="notice warn" role="status"><h2>\(visit.say(failure.title))</h2>
        <p>\(visit.say(failure.advice))</p></div>
        """
    }
}
