import ArgumentParser
import Backups
import Foundation
import Identity
import Taxi
import WebApp

extension AdminCommand {
    /// `viavai admin backup`: makes a backup, also while the server runs.
    struct BackUp: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Make a backup, also while the server runs.",
            discussion: """
                The city's data goes to one folder, the keys to another; copy each to a separate \
                place. The secret is in neither: keep a copy of it elsewhere. The backup is \
                verified before it counts.
                """
        )

        @OptionGroup var sources: SettingSources

        @Option(help: ArgumentHelp("The folder for the city's data.", valueName: "folder"))
        var to: String?

        @Option(help: ArgumentHelp("The folder for the keys.", valueName: "folder"))
        var keysTo: String?

        @Option(help: "The reason, in a few words.")
        var reason = "manual"

        func run() async throws {
            var settings = try sources.settings()
            settings.backups = to ?? settings.backups
            settings.keyBackups = keysTo ?? settings.keyBackups
            guard !Settings.overlap(settings.backups, settings.keyBackups) else {
                throw CommandFailure.badInput(
                    "\(settings.keyBackups): the keys must not lie with the data in "
                        + "\(settings.backups); name a folder of its own with --keys-to"
                )
            }
            let clock = ServiceClock.system(startingAt: SystemClock.moment)
            let backup = try await Backups.withBackups(of: settings, clock: clock) {
                try await $0.make(reason: reason)
            }
            Console.answer(backup.name + "\n")
            Console.note("The data is in \(backup.folder), the keys are in \(backup.keys).")
            if let keyless = backup.manifest?.keyless, keyless > 0 {
                Console.note(KeylessNote.text(keyless))
            }
        }
    }

    /// `viavai admin backups`: lists the backups, and verifies them on request.
    struct ListBackups: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backups",
            abstract: "List the backups and verify them."
        )

        @OptionGroup var sources: SettingSources

        @Flag(help: "Read each backup completely and compare it with its checksums.")
        var verify = false

        func run() async throws {
            let folder = BackupFolder(try sources.settings())
            let all = folder.all
            guard !all.isEmpty else {
                throw CommandFailure.noAnswer("there is no backup in \(folder.path)")
            }
            var isSound = true
            var unopened: BackupFault?
            for backup in all {
                var state = backup.state.line
                if verify, backup.state != .damaged {
                    do {
                        try folder.verify(backup)
                        state += ", verified"
                    } catch let fault as BackupFault where fault.isWithoutSecret {
                        unopened = fault
                        state += ", every byte is right, nothing was opened"
                    } catch {
                        state = "\(error)"
                    }
                }
                isSound = isSound && (state.hasPrefix("whole") || state.hasPrefix("without"))
                Console.answer("\(backup.name)\t\(backup.bytes) bytes\t\(state)\n")
            }
            if !isSound {
                throw CommandFailure.badInput("a backup is damaged; make a new one")
            }
            if let unopened { throw unopened }
        }
    }

    /// `viavai admin restore`: restores a backup into new databases.
    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Restore a backup into new, empty databases.",
            discussion: """
                Stop the server, name new databases in the settings (the engine may differ), put \
                the secret file in its place, and run this command. The restored data is compared \
                with the backup's checksums before it counts. People who were erased since the \
                backup are erased again.
                """
        )

        @OptionGroup var sources: SettingSources

        @Argument(help: "The backup's name, or newest; see viavai admin backups.")
        var backup: String

        @Option(help: ArgumentHelp("The folder of the backups.", valueName: "folder"))
        var from: String?

        @Option(help: ArgumentHelp("The folder of the key backups.", valueName: "folder"))
        var keysFrom: String?

        @Flag(help: "Restore only the city's data; the key database still exists.")
        var dataOnly = false

        @Flag(help: "Restore only the keys; the city's database still exists.")
        var keysOnly = false

        func validate() throws {
            if dataOnly, keysOnly {
                throw ValidationError("--data-only and --keys-only exclude each other")
            }
        }

        func run() async throws {
            var settings = try sources.settings()
            settings.backups = from ?? settings.backups
            settings.keyBackups = keysFrom ?? settings.keyBackups
            let clock = ServiceClock.system(startingAt: SystemClock.moment)
            let outcome = try await Restoration(settings, clock: clock)
                .run(backup, dataOnly ? .data : keysOnly ? .keys : .both)
            Console.answer("\(outcome.backup.name)\n")
            Console.note("\(outcome.rows) rows are back, each as it was.")
            if !outcome.erasedAgain.isEmpty {
                Console.note("Erased since then, and now again: \(outcome.erasedAgain.count).")
            }
            if outcome.keyless > 0 { Console.note(KeylessNote.text(outcome.keyless)) }
        }
    }
}

/// The note shown where some people have no key.
enum KeylessNote {
    /// The note for a number of people and taxis.
    static func text(_ count: Int) -> String {
        "warning: no key of \(count) people or taxis is there: they cannot log in, and nothing "
            + "about them can be read. `viavai admin restore newest --keys-only`, into a new "
            + "database of keys, brings back what any copy of the keys has."
    }
}

extension BackupFault {
    /// Whether the only problem is that nothing could be decrypted.
    fileprivate var isWithoutSecret: Bool {
        if case .noSecret = self { true } else { false }
    }
}

extension Backup.State {
    /// A line that describes the backup.
    fileprivate var line: String {
        switch self {
        case .whole: "whole"
        case .withoutKeys: "without keys of its own: a newer copy of them is used"
        case .damaged: "damaged"
        }
    }
}
