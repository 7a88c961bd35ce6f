import ArgumentParser
import Dispatching
import Simulation
import Taxi

/// `viavai dispatch whatif`: repeats recorded demand under another policy.
struct WhatIfCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whatif",
        abstract: "Repeat the demand of a log under another policy, and compare.",
        discussion: """
            A driver who is asked for the same request gives the recorded answer; all others are \
            drawn from those in the log. The policy of the log reproduces the log entry by entry.
            """
    )

    @Argument(help: "The log file.")
    var log: String

    @Option(help: "milano-a, milano-b, viavai, or a policy file.")
    var policy: String

    @Option(help: "The seed; the same seed always draws the same answers.")
    var seed: UInt64 = 1

    @Option(help: "Where to write the resulting log.")
    var out: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let policy = try PolicyArgument.policy(policy)
        var recording = Recording()
        var before = LogFigures()
        var told = Dispatcher()
        try LogArgument.read(log) { entry in
            recording.hear(entry)
            before.hear(entry)
            do {
                try told.replay(entry)
            } catch {
                throw CommandFailure.badInput("\(log): \(error)")
            }
        }
        let writer = try out.map { try LogFile.Writer(path: $0) }
        var after = LogFigures()
        var whatIf = WhatIf(recording, policy: policy, seed: seed) { entry in
            after.hear(entry)
            try writer?.append(entry)
        }
        let hash = try whatIf.run()
        try writer?.close()
        let isSame = hash == told.stateHash
        if json {
            Console.answer(
                try SummaryText.text([
                    "recorded": SummaryText.object(before), "whatIf": SummaryText.object(after),
                    "policy": policy.name, "seed": seed, "isSame": isSame,
                    "stateHash": SummaryText.hash(hash),
                ])
            )
        } else {
            Console.answer(SummaryText.comparison(before, after, policy.name, isSame))
        }
    }
}
