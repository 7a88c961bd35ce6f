import ArgumentParser
import Chronology
import Dispatching
import Foundation
import Localization
import Taxi

/// `viavai dispatch explain`: the history of a request, from the log alone.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain which drivers were asked for a request, in which order and why."
    )

    @Argument(help: "The log file.")
    var log: String

    @Option(help: "The number of the request.")
    var request: UInt64

    @Option(help: "The code of a taxi: explain why it was not asked.")
    var taxi: String?

    @Option(help: "The time zone of the output, such as Europe/Rome.")
    var zone = "UTC"

    func run() throws {
        guard let clocks = TimeZone(identifier: zone) else {
            throw CommandFailure.badInput("--zone \(zone): write it as Europe/Rome")
        }
        var story = Story(of: RequestNumber(rawValue: request), whyNot: taxi)
        var entries = 0
        try LogArgument.read(log) { entry in
            entries += 1
            do {
                try story.hear(entry)
            } catch {
                throw CommandFailure.badInput("\(log): entry \(entries): \(error)")
            }
        }
        guard !story.told.isEmpty else {
            throw CommandFailure.noAnswer("\(log) has no request \(request)")
        }
        if let taxi, !story.knows(taxi) {
            throw CommandFailure.badInput("--taxi \(taxi): the log has no taxi of that code")
        }
        let teller = StoryTeller(.english) { Self.text($0, clocks) }
        let lines = taxi.map { teller.answers(story, taxi: $0) } ?? teller.lines(story)
        Console.answer(lines.joined(separator: "\n") + "\n")
    }

    private static func text(_ moment: Moment, _ clocks: TimeZone) -> String {
        let style = Date.ISO8601FormatStyle(
            dateSeparator: .dash,
            dateTimeSeparator: .space,
            timeZone: clocks
        ).year().month().day().time(includingFractionalSeconds: false)
        return Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000).formatted(style)
    }
}
