import Identity
import Localization
import Markup
import Synchronization
package import WebApp
import WebCore

/// Who of the people is one of the accounts that are left to visitors, and what pages say of it.
package final class DemoPeople: Sendable {
    private struct State {
        var accounts: [PersonNumber: DemoAccount] = [:]
        /// What the passengers of visitors at the wheel show them.
        var codes: [PersonNumber: String] = [:]
    }

    private let state = Mutex(State())

    /// Nobody yet: the city is not set up.
    package init() {}

    /// The account of a person; nil for everybody else.
    func account(of person: PersonNumber) -> DemoAccount? {
        state.withLock { $0.accounts[person] }
    }

    /// The people of all accounts.
    var people: [PersonNumber: DemoAccount] { state.withLock { $0.accounts } }

    /// The user names of the accounts that were found; empty before the city is set up.
    package var userNames: Set<String> { Set(people.values.map(\.userName)) }

    /// Takes up who has the accounts.
    func welcome(_ people: [PersonNumber: DemoAccount]) {
        state.withLock { $0.accounts = people }
    }

    /// The code that the passenger of a driver shows him; nil where nobody does.
    func code(shownTo driver: PersonNumber) -> String? {
        state.withLock { $0.codes[driver] }
    }

    /// Has the passenger of a driver show him a code, or none any more.
    func show(_ code: String?, to driver: PersonNumber) {
        state.withLock { $0.codes[driver] = code }
    }

    /// What makes a site the demonstration with these people.
    package var demonstration: Demonstration {
        Demonstration {
            self.banner($0)
        } isDriven: {
            self.account(of: $0)?.isDriver == true
        }
    }

    // MARK: What stands above each page

    private func banner(_ visit: Visit) -> HTML {
        let own = visit.session?.person.flatMap { account(of: $0) }
        let isOut = visit.session?.person == nil
        let summary = own.map { BannerWords.youAre($0.title) } ?? BannerWords.title
        return """
            <aside class="demo" id="demo" aria-label="Demo" data-live="drive"><div class="wide">
            \(code(visit))
            <details\(HTML.when(isOut, " open"))><summary>\(visit.say(summary))</summary>
            <p>\(visit.say(BannerWords.invented))</p>
            \(people.isEmpty ? wait(visit) : HTML.when(isOut, forms(visit)))
            \(windows(visit))
            </details></div></aside>
            """
    }

    /// What the visitor could read on the telephone of a passenger who is none.
    private func code(_ visit: Visit) -> HTML? {
        guard let code = visit.session?.person.flatMap({ code(shownTo: $0) }) else { return nil }
        return "<p><strong>\(visit.say(BannerWords.code)) <code>\(code)</code></strong></p>"
    }

    private func wait(_ visit: Visit) -> HTML {
        "<p><strong>\(visit.say(BannerWords.wait))</strong></p>"
    }

    /// The ordinary form for signing in, filled in for each account.
    private func forms(_ visit: Visit) -> HTML {
        let forms = DemoAccount.allCases.map { account -> HTML in
            """
            <form method="post" action="/login">\(visit.formToken)\
            <input type="hidden" name="name" value="\(account.userName)">\
            <input type="hidden" name="password" value="\(DemoAccount.password)">\
            <input type="hidden" name="next" value=\(account.start)>\
            <button>\(visit.say(BannerWords.be(account.title)))</button></form>
            """
        }
        let names = DemoAccount.allCases.map(\.userName).joined(separator: ", ")
        return """
            <div class="actions">\(forms)</div>
            <p>\(visit.say(BannerWords.names)) <code>\(names)</code>. \
            \(visit.say(BannerWords.password)) <code>\(DemoAccount.password)</code>.</p>
            """
    }

    /// Addresses of the same server that browsers keep apart, so that each holds another person.
    private func windows(_ visit: Visit) -> HTML {
        let port = Self.port(of: visit.host)
        let links = DemoAccount.allCases.map { account -> HTML in
            """
            <li><a href="\(account.window(port: port))" target="_blank" \
            rel="noopener">\(visit.say(account.title))</a></li>
            """
        }
        return "<p>\(visit.say(BannerWords.windows))</p><ul>\(links)</ul>"
    }

    /// `:8080` of a host that names a port; nothing where it names none.
    private static func port(of host: String) -> String {
        guard let colon = host.lastIndex(of: ":") else { return "" }
        let digits = host[host.index(after: colon)...]
        return UInt16(digits).map { ":\($0)" } ?? ""
    }
}

private enum BannerWords {
    static let title = Text(
        "Demo: be a passenger, a driver or the operator",
        "Demo: fai il passeggero, il tassista o l'operatore"
    )
    static func youAre(_ title: Text) -> Text {
        Text(
            "Demo: you are the \(title.in(.english))",
            "Demo: sei il \(title.in(.italian))"
        )
    }
    static func be(_ title: Text) -> Text {
        Text("Be the \(title.in(.english))", "Fai il \(title.in(.italian))")
    }
    static let invented = Text(
        "City, taxis and passengers are invented, and nothing leaves this machine. The cars of "
            + "the drivers here drive by themselves; what the driver decides, you decide.",
        "Città, taxi e passeggeri sono inventati, e nulla esce da questo computer. Le auto dei "
            + "tassisti della demo si guidano da sole; quello che decide il tassista, lo decidi tu."
    )
    static let wait = Text(
        "The city is being set up. Open this page again in a moment.",
        "La città si sta preparando. Riapri questa pagina tra un momento."
    )
    static let code = Text(
        "When your passenger is there, his phone shows you:",
        "Quando il passeggero è lì, il suo telefono ti mostra:"
    )
    static let names = Text("User names:", "Nomi utente:")
    static let password = Text("The password of all:", "La password di tutti:")
    static let windows = Text(
        "To be several people at once, open each in a window of its own. Where a link does not "
            + "open, use a private window or another browser.",
        "Per essere più persone insieme, apri ognuna in una finestra sua. Se un link non si apre, "
            + "usa una finestra privata o un altro browser."
    )
}
