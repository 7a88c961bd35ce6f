import Geo
import OpenData

/// Statistics of the streets in an OpenStreetMap file: degrees of junctions and lengths of the
/// stretches between them.
struct DemoStreetStatistics {
    /// The shares of junctions by degree: dead ends, threes and fours.
    var shares: [Int: Double] = [:]
    /// The lengths of the stretches in metres, ascending.
    var lengths: [Double] = []
    /// The number of junctions and dead ends.
    var junctions = 0

    /// Returns a quantile of the lengths of stretches.
    func length(_ share: Double) -> Double { percentile(lengths, share) }

    /// Computes the statistics of a whole file, or of each of its districts: squares of 2 km with
    /// at least 150 junctions, in order.
    static func read(_ file: OSMFile, districts: Bool) throws -> [DemoStreetStatistics] {
        let streets = try DemoStreets(file)
        var degrees: [Int64: Int] = [:]
        for way in streets.ways {
            for (rank, node) in way.nodes.enumerated() {
                degrees[node, default: 0] += rank == 0 || rank == way.nodes.count - 1 ? 1 : 2
            }
        }
        var found: [District: DemoStreetStatistics] = [:]
        for (node, degree) in degrees where degree != 2 {
            guard let place = streets.places[node] else { continue }
            let district = districts ? District(place) : District()
            found[district, default: Self()].junctions += 1
            found[district, default: Self()].shares[degree, default: 0] += 1
        }
        for way in streets.ways {
            var length = 0.0
            for index in way.nodes.indices.dropFirst() {
                guard let from = streets.places[way.nodes[index - 1]],
                    let to = streets.places[way.nodes[index]]
                else { continue }
                length += from.distanceMetres(to: to)
                let isLast = index == way.nodes.count - 1
                guard isLast || degrees[way.nodes[index]] != 2 else { continue }
                found[districts ? District(to) : District(), default: Self()].lengths.append(length)
                length = 0
            }
        }
        let large = found.filter { $0.value.junctions >= 150 }.sorted { $0.key < $1.key }
        return large.map { entry in
            var statistics = entry.value
            statistics.lengths.sort()
            for (degree, count) in entry.value.shares {
                statistics.shares[degree] = count / Double(entry.value.junctions)
            }
            return statistics
        }
    }

    /// A square of about 2 km.
    private struct District: Hashable, Comparable {
        var row = 0
        var column = 0

        init() {}

        init(_ place: Coordinate) {
            row = Int(place.latitudeDegrees * 111_195 / 2_000)
            column = Int(place.longitudeDegrees * 78_100 / 2_000)
        }

        static func < (left: District, right: District) -> Bool {
            (left.row, left.column) < (right.row, right.column)
        }
    }
}

/// The streets of an OpenStreetMap file.
struct DemoStreets {
    /// The places of all nodes.
    var places: [Int64: Coordinate] = [:]
    /// The ways with a `highway` tag, but not areas.
    var ways: [(nodes: [Int64], tags: OSMTags)] = []
    /// The centre line of the river.
    var river: [Coordinate] = []
    /// The house numbers by street, in the order of the file.
    var numbers: [String: [(number: String, place: Coordinate)]] = [:]
    /// The turn restrictions.
    var restrictions = 0

    /// Reads the statistics of a map file.
    init(_ file: OSMFile) throws {
        var blocks = file.blocks()
        while let block = try blocks.next() {
            for node in block.nodes {
                places[node.id] = node.coordinate
                if let number = node.tags["addr:housenumber"], let street = node.tags["addr:street"]
                {
                    numbers[street, default: []].append((number, node.coordinate))
                }
            }
            for way in block.ways {
                if way.tags["waterway"] == "river" { river = way.nodes.compactMap { places[$0] } }
                guard way.tags["highway"] != nil, way.tags["area"] != "yes" else { continue }
                ways.append((Array(way.nodes), way.tags))
            }
            for relation in block.relations where relation.tags["type"] == "restriction" {
                restrictions += 1
            }
        }
    }

    /// Returns the share of the vertices of some ways that are strongly connected with one of them.
    func connectedShare(_ includes: (OSMTags) -> Bool, oneWays: Bool) -> Double {
        var onward: [Int64: [Int64]] = [:]
        var back: [Int64: [Int64]] = [:]
        for way in ways where includes(way.tags) {
            for (from, to) in zip(way.nodes, way.nodes.dropFirst()) {
                onward[from, default: []].append(to)
                back[to, default: []].append(from)
                guard !oneWays || way.tags["oneway"] != "yes" else { continue }
                onward[to, default: []].append(from)
                back[from, default: []].append(to)
            }
        }
        guard let start = ways.first(where: { includes($0.tags) })?.nodes.first else { return 0 }
        let all = Set(onward.keys).union(back.keys)
        return Double(reach(onward, start).intersection(reach(back, start)).count)
            / Double(all.count)
    }

    private func reach(_ graph: [Int64: [Int64]], _ start: Int64) -> Set<Int64> {
        var seen: Set<Int64> = [start]
        var open = [start]
        while let node = open.popLast() {
            for next in graph[node] ?? [] where seen.insert(next).inserted { open.append(next) }
        }
        return seen
    }
}

/// Returns a quantile of ascending values.
func percentile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    return values[min(values.count - 1, Int(Double(values.count) * share))]
}
