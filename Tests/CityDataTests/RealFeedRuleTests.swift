import Chronology
import Columns
import Foundation
import OpenData
import TestSupport
import Testing
import Transit

@testable import CityData

/// Issue 2, "Transit": each rule on feeds of real cities.
@Suite("Rules of real feeds")
struct RealFeedRuleTests {
    private static func read(_ path: String) throws -> GTFSFeed {
        try GTFSReader.read(.at(path: RealData.url(path).path), name: "feed").feed
    }

    private static func city(_ feed: GTFSFeed) throws -> SectionFile {
        var writer = SectionWriter()
        _ = try TimetableBuilder.add([FeedInput(feed)], walks: nil, to: &writer)
        return try writer.opened()
    }

    @Test(
        "between certain lines of the BART one changes in the time that transfers.txt states",
        .enabled(if: RealData.has("gtfs-features/bart_2023.zip"), RealData.advice)
    )
    func routePairs() throws {
        let feed = try Self.read("gtfs-features/bart_2023.zip")
        let timetable = Timetable(try Self.city(feed))
        let paths = timetable.footpaths(stepFree: false)
        // The routes that serve each platform of a stop.
        var routes: [PlatformIndex: Set<Int>] = [:]
        for pattern in timetable.patterns.indices {
            for run in timetable.patterns.runs(pattern) {
                let segment = timetable.patterns.segments(run).lowerBound
                let trip = timetable.patterns.segmentTrip[segment]
                for position in timetable.patterns.positions(pattern) {
                    let platform = timetable.patterns.platform[position]
                    routes[platform, default: []].insert(timetable.trips.route[trip].row)
                }
            }
        }
        var checked = 0
        for rule in feed.transfers where rule.fromRoute != nil && rule.toRoute != nil {
            guard let stop = rule.from, stop == rule.to, let seconds = rule.seconds else {
                continue
            }
            let platforms = timetable.platforms.platforms(ofStop: StopIndex(row: stop))
            for from in platforms where routes[from]?.contains(rule.fromRoute ?? -1) ?? false {
                for to in platforms where routes[to]?.contains(rule.toRoute ?? -1) ?? false {
                    if from == to {
                        #expect(
                            timetable.platforms.changeSeconds(from) == seconds,
                            "line \(rule.line)"
                        )
                    } else {
                        let path = paths.of(from).first { paths.target[$0] == to }
                        #expect(path.map { paths.seconds[$0] } == seconds, "line \(rule.line)")
                    }
                    checked += 1
                }
            }
        }
        #expect(checked >= 20)
    }

    @Test(
        "blank times of Porto Alegre lie between the stated ones in proportion to the metres",
        .enabled(if: RealData.has("porto-alegre/eptc_gtfs_2019.zip"), RealData.advice)
    )
    func blanks() throws {
        let feed = try Self.read("porto-alegre/eptc_gtfs_2019.zip")
        let times = feed.stopTimes
        var filled = 0
        for trip in feed.trips.prefix(2_000) where !trip.stopTimes.isEmpty {
            let path = TripPath(
                stops: trip.stopTimes.map { feed.stops[Int(times.stop[$0])].coordinate },
                shape: trip.shape.map { feed.shapes[$0] },
                distances: times.distance[trip.stopTimes]
            )
            let complete = CompleteTimes(times, trip.stopTimes, metres: path.metres)
            var problem = false
            for (place, row) in trip.stopTimes.enumerated() {
                guard times.arrival[row] == GTFSFeed.StopTimes.blank else {
                    problem = problem || complete.arrivals[place] != times.arrival[row]
                    continue
                }
                filled += 1
                func isKnown(_ other: Int) -> Bool {
                    times.arrival[trip.stopTimes.lowerBound + other] != GTFSFeed.StopTimes.blank
                }
                let places = 0..<trip.stopTimes.count
                let before = try #require(places.last { $0 < place && isKnown($0) })
                let after = try #require(places.first { $0 > place && isKnown($0) })
                let start = Double(complete.departures[before])
                let share =
                    (path.metres[place] - path.metres[before])
                    / (path.metres[after] - path.metres[before])
                let time = start + share * (Double(complete.arrivals[after]) - start)
                problem = problem || abs(Double(complete.arrivals[place]) - time) > 1.001
            }
            #expect(!problem, "\(trip.id)")
        }
        #expect(filled > 10_000)
    }

    @Test(
        "ways inside the stations of Washington take the seconds that pathways.txt states",
        .enabled(if: RealData.has("gtfs-features/wmata_rail_2026.zip"), RealData.advice)
    )
    func pathways() throws {
        let feed = try Self.read("gtfs-features/wmata_rail_2026.zip")
        let ways = StationWays(feed, isStepFree: false)
        let back = StationWays(feed, isStepFree: false, isReversed: true)
        let platforms = feed.stops.indices.filter {
            feed.stops[$0].kind == .stop && ways.leads(from: $0)
        }
        #expect(platforms.count > 90)
        for platform in platforms {
            // Bellman-Ford as a simple, slow reference.
            var seconds = [platform: Int32(0)]
            var isStable = false
            while !isStable {
                isStable = true
                for pathway in feed.pathways {
                    let ends =
                        [(pathway.from, pathway.to)]
                        + (pathway.isBidirectional ? [(pathway.to, pathway.from)] : [])
                    for (from, to) in ends {
                        guard let start = seconds[from], let time = pathway.seconds else {
                            continue
                        }
                        if start + time < seconds[to] ?? .max {
                            seconds[to] = start + time
                            isStable = false
                        }
                    }
                }
            }
            for walk in ways.walks(from: platform) {
                #expect(walk.seconds == seconds[walk.to])
                let turned = back.walks(from: walk.to).first { $0.to == platform }
                #expect(turned?.seconds == walk.seconds, "the same seen from the other end")
            }
        }
    }

    @Test(
        "translations are kept row by row",
        .enabled(
            if: RealData.has("gtfs-features/transcollines_fares_v2_2026.zip"),
            RealData.advice
        )
    )
    func translations() throws {
        let feed = try Self.read("gtfs-features/transcollines_fares_v2_2026.zip")
        let file = try Self.city(feed)
        let languages: Column<UInt32> = file.column("transit.translation.language")
        #expect(languages.count == feed.translations.count && languages.count > 10)
    }

    @Test(
        "each feed that is broken on purpose is repaired with a report or refused",
        .enabled(if: RealData.has("gtfs-features/gtfs-lib_bad_feeds.zip"), RealData.advice)
    )
    func badFeeds() throws {
        let archive = try ZipArchive(
            path: RealData.url("gtfs-features/gtfs-lib_bad_feeds.zip").path
        )
        let members = archive.members()
        var found: [String: Set<String>] = [:]
        for folder in Set(members.compactMap { $0.split(separator: "/").first }).sorted() {
            var texts: [String: String] = [:]
            for member in members where member.hasPrefix(folder + "/") {
                let bytes = try archive.bytes(of: member) ?? []
                texts[String(member.dropFirst(folder.count + 1))] = String(
                    decoding: bytes,
                    as: UTF8.self
                )
            }
            do throws(GTFSFailure) {
                let result = try GTFSReader.read(.texts(texts), name: String(folder))
                var writer = SectionWriter()
                do throws(TimetableBuilder.Failure) {
                    let input = FeedInput(result.feed)
                    let log = try TimetableBuilder.add([input], walks: nil, to: &writer)
                    found[String(folder)] = Set(
                        (result.log.counts + log.counts).map(\.example).map {
                            "\($0.file) \($0.field): \($0.kind)"
                        }
                    )
                } catch {
                    found[String(folder)] = ["\(error)"]
                }
            } catch {
                found[String(folder)] = ["\(error)"]
            }
        }
        #expect(found.count == 9)
        // What these three report is permitted, or harms no journey: dates of exceptions alone or
        // beside a calendar, blank pick-up types.
        let sound = [
            "fake-agency-mixture-of-calendar-definitions", "fake-agency-only-calendar-dates",
            "fake-ferry-blank-pickups",
        ]
        // Trips of one block that overlap harm no journey either; its prices lack a currency.
        #expect(
            found["fake-agency-overlapping-trips"]
                == ["fare_attributes.txt currency_type: missingColumn"]
        )
        #expect(found.filter { $0.value.isEmpty }.keys.sorted() == sound, "\(found)")
    }
}
