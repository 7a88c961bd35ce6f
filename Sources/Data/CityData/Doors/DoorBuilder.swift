import Columns
import Geo
import Journeys
import OpenData
import Streets

/// Connects each stop with the street network: finds its *doors*, the points where it is entered or
/// left, and the distance of the platform from each.
///
/// A stop in a station with entrances is entered through these, along the ways of `pathways.txt`
/// where there are any and in a straight line otherwise; any other stop from the street beside it.
/// Pathways may be one-way, as through gates: a door may be for entering, for leaving, or for both.
struct DoorBuilder {
    /// How far a stop may be from the street, in metres.
    static let radiusMetres = 300.0

    /// A point where a stop is entered or left.
    struct Door {
        let place: StreetPlace
        let seconds: Int32
        let metres: Double
        /// Whether the door is only for leaving.
        var isExitOnly = false
        /// Whether the door is only for entering.
        var isEntryOnly = false
    }

    /// The ways of a feed's stations, in both directions.
    private struct Inside {
        let outward: StationWays
        let inward: StationWays

        init(_ feed: GTFSFeed, isStepFree: Bool) {
            outward = StationWays(feed, isStepFree: isStepFree)
            inward = StationWays(feed, isStepFree: isStepFree, isReversed: true)
        }

        /// The walks from a stop to entrances and from entrances to the stop.
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

    /// For each stop of all feeds, its doors.
    private(set) var doors: [[Door]]
    private let network: StreetNetwork
    private let profile: Profile

    /// Finds the doors of all stops with trips, for a profile.
    init(_ inputs: [FeedInput], _ network: StreetNetwork, _ profile: Profile) {
        self.network = network
        self.profile = profile
        doors = []
        for input in inputs { addDoors(input.feed) }
    }

    private mutating func addDoors(_ feed: GTFSFeed) {
        let isServed = ChangeRules.platformStops(feed)
        var entrances: [Int: [Int]] = [:]
        for (stop, values) in feed.stops.enumerated() where values.kind == .entrance {
            if let station = values.parent { entrances[station, default: []].append(stop) }
        }
        let everyWay = Inside(feed, isStepFree: false)
        let ways = profile == .wheelchair ? Inside(feed, isStepFree: true) : everyWay
        for stop in feed.stops.indices {
            doors.append(isServed[stop] ? doors(stop, feed, entrances, ways, everyWay) : [])
        }
    }

    private func doors(
        _ stop: Int,
        _ feed: GTFSFeed,
        _ entrances: [Int: [Int]],
        _ ways: Inside,
        _ everyWay: Inside
    ) -> [Door] {
        guard let coordinate = feed.stops[stop].coordinate else { return [] }
        let isOnFoot = profile == .foot || profile == .wheelchair
        let station = Self.station(stop, feed)
        guard isOnFoot, let station, let entrances = entrances[station] else {
            return street(coordinate, 0, 0).map { [$0] } ?? []
        }
        let walks = ways.walks(stop, entrances)
        if !walks.out.isEmpty || !walks.in.isEmpty {
            return doors(outward: walks.out, inward: walks.in, feed)
        }
        // Where pathways describe the way out, and none of them is step-free, there is no way for a
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

    /// The doors at the ends of walks out of and into a station; one door for both where
    /// they are equally long.
    private func doors(
        outward: [StationWays.Walk],
        inward: [StationWays.Walk],
        _ feed: GTFSFeed
    ) -> [Door] {
        var result: [Door] = []
        func add(_ walk: StationWays.Walk, isExitOnly: Bool, isEntryOnly: Bool) {
            guard let outside = feed.stops[walk.to].coordinate,
                var door = street(outside, walk.seconds, walk.metres)
            else { return }
            door.isExitOnly = isExitOnly
            door.isEntryOnly = isEntryOnly
            result.append(door)
        }
        for walk in outward {
            add(walk, isExitOnly: !inward.contains(walk), isEntryOnly: false)
        }
        for walk in inward where !outward.contains(walk) {
            add(walk, isExitOnly: false, isEntryOnly: true)
        }
        return result
    }

    /// The station of a stop; nil where it has none.
    static func station(_ stop: Int, _ feed: GTFSFeed) -> Int? {
        var ancestor = feed.stops[stop].parent
        while let current = ancestor {
            if feed.stops[current].kind == .station { return current }
            ancestor = feed.stops[current].parent
        }
        return nil
    }

    /// The door at a coordinate: the nearest street, reached in a straight line.
    private func street(_ coordinate: Coordinate, _ seconds: Int32, _ metres: Double) -> Door? {
        guard
            let place = network.snap(coordinate, for: profile, within: Self.radiusMetres).first
        else { return nil }
        let across = Int32((place.distanceMetres / StationWays.pace).rounded(.up))
        return Door(
            place: place,
            seconds: seconds + across,
            metres: metres + place.distanceMetres
        )
    }

    /// Writes the sections that ``Doors`` reads.
    func write(to writer: inout SectionWriter) {
        let name = Doors.sectionName(profile)
        let all = doors.flatMap { $0 }
        writer.add(
            name + ".offsets",
            doors.reduce(into: [UInt32(0)]) { $0.append(($0.last ?? 0) + UInt32($1.count)) }
        )
        writer.add(name + ".edge", all.map(\.place.edge.rawValue))
        writer.add(name + ".fraction", all.map(\.place.fraction))
        writer.add(name + ".latitude", all.map(\.place.point.latitude))
        writer.add(name + ".longitude", all.map(\.place.point.longitude))
        writer.add(name + ".seconds", all.map(\.seconds))
        writer.add(name + ".metres", all.map { UInt32($0.metres.rounded()) })
        writer.add(
            name + ".closed",
            all.map { door in
                (door.isExitOnly ? Doors.Closed.inward : 0)
                    | (door.isEntryOnly ? Doors.Closed.outward : 0)
            }
        )
    }
}
