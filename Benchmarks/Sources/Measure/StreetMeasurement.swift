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

    /// Finds every way in every round, and a table, by each profile.
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
        let workspace = StreetWorkspace(for: network)
        let parts = try profiles.map { name, profile in
            let metric = network.metric(profile)
            func place(_ coordinate: Coordinate) -> StreetPlace? {
                network.snap(coordinate, for: profile).first
            }
            func cost(_ number: Int) -> Cost {
                guard let from = place(ends[number].origin),
                    let to = place(ends[number].destination)
                else { return .never }
                return network.cost(from: from, to: to, by: metric, using: workspace)
            }
            let answers = ends.indices.map { answer($0 + 1, cost($0)) }
            try Data(("id,seconds,metres\n" + answers.joined()).utf8)
                .write(to: URL(fileURLWithPath: "\(folder)/\(name).csv"))
            let routes = Stopwatch.medians(of: ends.count, rounds: rounds) { _ = cost($0) }
            let corners = ends.prefix(tableSide)
            let table = Stopwatch.medians(of: 1, rounds: 2 * rounds + 1) { _ in
                _ = network.table(
                    from: corners.compactMap { place($0.origin) },
                    to: corners.compactMap { place($0.destination) },
                    by: metric,
                    using: workspace
                )
            }
            return "\"\(name)\":{\"query_us\":\(Stopwatch.json(routes)),\"table_us\":\(table[0])}"
        }
        return "{\"engine\":\"viavai\"," + parts.joined(separator: ",") + "}"
    }

    private static func answer(_ id: Int, _ cost: Cost) -> String {
        cost.isPossible
            ? "\(id),\(Double(cost.milliseconds) / 1_000),\(cost.metres)\n" : "\(id),,\n"
    }
}
