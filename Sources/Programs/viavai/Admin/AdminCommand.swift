import ArgumentParser
import Drivers
import Foundation
import Identity
import Localization
import Taxi
import TaxiPages
import WebApp

/// `viavai admin`: administration on the server's own machine.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Administer the installation.",
        subcommands: [
            Create.self, ImportDriversCommand.self, SampleDriversCommand.self, BackUp.self,
            ListBackups.self, Restore.self, DevicesCommand.self,
        ]
    )

    /// `viavai admin create`: creates an administrator.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create an administrator.",
            discussion: """
                The password is asked for on the terminal, or read as the first line of standard \
                input. It must be changed at the first sign-in.
                """
        )

        @OptionGroup var sources: SettingSources

        @Option(help: "The user name: a letter, then 2 to 20 letters or digits.")
        var userName: String

        @Option(help: "The e-mail address.")
        var email: String

        @Option(help: "The given name.")
        var name: String

        @Option(help: "The family name.")
        var surname: String

        func run() async throws {
            let settings = try sources.settings()
            let password = try Self.password()
            let clock = ServiceClock.system(startingAt: SystemClock.moment)
            let installation = try await Installation(
                settings,
                clock: clock,
                workers: PasswordWorkers()
            )
            defer { installation.close() }
            let form = Registration(
                userName: userName,
                email: email,
                password: password,
                passwordAgain: password,
                name: name,
                surname: surname,
                consent: installation.accounts.settings.consentVersion
            )
            do {
                _ = try await installation.accounts.createAdministrator(form, at: clock.now())
            } catch AccountFailure.invalid(let problems) {
                throw CommandFailure.badInput(
                    problems.map(Self.text).joined(separator: "\nviavai: ")
                )
            }
            Console.note(
                "\(userName) is an administrator; the password changes at the first sign-in."
            )
        }

        private static func text(_ problem: FieldProblem) -> String {
            "\(problem.field.optionName): \(problem.words.in(.english))"
        }

        /// Prompts for the password, without echo on a terminal.
        private static func password() throws -> String {
            let isTerminal = isatty(STDIN_FILENO) == 1
            var before = termios()
            if isTerminal {
                FileHandle.standardError.write(Data("Password: ".utf8))
                unsafe tcgetattr(STDIN_FILENO, &before)
                var silent = before
                silent.c_lflag &= ~tcflag_t(ECHO)
                unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
            }
            defer {
                if isTerminal {
                    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
                    FileHandle.standardError.write(Data("\n".utf8))
                }
            }
            guard let line = readLine(), !line.isEmpty else {
                throw CommandFailure.badInput(
                    "no password: type it, or give it as the first line of standard input"
                )
            }
            return line
        }
    }
}

extension FieldProblem {
    /// A description of what is wrong with the field.
    fileprivate var words: Text { kind.text(for: field) }
}

extension FormField {
    /// The command-line option that holds the field.
    fileprivate var optionName: String {
        "--" + rawValue.map { $0 == "_" ? "-" : String($0) }.joined()
    }
}
