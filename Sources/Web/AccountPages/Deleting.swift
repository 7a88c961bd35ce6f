import Drivers
import Fares
import HTTPTypes
import Identity
import Localization
import Logging
import Markup
import Taxi
import TaxiPages
import WebCore

extension AccountPages {
    /// Deleting the account, for good (R103, R105).
    var deletionRoutes: [Route] {
        [
            .get("/account/delete", for: .grave) {
                reply(try await deletionPage($0), to: $0)
            },
            .post("/account/delete", for: .grave, delete)
                .repeated(because: "it takes the cookie away, and a second time finds nobody"),
        ]
    }

    private func deletionPage(
        _ visit: Visit,
        _ failure: AccountFailure? = nil
    ) async throws -> Page {
        // Where this server does not have the taxis, the page cannot say what will be cancelled.
        var found: UnderWay?
        do { found = try await underWay(visit) } catch TaxiService.Failure.notServing {}
        if let obstacle = found?.obstacle { return obstaclePage(obstacle, visit) }
        var form = FormPage(
            action: Address("/account/delete"),
            fields: [],
            button: DeletionWords.button,
            busy: CommonTexts.busy
        )
        form.problem = failure?.words
        let consequences = DeletionWords.consequences(cancels: found?.wishes != [])
        form.extra = """
            <ul>\(consequences.map { "<li>\(visit.say($0))</li>" as HTML })</ul>
            \(wishes(found?.wishes ?? [], visit))
            <div class="choice">
            <input type="checkbox" id="field-proceed" name="proceed" value="yes">
            <label for="field-proceed">\(visit.say(DeletionWords.proceed))</label></div>
            """
        var page = formPage(DeletionWords.title, lead: CommonTexts.cannotBeUndone, form, visit)
        page.body += backToAccount(visit)
        return page
    }

    /// What the person has under way with the taxis, and what stands in the way of leaving (F24).
    private func underWay(_ visit: Visit) async throws -> UnderWay {
        guard let person = visit.session?.person else { throw Failure.notSignedIn }
        return try await taxi.underWay(of: person, try await accounts.drivers.taxi(of: person))
    }

    /// What will be cancelled, one by one.
    private func wishes(_ wishes: [UnderWay.Wish], _ visit: Visit) -> HTML? {
        guard !wishes.isEmpty else { return nil }
        let items = wishes.map { wish -> HTML in
            let from: HTML? = wish.meeting.map { ", \($0.text)" }
            guard let due = wish.due else {
                return "<li>\(visit.say(DeletionWords.call))\(from)</li>"
            }
            return "<li>\(visit.say(DeletionWords.reservation)) \(time(due, visit))\(from)</li>"
        }
        return "<h2>\(visit.say(DeletionWords.cancelled))</h2><ul>\(items)</ul>"
    }

    /// Why the account cannot be deleted now, and what to do.
    private func obstaclePage(_ obstacle: LeavingObstacle, _ visit: Visit) -> Page {
        var page = Page(
            DeletionWords.notNow,
            body: """
                <h1>\(visit.say(DeletionWords.notNow))</h1>
                <p class="lead">\(visit.say(obstacle.words))</p>
                \(backToAccount(visit))
                """
        )
        page.status = .conflict
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
        } catch let obstacle as LeavingObstacle {
            return reply(obstaclePage(obstacle, visit), to: visit)
        } catch let failure as AccountFailure {
            return try refused(try await deletionPage(visit, failure), failure, visit)
        }
        await slots.deleted(visit)
        var visit = visit
        visit.session = nil
        var reply = self.reply(
            message(DeletionWords.done, DeletionWords.doneLead, visit),
            to: visit
        )
        .setting(sessionCookie(nil))
        .setting(orderCookie(nil, visit))
        reply.headers[.clearSiteData] = "\"cache\", \"storage\""
        return reply
    }
}

enum DeletionWords {
    static let title = Text("Delete your account", "Elimina il tuo account")
    /// What deleting means; whether something is cancelled is said where it is listed.
    static func consequences(cancels: Bool) -> [Text] {
        [
            Text(
                "Everything that we keep about you is destroyed.",
                "Tutto ciò che conserviamo di te viene distrutto."
            ),
            CommonTexts.backupsKeep,
            cancels
                ? Text(
                    "What you have asked for is cancelled, and you are signed out everywhere.",
                    "Ciò che hai chiesto viene annullato ed esci da tutti i dispositivi."
                )
                : Text(
                    "You are signed out everywhere.",
                    "Esci da tutti i dispositivi."
                ),
            Text(
                "That rides took place stays on record, without your name.",
                "Resta registrato che delle corse ci sono state, senza il tuo nome."
            ),
        ]
    }
    static let cancelled = Text("This will be cancelled", "Questo verrà annullato")
    static let call = Text(
        "The taxi that we are looking for now",
        "Il taxi che stiamo cercando ora"
    )
    static let reservation = Text("Your reservation for", "La tua prenotazione per")
    static let notNow = Text(
        "Your account cannot be deleted now",
        "Ora il tuo account non può essere eliminato"
    )
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

extension LeavingObstacle {
    /// Why somebody cannot leave now, and what to do.
    var words: Text {
        switch self {
        case .riding:
            Text(
                "A taxi is on its way to you or drives you. Finish the ride, or cancel it if you "
                    + "still can; then delete your account.",
                "Un taxi sta arrivando o ti sta portando. Finisci la corsa, o annullala se puoi "
                    + "ancora; poi elimina il tuo account."
            )
        case .calling:
            Text(
                "We are looking for a taxi for you, and in this city that cannot be cancelled. "
                    + "Wait until it has ended; then delete your account.",
                "Stiamo cercando un taxi per te, e in questa città non si può annullare. Aspetta "
                    + "che sia finita; poi elimina il tuo account."
            )
        case .driving:
            Text(
                "Your taxi has a ride. End it and go off duty; then delete your account.",
                "Il tuo taxi ha una corsa. Concludila e vai fuori servizio; poi elimina il tuo "
                    + "account."
            )
        case .asked:
            Text(
                "Your taxi is being offered a ride. Answer the offer and go off duty; then delete "
                    + "your account.",
                "Al tuo taxi è stata proposta una corsa. Rispondi e vai fuori servizio; poi "
                    + "elimina il tuo account."
            )
        }
    }
}
