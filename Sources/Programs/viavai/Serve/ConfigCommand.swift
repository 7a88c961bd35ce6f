import ArgumentParser
import WebApp

/// `viavai config`: what the settings are.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Explain and check the settings.",
        subcommands: [Check.self]
    )

    /// `viavai config check`: every setting, where it comes from and what it means.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check the settings, and say what each is and where it comes from."
        )

        @OptionGroup var sources: SettingSources

        func run() throws {
            let settings = try sources.settings()
            for setting in settings.explained {
                let value = setting.value.isEmpty ? "(none)" : setting.value
                Console.answer("\(setting.name): \(value)\n")
                Console.answer("    \(setting.meaning) From: \(setting.source).\n")
            }
            for line in settings.exposures { Console.note(line) }
        }
    }
}
