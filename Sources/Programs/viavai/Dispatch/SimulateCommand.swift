import ArgumentParser
import Chronology
import CityData
import Dispatching
import Foundation
import Journeys
import Simulation
import Taxi
import Zones

/// `viavai dispatch simulate`: a day of a city's taxis.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate a day of a city's taxis, and measure waiting times and fairness.",
        discussion: """
            Drivers, passengers and their requests are drawn from the seed; the decisions are \
            those of the real dispatcher. With --demand, the requests come from a CSV file of \
            time,from_lat,from_lon,to_lat,to_lon,passengers (docs/simulation.md).
            """
    )

    @Option(help: "The city file whose streets the taxis drive on; without it, straight lines.")
    var city: String?

    @Option(help: "A GeoJSON file of the zones.")
    var zones: String

    @Option(help: "The property of the zones file that identifies a zone; otherwise guessed.")
    var zoneId: String?

    @Option(help: "How many taxis there are.")
    var taxis = 1_000

    @Option(help: "How many requests there are; by default about five for each taxi and day.")
    var requests: Int?

    @Option(help: "The duration in hours.")
    var hours = 24

    @Option(help: "milano-a, milano-b, viavai, or a policy file.")
    var policy = "viavai"

    @Option(help: "nearest or batched: how others dispatch, on the same day, for comparison.")
    var baseline: Baseline?

    @Option(help: "The seed; the same seed always gives the same day.")
    var seed: UInt64 = 1

    @Option(help: "A CSV file of trips to replay instead of random ones.")
    var demand: String?

    @Option(help: "Where to write the log.")
    var log: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// The defaults: as many taxis and daily requests as Milan has.
    private static let usual = (taxis: 4_855, requests: 25_000)
    /// Midnight of Wednesday 2026-05-13, UTC.
    private static let usualStart = Moment(milliseconds: 1_778_630_400_000)

    func run() throws {
        try check("--taxis", taxis, 1...100_000)
        try check("--hours", hours, 1...1_000)
        if let requests { try check("--requests", requests, 0...10_000_000) }
        let policy = try PolicyArgument.policy(policy)
        let zones = try ZonesArgument.read(zones, identifiedBy: zoneId)
        let streets = try city.map { City(try CityFile.open($0)).streets }
        let trips = try demand.map { try DemandFile.read($0) }
        let options = Simulation.Options(
            taxis: taxis,
            requests: requests ?? usualRequests,
            hours: hours,
            policy: policy,
            seed: seed,
            start: trips?.start ?? Self.usualStart
        )
        let simulated = SimulatedCity(
            zoneNames: ZonesArgument.names(zones),
            zonesHash: zones.versionHash,
            areas: zones.zones.map(\.area),
            streets: streets
        )
        let summary = try summary(simulated, options, demand: trips?.customers)
        Console.answer(
            json ? try SummaryText.json(summary) : SummaryText.text(summary, options, baseline)
        )
    }

    private func summary(
        _ city: SimulatedCity,
        _ options: Simulation.Options,
        demand: [Customer]?
    ) throws -> Summary {
        let progress = ProgressLine()
        defer { progress.clear() }
        if let baseline {
            if log != nil {
                throw CommandFailure.badInput("--log: only the dispatcher's decisions have a log")
            }
            var simulation = BaselineSimulation(
                baseline,
                city: city,
                options: options,
                demand: demand
            )
            return simulation.run { progress.show("simulating", $0) }
        }
        let writer = try log.map { try LogFile.Writer(path: $0) }
        var simulation = Simulation(city: city, options: options, demand: demand) {
            try writer?.append($0)
        }
        let summary = try simulation.run { progress.show("simulating", $0) }
        try writer?.close()
        return summary
    }

    private var usualRequests: Int {
        let whole = 24 * Self.usual.taxis
        return (taxis * hours * Self.usual.requests + whole / 2) / whole
    }

    private func check(
        _ option: String,
        _ value: Int,
        _ range: ClosedRange<Int>
    ) throws(CommandFailure) {
        guard range.contains(value) else {
            throw .badInput(
                "\(option) \(value): write a number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
    }
}

extension Baseline: ExpressibleByArgument {}
