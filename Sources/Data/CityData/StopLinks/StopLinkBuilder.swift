import Columns
import Geo
import Journeys
import OpenData
import Streets

/// Connects each stop with the street network by *stop links*: the points on streets where it is
/// entered or left, with the distance between each and the platform.
///
/// A stop in a station with entrances is entered through these, along the pathways of
/// `pathways.txt` if there are any, otherwise in a straight line; any other stop is entered from
/// the street beside it. Pathways may be one-way, as at gates: a link may serve for entering, for
/// leaving, or both.
struct StopLinkBuilder {
    /// How far a stop may be from the street, in metres.
    static let radiusMetres = 300.0

    /// A point where a stop is entered or left.
    struct StopLink {
        let place: StreetPlace
        let seconds: Int32
        let metres: Double
        /// Whether the link is only for leaving.
        var isExitOnly = false
        /// Whether the link is only for entering.
        var isEntryOnly = false
    }

    /// The pathways in a feed's stations, in both directions.
    private struct Inside {
        let outward: StationWays
        let inward: StationWays

        init(_ feed: GTFSFeed, isStepFree: Bool) {
            outward = StationWays(feed, isStepFree: isStepFree)
            inward = StationWays(feed, isStepFree: isStepFree, isReversed: true)
        }

        /// The walks from a stop to some entrances, and back.
        func walks(
            _ stop: Int,
            _ entrances: [Int]
        ) -> (out: [StationWays.Walk], in: [StationWays.Walk]) {
            func walks(_ ways: StationWays) -> [StationWays.Walk] {
                guard ways.leads(from: stop) else { return [] }
                return ways.walks(from: stop).filter { entrances.contains($0.to) }
            }
            return (walks(outward), walks(inward))
        }
    }

    /// The links of each stop of all feeds.
    private(set) var links: [[StopLink]]
    private let network: StreetNetwork
    private let profile: Profile

    /// Finds the links of all stops with trips, for a profile.
    init(_ inputs: [FeedInput], _ network: StreetNetwork, _ profile: Profile) {
        self.network = network
        self.profile = profile
        links = []
        for input in inputs { addStopLinks(input.feed) }
    }

    private mutating func addStopLinks(_ feed: GTFSFeed) {
        let isServed = ChangeRules.platformStops(feed)
        var entrances: [Int: [Int]] = [:]
        for (stop, values) in feed.stops.enumerated() where values.kind == .entrance {
            if let station = values.parent { entrances[station, default: []].append(stop) }
        }
        let everyWay = Inside(feed, isStepFree: false)
        let ways = profile == .wheelchair ? Inside(feed, isStepFree: true) : everyWay
        for stop in feed.stops.indices {
            links.append(isServed[stop] ? links(stop, feed, entrances, ways, everyWay) : [])
        }
    }

    private func links(
        _ stop: Int,
        _ feed: GTFSFeed,
        _ entrances: [Int: [Int]],
        _ ways: Inside,
        _ everyWay: Inside
    ) -> [StopLink] {
        guard let coordinate = feed.stops[stop].coordinate else { return [] }
        let isOnFoot = profile == .foot || profile == .wheelchair
        let station = Self.station(stop, feed)
        guard isOnFoot, let station, let entrances = entrances[station] else {
            return street(coordinate, 0, 0).map { [$0] } ?? []
        }
        let walks = ways.walks(stop, entrances)
        if !walks.out.isEmpty || !walks.in.isEmpty {
            return links(outward: walks.out, inward: walks.in, feed)
        }
        // If pathways describe the way out and none of them is step-free, there is no way for a
        // wheelchair.
        if profile == .wheelchair {
            let every = everyWay.walks(stop, entrances)
            if !every.out.isEmpty || !every.in.isEmpty { return [] }
        }
        return entrances.compactMap { entrance in
            guard let outside = feed.stops[entrance].coordinate,
                profile != .wheelchair || feed.stops[entrance].wheelchair != .no
            else { return nil }
            let metres = coordinate.distanceMetres(to: outside)
            return street(outside, Int32((metres / StationWays.pace).rounded(.up)), metres)
        }
    }

    /// The links at the ends of walks out of and into a station; one link for both directions if
    /// they are equally long.
    private func links(
        outward: [StationWays.Walk],
        inward: [StationWays.Walk],
        _ feed: GTFSFeed
    ) -> [StopLink] {
        var result: [StopLink] = []
        func add(_ walk: StationWays.Walk, isExitOnly: Bool, isEntryOnly: Bool) {
            guard let outside = feed.stops[walk.to].coordinate,
                var link = street(outside, walk.seconds, walk.metres)
            else { return }
            link.isExitOnly = isExitOnly
            link.isEntryOnly = isEntryOnly
            result.append(link)
        }
        for walk in outward {
            add(walk, isExitOnly: !inward.contains(walk), isEntryOnly: false)
        }
        for walk in inward where !outward.contains(walk) {
            add(walk, isExitOnly: false, isEntryOnly: true)
        }
        return result
    }

    /// The station of a stop; nil if it has none.
    static func station(_ stop: Int, _ feed: GTFSFeed) -> Int? {
        var ancestor = feed.stops[stop].parent
        while let current = ancestor {
            if feed.stops[current].kind == .station { return current }
            ancestor = feed.stops[current].parent
        }
        return nil
    }

    /// The link at a coordinate: the nearest street that never closes, reached in a straight line.
    private func street(_ coordinate: Coordinate, _ seconds: Int32, _ metres: Double) -> StopLink? {
        guard
            let place = network.snap(
                coordinate,
                for: profile,
                at: .always,
                within: Self.radiusMetres
            ).first
        else { return nil }
        let across = Int32((place.distanceMetres / StationWays.pace).rounded(.up))
        return StopLink(
            place: place,
            seconds: seconds + across,
            metres: metres + place.distanceMetres
        )
    }

    /// Writes the sections that ``StopLinks`` reads.
    func write(to writer: inout SectionWriter) {
        let name = StopLinks.sectionName(profile)
        let all = links.flatMap { $0 }
        writer.add(
            name + ".offsets",
            links.reduce(into: [UInt32(0)]) { $0.append(($0.last ?? 0) + UInt32($1.count)) }
        )
        writer.add(name + ".edge", all.map(\.place.edge.rawValue))
        writer.add(name + ".fraction", all.map(\.place.fraction))
        writer.add(name + ".latitude", all.map(\.place.point.latitude))
        writer.add(name + ".longitude", all.map(\.place.point.longitude))
        writer.add(name + ".seconds", all.map(\.seconds))
        writer.add(name + ".metres", all.map { UInt32($0.metres.rounded()) })
        writer.add(
            name + ".closed",
            all.map { link in
                (link.isExitOnly ? StopLinks.Closed.inward : 0)
                    | (link.isEntryOnly ? StopLinks.Closed.outward : 0)
            }
        )
    }
}
