import Drivers
import Encoding
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
    func showAudit(_ context: RequestContext) async throws -> Response {
        let act = context.query["act"].flatMap { $0.isEmpty ? nil : $0 }
        let wanted = (context.query["person"] ?? "").trimmingBlanks()
        var person = Int64(wanted).map(PersonNumber.init)
        if person == nil, !wanted.isEmpty {
            // Number 0 belongs to nobody, so an unknown person has no entries.
            person = try await accounts.findPerson(wanted) ?? PersonNumber(rawValue: 0)
        }
        let before = context.query["before"].flatMap { Int64($0) }
        var acts = try await accounts.audit(
            of: act,
            concerning: person,
            before: before,
            limit: Self.actsOnPage + 1
        )
        var next: HTML?
        if acts.count > Self.actsOnPage {
            acts.removeLast()
            next = acts.last.map { olderActs($0, act, wanted, context) }
        }
        let list: HTML =
            acts.isEmpty
            ? """
            <div class="empty">\(Icon.history.html)\
            <p>\(context.say(AuditTexts.nothing))</p></div>
            """
            : try await actTable(acts, context)
        let page = Page(
            AuditTexts.title,
            body: """
                <h1>\(context.say(AuditTexts.title))</h1>
                \(try await chain(context))
                \(auditFilter(act, wanted, try await accounts.auditedActs(), context))
                \(list)
                \(next)
                <p><a href="/dashboard">\(context.say(DriverListTexts.back))</a></p>
                """
        )
        return response(page, to: context)
    }

    private func olderActs(
        _ last: AuditEntry,
        _ act: String?,
        _ person: String,
        _ context: RequestContext
    ) -> HTML {
        let address = Address(
            "/console/audit",
            query: ["act": act ?? "", "person": person, "before": "\(last.sequence)"]
        )
        return """
            <p class="actions"><a class="button" href=\(address) rel="next">\
            \(context.say(AuditTexts.older))</a></p>
            """
    }

    /// Whether the log's hash chain is intact.
    private func chain(_ context: RequestContext) async throws -> HTML {
        if let altered = try await accounts.firstAlteredAct() {
            return """
                <p class="notice bad" role="alert">\(context.say(AuditTexts.broken(altered)))</p>
                """
        }
        return "<p class=\"notice good\">\(context.say(AuditTexts.sound))</p>"
    }

    private func auditFilter(
        _ act: String?,
        _ person: String,
        _ acts: [String],
        _ context: RequestContext
    ) -> HTML {
        let choices =
            [(value: "", label: AuditTexts.all)]
            + acts.map { (value: $0, label: AuditTexts.act($0)) }
        let fields = [
            Field(
                name: "act",
                label: AuditTexts.which,
                kind: .choice(choices),
                value: act ?? "",
                isRequired: false
            ),
            Field(
                name: "person",
                label: AuditTexts.whom,
                hint: PeopleTexts.findHint,
                value: person,
                isRequired: false
            ),
        ]
        return """
            <form class="range" method="get" action="/console/audit" role="search">
            \(fields.map { $0.html(context) })
            <p class="actions"><button>\(context.say(AuditTexts.filter))</button></p></form>
            """
    }

    /// A table of audit log entries: time, author, action, subject, old and new values.
    func actTable(_ acts: [AuditEntry], _ context: RequestContext) async throws -> HTML {
        let people = acts.flatMap { [$0.note.actor, $0.note.person] }.compactMap(\.self)
        let names = try await accounts.names(of: Set(people).sorted())
        func name(_ person: PersonNumber?) -> HTML {
            guard let person else { return "" }
            guard let name = names[person] else { return "\(context.say(AuditTexts.forgotten))" }
            return "\(name)"
        }
        let rows = acts.map { entry -> [HTML] in
            let note = entry.note
            let actor = note.actor == nil ? "\(context.say(AuditTexts.machine))" : name(note.actor)
            let change = [note.before, note.after].filter { !$0.isEmpty }.joined(separator: " → ")
            return [
                "\(context.say(AuditTexts.act(note.act)))", time(entry.moment, context), actor,
                note.person == nil ? "\(note.object)" : "\(name(note.person)) \(note.object)",
                "\(change)",
            ]
        }
        let heads = [
            AuditTexts.what, AuditTexts.when, AuditTexts.who, AuditTexts.toWhom, AuditTexts.change,
        ]
        return DataTable(
            caption: AuditTexts.title,
            heads.map { DataTable.Column($0) },
            rows: rows,
            hidesCaption: true
        ).html(context)
    }
}

extension AuditTexts {
    /// A description of an action; actions of other program versions are shown as stored.
    static func act(_ word: String) -> Text {
        AuditAct(rawValue: word).label
    }
}

extension AuditAct {
    /// A description of the action.
    var label: Text {
        switch self {
        case .createAdministrator: StaffPagesTexts.madeAnAdministrator
        case .setRoles: StaffPagesTexts.changedRoles
        case .suspend: StaffPagesTexts.suspended
        case .resume: StaffPagesTexts.endedASuspension
        case .enterDrivers: StaffPagesTexts.enteredDrivers
        case .changeDriver: StaffPagesTexts.changedADriver
        case .removeDriver: StaffPagesTexts.removedADriver
        case .inviteDriver: StaffPagesTexts.invitedADriverAgain
        case .verifyDriver: StaffPagesTexts.verifiedPapers
        case .refuseDriver: StaffPagesTexts.didNotAcceptPapers
        case .enterPassengers: StaffPagesTexts.enteredPassengers
        case .enterReservations: StaffPagesTexts.enteredReservations
        case .undoReservations:
            StaffPagesTexts.tookEnteredReservationsBack
        case .enterRides: StaffPagesTexts.enteredPastRides
        default: furtherLabel
        }
    }

    private var furtherLabel: Text {
        switch self {
        case .registerApplication: StaffPagesTexts.registeredAnApplication
        case .changeApplication: StaffPagesTexts.changedAnApplication
        case .rotateApplicationKey:
            StaffPagesTexts.gaveAnApplicationAnotherKey
        case .revokeApplication: StaffPagesTexts.revokedAnApplication
        case .connectApplication: StaffPagesTexts.connectedAnApplication
        case .disconnectApplication: StaffPagesTexts.disconnectedAnApplication
        case .connectSignIn: StaffPagesTexts.connectedASignIn
        case .disconnectSignIn: StaffPagesTexts.disconnectedASignIn
        case .endReusedGrant: StaffPagesTexts.endedAReusedGrant
        case .openService: StaffPagesTexts.openedTheService
        case .suspendService: StaffPagesTexts.suspendedTheService
        case .resumeService: StaffPagesTexts.resumedTheService
        case .adoptPolicy: StaffPagesTexts.putRulesIntoForce
        case .changeTariffs: StaffPagesTexts.changedTariffs
        case .importZones: StaffPagesTexts.importedZonesAsADraft
        case .discardZoneDraft: StaffPagesTexts.discardedADraftOfZones
        case .publishZones: StaffPagesTexts.publishedZones
        case .rollBackZones: StaffPagesTexts.wentBackToEarlierZones
        case .setLogLevels: StaffPagesTexts.setWhatTheLogTells
        case .addFeed: StaffPagesTexts.addedALiveFeed
        case .changeFeed: StaffPagesTexts.changedALiveFeed
        case .stopFeed: StaffPagesTexts.stoppedALiveFeed
        case .startFeed: StaffPagesTexts.startedALiveFeed
        case .removeFeed: StaffPagesTexts.removedALiveFeed
        case .addWebhook: StaffPagesTexts.addedAWebhook
        case .changeWebhook: StaffPagesTexts.changedAWebhook
        case .removeWebhook: StaffPagesTexts.removedAWebhook
        case .replaceWebhookSecret: StaffPagesTexts.replacedAWebhookSecret
        case .openWebhook: StaffPagesTexts.openedAWebhook
        case .sendWebhook: StaffPagesTexts.sentAWebhook
        case .makeBackup: StaffPagesTexts.tookABackup
        case .decideAppeal: StaffPagesTexts.decidedAnAppeal
        default: operatorLabel
        }
    }
}
