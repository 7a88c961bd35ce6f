import ArgumentParser
import CityData
import Foundation
import Journeys

/// `viavai plan`: journeys.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Find the best journeys between two places."
    )

    @Option(help: "The city file.")
    var city: String

    @Option(help: "A CSV file of questions: id,from,to,time,arrive_by,max_transfers.")
    var batch: String

    @Flag(help: "Say on standard error how long it took.")
    var stats = false

    func run() throws {
        let start = ContinuousClock.now
        let planner = Planner(City(try CityFile.open(city)))
        let loaded = ContinuousClock.now - start
        var plan = try Batch(path: batch, planner: planner)
        let times = plan.run()
        if stats { Statistics(load: loaded, queries: times).print() }
    }
}
