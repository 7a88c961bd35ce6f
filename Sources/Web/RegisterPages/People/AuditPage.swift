import Drivers
import HTTPTypes
import Identity
import Localization
import Logging
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// The number of entries on a page.
    private static let actsOnPage = 50

    /// The audit log, newest entries first, filtered by action and person.
    func showAudit(_ visit: Visit) async throws -> Reply {
        let act = visit.query["act"].flatMap { $0.isEmpty ? nil : $0 }
        let wanted = (visit.query["person"] ?? "").trimmed
        var person = Int64(wanted).map(PersonNumber.init)
        if person == nil, !wanted.isEmpty {
            // Number 0 belongs to nobody, so an unknown person has no entries.
            person = try await accounts.findPerson(wanted) ?? PersonNumber(rawValue: 0)
        }
        let before = visit.query["before"].flatMap { Int64($0) }
        var acts = try await accounts.audit(
            of: act,
            concerning: person,
            before: before,
            limit: Self.actsOnPage + 1
        )
        var next: HTML?
        if acts.count > Self.actsOnPage {
            acts.removeLast()
            next = acts.last.map { olderActs($0, act, wanted, visit) }
        }
        let list: HTML =
            acts.isEmpty
            ? "<p class=\"notice\">\(visit.say(AuditWords.nothing))</p>"
            : try await actTable(acts, visit)
        let page = Page(
            AuditWords.title,
            body: """
                <h1>\(visit.say(AuditWords.title))</h1>
                \(try await chain(visit))
                \(auditFilter(act, wanted, try await accounts.auditedActs(), visit))
                \(list)
                \(next)
                <p><a href="/dashboard">\(visit.say(DriverListWords.back))</a></p>
                """
        )
        return reply(page, to: visit)
    }

    private func olderActs(
        _ last: AuditEntry,
        _ act: String?,
        _ person: String,
        _ visit: Visit
    ) -> HTML {
        let address = Address(
            "/console/audit",
            query: ["act": act ?? "", "person": person, "before": "\(last.sequence)"]
        )
        return """
            <p class="actions"><a class="button" href=\(address) rel="next">\
            \(visit.say(AuditWords.older))</a></p>
            """
    }

    /// Whether the log's hash chain is intact.
    private func chain(_ visit: Visit) async throws -> HTML {
        if let altered = try await accounts.firstAlteredAct() {
            return """
                <p class="notice bad" role="alert">\(visit.say(AuditWords.broken(altered)))</p>
                """
        }
        return "<p class=\"notice good\">\(visit.say(AuditWords.sound))</p>"
    }

    private func auditFilter(
        _ act: String?,
        _ person: String,
        _ acts: [String],
        _ visit: Visit
    ) -> HTML {
        let choices =
            [(value: "", label: AuditWords.all)]
            + acts.map { (value: $0, label: AuditWords.act($0)) }
        let fields = [
            Field(
                name: "act",
                label: AuditWords.which,
                kind: .choice(choices),
                value: act ?? "",
                isRequired: false
            ),
            Field(
                name: "person",
                label: AuditWords.whom,
                hint: PeopleWords.findHint,
                value: person,
                isRequired: false
            ),
        ]
        return """
            <form class="fields" method="get" action="/console/audit" role="search">
            \(fields.map { $0.html(visit) })
            <p class="actions"><button>\(visit.say(AuditWords.filter))</button></p></form>
            """
    }

    /// A table of audit log entries: time, author, action, subject, old and new values.
    func actTable(_ acts: [AuditEntry], _ visit: Visit) async throws -> HTML {
        let people = acts.flatMap { [$0.note.actor, $0.note.person] }.compactMap(\.self)
        let names = try await accounts.names(of: Set(people).sorted())
        func name(_ person: PersonNumber?) -> HTML {
            guard let person else { return "" }
            guard let name = names[person] else { return "\(visit.say(AuditWords.forgotten))" }
            return "\(name)"
        }
        let rows = acts.map { entry -> HTML in
            let note = entry.note
            let actor = note.actor == nil ? "\(visit.say(AuditWords.machine))" : name(note.actor)
            let change = [note.before, note.after].filter { !$0.isEmpty }.joined(separator: " → ")
            return """
                <tr><td>\(time(entry.moment, visit))</td><td>\(actor)</td>\
                <th scope="row">\(visit.say(AuditWords.act(note.act)))</th>\
                <td>\(name(note.person)) \(note.object)</td><td>\(change)</td></tr>
                """
        }
        let heads = [
            AuditWords.when, AuditWords.who, AuditWords.what, AuditWords.toWhom,
            AuditWords.change,
        ].map { "<th scope=\"col\">\(visit.say($0))</th>" as HTML }
        return """
            <div class="scroll"><table>
            <caption class="hidden">\(visit.say(AuditWords.title))</caption>
            <thead><tr>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }
}

enum AuditWords {
    static let title = Text("Log of administrative acts", "Registro degli atti amministrativi")
    static let tile = Text(
        "See who changed what, and that nothing was altered since",
        "Vedi chi ha cambiato cosa, e che nulla è stato alterato"
    )
    static let sound = Text(
        "The log is unbroken: every entry stands as it was written.",
        "Il registro è integro: ogni voce è come è stata scritta."
    )
    static func broken(_ entry: Int64) -> Text {
        Text(
            "Entry \(entry) is not what was written. Somebody has changed the database directly.",
            "La voce \(entry) non è quella scritta. Qualcuno ha modificato il database."
        )
    }
    static let nothing = Text("Nothing of the kind was done.", "Nessun atto di questo tipo.")
    static let older = Text("Older acts", "Atti precedenti")
    static let which = Text("Kind of act", "Tipo di atto")
    static let all = Text("All acts", "Tutti gli atti")
    static let whom = Text("Done by or to a person", "Compiuti da o su una persona")
    static let filter = Text("Show", "Mostra")
    static let when = Text("When", "Quando")
    static let who = Text("Who", "Chi")
    static let what = Text("Act", "Atto")
    static let toWhom = Text("To whom or what", "Su chi o cosa")
    static let change = Text("Before and after", "Prima e dopo")
    static let forgotten = Text("(deleted)", "(eliminato)")
    static let machine = Text("Command line", "Riga di comando")

    /// A description of an action; actions of other program versions are shown as stored.
    static func act(_ word: String) -> Text {
        AuditAct(rawValue: word).label
    }
}

extension AuditAct {
    /// A description of the action.
    var label: Text {
        switch self {
        case .createAdministrator: Text("Made an administrator", "Creato un amministratore")
        case .setRoles: Text("Changed roles", "Ruoli modificati")
        case .suspend: Text("Suspended", "Sospeso")
        case .resume: Text("Ended a suspension", "Sospensione terminata")
        case .enterDrivers: Text("Entered drivers", "Tassisti inseriti")
        case .changeDriver: Text("Changed a driver", "Tassista modificato")
        case .removeDriver: Text("Removed a driver", "Tassista rimosso")
        case .inviteDriver: Text("Invited a driver again", "Tassista invitato di nuovo")
        case .verifyDriver: Text("Verified papers", "Documenti confermati")
        case .refuseDriver: Text("Did not accept papers", "Documenti non accettati")
        case .enterPassengers: Text("Entered passengers", "Passeggeri inseriti")
        case .enterReservations: Text("Entered reservations", "Prenotazioni inserite")
        case .undoReservations:
            Text("Took entered reservations back", "Prenotazioni inserite ritirate")
        case .enterRides: Text("Entered past rides", "Corse passate inserite")
        default: furtherLabel
        }
    }

    private var furtherLabel: Text {
        switch self {
        case .registerApplication: Text("Registered an application", "Applicazione registrata")
        case .changeApplication: Text("Changed an application", "Applicazione modificata")
        case .rotateApplicationKey:
            Text("Gave an application another key", "Chiave di un'applicazione cambiata")
        case .revokeApplication: Text("Revoked an application", "Applicazione revocata")
        case .openService: Text("Opened the service", "Servizio aperto")
        case .suspendService: Text("Suspended the service", "Servizio sospeso")
        case .resumeService: Text("Resumed the service", "Servizio ripreso")
        case .adoptPolicy: Text("Put rules into force", "Regole messe in vigore")
        case .changeTariffs: Text("Changed tariffs", "Tariffe modificate")
        case .importZones: Text("Imported zones as a draft", "Zone importate come bozza")
        case .discardZoneDraft: Text("Discarded a draft of zones", "Bozza delle zone scartata")
        case .publishZones: Text("Published zones", "Zone pubblicate")
        case .rollBackZones: Text("Went back to earlier zones", "Zone precedenti ripristinate")
        case .setLogLevels: Text("Set what the log tells", "Livelli del registro impostati")
        case .makeBackup: Text("Took a backup", "Copia di sicurezza fatta")
        case .decideAppeal: Text("Decided an appeal", "Reclamo deciso")
        default: operatorLabel
        }
    }
}

extension RegisterPages {
}
