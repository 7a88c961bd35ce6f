import Geo
import Journeys
import OpenData
import Streets

/// The walks between stops on the streets and inside stations.
enum StreetWalks {
    /// For each stop of all feeds the quickest walks to other stops, sorted by stop.
    ///
    /// They are possible at any hour.
    ///
    /// - Parameters:
    ///   - inputs: the imported feeds.
    ///   - links: the links of their stops.
    ///   - network: the street network.
    ///   - profile: the profile of the walker.
    ///   - progress: called with the share of the work done, 0 to 1.
    /// - Returns: a list for each stop.
    static func walks(
        _ inputs: [FeedInput],
        _ links: [[StopLinkBuilder.StopLink]],
        _ network: StreetNetwork,
        _ profile: Profile,
        progress: (Double) -> Void
    ) -> [[StopWalk]] {
        let metric = network.metric(profile)
        let workspace = StreetWorkspace(for: network)
        let grid = StopLinkGrid(links)
        var inside = stationWalks(inputs, isStepFree: profile == .wheelchair)
        let limit = Double(Planner.walkMetresLimit)
        return links.indices.map { stop in
            if stop % 512 == 0 { progress(Double(stop) / Double(links.count)) }
            var best: [Int: StopWalk] = [:]
            for walk in inside[stop] { improve(&best, walk) }
            inside[stop] = []
            for link in links[stop] where link.metres <= limit && !link.isEntryOnly {
                let tree = network.shortestPathTree(
                    link.place,
                    within: SearchLimit(metres: limit - link.metres),
                    by: metric,
                    at: .always,
                    using: workspace
                )
                grid.forEach(around: link.place.point, metres: limit) { other, target in
                    guard other != stop, !target.isExitOnly else { return }
                    let cost = tree.cost(target.place)
                    let metres = link.metres + cost.metres + target.metres
                    guard cost.isPossible, metres <= limit else { return }
                    let seconds = Int32((cost.milliseconds + 999) / 1_000)
                    improve(
                        &best,
                        StopWalk(
                            to: other,
                            seconds: link.seconds + seconds + target.seconds,
                            metres: UInt32(metres.rounded())
                        )
                    )
                }
            }
            return best.values.sorted { $0.to < $1.to }
        }
    }

    private static func improve(_ best: inout [Int: StopWalk], _ walk: StopWalk) {
        if let known = best[walk.to],
            (known.seconds, known.metres) <= (walk.seconds, walk.metres)
        {
            return
        }
        best[walk.to] = walk
    }

    /// The walks between platforms of one station that do not use the street.
    private static func stationWalks(_ inputs: [FeedInput], isStepFree: Bool) -> [[StopWalk]] {
        var result: [[StopWalk]] = []
        for input in inputs {
            let base = result.count
            let feed = input.feed
            let ways = StationWays(feed, isStepFree: isStepFree)
            for stop in feed.stops.indices {
                guard ways.leads(from: stop), feed.stops[stop].kind != .entrance else {
                    result.append([])
                    continue
                }
                result.append(
                    ways.walks(from: stop)
                        .filter { feed.stops[$0.to].kind == .stop }
                        .map {
                            StopWalk(
                                to: base + $0.to,
                                seconds: $0.seconds,
                                metres: UInt32($0.metres.rounded())
                            )
                        }
                )
            }
        }
        return result
    }
}

/// An index of links by position: cells about the size of the greatest walking distance.
private struct StopLinkGrid {
    /// A cell's side in 1e-7 degrees: 0.02 degrees, about 2 km.
    private static let side: Int32 = 200_000

    private struct Cell: Hashable {
        let row: Int32
        let column: Int32
    }

    private var cells: [Cell: [(stop: Int, link: StopLinkBuilder.StopLink)]] = [:]

    init(_ links: [[StopLinkBuilder.StopLink]]) {
        for (stop, list) in links.enumerated() {
            for link in list {
                cells[Self.cell(link.place.point), default: []].append((stop, link))
            }
        }
    }

    private static func cell(_ place: Coordinate) -> Cell {
        Cell(row: place.latitude / side, column: place.longitude / side)
    }

    /// Calls `body` with all links within a straight-line distance.
    func forEach(
        around place: Coordinate,
        metres: Double,
        _ body: (Int, StopLinkBuilder.StopLink) -> Void
    ) {
        let plane = LocalPlane(at: place)
        let rows = Int32(metres / plane.metresPerLatitude) / Self.side + 1
        let columns = Int32(metres / plane.metresPerLongitude) / Self.side + 1
        let middle = Self.cell(place)
        for row in (middle.row - rows)...(middle.row + rows) {
            for column in (middle.column - columns)...(middle.column + columns) {
                for (stop, link) in cells[Cell(row: row, column: column)] ?? []
                where plane.distanceMetres(place, link.place.point) <= metres {
                    body(stop, link)
                }
            }
        }
    }
}
