import ArgumentParser
import Dispatching
import Taxi

/// `viavai dispatch replay`: rebuilds the state of a log.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Rebuild the state of a log in two ways, and compare.",
        discussion: """
            The state is rebuilt from the decisions in the log, and again by repeating every \
            decision; both must be equal. A changed byte anywhere in the log is detected.
            """
    )

    @Argument(help: "The log file.")
    var log: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        var told = Dispatcher()
        var decided = Dispatcher()
        var entries = 0
        var events = 0
        try LogArgument.read(log) { entry in
            entries += 1
            events += entry.events.count
            do {
                try told.replay(entry)
                try decided.repeatDecision(of: entry)
            } catch let failure as ReplayFailure {
                throw CommandFailure.badInput("\(log): entry \(entries): \(failure)")
            }
        }
        let hash = told.stateHash
        guard hash == decided.stateHash else {
            throw CommandFailure.badInput(
                "\(log): what was decided and what the rules decide differ: "
                    + "\(SummaryText.hash(hash)), \(SummaryText.hash(decided.stateHash))"
            )
        }
        if json {
            Console.answer(
                try SummaryText.text([
                    "entries": entries, "events": events, "stateHash": SummaryText.hash(hash),
                ])
            )
        } else {
            Console.answer(
                "\(entries) entries, \(events) events: the state is \(SummaryText.hash(hash)), "
                    + "both as told and as decided anew.\n"
            )
        }
    }
}
