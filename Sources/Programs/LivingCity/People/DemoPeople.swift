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

    /// One line, which unfolds to a sheet over the page, so that nothing moves.
    private func banner(_ context: RequestContext) -> HTML {
        let own = context.session?.person.flatMap { account(of: $0) }
        let summary = own.map { BannerTexts.youAre($0.name.given, $0.title) } ?? BannerTexts.title
        return """
            <aside class="demo" id="demo" aria-label="Demo"><div class="wide">
            <details><summary>\(Icon.information.html) <span>\(context.say(summary))</span> \
            \(Icon.down.html)</summary>
            <div class="panel"><p>\(context.say(BannerTexts.invented))</p>
            \(HTML.when(people.isEmpty, wait(context)))
            \(Rows((people.isEmpty ? [] : roles(own, context)) + [mailboxRow(context)]).html)
            \(HTML.when(context.session?.person != nil, reset(context)))
            \(HTML.when(!people.isEmpty, names(context)))
            <p class="hint">\(context.say(BannerTexts.windows))</p>
            </div></details>
            <b id="demo-code" data-live="drive">\(code(context))</b></div></aside>
            """
    }

    /// The code that a visiting driver would read on the phone of a simulated passenger.
    private func code(_ context: RequestContext) -> HTML? {
        guard let code = context.session?.person.flatMap({ code(shownTo: $0) }) else { return nil }
        return """
            <span class="hidden">\(context.say(BannerTexts.shows))</span> \
            \(context.say(BannerTexts.code)) <code>\(code)</code>
            """
    }

    private func wait(_ context: RequestContext) -> HTML {
        "<p><strong>\(context.say(BannerTexts.wait))</strong></p>"
    }

    /// The people to be: the ordinary sign-in form, filled in for each account, and the address of
    /// a window of its own.
    private func roles(_ own: DemoAccount?, _ context: RequestContext) -> [Row] {
        let port = Self.port(of: context.host)
        return DemoAccount.allCases.map { account -> Row in
            let form: HTML = """
                <form method="post" action="/login">\(context.formToken)\
                <input type="hidden" name="name" value="\(account.userName)">\
                <input type="hidden" name="password" value="\(DemoAccount.password)">\
                <input type="hidden" name="next" value=\(account.start)>\
                <button>\(context.say(BannerTexts.be(account.name.given)))</button></form>
                """
            let here = StateChip(BannerTexts.here, icon: .check, tone: .good)
            return Row(
                account.icon,
                "\(account.name.given) \(account.name.family)",
                detail: """
                    \(context.say(account.title)) · <a href="\(account.window(port: port))" \
                    target="_blank" rel="noopener">\(context.say(BannerTexts.window))\
                    <span class="hidden"> \(account.name.given)</span></a>
                    """,
                value: account == own ? here.html(context) : nil,
                form: account == own ? nil : form
            )
        }
    }

    private func names(_ context: RequestContext) -> HTML {
        let names = DemoAccount.allCases.map(\.userName).joined(separator: ", ")
        return """
            <p class="hint">\(context.say(BannerTexts.names)) <code>\(names)</code>. \
            \(context.say(BannerTexts.password)) <code>\(DemoAccount.password)</code>.</p>
            """
    }

    private func mailboxRow(_ context: RequestContext) -> Row {
        Row(
            .inbox,
            "\(context.say(MailboxTexts.title))",
            detail: "\(context.say(MailboxTexts.lead))",
            address: Address("/living/mailbox")
        )
    }

    /// The way back to a visitor whom nobody knows.
    private func reset(_ context: RequestContext) -> HTML {
        """
        <form method="post" action="/logout">\(context.formToken)\
        <button class="block">\(context.say(BannerTexts.reset))</button></form>
        """
    }

    /// The port of a host as `:8080`; empty if it names none.
    private static func port(of host: String) -> String {
        guard let colon = host.lastIndex(of: ":") else { return "" }
        let digits = host[host.index(after: colon)...]
        return UInt16(digits).map { ":\($0)" } ?? ""
    }
}
