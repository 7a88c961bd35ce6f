import Chronology
import Columns
import Foundation
import Geo
import Journeys
import OpenData
import SeededRandom
import Streets
import TestSupport

@testable import CityData

/// A small random town: a grid of streets with gaps, under the stops of a ``RandomFeed``.
enum RandomTown {
    private static let columns = 12
    private static let rows = 13

    /// Creates a city file from streets and feeds as an import does.
    static func city(_ draft: StreetDraft, _ feed: GTFSFeed) throws -> SectionWriter {
        var writer = SectionWriter()
        try writer.add(streets: draft)
        try addTransit(feed, &writer)
        return writer
    }

    /// Adds access points, walks and timetable to a file with streets.
    static func addTransit(_ feed: GTFSFeed, _ writer: inout SectionWriter) throws {
        let inputs = [FeedInput(feed)]
        let walks = addStopLinks(inputs, StreetNetwork(try writer.opened()), &writer)
        _ = try TimetableBuilder.add(inputs, walks: walks, to: &writer)
    }

    /// Adds access points to a file with streets, and computes the walks between stops.
    static func addStopLinks(
        _ inputs: [FeedInput],
        _ network: StreetNetwork,
        _ writer: inout SectionWriter
    ) -> StopWalks {
        var walks: [[[StopWalk]]] = []
        var hasStreet: [Bool] = []
        for profile in [Profile.foot, .wheelchair, .bicycle, .car] {
            let links = StopLinkBuilder(inputs, network, profile)
            links.write(to: &writer)
            if profile == .foot { hasStreet = links.links.map { !$0.isEmpty } }
            if profile == .foot || profile == .wheelchair {
                walks.append(StreetWalks.walks(inputs, links.links, network, profile) { _ in })
            }
        }
        return StopWalks(onFoot: walks[0], stepFree: walks[1], hasStreet: hasStreet)
    }

    /// Creates a feed whose transfer rules apply to all trips.
    static func feed(seed: UInt64) throws -> GTFSFeed {
        try feed(texts: RandomFeed.texts(seed: seed))
    }

    /// Creates a feed without the transfer rules that apply to certain trips only.
    static func feed(texts: [String: String]) throws -> GTFSFeed {
        var texts = texts
        let rules = (texts["transfers.txt"] ?? "").split(separator: "\n")
        texts["transfers.txt"] = rules.filter { $0.hasSuffix(",,,,") || $0.hasPrefix("from") }
            .joined(separator: "\n")
        return try GTFSReader.read(.texts(texts), name: "random").feed
    }

    /// Creates streets about 250 m apart, on which uphill takes longer than downhill.
    static func streets(_ random: inout SeededRandom) -> StreetDraft {
        var draft = StreetDraft()
        draft.names = ["", "Via Padova"]
        for row in 0..<rows {
            for column in 0..<columns {
                draft.originals.append(UInt32(draft.vertices.count))
                let place = Coordinate(
                    latitude: 450_000_000 + Int32(row * 25_000)
                        + Int32.random(in: -4_000...4_000, using: &random),
                    longitude: 90_000_000 + Int32(column * 28_000)
                        + Int32.random(in: -4_000...4_000, using: &random)
                )
                draft.vertices.append(place)
            }
        }
        for row in 0..<rows {
            for column in 0..<columns {
                let vertex = row * columns + column
                if column + 1 < columns { add(vertex, vertex + 1, to: &draft, &random) }
                if row + 1 < rows { add(vertex, vertex + columns, to: &draft, &random) }
            }
        }
        return draft
    }

    private static func add(
        _ from: Int,
        _ to: Int,
        to draft: inout StreetDraft,
        _ random: inout SeededRandom
    ) {
        if Int.random(in: 0..<6, using: &random) == 0 { return }
        let ends = [draft.vertices[from], draft.vertices[to]]
        let length = UInt32((ends[0].distanceMetres(to: ends[1]) * 10).rounded(.up))
        let edge = UInt32(draft.edges.count)
        draft.edges.append(
            StreetDraft.Edge(
                from: UInt32(from),
                to: UInt32(to),
                geometry: ends,
                lengthDecimetres: length,
                name: 1,
                kind: .residential
            )
        )
        for isForward in [true, false] {
            let onFoot = length * UInt32.random(in: 60...110, using: &random)
            draft.arcs.append(
                StreetDraft.Arc(
                    from: UInt32(isForward ? from : to),
                    to: UInt32(isForward ? to : from),
                    edge: edge,
                    forward: isForward,
                    milliseconds: [onFoot, onFoot, length * 25, length * 12, length * 12]
                )
            )
        }
    }

    /// Returns random waits for a taxi over days around a moment, and times at which there is none.
    static func waits(around time: Instant, _ random: inout SeededRandom) -> [TaxiWait] {
        var waits: [TaxiWait] = []
        var first = time.adding(seconds: -100_000)
        while first < time.adding(seconds: 200_000) {
            let length: Int64 = [0, 1_800, 14_400, 30_000].randomElement(using: &random) ?? 0
            let last = first.adding(seconds: .random(in: 0...length, using: &random))
            if Int.random(in: 0..<4, using: &random) != 0 {
                let seconds = Int32.random(in: 0...1_500, using: &random)
                waits.append(TaxiWait(from: first, through: last, seconds: seconds))
            }
            first = last.adding(seconds: 1)
        }
        return waits
    }

    /// Returns a random place in the town, usually off the streets.
    static func place(_ random: inout SeededRandom) -> Coordinate {
        Coordinate(
            latitude: 450_000_000 + Int32.random(in: -5_000...305_000, using: &random),
            longitude: 90_000_000 + Int32.random(in: -5_000...305_000, using: &random)
        )
    }
}
