import Columns
import Foundation
import Geo
import Streets

/// How long ways through the streets take to find, snapping included.
enum StreetMeasurement {
    private static let profiles: [(name: String, profile: Profile)] = [
        ("car", .car), ("bicycle", .bicycle), ("foot", .foot),
    ]
    /// Origins and destinations of a table.
    private static let tableSide = 100

    /// Finds every way in every round, once and then again, and a table, by each profile.
    ///
    /// - Parameters:
    ///   - path: a city file with streets.
    ///   - pairs: a batch file with places of the form `lat,lon`.
    ///   - rounds: how often each way is looked for.
    ///   - folder: where the answers are written.
    /// - Returns: a line of JSON, times in microseconds.
    /// - Throws: ``Failure`` where a file is not what it should be.
    static func run(city path: String, pairs: String, rounds: Int, folder: String) throws -> String
    {
        let network = StreetNetwork(try CityOpening.file(path))
        let ends = try CityOpening.rows(pairs, fields: 6).enumerated().map { number, row in
            guard let origin = CityOpening.coordinate(row[1]),
                let destination = CityOpening.coordinate(row[2])
            else {
                throw Failure.line(file: pairs, number: number + 2)
            }
            return (origin: origin, destination: destination)
        }
        var workspace = StreetWorkspace(for: network)
        let parts = try profiles.map { name, profile in
            let metric = network.metric(profile)
            func place(_ coordinate: Coordinate) -> StreetPlace? {
                network.snap(coordinate, for: profile).first
            }
            func cost(from origin: Coordinate, to destination: Coordinate) -> Cost {
                guard let from = place(origin), let to = place(destination) else { return .never }
                return network.cost(from: from, to: to, by: metric, using: workspace)
            }
            let routes = Stopwatch.times(of: ends.count, rounds: rounds) {
                workspace = StreetWorkspace(for: network)
                for number in ends.indices.prefix(tableSide) {
                    // The way back: none of those that are measured.
                    _ = cost(from: ends[number].destination, to: ends[number].origin)
                }
            } task: { number in
                _ = cost(from: ends[number].origin, to: ends[number].destination)
            }
            let answers = ends.enumerated().map { number, pair in
                answer(number + 1, cost(from: pair.origin, to: pair.destination))
            }
            try Data(("id,seconds,metres\n" + answers.joined()).utf8)
                .write(to: URL(fileURLWithPath: "\(folder)/\(name).csv"))
            let corners = ends.prefix(tableSide)
            let table = Stopwatch.median(rounds: 2 * rounds + 1) {
                _ = network.table(
                    from: corners.compactMap { place($0.origin) },
                    to: corners.compactMap { place($0.destination) },
                    by: metric,
                    using: workspace
                )
            }
            return "\"\(name)\":{\(routes.json),\"table_us\":\(table)}"
        }
        return "{\"engine\":\"viavai\"," + parts.joined(separator: ",") + "}"
    }

    private static func answer(_ id: Int, _ cost: Cost) -> String {
        cost.isPossible
            ? "\(id),\(Double(cost.milliseconds) / 1_000),\(cost.metres)\n" : "\(id),,\n"
    }
}
