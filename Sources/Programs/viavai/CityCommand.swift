import ArgumentParser
import Chronology
import CityData
import Columns
import Journeys
import OpenData

/// `viavai city`: imports and describes city files.
struct CityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "city",
        abstract: "Import and describe city files.",
        subcommands: [Import.self, Info.self]
    )

    /// `viavai city import`: makes a city file from OpenStreetMap and GTFS.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import the open data of a city into one file.",
            discussion: """
                A feed whose service days do not overlap the others' can be moved by whole weeks: \
                --gtfs trains.zip@-626w
                """
        )

        @Option(help: ArgumentHelp("The streets: an OpenStreetMap file.", valueName: "file.pbf"))
        var osm: String?

        @Option(
            name: .customLong("gtfs"),
            parsing: .upToNextOption,
            help: ArgumentHelp("GTFS feeds: zip archives or folders.", valueName: "file")
        )
        var feeds: [String] = []

        @Option(
            help: ArgumentHelp(
                "The city's time zone, such as Europe/Rome; by default that of the first feed.",
                valueName: "name"
            )
        )
        var zone: String?

        @Option(name: .customLong("out"), help: "The city file to write.")
        var output: String

        @Flag(help: "Print on standard error how long each step took.")
        var stats = false

        func run() throws {
            let arguments = try feeds.map { text in
                guard let argument = CityImport.FeedArgument(text) else {
                    throw CommandFailure.badInput(
                        "--gtfs \(text): after the @ comes a number of weeks, as in @+2w or @-626w"
                    )
                }
                return argument
            }
            try CityFile.checkPlace(output)
            var times = StepTimes()
            var report = CityImport.Report()
            do {
                try make(of: arguments, &times, &report)
            } catch {
                // Repairs may explain why nothing is left to import.
                CityReport.print(report)
                throw error
            }
            if stats { times.print() }
            CityReport.print(City(try CityFile.open(output)), path: output)
            CityReport.print(report)
        }

        /// Imports and writes the file, showing progress.
        private func make(
            of feeds: [CityImport.FeedArgument],
            _ times: inout StepTimes,
            _ report: inout CityImport.Report
        ) throws {
            let progress = ProgressLine()
            defer { progress.clear() }
            func show(_ step: CityImport.Step, _ share: Double) {
                times.note(step, share)
                progress.show(step.text, share)
            }
            let writer = try CityImport.run(
                osm: osm,
                feeds: feeds,
                zone: zone,
                report: &report,
                show
            )
            show(.writing, 0)
            try CityFile.write(writer, to: output)
            show(.writing, 1)
        }
    }

    /// `viavai city info`: describes a city file.
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Describe the contents of a city file."
        )

        @Argument(help: "The city file.")
        var path: String

        @Flag(help: "Check every byte against the checksums.")
        var verify = false

        func run() throws {
            let file = try CityFile.open(path)
            if verify { try CityFile.verify(file, path: path) }
            CityReport.print(City(file), path: path)
            if verify { Console.answer("Every checksum is right.\n") }
        }
    }
}

/// How long each step of an import took.
struct StepTimes {
    private var steps: [(step: CityImport.Step, time: Duration)] = []
    private var since = ContinuousClock.now
    private var isRunning = false

    /// Records the progress of a step, 0 to 1; time between a finished step and the
    /// next is not counted.
    mutating func note(_ step: CityImport.Step, _ share: Double) {
        let now = ContinuousClock.now
        if isRunning { steps[steps.count - 1].time += now - since }
        if steps.last?.step != step { steps.append((step, .zero)) }
        since = now
        isRunning = share < 1
    }

    /// Prints one line for each step to standard error.
    func print() {
        for (step, time) in steps {
            let milliseconds = Int(time / .milliseconds(1))
            Console.note("\(step.text): \(Double(milliseconds) / 1_000) s")
        }
    }
}

extension CityImport.Step {
    /// A description of the step.
    var text: String {
        switch self {
        case .readingFeed(let name): "reading \(name)"
        case .readingStreets: "reading streets"
        case .orderingStreets: "ordering streets for fast search"
        case .walking: "walking between stops"
        case .buildingTimetable: "building the timetable"
        case .indexingAddresses: "indexing addresses"
        case .drawingMap: "drawing the map"
        case .writing: "writing and checking the file"
        }
    }
}
