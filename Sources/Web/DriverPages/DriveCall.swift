import Chronology
package import Dispatching
import Identity
package import Markup
import Taxi
import TaxiPages
package import WebCore

/// What follows a driver to those pages of his on which he does not work.
package struct DriverCall: Sendable {
    /// Whether he is asked for a ride.
    package var isAsked: Bool
    /// Whether he is on duty, or has a ride: then his device says there too where he is.
    package var isAtWork: Bool
    /// The rules in force.
    package var policy: Policy
}

extension Visit {
    /// What a driver who looks at another page is told there; nil where nothing is said.
    package var call: DriverCall? {
        get { self[DriverCall.self] }
        set { self[DriverCall.self] = newValue }
    }
}

/// An offer calls its driver from his other pages to the one on which he answers it (R50); his
/// place in the queue does not suffer by his looking at them (R32).
extension DriverPages {
    /// What the driver who looks at another page of his is told there.
    ///
    /// - Returns: nil on all pages that are not his.
    package func driverCall(_ visit: Visit) async -> DriverCall? {
        let isHis = ["/drive/", "/account", "/dashboard"].contains { visit.path.hasPrefix($0) }
        guard isHis, visit.wantsPage, let session = visit.session, let person = session.person,
            session.roles.contains(.driver), !session.mustChangePassword
        else { return nil }
        let number = await wheel(of: person, visit)
        // A page never fails for it.
        return try? await taxi.dispatch.read { state in
            let taxi = number.flatMap { state.taxi($0) }
            let work = taxi?.work ?? .none
            let isAsked = if case .offer = work { true } else { false }
            return DriverCall(
                isAsked: isAsked,
                isAtWork: taxi?.isOnDuty == true || work != .none,
                policy: state.policy
            )
        }
    }

    /// The taxi at whose wheel the driver sits who looks at another page of his; nil where he may
    /// not drive, or nobody can say.
    ///
    /// A shift that begins empties the seats of its taxi: the page that looks again first takes the
    /// seat anew, whichever it is, else it would show what was before and hear of nothing more.
    private func wheel(of person: PersonNumber, _ visit: Visit) async -> TaxiNumber? {
        if let taxi = live.seats.taxi(of: person, since: Moment(milliseconds: 0)) { return taxi }
        return try? await seat(visit).number
    }

    /// The call, which is fetched anew when something happens.
    ///
    /// Its element is there before it is needed, so that readers say what comes into it; the
    /// driver's script lets it sound.
    package func driveCall(_ visit: Visit) -> HTML? {
        visit.call.map { told in
            let call: HTML = """
                <div class="wide"><p>\(visit.say(CallTexts.asked)) \
                <a href="/drive">\(visit.say(CallTexts.answer))</a></p></div>
                """
            return """
                <div class="banner" id="drive-call" role="alert" data-live="drive" \
                data-duty="\(told.isAtWork ? "on" : "off")">\
                \(HTML.when(told.isAsked, call))</div>
                <script src=\(assets.driveScript.address) defer id="drive-script" \
                \(measuring(told.policy))></script>
                """
        }
    }
}
