import Identity
import Markup
import Synchronization
package import TaxiPages
import WebApp
import WebCore

/// Maps people to the accounts for visitors, and renders what pages show about them.
package final class DemoPeople: Sendable {
    private struct State {
        var accounts: [PersonNumber: DemoAccount] = [:]
        /// The codes that simulated passengers show to visiting drivers.
        var codes: [PersonNumber: String] = [:]
    }

    private let state = Mutex(State())
    /// Receives the messages to visitors.
    package let mailbox: DemoMailbox

    /// Creates an empty list, for a city that is not set up.
    package init(mailbox: DemoMailbox) {
        self.mailbox = mailbox
    }

    /// The visitors' account of a person; nil for everyone else.
    func account(of person: PersonNumber) -> DemoAccount? {
        state.withLock { $0.accounts[person] }
    }

    /// The holders of the visitors' accounts.
    var people: [PersonNumber: DemoAccount] { state.withLock { $0.accounts } }

    /// The user names of the accounts that were found; empty before the city is set up.
    package var userNames: Set<String> { Set(people.values.map(\.userName)) }

    /// Sets the holders of the accounts.
    func welcome(_ people: [PersonNumber: DemoAccount]) {
        state.withLock { $0.accounts = people }
    }

    /// The code that a driver's passenger shows; nil if there is none.
    func code(shownTo driver: PersonNumber) -> String? {
        state.withLock { $0.codes[driver] }
    }

    /// Sets or clears the code that a driver's passenger shows.
    func show(_ code: String?, to driver: PersonNumber) {
        state.withLock { $0.codes[driver] = code }
    }

    /// The hook by which the web application shows the demo's accounts.
    package var demonstration: Demonstration {
        Demonstration {
            self.banner($0)
        } isDriven: {
            self.account(of: $0)?.isDriver == true
        } mailbox: {
            self.mailbox.page($0)
        }
    }

    // MARK: Page header

    private func banner(_ context: RequestContext) -> HTML {
        let own = context.session?.person.flatMap { account(of: $0) }
        let isOut = context.session?.person == nil
        let summary = own.map { BannerTexts.youAre($0.title) } ?? BannerTexts.title
        return """
            <aside class="demo" id="demo" aria-label="Demo" data-live="drive"><div class="wide">
            \(code(context))
            <details\(HTML.when(isOut, " open"))><summary>\(context.say(summary))</summary>
            <p>\(context.say(BannerTexts.invented))</p>
            \(people.isEmpty ? wait(context) : HTML.when(isOut, forms(context)))
            \(windows(context))
            <p><a href="/living/mailbox">\(context.say(MailboxTexts.title))</a>: \
            \(context.say(MailboxTexts.lead))</p>
            </details></div></aside>
            """
    }

    /// The code that a visiting driver would read on the phone of a simulated passenger.
    private func code(_ context: RequestContext) -> HTML? {
        guard let code = context.session?.person.flatMap({ code(shownTo: $0) }) else { return nil }
        return "<p><strong>\(context.say(BannerTexts.code)) <code>\(code)</code></strong></p>"
    }

    private func wait(_ context: RequestContext) -> HTML {
        "<p><strong>\(context.say(BannerTexts.wait))</strong></p>"
    }

    /// The ordinary sign-in form, filled in for each account.
    private func forms(_ context: RequestContext) -> HTML {
        let forms = DemoAccount.allCases.map { account -> HTML in
            """
            <form method="post" action="/login">\(context.formToken)\
            <input type="hidden" name="name" value="\(account.userName)">\
            <input type="hidden" name="password" value="\(DemoAccount.password)">\
            <input type="hidden" name="next" value=\(account.start)>\
            <button>\(context.say(BannerTexts.be(account.title)))</button></form>
            """
        }
        let names = DemoAccount.allCases.map(\.userName).joined(separator: ", ")
        return """
            <div class="actions">\(forms)</div>
            <p>\(context.say(BannerTexts.names)) <code>\(names)</code>. \
            \(context.say(BannerTexts.password)) <code>\(DemoAccount.password)</code>.</p>
            """
    }

    /// Links to host names of the same server that browsers isolate, so that each window can be
    /// signed in to another account.
    private func windows(_ context: RequestContext) -> HTML {
        let port = Self.port(of: context.host)
        let links = DemoAccount.allCases.map { account -> HTML in
            """
            <li><a href="\(account.window(port: port))" target="_blank" \
            rel="noopener">\(context.say(account.title))</a></li>
            """
        }
        return "<p>\(context.say(BannerTexts.windows))</p><ul>\(links)</ul>"
    }

    /// The port of a host as `:8080`; empty where it names none.
    private static func port(of host: String) -> String {
        guard let colon = host.lastIndex(of: ":") else { return "" }
        let digits = host[host.index(after: colon)...]
        return UInt16(digits).map { ":\($0)" } ?? ""
    }
}
