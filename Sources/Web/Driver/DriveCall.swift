import Accounts
import Chronology
import Dispatching
import Markup
import Taxi
import Words

/// An offer calls its driver from his other pages to the one on which he answers it (R50).
extension Site {
    /// Whether the driver who looks at another page of his is asked for a ride.
    ///
    /// - Returns: nil on all pages that do not say so.
    func isCalled(_ visit: Visit) async -> Bool? {
        let isHis = ["/drive/", "/account", "/dashboard"].contains { visit.path.hasPrefix($0) }
        guard isHis, visit.wantsPage, let session = visit.session, let person = session.person,
            session.roles.contains(.driver), !session.mustChangePassword
        else { return nil }
        // Whoever hears of offers has taken his seat by now; a page never fails for it.
        guard let number = live.seats.taxi(of: person, since: Moment(milliseconds: 0)) else {
            return false
        }
        let isAsked = try? await taxi.dispatch.read { state in
            if case .offer = state.taxi(number)?.work { true } else { false }
        }
        return isAsked ?? false
    }

    /// The call, which is fetched anew when something happens.
    ///
    /// Its element is there before it is needed, so that readers say what comes into it; the
    /// driver's script lets it sound.
    func driveCall(_ visit: Visit) -> HTML? {
        visit.isCalled.map { isCalled in
            let call: HTML = """
                <div class="wide"><p>\(visit.say(CallWords.asked)) \
                <a href="/drive">\(visit.say(CallWords.answer))</a></p></div>
                """
            return """
                <div class="banner" id="drive-call" role="alert" data-live="drive">\
                \(HTML.when(isCalled, call))</div>
                <script src=\(assets.driveScript.address) defer id="drive-script"></script>
                """
        }
    }
}

enum CallWords {
    static let asked = Text("You are asked for a ride.", "C'è una corsa per te.")
    static let answer = Text("Answer", "Rispondi")
    static let devices = Text(
        "Be called when this page is not open: allow notices on this device",
        "Fatti avvisare anche a pagina chiusa: permetti gli avvisi su questo dispositivo"
    )
}
