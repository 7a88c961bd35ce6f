import Backups
import Chronology
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
            .get("/console/backups", for: .administrator, showBackups),
            .get("/console/backups/new", for: .graveAdministrator) {
                reply(newBackupPage($0), to: $0)
            },
            .post("/console/backups/new", for: .graveAdministrator, makeBackup),
            .post("/console/backups/check", for: .administrator, checkBackup)
                .repeated(because: "it looks at a backup anew each time, and changes nothing"),
        ]
    }

    private func showBackups(_ visit: Visit) throws -> Reply {
        let all = backups.folder.all
        var page = Page(
            BackupTexts.title,
            body: """
                \(backupNotice(visit))
                <h1>\(visit.say(BackupTexts.title))</h1>
                <p class="lead">\(visit.say(backupLead(all)))</p>
                <p class="actions"><a class="button primary" href="/console/backups/new">\
                \(visit.say(BackupTexts.now))</a></p>
                \(all.isEmpty ? .empty : backupTable(all, visit))
                \(restoring(all, visit))
                """
        )
        page.hasForm = true
        return reply(page, to: visit)
    }

    private func backupLead(_ all: [Backup]) -> Text {
        guard let newest = all.first(where: { $0.state != .damaged }), let moment = newest.moment
        else { return BackupTexts.none }
        return BackupTexts.newest(on: moment, zone: web.settings.zoneTable)
    }

    private func backupNotice(_ visit: Visit) -> HTML? {
        let text: Text
        switch visit.query["notice"] {
        case "made": text = BackupTexts.made
        case "sound": text = BackupTexts.sound
        case "unsound":
            return """
                <div class="notice bad" role="alert"><p>\(visit.say(BackupTexts.unsound))</p></div>
                """
        default: return nil
        }
        return "<div class=\"notice good\" role=\"status\"><p>\(visit.say(text))</p></div>"
    }

    private func backupTable(_ all: [Backup], _ visit: Visit) -> HTML {
        let rows = all.map { backup -> HTML in
            let moment: HTML = backup.moment.map { time($0, visit) } ?? "\(backup.name)"
            return """
                <tr><th scope="row">\(moment)</th>\
                <td>\(backup.manifest?.reason ?? "")</td>\
                <td class="number">\(FileSize.words(backup.bytes))</td>\
                <td>\(visit.say(backup.state.words))</td>\
                <td><form method="post" action="/console/backups/check">\(visit.formToken)\
                <button name="name" value="\(backup.name)">\(visit.say(BackupTexts.check))\
                <span class="hidden"> \(backup.name)</span></button></form></td></tr>
                """
        }
        let heads = [
            BackupTexts.moment, BackupTexts.reason, BackupTexts.size, BackupTexts.state,
            BackupTexts.action,
        ].map { "<th scope=\"col\">\(visit.say($0))</th>" as HTML }
        return """
            <div class="scroll"><table>
            <caption>\(visit.say(BackupTexts.caption(kept: backups.folder.kept)))</caption>
            <thead><tr>\(heads)</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            """
    }

    private func restoring(_ all: [Backup], _ visit: Visit) -> HTML {
        """
        <h2>\(visit.say(BackupTexts.restoring))</h2>
        <p>\(visit.say(BackupTexts.restoringHow))</p>
        <pre><code>viavai admin restore \(all.first?.name ?? "newest")</code></pre>
        <p>\(visit.say(BackupTexts.secret))</p>
        """
    }

    private func newBackupPage(_ visit: Visit, problem: Text? = nil) -> Page {
        var form = FormPage(
            action: Address("/console/backups/new"),
            fields: [
                Field(
                    name: "reason",
                    label: BackupTexts.reason,
                    hint: BackupTexts.reasonHint,
                    value: visit.form["reason"] ?? "",
                    isRequired: false
                )
            ],
            button: BackupTexts.now,
            busy: BackupTexts.busy
        )
        form.problem = problem
        var page = formPage(BackupTexts.newTitle, lead: BackupTexts.newLead, form, visit)
        page.body += "<p><a href=\"/console/backups\">\(visit.say(BackupTexts.back))</a></p>"
        return page
    }

    private func makeBackup(_ visit: Visit) async throws -> Reply {
        let reason = String((visit.form["reason"] ?? "").trimmed.prefix(40))
        do {
            let backup = try await backups.make(reason: reason.isEmpty ? "manual" : reason)
            let note = AuditNote(by: visit.session?.person, .makeBackup, object: backup.name)
            try await database.write {
                try AuditTrail.append(note, under: nil, at: visit.now, in: $0)
            }
        } catch {
            visit.logger.error("a backup failed", metadata: ["error": "\(error)"])
            var page = newBackupPage(visit, problem: BackupTexts.failed)
            page.status = .internalServerError
            return reply(page, to: visit)
        }
        return .redirect(to: Address("/console/backups", query: ["notice": "made"]))
    }

    private func checkBackup(_ visit: Visit) async throws -> Reply {
        guard
            let backup = backups.folder.all.first(where: { $0.name == visit.form["name"] ?? "" })
        else { throw Failure.notFound }
        var isSound = true
        do {
            try backups.folder.verify(backup)
        } catch {
            isSound = false
            visit.logger.warning("a backup is not sound", metadata: ["error": "\(error)"])
        }
        let notice = isSound ? "sound" : "unsound"
        return .redirect(to: Address("/console/backups", query: ["notice": notice]))
    }
}

/// Formats file sizes in decimal units: kB, MB or GB.
enum FileSize {
    /// The formatted size, the same in all languages.
    static func words(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000_000: "\((bytes + 999) / 1_000) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000) GB"
        }
    }
}
