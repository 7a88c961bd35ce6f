import Foundation
import Identity
import Storage
import StorageTestSupport
import TestClock
import Testing
import WebTestSupport

@testable import Backups
@testable import WebApp

/// Issue 4: backups and log levels on the console.
@Suite("What administrators look after", .serialized)
struct ConsoleOperationsTests {
    /// An administrator who is signed in and has recently entered the password.
    private static func administrator(at site: ServedSite) async throws -> Visitor {
        let installation = site.installation
        let number = try await installation.accounts.createAdministrator(
            Registration(
                userName: "ada",
                email: "ada@example.org",
                password: "Passw0rdOne",
                passwordAgain: "Passw0rdOne",
                name: "Ada",
                surname: "Neri",
                consent: installation.accounts.settings.consentVersion
            ),
            at: site.clock.now
        )
        try await installation.database.write {
            try $0.execute("UPDATE person SET must_change = 0 WHERE number = \(number)")
        }
        let visitor = site.visitor()
        let fields = ["name": "ada", "password": "Passw0rdOne"]
        #expect(try await visitor.submit(fields, on: "/login").status == 303)
        return visitor
    }

    @Test("an administrator makes a backup, sees it, and has it checked (R8)")
    func backups() async throws {
        try await withSite { site in
            let visitor = try await Self.administrator(at: site)
            let empty = try await visitor.get("/console/backups")
            #expect(empty.text.contains("There is no backup yet."))
            let made = try await visitor.submit(
                ["reason": "Prima del weekend"],
                on: "/console/backups/new"
            )
            #expect(made.header("location") == "/console/backups?notice=made")
            let backup = try site.installation.backups.folder.find("newest")
            #expect(backup.name.hasSuffix("-prima-del-weekend"))
            let page = try await visitor.get("/console/backups?notice=made")
            #expect(page.text.contains("The newest backup was made on"))
            #expect(page.text.contains("Verified when made"))
            #expect(page.text.contains("viavai admin restore \(backup.name)"))
            let sound = try await visitor.submit(
                ["name": backup.name],
                on: "/console/backups",
                to: "/console/backups/check"
            )
            #expect(sound.header("location") == "/console/backups?notice=sound")
            var bytes = try Data(contentsOf: URL(fileURLWithPath: backup.city))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(fileURLWithPath: backup.city))
            let unsound = try await visitor.submit(
                ["name": backup.name],
                on: "/console/backups",
                to: "/console/backups/check"
            )
            #expect(unsound.header("location") == "/console/backups?notice=unsound")
            let strange = try await visitor.submit(
                ["name": "../../secret"],
                on: "/console/backups",
                to: "/console/backups/check"
            )
            #expect(strange.status == 404)
            let audit = try await site.installation.accounts.audit()
            #expect(
                audit.contains { $0.note.act == "make backup" && $0.note.object == backup.name }
            )
        }
    }

    @Test("a form that is sent again is answered as the first time, and done once (ui.md 4.1, 6)")
    func once() async throws {
        try await withSite { site in
            let visitor = try await Self.administrator(at: site)
            let page = "/console/backups/new"
            let key = ["reason": "a", "key": "0123456789abcdef"]
            let first = try await visitor.submit(key, on: page)
            let second = try await visitor.submit(key, on: page)
            #expect(first.status == 303)
            #expect(second.status == 303)
            #expect(second.header("location") == first.header("location"))
            #expect(site.installation.backups.folder.all.count == 1)
            // Going back and changing a field makes it a different request; a new key is a new
            // request too.
            let other = try await visitor.submit(
                ["reason": "b", "key": "0123456789abcdef"],
                on: page
            )
            #expect(other.status == 303)
            #expect(site.installation.backups.folder.all.count == 2)
            #expect(try await visitor.submit(["reason": "a"], on: page).status == 303)
            #expect(site.installation.backups.folder.all.count == 3)
        }
    }

    @Test("a double click does it once, and both are told the same")
    func doubleClick() async throws {
        try await withSite { site in
            let visitor = try await Self.administrator(at: site)
            let page = "/console/backups/new"
            let shown = try await visitor.get(page).text
            var fields = ["reason": "twice"]
            for match in shown.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/) {
                fields[String(match.1)] = String(match.2)
            }
            #expect(fields["key"] != nil)
            let sent = fields
            let cookie = try #require(visitor.cookie("session"))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let other = site.visitor()
                        other.plant("session", cookie)
                        return try await other.post(page, sent).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [303, 303, 303, 303])
            #expect(site.installation.backups.folder.all.count == 1)
        }
    }

    @Test("what was begun and never ended is told as unknown, not done again (ui.md 4.1, 7)")
    func unknown() async throws {
        try await withSite { site in
            let visitor = try await Self.administrator(at: site)
            let page = "/console/backups/new"
            // The state in which a server leaves it when it dies halfway.
            _ = try await visitor.submit(["reason": "a", "key": "fedcba9876543210"], on: page)
            try await site.installation.database.write {
                try $0.execute("UPDATE command_answer SET answer = \([] as [UInt8])")
            }
            let again = try await visitor.submit(
                ["reason": "a", "key": "fedcba9876543210"],
                on: page
            )
            #expect(again.status == 409)
            #expect(again.text.contains("We do not know yet"))
        }
    }

    @Test("where no backup can be written, it says so, and a change that needs one fails (F20)")
    func noBackup() async throws {
        try await withSite(["backups.folder": "/dev/null/backups"]) { site in
            let visitor = try await Self.administrator(at: site)
            let failed = try await visitor.submit([:], on: "/console/backups/new")
            #expect(failed.status == 500)
            #expect(failed.text.contains("The backup could not be written"))
            await #expect(throws: BackupFault.self) {
                try await site.installation.safetyBackup("zones")
            }
        }
    }

    @Test("the levels of the log change at once, and the trail says who changed them")
    func levels() async throws {
        try await withSite { site in
            let visitor = try await Self.administrator(at: site)
            let page = try await visitor.get("/console/logging")
            #expect(page.text.contains("<option value=\"critical\" selected>"))
            let set = try await visitor.submit(
                ["standard": "error", "part-mail": "debug"],
                on: "/console/logging"
            )
            #expect(set.header("location") == "/console/logging?notice=set")
            let after = try await visitor.get("/console/logging?notice=set")
            #expect(after.text.contains("The levels are in effect."))
            #expect(after.text.contains("<option value=\"debug\" selected>"))
            let bad = try await visitor.submit(["standard": "loud"], on: "/console/logging")
            #expect(bad.status == 422)
            let audit = try await site.installation.accounts.audit()
            let note = try #require(audit.first { $0.note.act == "set log levels" }?.note)
            #expect(note.before == "critical")
            #expect(note.after == "error mail=debug")
        }
    }

    @Test("travellers are let in to none of it (R9)")
    func travellers() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let fields = [
                "name": "Ana", "surname": "Bruni", "email": "ana@example.org",
                "user_name": "anab", "password": "Passw0rdOne", "password_again": "Passw0rdOne",
                "consent": "2",
            ]
            _ = try await visitor.submit(fields, on: "/register")
            let token = try #require(try await site.message(.confirmRegistration)?.facts["token"])
            _ = try await visitor.submit([:], on: "/confirm?token=\(token)")
            _ = try await visitor.submit(["name": "anab", "password": "Passw0rdOne"], on: "/login")
            for path in ["/console/backups", "/console/backups/new", "/console/logging"] {
                #expect(try await visitor.get(path).status == 403, "\(path)")
            }
            #expect(!(try await visitor.get("/dashboard").text).contains("/console/"))
        }
    }
}
