import ArgumentParser
import Drivers
import Foundation
import Identity
import Localization
import RegisterPages
import Taxi
import TaxiPages
import WebApp

/// `viavai admin sample-drivers`: writes a table of made-up drivers.
struct SampleDriversCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample-drivers",
        abstract: "Write a table of fictitious drivers for a trial import.",
        discussion:
            "The same seed gives the same drivers; their licences begin to end in half a year."
    )

    @Option(help: "How many drivers.")
    var count = 100

    @Option(help: "The seed for names and numbers.")
    var seed: UInt64 = 1

    @Option(help: "How many invalid lines to add, each with a different error.")
    var defects = SampleDrivers.defects

    func validate() throws {
        guard (1...90_000).contains(count) else {
            throw ValidationError("--count is from 1 to 90000")
        }
        guard (0...SampleDrivers.defects).contains(defects) else {
            throw ValidationError("--defects is from 0 to \(SampleDrivers.defects)")
        }
    }

    func run() throws {
        let today = AccountSettings().today(SystemClock.moment)
        Console.answer(
            SampleDrivers.csv(count: count, seed: seed, defects: defects, today: today)
        )
    }
}

/// `viavai admin import-drivers`: imports a table of drivers.
struct ImportDriversCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-drivers",
        abstract: "Import a table of drivers.",
        discussion: """
            Each invalid line is reported with its field and reason. Nothing is imported then, \
            unless --accept-good is given. No e-mail is sent: invite drivers on their pages. A \
            running server sees the taxis within a minute.
            """
    )

    @OptionGroup var sources: SettingSources

    @Argument(help: "The table, CSV in UTF-8.")
    var file: String

    @Flag(help: "Check the table without importing it.")
    var dryRun = false

    @Flag(help: "Import the valid lines even if others are invalid.")
    var acceptGood = false

    func run() async throws {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw CommandFailure.badInput("\(file): cannot be read; is the path right?")
        }
        let clock = ServiceClock.system(startingAt: SystemClock.moment)
        let installation = try await Installation(
            try sources.settings(),
            clock: clock,
            workers: PasswordWorkers()
        )
        defer { installation.close() }
        let mode = dryRun ? ImportMode.dryRun : acceptGood ? .acceptGood : .allOrNothing
        let report: ImportReport
        do {
            let drivers = try await installation.taxi.ruledDrivers(installation.accounts)
            report = try await drivers.importTable(
                Array(bytes),
                mode,
                invites: false,
                by: nil,
                at: clock.now()
            )
        } catch let bad as BadTable {
            throw CommandFailure.badInput("\(file): \(bad.text.in(.english))")
        }
        for line in report.rejected {
            for problem in line.problems {
                let reason = problem.kind.text(for: problem.field).in(.english)
                Console.note("\(file):\(line.line): \(problem.field.rawValue): \(reason)")
            }
        }
        Console.note(
            "\(report.good) lines are in order, \(report.rejected.count) are not; "
                + "\(report.entered) drivers were entered."
        )
        if !report.rejected.isEmpty, report.entered == 0, !dryRun {
            throw CommandFailure.badInput("\(file): nothing was entered; see --accept-good")
        }
    }
}
