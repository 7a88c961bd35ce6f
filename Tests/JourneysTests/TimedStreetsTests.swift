import Chronology
import Columns
import Geo
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import CityData
@testable import Journeys

/// Issue 31, points 4 and 6: the ways to and from stops obey the rules of streets for certain hours
/// at the moment of each passage, whatever moment was asked about.
@Suite("Ways to and from stops on streets with hours")
struct TimedStreetsTests {
    /// A random town; in some minutes of the week some of its streets are closed to walkers, and in
    /// others some of them take three times as long.
    private static func town(
        _ seed: UInt64,
        closed: Range<UInt16>,
        slow: Range<UInt16>
    ) throws -> DoorToDoorTests.Town {
        try town(seed, [closed], [slow])
    }

    /// The same for some minutes of each day.
    static func town(
        _ seed: UInt64,
        everyDay closed: Range<UInt16>,
        slow: Range<UInt16>
    ) throws -> DoorToDoorTests.Town {
        func week(_ minutes: Range<UInt16>) -> [Range<UInt16>] {
            (0..<7).map { $0 * 1_440 + minutes.lowerBound..<$0 * 1_440 + minutes.upperBound }
        }
        return try town(seed, week(closed), week(slow))
    }

    private static func town(
        _ seed: UInt64,
        _ closed: [Range<UInt16>],
        _ slow: [Range<UInt16>]
    ) throws -> DoorToDoorTests.Town {
        var random = SeededRandom(seed: seed)
        let feed = try RandomTown.feed(seed: seed)
        var draft = RandomTown.streets(&random)
        draft.hours = [WeekHours(closed), WeekHours(slow)]
        for arc in draft.arcs.indices where draft.arcs[arc].edge % 12 < 2 {
            let isClosed = draft.arcs[arc].edge % 12 == 0
            let milliseconds = draft.arcs[arc].milliseconds[0] * 3
            draft.rules.append(
                StreetDraft.Rule(
                    arc: UInt32(arc),
                    profile: .foot,
                    hours: isClosed ? 0 : 1,
                    milliseconds: isClosed ? StreetDraft.Arc.closed : milliseconds
                )
            )
        }
        return try DoorToDoorTests.Town(try RandomTown.city(draft, feed).opened(), feed)
    }

    @Test("are those of a question for each second", arguments: [true, false])
    func everySecond(isOrigin: Bool) throws {
        let wednesday = CivilDate(daysSince1970: 16_365)
        let minute: UInt16 = 2 * 1_440 + 450
        var timed = 0
        // In the first four, a stop lies on a street that is no quick way to its other end.
        for seed in [40, 58, 82, 360] + Array(1...UInt64(Effort.instances(30, everything: 500))) {
            let town = try Self.town(
                seed,
                closed: minute..<minute + 6,
                slow: minute + 3..<minute + 20
            )
            let city = town.planner.city
            let zone = city.timetable.zone
            var random = SeededRandom(seed: seed ^ 0x5EC)
            let place = RandomTown.place(&random)
            let first = zone.instant(wednesday, second: 7 * 3_600 + 1_200)
            let range = first...first.adding(seconds: 2_400)
            let query = JourneyQuery(from: .place(place), to: .place(place), time: first)
            let paths = town.planner.accessEgress(
                .place(place),
                query,
                isOrigin: isOrigin,
                during: range
            )
            /// The moments at the place at which a way is taken.
            func moments(_ way: EndWay) -> (first: Int64, last: Int64) {
                let seconds = isOrigin ? 0 : Int64(way.walk.seconds)
                return (
                    way.first == .min ? .min : way.first + seconds,
                    way.last == .max ? .max : way.last + seconds
                )
            }
            var tried = (0..<40).map { _ in
                Int64.random(
                    in: range.lowerBound.seconds...range.upperBound.seconds,
                    using: &random
                )
            }
            for way in paths.ways.values.joined() {
                let (first, last) = moments(way)
                if first > .min { tried += [first - 1, first] }
                if last < .max { tried += [last, last + 1] }
                timed += first > .min || last < .max ? 1 : 0
            }
            /// The seconds of the ways of each stop at a moment at the place, by the reference.
            func expected(_ moment: Int64) -> [Int: Int] {
                let week = WeekMoment(Instant(seconds: moment), in: zone)
                let ways = town.reference.ways(place, isOrigin: isOrigin, at: week)
                return Dictionary(ways.map { ($0.stop, $0.seconds) }, uniquingKeysWith: min)
            }
            for moment in Set(tried) {
                let expectation = expected(moment)
                for platform in city.timetable.platforms.indices {
                    let stop = city.timetable.platforms.stop[platform].row
                    check(
                        paths.ways[platform] ?? [],
                        at: moment,
                        isOrigin: isOrigin,
                        since: first.seconds,
                        "seed \(seed), stop \(stop) at \(moment)"
                    ) { moment == $0 ? expectation[stop] : expected($0)[stop] }
                }
            }
        }
        #expect(timed > 0)
    }

    /// Compares the ways between a place and a platform with those at a moment at the place.
    ///
    /// - Parameters:
    ///   - ways: the ways.
    ///   - moment: the moment.
    ///   - isOrigin: whether one begins at the place.
    ///   - first: from when on the ways are exact.
    ///   - comment: the scene.
    ///   - expected: the seconds of the way at a moment at the place; nil without any.
    private func check(
        _ ways: [EndWay],
        at moment: Int64,
        isOrigin: Bool,
        since first: Int64,
        _ comment: Comment,
        _ expected: (Int64) -> Int?
    ) {
        if isOrigin {
            let found = ways.filter { $0.first <= moment && moment <= $0.last }
                .map { Int($0.walk.seconds) }.min()
            #expect(found == expected(moment), comment)
            return
        }
        // Who leaves a stop earlier than another may be at the place later than they are; so what
        // counts is when one has to leave to be there by the moment.
        let latest = ways.compactMap { way -> (departure: Int64, seconds: Int64)? in
            let seconds = Int64(way.walk.seconds)
            let departure = min(way.last, moment - seconds)
            return departure >= way.first ? (departure, seconds) : nil
        }.max { $0.departure < $1.departure }
        if let seconds = expected(moment) {
            #expect(latest?.departure ?? .min >= moment - Int64(seconds), comment)
        }
        guard let latest, latest.departure + latest.seconds >= first else { return }
        #expect(expected(latest.departure + latest.seconds) == Int(latest.seconds), comment)
    }

    @Test(
        "profiles over a closing street equal questions for each second",
        arguments: [false, true]
    )
    func profiles(isInward: Bool) throws {
        var journeys = 0
        for seed in 1...UInt64(Effort.instances(12, everything: 300)) {
            var random = SeededRandom(seed: seed ^ 0x5ED)
            var open = try Self.town(seed, closed: 0..<0, slow: 0..<0).planner
            var query = ProfileQuery(
                .place(RandomTown.place(&random)),
                [.place(RandomTown.place(&random))],
                isInward: isInward,
                time: Instant(seconds: .random(in: 16_361...16_375, using: &random) * 86_400),
                isArriveBy: isInward,
                windowSeconds: 80_000,
                modes: TravelModes(walk: false)
            )
            guard let journey = open.profiles(query)[0].journeys.randomElement(using: &random)
            else { continue }
            let time = isInward ? journey.arrival : journey.departure
            let week = WeekMoment(time, in: open.city.timetable.zone).milliseconds / 60_000
            let start = UInt16(clamping: Int(week) + Int.random(in: -15...15, using: &random))
            query.time = time.adding(seconds: isInward ? 30 : -30)
            query.windowSeconds = 60
            var planner = try Self.town(
                seed,
                closed: start..<start + 20,
                slow: start + 10..<start + 60
            ).planner
            let expected = RangeTests.everySecond(query, query.others[0], &planner)
            let profile = planner.profiles(query)[0]
            #expect(profile.times == expected, "seed \(seed)")
            journeys += expected.count
            let question = query.pair(query.others[0])
            for answer in planner.journeys(question) {
                #expect(PlannerPropertyTests.inconsistency(answer) == nil, "seed \(seed)")
                for leg in answer.legs where leg.ride == nil && (leg.from == nil || leg.to == nil) {
                    #expect(planner.route(of: leg, in: question) != nil, "seed \(seed)")
                }
            }
        }
        #expect(journeys > 0)
    }
}
