import ArgumentParser
import WebApp

/// `viavai config`: commands about the settings.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Explain and check the settings.",
        subcommands: [Check.self]
    )

    /// `viavai config check`: lists every setting with its source and meaning.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check the settings, and show the value and the source of each."
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
