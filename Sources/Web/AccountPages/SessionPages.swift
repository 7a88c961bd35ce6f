import HTTPTypes
import Identity
import Markup
import Notify
import TaxiPages
import WebCore

extension AccountPages {
    /// Lists the person's active sessions.
    func showSessions(_ context: RequestContext) async throws -> Response {
        guard let session = context.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        let rows = try await accounts.sessions(of: person, at: context.now).map { entry -> Row in
            let device = entry.device.isEmpty ? context.say(AccountPageTexts.unknown) : entry.device
            let end: HTML = """
                <form method="post" action="/account/sessions/end">\(context.formToken)\
                <button name="session" value="\(entry.number)">\
                \(context.say(AccountPageTexts.endSession))\
                <span class="hidden"> \(device)</span></button></form>
                """
            let here = StateChip(AccountPageTexts.thisOne, icon: .check, tone: .good)
            return Row(
                .mobile,
                "\(device)",
                detail: "\(context.say(AccountPageTexts.lastUse)) \(time(entry.used, context))",
                value: entry.number == session.number ? here.html(context) : end
            )
        }
        let others: HTML = """
            <form method="post" action="/account/sessions/end">\(context.formToken)
            <p class="actions"><button class="danger" name="session" value="others">\
            \(context.say(AccountPageTexts.endOthers))</button></p></form>
            """
        var page = Page(
            AccountPageTexts.sessions,
            body: """
                <div class="narrow"><h1>\(context.say(AccountPageTexts.sessions))</h1>
                <p class="lead">\(context.say(AccountPageTexts.sessionsLead))</p>
                \(Rows(rows).html)
                \(HTML.when(rows.count > 1, others))</div>
                \(backToAccount(context))
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    /// Ends one of the person's sessions, or all except the current one.
    func endSession(_ context: RequestContext) async throws -> Response {
        guard let secret = context.secret, let session = context.session,
            let person = session.person
        else { throw Failure.notSignedIn }
        switch context.form["session"] ?? "" {
        case "others":
            try await accounts.endOtherSessions(of: person, but: secret)
            try await devices.removeAll(of: "\(person.rawValue)", butOfSession: session.number)
        case let text:
            guard let number = Int64(text) else { throw Failure.badRequest }
            try await accounts.endSession(number, of: person)
            try await devices.remove(ofSession: number, of: "\(person.rawValue)")
        }
        return .redirect(to: Address("/account/sessions"))
    }
}
