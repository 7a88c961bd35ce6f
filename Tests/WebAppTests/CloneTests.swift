import Foundation
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

/// What the program writes when it is run from a clone of the project (issue 29, "A safe clone").
@Suite("A safe clone")
struct CloneTests {
    /// Runs a command line in a folder until it ends or has printed a given text.
    private static func run(_ line: String, in folder: String) async throws -> (Int32, String) {
        let output = "\(folder)/../output-\(UInt32.random(in: .min ... .max))"
        let program = try builtProgram("viavai")
        let code = try await onThread {
            try ChildProcess(
                "/bin/sh",
                ["-c", "umask 0; cd \"$1\" || exit 8; \(line)", program, folder],
                output: output
            ).wait()
        }
        return (code, try String(contentsOfFile: output, encoding: .utf8))
    }

    @Test("git ignores what serve and backups write there, and nobody else may read it")
    func ignored() async throws {
        try await withTemporaryFolder { folder in
            let clone = folder + "/clone"
            try FileManager.default.createDirectory(
                atPath: clone,
                withIntermediateDirectories: true
            )
            var root = URL(fileURLWithPath: #filePath)
            for _ in 0..<3 { root.deleteLastPathComponent() }
            try FileManager.default.copyItem(
                atPath: root.path + "/.gitignore",
                toPath: clone + "/.gitignore"
            )
            // Without settings, so the default names apply. If backups keep failing, the test ends
            // with code 7.
            let serving = """
                "$0" serve --listen 127.0.0.1:0 & server=$!; code=7; \
                for try in $(seq 200); do \
                if [ -s viavai.secret ] && "$0" admin backup; then code=0; break; fi; \
                kill -0 $server || exit 9; sleep 0.1; done; \
                kill $server; wait $server; exit $code
                """
            let (code, said) = try await Self.run(serving, in: clone)
            #expect(code == 0, "\(said)")
            let made = try #require(FileManager.default.enumerator(atPath: clone))
            var names: Set<String> = []
            for case let name as String in made where name != ".gitignore" {
                names.insert(name)
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: clone + "/" + name
                )
                let mode = try #require(attributes[.posixPermissions] as? Int)
                #expect(mode & 0o077 == 0, "\(name) has mode \(String(mode, radix: 8))")
            }
            let expected: Set = [
                "viavai.sqlite", "viavai-keys.sqlite", "viavai.secret", "backups", "backups-keys",
            ]
            #expect(names.isSuperset(of: expected), "\(names)")
            let (status, seen) = try await Self.run(
                "git init --quiet && git status --porcelain",
                in: clone
            )
            #expect(status == 0, "\(seen)")
            #expect(seen == "?? .gitignore\n")
        }
    }

    @Test("a file that others may read is named at the start and by config check")
    func exposed() async throws {
        try await withTemporaryFolder { folder in
            let first = try await ServedProgram(in: folder)
            #expect(!first.text.contains("warning"), "\(first.text)")
            #expect(try await first.end() == 0)
            for (name, mode) in [("secret", 0o640), ("keys.sqlite", 0o604)] {
                let path = folder + "/" + name
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode],
                    ofItemAtPath: path
                )
                let digits = String(mode, radix: 8)
                let warning = "warning: \(path) is open to others on this machine (mode \(digits))"
                let checked = try await ServedProgram.run(["config", "check"], in: folder)
                #expect(checked.code == 0)
                #expect(checked.text.contains(warning), "\(checked.text)")
                let program = try await ServedProgram(in: folder)
                #expect(program.text.contains(warning), "\(program.text)")
                #expect(try await program.end() == 0)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600],
                    ofItemAtPath: path
                )
            }
        }
    }

    @Test(
        "keys and data in one folder, or one within the other, are a fault of the settings",
        arguments: ["", "/", "/../backups", "/keys", "/.."]
    )
    func together(end: String) async throws {
        try await withTemporaryFolder { folder in
            let settings = ["BACKUPS_KEYS_FOLDER": folder + "/backups" + end]
            for command in [["config", "check"], ["serve"], ["admin", "backups"]] {
                let done = try await ServedProgram.run(command, in: folder, settings)
                #expect(done.code == 2, "\(command): \(done.text)")
                #expect(done.text.contains("BACKUPS_KEYS_FOLDER: backups.keys_folder and"))
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "/keys.sqlite"))
            // The folders given as options to a single backup are checked just as strictly.
            let program = try await ServedProgram(in: folder)
            #expect(try await program.end() == 0)
            let keys = "\(folder)/to" + (end == "/../backups" ? "/../to" : end)
            let made = try await ServedProgram.run(
                ["admin", "backup", "--to", "\(folder)/to", "--keys-to", keys],
                in: folder
            )
            #expect(made.code == 2, "\(made.text)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/to"))
        }
    }

    @Test("a link does not hide that the folders are one; one database for both is a fault too")
    func linked() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/link",
                withDestinationPath: folder
            )
            let folders = ["BACKUPS_KEYS_FOLDER": folder + "/link/backups"]
            let first = try await ServedProgram.run(["config", "check"], in: folder, folders)
            #expect(first.code == 2, "\(first.text)")
            let databases = ["KEYS_DATABASE": "sqlite:\(folder)/link/city.sqlite"]
            let second = try await ServedProgram.run(["config", "check"], in: folder, databases)
            #expect(second.code == 2, "\(second.text)")
            #expect(second.text.contains("keys.database and database"))
        }
    }
}
