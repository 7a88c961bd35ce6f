import HTTPTypes
import Identity
import Markup
import Notify
import TaxiPages
import WebCore

extension AccountPages {
    /// Lists the person's active sessions.
    func showSessions(_ visit: Visit) async throws -> Reply {
        guard let session = visit.session, let person = session.person else {
            throw Failure.notSignedIn
        }
        let rows = try await accounts.sessions(of: person, at: visit.now).map { entry -> HTML in
            let device = entry.device.isEmpty ? visit.say(AccountPageTexts.unknown) : entry.device
            let isThis = entry.number == session.number
            let end: HTML = """
                <form method="post" action="/account/sessions/end">\(visit.formToken)\
                <button name="session" value="\(entry.number)">\
                \(visit.say(AccountPageTexts.endSession))\
                <span class="hidden"> \(device)</span></button></form>
                """
            return """
                <tr><th scope="row">\(device)</th><td>\(time(entry.used, visit))</td>\
                <td>\(isThis ? "\(visit.say(AccountPageTexts.thisOne))" : end)</td></tr>
                """
        }
        var page = Page(
            AccountPageTexts.sessions,
            body: """
                <h1>\(visit.say(AccountPageTexts.sessions))</h1>
                <p class="lead">\(visit.say(AccountPageTexts.sessionsLead))</p>
                <div class="scroll"><table>
                <caption class="hidden">\(visit.say(AccountPageTexts.sessions))</caption>
                <thead><tr><th scope="col">\(visit.say(AccountPageTexts.device))</th>\
                <th scope="col">\(visit.say(AccountPageTexts.lastUse))</th>\
                <th scope="col">\(visit.say(CommonTexts.action))</th></tr></thead>
                <tbody>\(rows)</tbody></table></div>
                <form method="post" action="/account/sessions/end">\(visit.formToken)
                <p class="actions"><button class="danger" name="session" value="others">\
                \(visit.say(AccountPageTexts.endOthers))</button></p></form>
                \(backToAccount(visit))
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    /// Ends one of the person's sessions, or all except the current one.
    func endSession(_ visit: Visit) async throws -> Reply {
        guard let secret = visit.secret, let session = visit.session, let person = session.person
        else { throw Failure.notSignedIn }
        switch visit.form["session"] ?? "" {
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
