import Backups
import Chronology
import Encoding
import HTTPTypes
import Identity
import Localization
import Logging
import Markup
import Storage
import TaxiPages
import WebCore

extension ConsolePages {
    /// The backups: a list of existing ones, and an action to take one now (issue 4; R8).
    var backupRoutes: [Route] {
        [
            .get("/console/backups", as: "backups.list", for: .administrator, showBackups)
                .taking([.notice]),
            .get("/console/backups/new", as: "backups.new.form", for: .graveAdministrator) {
                response(newBackupPage($0), to: $0)
            },
            .post("/console/backups/new", as: "backups.new", for: .graveAdministrator, makeBackup)
                .taking([
                    .typed("reason", .text(40), "What the backup is for, as part of its name.")
                ]),
            .post("/console/backups/check", as: "backups.check", for: .administrator, checkBackup)
                .taking([.set("name", .text(200), "The name of the backup.")])
                .failing(.notFound)
                .repeated(because: "it looks at a backup anew each time, and changes nothing"),
        ]
    }

    private func showBackups(_ context: RequestContext) throws -> Response {
        let all = backups.folder.all
        let nothing = EmptyState(.disk, BackupTexts.none, BackupTexts.newLead, action: backUpNow)
        var page = Page(
            BackupTexts.title,
            body: """
                \(backupNotice(context))
                <h1>\(context.say(BackupTexts.title))</h1>
                \(all.isEmpty ? nothing.html(context) : backupList(all, context))
                \(restoring(all, context))
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private var backUpNow: Button {
        Button(
            BackupTexts.now,
            .link(Address("/console/backups/new")),
            look: .primary,
            icon: .disk
        )
    }

    private func backupLead(_ all: [Backup]) -> Text {
        guard let newest = all.first(where: { $0.state != .damaged }), let moment = newest.moment
        else { return BackupTexts.none }
        return BackupTexts.newest(on: moment, zone: web.settings.zoneTable)
    }

    private func backupNotice(_ context: RequestContext) -> HTML? {
        let text: Text
        switch context.query["notice"] {
        case "made": text = BackupTexts.made
        case "sound": text = BackupTexts.sound
        case "unsound":
            return """
                <div class="notice bad" role="alert"><p>\(context.say(BackupTexts.unsound))</p>\
                </div>
                """
        default: return nil
        }
        return "<div class=\"notice good\" role=\"status\"><p>\(context.say(text))</p></div>"
    }

    private func backupList(_ all: [Backup], _ context: RequestContext) -> HTML {
        let rows = all.map { backup -> WebCore.Row in
            let details = [backup.manifest?.reason ?? "", FileSize.text(backup.bytes)]
            let detail = details.filter { !$0.isEmpty }.joined(separator: " · ")
            return WebCore.Row(
                .disk,
                backup.moment.map { time($0, context) } ?? "\(backup.name)",
                detail: "\(detail) \(backup.state.chip.html(context))",
                value: """
                    <button name="name" value="\(backup.name)">\(context.say(BackupTexts.check))\
                    <span class="hidden"> \(backup.name)</span></button>
                    """
            )
        }
        return """
            <p class="lead">\(context.say(backupLead(all)))</p>
            <p class="actions">\(backUpNow.html(context))</p>
            <h2>\(context.say(BackupTexts.caption(kept: backups.folder.kept)))</h2>
            <form method="post" action="/console/backups/check">\(context.formToken)
            \(Rows(rows).html)</form>
            """
    }

    private func restoring(_ all: [Backup], _ context: RequestContext) -> HTML {
        """
        <h2>\(context.say(BackupTexts.restoring))</h2>
        <p>\(context.say(BackupTexts.restoringHow))</p>
        <pre><code>viavai admin restore \(all.first?.name ?? "newest")</code></pre>
        <p>\(context.say(BackupTexts.secret))</p>
        """
    }

    private func newBackupPage(_ context: RequestContext, problem: Text? = nil) -> Page {
        var form = FormPage(
            action: Address("/console/backups/new"),
            fields: [
                Field(
                    name: "reason",
                    label: BackupTexts.reason,
                    hint: BackupTexts.reasonHint,
                    value: context.form["reason"] ?? "",
                    isRequired: false
                )
            ],
            button: BackupTexts.now,
            busy: BackupTexts.busy
        )
        form.problem = problem
        var page = formPage(BackupTexts.newTitle, lead: BackupTexts.newLead, form, context)
        page.body += "<p><a href=\"/console/backups\">\(context.say(BackupTexts.back))</a></p>"
        return page
    }

    private func makeBackup(_ context: RequestContext) async throws -> Response {
        let reason = String((context.form["reason"] ?? "").trimmingBlanks().prefix(40))
        do {
            let backup = try await backups.make(reason: reason.isEmpty ? "manual" : reason)
            let note = AuditNote(by: context.session?.person, .makeBackup, object: backup.name)
            try await database.write {
                try AuditTrail.append(note, under: nil, at: context.now, in: $0)
            }
        } catch {
            context.logger.error("a backup failed", metadata: ["error": "\(error)"])
            var page = newBackupPage(context, problem: BackupTexts.failed)
            page.status = .internalServerError
            return response(page, to: context)
        }
        return .redirect(to: Address("/console/backups", query: ["notice": "made"]))
    }

    private func checkBackup(_ context: RequestContext) async throws -> Response {
        guard
            let backup = backups.folder.all.first(where: { $0.name == context.form["name"] ?? "" })
        else { throw Failure.notFound }
        var isSound = true
        do {
            try backups.folder.verify(backup)
        } catch {
            isSound = false
            context.logger.warning("a backup is not sound", metadata: ["error": "\(error)"])
        }
        let notice = isSound ? "sound" : "unsound"
        return .redirect(to: Address("/console/backups", query: ["notice": notice]))
    }
}

/// Formats file sizes in decimal units: kB, MB or GB.
enum FileSize {
    /// The formatted size, the same in all languages.
    static func text(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000_000: "\((bytes + 999) / 1_000) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000) GB"
        }
    }
}
