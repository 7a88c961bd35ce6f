import ArgumentParser
import Foundation

/// The `viavai` command-line program.
@main
struct Viavai: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "viavai",
        abstract: "The mobility of a city, in one self-hosted server.",
        subcommands: [
            DemoCommand.self, CityCommand.self, PlanCommand.self, DayCommand.self,
            IsochroneCommand.self, DispatchCommand.self, ServeCommand.self, ConfigCommand.self,
            AdminCommand.self, APICommand.self,
        ]
    )

    /// Runs the command; every error ends here as one line and an exit code.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            if let failure = FailureText.failure(error) {
                Console.error(failure.text)
                Foundation.exit(failure.code.rawValue)
            }
            let text = fullMessage(for: error)
            guard exitCode(for: error) != .success else {
                print(text)
                Foundation.exit(0)
            }
            FileHandle.standardError.write(Data((text + "\n").utf8))
            Foundation.exit(CommandFailure.Code.badUsage.rawValue)
        }
    }
}
