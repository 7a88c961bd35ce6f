import Chronology
package import Dispatching
import Identity
package import Markup
import Taxi
import TaxiPages
package import WebCore

/// The driver state that is included in the driver's other pages, such as the account.
package struct DriverCall: Sendable {
    /// Whether a ride offer is open for the driver.
    package var isAsked: Bool
    /// Whether the driver is on duty or has a ride, so that the device reports positions
    /// from these pages too.
    package var isAtWork: Bool
    /// The policy currently in force.
    package var policy: Policy
}

extension RequestContext {
    /// The driver state to include in this page; nil if there is none.
    package var call: DriverCall? {
        get { self[DriverCall.self] }
        set { self[DriverCall.self] = newValue }
    }
}

/// An offer that arrives while the driver views another page leads to the page where
/// they can answer it (R50).
///
/// Viewing other pages does not affect their position in the queue (R32).
extension DriverPages {
    /// The driver state for one of the driver's other pages.
    ///
    /// - Returns: nil on pages that are not related to the driver.
    package func driverCall(_ context: RequestContext) async -> DriverCall? {
        let isHis = ["/drive/", "/account", "/dashboard"].contains { context.path.hasPrefix($0) }
        guard isHis, context.wantsPage, let session = context.session, let person = session.person,
            session.roles.contains(.driver), !session.mustChangePassword
        else { return nil }
        taxiEvents.driverPages.noteLoad(person, at: context.now)
        let number = await wheel(of: person, context)
        // A failure here must not prevent the page from being shown.
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

    /// The taxi that the visitor currently drives; nil if they may not drive, or where this
    /// server cannot determine it.
    ///
    /// The start of a shift clears the open pages of the taxi. The next page that the driver opens
    /// must register again, or it would show stale data and receive no further events.
    private func wheel(of person: PersonNumber, _ context: RequestContext) async -> TaxiNumber? {
        if let taxi = taxiEvents.driverPages.taxi(of: person, since: Moment(milliseconds: 0)) {
            return taxi
        }
        return try? await workingDriver(context).number
    }

    /// The offer alert, which is reloaded on every event.
    ///
    /// The element is always present, so that screen readers announce its content when that
    /// changes. The driver's script plays the sound.
    package func driveCall(_ context: RequestContext) -> HTML? {
        context.call.map { told in
            let call: HTML = """
                <div class="wide"><p>\(context.say(CallTexts.asked)) \
                <a href="/drive">\(context.say(CallTexts.answer))</a></p></div>
                """
            return """
                <div class="banner" id="drive-call" role="alert" data-live="drive" \
                data-duty="\(told.isAtWork ? "on" : "off")">\
                \(HTML.when(told.isAsked, call))</div>
                <script src=\(assets.driveScript.address) defer id="drive-script" \
                \(measuring(told.policy, context))></script>
                """
        }
    }
}
