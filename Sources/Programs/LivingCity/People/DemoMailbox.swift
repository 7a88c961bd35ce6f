package import Chronology
import Identity
import Markup
package import Notify
import Synchronization
import TaxiPages
import WebApp
package import WebCore

/// Receives the e-mails and text messages that a city's server would send, and shows them on a
/// page: nothing leaves the machine of a demo (issue 30).
package final class DemoMailbox: Sendable {
    /// A message as it would arrive.
    private struct Arrival: Sendable {
        var at: Moment
        /// An e-mail address or a telephone number.
        var recipient: String
        var isMail: Bool
        /// The subject of an e-mail; nil for a text message.
        var subject: String?
        var paragraphs: [String]
        var facts: [Letter.Fact] = []
        var action: Letter.Action?
    }

    private struct State {
        var arrivals: [Arrival] = []
        /// The addresses and numbers of simulated people, whose messages nobody looks for.
        var simulated: Set<String> = []
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Moment
    /// The start page's address, which links in messages begin with.
    private let home: String

    /// How many messages are kept: the newest ones, on one page.
    package static let limit = 50

    /// Creates an empty mailbox.
    ///
    /// - Parameters:
    ///   - home: the start page's address, which links in messages begin with.
    ///   - now: returns the current time.
    package init(home: Link, now: @escaping @Sendable () -> Moment) {
        self.home = home.text.hasSuffix("/") ? String(home.text.dropLast()) : home.text
        self.now = now
    }

    /// The channels that deliver to this mailbox.
    package var channels: Channels {
        Channels { mail in
            self.take(
                Arrival(
                    at: self.now(),
                    recipient: mail.recipient.text,
                    isMail: true,
                    subject: mail.letter.subject,
                    paragraphs: mail.letter.paragraphs,
                    facts: mail.letter.facts,
                    action: mail.letter.action
                )
            )
        } sms: { number, text in
            self.take(
                Arrival(
                    at: self.now(),
                    recipient: number.text,
                    isMail: false,
                    paragraphs: [text]
                )
            )
        }
    }

    /// Discards messages to these e-mail addresses and telephone numbers from now on.
    func ignore(_ simulated: Set<String>) {
        state.withLock { $0.simulated = simulated }
    }

    private func take(_ arrival: Arrival) -> Outcome {
        state.withLock { state in
            guard !state.simulated.contains(arrival.recipient) else { return }
            state.arrivals.insert(arrival, at: 0)
            if state.arrivals.count > Self.limit { state.arrivals.removeLast() }
        }
        return .accepted
    }

    // MARK: Page

    /// The page that shows all messages, the newest first.
    package func page(_ context: RequestContext) -> Page {
        let arrivals = state.withLock { $0.arrivals }
        let items = arrivals.map { "<li>\(item($0, context))</li>" as HTML }
        let empty = EmptyState(.inbox, MailboxTexts.empty, MailboxTexts.emptyLead)
        var page = Page(
            MailboxTexts.title,
            body: """
                <div class="narrow"><h1>\(context.say(MailboxTexts.title))</h1>
                <p class="lead">\(context.say(MailboxTexts.lead))</p>
                <div id="mailbox" data-live="service">\(items.isEmpty
                    ? empty.html(context)
                    : "<ol class=\"choices\">\(items)</ol>")</div></div>
                """
        )
        page.refresh = 10
        page.isPolled = true
        return page
    }

    private func item(_ arrival: Arrival, _ context: RequestContext) -> HTML {
        let seconds = (context.now.milliseconds - arrival.at.milliseconds) / 1_000
        let age = context.say(CommonTexts.duration(seconds: max(0, seconds)))
        let kind = arrival.isMail ? MailboxTexts.mail : MailboxTexts.textMessage
        let paragraphs = arrival.paragraphs.map { "<p>\($0)</p>" as HTML }
        let facts = arrival.facts.map { "<p>\($0.label): <b>\($0.value)</b></p>" as HTML }
        let title = arrival.subject.map { "<h2>\($0)</h2>" as HTML }
        return """
            <article class="card">\(title)
            <p class="hint">\(context.say(kind)) · \(arrival.recipient) · \
            <span class="age">\(context.say(MailboxTexts.ago(age)))</span></p>
            \(paragraphs)\(facts)\(arrival.action.flatMap(link))</article>
            """
    }

    /// The link of a message, on the same host as the mailbox: each host name of the demo has its
    /// own session.
    private func link(_ action: Letter.Action) -> HTML? {
        let text = action.link.text
        guard text.hasPrefix(home) else { return nil }
        let path = text.dropFirst(home.count)
        let address = Address(withinServer: path.isEmpty ? "/" : String(path))
        return address.map { "<p><a class=\"button\" href=\($0)>\(action.label)</a></p>" }
    }
}
