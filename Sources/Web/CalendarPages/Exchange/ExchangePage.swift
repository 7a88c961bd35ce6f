import Agenda
import Chronology
import HTTPTypes
import Identity
import Localization
import Markup
import OpenData
import TaxiPages
import WebCore

/// Other calendars: the secret address to subscribe to, importing and exporting.
extension CalendarPages {
    private static let exchangeNotices: [String: Text] = [
        "made": ExchangeTexts.made, "renewed": ExchangeTexts.renewed,
        "revoked": ExchangeTexts.revoked, "imported": ExchangeTexts.imported,
    ]

    var exchangeRoutes: [Route] {
        [
            .get("/calendar/exchange", as: "calendar.exchange", for: .person) { context, person in
                let page = try await exchangePage(ImportForm(), of: person.person, context)
                return response(page, to: context)
            }
            .taking([.notice]),
            .get(
                "/calendar/exchange/calendar.ics",
                as: "calendar.export",
                for: .person,
                exportCalendar
            )
            .answering(.file("text/calendar")),
            .post("/calendar/exchange/address", as: "calendar.address.make", for: .person) {
                try await agenda.makeAddress(of: $1.person)
                return Self.exchange(notice: "made")
            }
            .answering(.redirect),
            .post("/calendar/exchange/renew", as: "calendar.address.renew", for: .person) {
                try await agenda.makeAddress(of: $1.person, isRenewal: true)
                return Self.exchange(notice: "renewed")
            }
            .answering(.redirect),
            .post("/calendar/exchange/revoke", as: "calendar.address.revoke", for: .person) {
                try await agenda.endAddress(of: $1.person)
                return Self.exchange(notice: "revoked")
            }
            .answering(.redirect),
        ] + importRoutes + feedRoutes
    }

    private static func exchange(notice: String) -> Response {
        .redirect(to: Address("/calendar/exchange", query: ["notice": notice]))
    }

    /// The page, with what was typed into the form of the import.
    func exchangePage(
        _ form: ImportForm,
        of person: PersonNumber,
        _ context: RequestContext
    ) async throws -> Page {
        let token = try await agenda.address(of: person)
        let subscription = token.map { address($0, context) } ?? noAddress(context)
        let export = Button(
            ExportingTexts.download,
            .link(Address("/calendar/exchange/calendar.ics")),
            icon: .download
        )
        let toCalendar = Button(
            ImportedTexts.toCalendar,
            .link(Address("/calendar")),
            look: .plain,
            icon: .back
        )
        var page = Page(
            ExchangeTexts.title,
            body: """
                \(toCalendar.html(context))
                <h1>\(context.say(ExchangeTexts.title))</h1>
                <p class="lead">\(context.say(ExchangeTexts.lead))</p>
                \(consoleNotice(Self.exchangeNotices, context))
                \(Card(
                    "\(context.say(ExchangeTexts.subscribe))",
                    content: """
                        <p>\(context.say(ExchangeTexts.subscribeLead))</p>\(subscription)
                        """
                ).html)
                \(Card(
                    "\(context.say(ImportingTexts.title))",
                    content: """
                        <p>\(context.say(ImportingTexts.lead))</p>\(importForm(form).html(context))
                        """
                ).html)
                \(Card(
                    "\(context.say(ExportingTexts.title))",
                    content: """
                        <p>\(context.say(ExportingTexts.lead))</p>
                        <p class="actions">\(export.html(context))</p>
                        """
                ).html)
                """
        )
        page.hasForm = true
        return page
    }

    // MARK: The secret address

    private func noAddress(_ context: RequestContext) -> HTML {
        form(Address("/calendar/exchange/address"), ExchangeTexts.make, .link, context)
    }

    /// The address; a script adds the button that copies it or hands it to another program.
    private func address(_ token: String, _ context: RequestContext) -> HTML {
        let path = Address("/calendar/feed", "\(token)\(Self.feedSuffix)")
        let full = full(path, context)
        let change = FoldedRow(
            .refresh,
            ExchangeTexts.change,
            value: .empty,
            content: """
                <p>\(context.say(ExchangeTexts.changeLead))</p>
                \(form(Address("/calendar/exchange/renew"), ExchangeTexts.renew, .refresh, context))
                \(form(
                    Address("/calendar/exchange/revoke"),
                    ExchangeTexts.revoke,
                    .bin,
                    look: .destructive,
                    context
                ))
                """
        )
        return """
            <p><b>\(context.say(ExchangeTexts.addressIs))</b><br>\
            <a class="link" href=\(path)>\(full)</a></p>
            <p class="actions"><button type="button" hidden data-share="\(full)" \
            data-done="\(context.say(ExchangeTexts.copied))">\(Icon.share.html) \
            <span>\(context.say(ExchangeTexts.copy))</span></button></p>
            <p class="hint">\(context.say(ExchangeTexts.howTo))</p>
            \(Notice(.information, "\(context.say(ExchangeTexts.keepSecret))").html(context))
            \(FoldedRow.list([change], context))
            """
    }

    private func form(
        _ action: Address,
        _ label: Text,
        _ icon: Icon,
        look: Button.Look = .secondary,
        _ context: RequestContext
    ) -> HTML {
        var button = Button(label, look: look, icon: icon)
        button.busy = ExchangeTexts.working
        return """
            <form method="post" action=\(action)>\(context.formToken)\
            <p class="actions">\(button.html(context))</p></form>
            """
    }

    // MARK: Exporting

    private func exportCalendar(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        .download(
            try await agenda.file(of: person.person).bytes,
            type: Self.calendarType,
            name: "calendar.ics"
        )
    }

    /// The media type of calendars (RFC 5545, 8.1).
    static let calendarType = "text/calendar; charset=utf-8"
}
