import ArgumentParser
import Taxi
import WebApp

/// `viavai dispatch export`: the log of an installation as a file.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write an installation's log to a file, without personal data.",
        discussion: """
            The file is one for replay, explain and whatif. Passengers get new numbers, taxis are \
            called T0001 and so on, and reasons that people wrote are left out. It can be done \
            while the server runs.
            """
    )

    @OptionGroup var sources: SettingSources

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
    var out: String

    func run() async throws {
        let settings = try sources.settings()
        do {
            let written = try await DispatchLogExport.run(settings, to: out)
            Console.note(
                "\(out): \(written.entries) entries with \(written.requests) requests, without "
                    + "personal data."
            )
        } catch DispatchLogExport.Fault.noDatabase(let file) {
            throw CommandFailure.badInput("\(file): no such database; is --database right?")
        } catch DispatchLogExport.Fault.noLog {
            throw CommandFailure.noAnswer("the database has no dispatch log yet")
        }
    }
}
