import Accounts
import HTTPTypes
import Logging
import Markup
import Words

extension Site {
    /// Deleting the account, for good (R103, R105).
    var deletionRoutes: [Route] {
        [
            .get("/account/delete", for: .grave) { reply(deletionPage($0), to: $0) },
            .post("/account/delete", for: .grave, delete),
        ]
    }

    private func deletionPage(_ visit: Visit, _ failure: AccountFailure? = nil) -> Page {
        var form = FormPage(
            action: Address("/account/delete"),
            fields: [],
            button: DeletionWords.button,
            busy: LogInWords.busy
        )
        form.problem = failure?.words
        form.extra = """
            <ul>\(DeletionWords.consequences.map { "<li>\(visit.say($0))</li>" as HTML })</ul>
            <div class="choice">
            <input type="checkbox" id="field-proceed" name="proceed" value="yes">
            <label for="field-proceed">\(visit.say(DeletionWords.proceed))</label></div>
            """
        var page = formPage(DeletionWords.title, lead: DeletionWords.lead, form, visit)
        page.body += "<p><a href=\"/account\">\(visit.say(AccountPageWords.back))</a></p>"
        return page
    }

    private func delete(_ visit: Visit) async throws -> Reply {
        guard let session = visit.session else { throw Failure.notSignedIn }
        do {
            try await accounts.eraseAccount(
                by: session,
                hasProceeded: visit.form["proceed"] == "yes",
                at: visit.now
            )
        } catch let failure as AccountFailure {
            return try refused(deletionPage(visit, failure), failure, visit)
        }
        do {
            try await backups.rememberErasures()
        } catch {
            // The account is gone all the same, and the next sweep tries again.
            visit.logger.error(
                "the list of the erased beside the backups is not up to date",
                metadata: ["error": "\(error)"]
            )
        }
        var visit = visit
        visit.session = nil
        var reply = self.reply(
            message(DeletionWords.done, DeletionWords.doneLead, visit),
            to: visit
        )
        .setting(sessionCookie(nil))
        reply.headers[.clearSiteData] = "\"cache\", \"storage\""
        return reply
    }
}

enum DeletionWords {
    static let title = Text("Delete your account", "Elimina il tuo account")
    static let lead = Text(
        "This cannot be undone.",
        "Non si può tornare indietro."
    )
    static let consequences = [
        Text(
            "Everything that we keep about you is destroyed, in our backups too.",
            "Tutto ciò che conserviamo di te viene distrutto, anche nelle copie di sicurezza."
        ),
        Text(
            "Your reservations are cancelled, and you are signed out everywhere.",
            "Le tue prenotazioni sono annullate ed esci da tutti i dispositivi."
        ),
        Text(
            "That rides took place stays on record, without your name.",
            "Resta registrato che delle corse ci sono state, senza il tuo nome."
        ),
    ]
    static let proceed = Text(
        "I want to go on and delete everything",
        "Voglio procedere ed eliminare tutto"
    )
    static let button = Text("Delete my account", "Elimina il mio account")
    static let done = Text("Your account is deleted", "Il tuo account è eliminato")
    static let doneLead = Text(
        "Nothing about you is left here. You are welcome back at any time.",
        "Qui non resta nulla di te. Puoi tornare quando vuoi."
    )
}
