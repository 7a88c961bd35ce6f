import Chronology
import Columns
import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

@testable import CityData
@testable import Transit

/// Issue 2, "How sure": the lower bounds of a search are compared with a simple, slow search.
@Suite("Lower bounds of a search")
struct LowerBoundsTests {
    /// A day of a random feed, in which each platform is a cell, with its footpaths.
    private struct World {
        let window: ServiceWindow
        var network: ChangeNetwork

        init(seed: UInt64) throws {
            let result = try GTFSReader.read(.texts(RandomFeed.texts(seed: seed)), name: "random")
            var writer = SectionWriter()
            _ = try TimetableBuilder.add([FeedInput(result.feed)], walks: nil, to: &writer)
            let timetable = Timetable(try writer.opened())
            let date = CivilDate(daysSince1970: 16_361 + Int32(seed % 14))
            window = ServiceWindow(timetable, from: date)
            network = ChangeNetwork(timetable, timetable.footpaths())
            network.cells = (0..<window.platformCount).map { Int32($0) }
        }

        /// Returns the earliest arrival at a platform, including walks, from arrivals and readiness
        /// elsewhere: all departures are tried until nothing improves.
        func arrival(at end: Int, arrived: [Int: Int32], ready: [Int: Int32]) -> Int32 {
            var arrivals = (0..<window.platformCount).map { arrived[$0] ?? Raptor.never }
            var times = (0..<window.platformCount).map { ready[$0] ?? Raptor.never }
            var isChanged = true
            while isChanged {
                isChanged = false
                for platform in arrivals.indices where arrivals[platform] < Raptor.never {
                    for (target, seconds) in changes(platform)
                    where arrivals[platform] + seconds < times[target] {
                        times[target] = arrivals[platform] + seconds
                        isChanged = true
                    }
                }
                for (platform, time) in rides(times) where time < arrivals[platform] {
                    arrivals[platform] = time
                    isChanged = true
                }
            }
            let walked = arrivals.indices.flatMap { platform in
                ways(platform).filter { $0.target == end }.map { arrivals[platform] + $0.seconds }
            }
            return min(arrivals[end], walked.min() ?? Raptor.never)
        }

        /// The expected row of bounds: every line and change is followed until nothing improves.
        func slowBounds(to cell: Int32) -> [Int32] {
            let count = window.platformCount
            let cells = network.cells
            var arrived = cells.map { $0 == cell ? Int32(0) : Raptor.never }
            for platform in 0..<count where cells[platform] != cell {
                for way in ways(platform) where cells[way.target] == cell {
                    arrived[platform] = min(arrived[platform], way.seconds)
                }
            }
            var ready = Array(repeating: Raptor.never, count: count)
            var aboard = Array(repeating: Raptor.never, count: window.stops.count)
            let rides = leastRides()
            var known: [Int32] = []
            while known != arrived + ready + aboard {
                known = arrived + ready + aboard
                for call in aboard.indices.reversed() {
                    guard let ride = rides[call] else { continue }
                    let stop = window.stops[call + 1].row
                    let rest = min(
                        aboard[call + 1],
                        window.flags[call + 1] & 2 != 0 ? arrived[stop] : Raptor.never
                    )
                    guard rest < Raptor.never else { continue }
                    aboard[call] = min(aboard[call], ride + rest)
                    guard window.flags[call] & 1 != 0 else { continue }
                    let platform = window.stops[call].row
                    ready[platform] = min(ready[platform], aboard[call])
                }
                for platform in 0..<count {
                    for way in changes(platform) where ready[way.target] < Raptor.never {
                        arrived[platform] = min(arrived[platform], way.seconds + ready[way.target])
                    }
                }
            }
            return arrived + ready + aboard
        }

        /// The shortest time from each call to the next; none from the last of a pattern.
        private func leastRides() -> [Int: Int32] {
            var rides: [Int: Int32] = [:]
            for (number, route) in window.routes.enumerated() {
                for instance in 0..<Int(route.instanceCount) {
                    for position in 0..<(Int(route.stopCount) - 1) {
                        let call = Int(route.firstStop) + position
                        let since = max(
                            arrival(number, (instance, position)),
                            departure(number, (instance, position))
                        )
                        let ride = arrival(number, (instance, position + 1)) - since
                        rides[call] = min(rides[call] ?? .max, ride)
                    }
                }
            }
            return rides
        }

        private func ways(_ platform: Int) -> [(target: Int, seconds: Int32)] {
            network.ways(PlatformIndex(row: platform)).map { number in
                let way = network.way(number)
                return (way.platform.row, way.seconds)
            }
        }

        private func changes(_ platform: Int) -> [(target: Int, seconds: Int32)] {
            let change = network.change(PlatformIndex(row: platform))
            return ways(platform) + (change.map { [(platform, $0)] } ?? [])
        }

        private func arrival(_ route: Int, _ place: (instance: Int, position: Int)) -> Int32 {
            let route = RaptorRouteIndex(row: route)
            return window.arrival(route, instance: place.instance, position: place.position)
        }

        private func departure(_ route: Int, _ place: (instance: Int, position: Int)) -> Int32 {
            let route = RaptorRouteIndex(row: route)
            return window.departure(route, instance: place.instance, position: place.position)
        }

        private func rides(_ ready: [Int32]) -> [(platform: Int, time: Int32)] {
            var found: [(platform: Int, time: Int32)] = []
            for number in window.routes.indices {
                for instance in 0..<Int(window.routes[number].instanceCount) {
                    var isAboard = false
                    for position in 0..<Int(window.routes[number].stopCount) {
                        let call = Int(window.routes[number].firstStop) + position
                        let platform = window.stops[call].row
                        let place = (instance: instance, position: position)
                        if isAboard, window.flags[call] & 2 != 0 {
                            found.append((platform, arrival(number, place)))
                        }
                        if window.flags[call] & 1 != 0,
                            ready[platform] <= departure(number, place)
                        {
                            isAboard = true
                        }
                    }
                }
            }
            return found
        }
    }

    @Test("no bound exceeds the time that the rest takes at any moment of the day")
    func neverTooHigh() throws {
        var proved = 0
        for seed in 1...UInt64(Effort.instances(150, everything: 3_000)) {
            let world = try World(seed: seed)
            let bounds = LowerBounds(world.window, world.network)
            guard !bounds.isVoid, world.window.platformCount > 0 else { continue }
            var random = SeededRandom(seed: seed ^ 0xB0D)
            for _ in 0..<6 {
                proved += check(world, bounds, seed, &random)
            }
        }
        #expect(proved > 0)
    }

    /// Checks the bounds of all places for one destination and time; returns the number of
    /// reachable places with a bound above 0.
    private func check(
        _ world: World,
        _ bounds: LowerBounds,
        _ seed: UInt64,
        _ random: inout SeededRandom
    ) -> Int {
        let count = world.window.platformCount
        let end = Int.random(in: 0..<count, using: &random)
        let time = Int32.random(in: 0..<90_000, using: &random)
        let row = bounds.row(end)
        var proved = 0
        func compare(_ place: Int, _ arrival: Int32, since time: Int32) {
            guard arrival < Raptor.never else { return }
            #expect(row[place] <= arrival - time, "seed \(seed), to \(end), place \(place)")
            if row[place] > 0 { proved += 1 }
        }
        for platform in 0..<count {
            let there = [platform: time]
            compare(platform, world.arrival(at: end, arrived: there, ready: [:]), since: time)
            compare(
                count + platform,
                world.arrival(at: end, arrived: [:], ready: there),
                since: time
            )
        }
        for (number, route) in world.window.routes.enumerated() {
            let instance = Int.random(in: 0..<Int(route.instanceCount), using: &random)
            let position = Int.random(in: 0..<Int(route.stopCount), using: &random)
            let window = world.window
            let index = RaptorRouteIndex(row: number)
            var alighted: [Int: Int32] = [:]
            for later in (position + 1)..<max(position + 1, Int(route.stopCount))
            where window.flags[Int(route.firstStop) + later] & 2 != 0 {
                let platform = window.stops[Int(route.firstStop) + later].row
                let time = window.arrival(index, instance: instance, position: later)
                alighted[platform] = min(alighted[platform] ?? .max, time)
            }
            compare(
                2 * count + Int(route.firstStop) + position,
                world.arrival(at: end, arrived: alighted, ready: [:]),
                since: window.departure(index, instance: instance, position: position)
            )
        }
        return proved
    }

    @Test("bounds to a cell are as high as a slow search along all lines makes them")
    func asHighAsPossible() throws {
        var proved = 0
        for seed in 1...UInt64(Effort.instances(60, everything: 2_000)) {
            var world = try World(seed: seed)
            var random = SeededRandom(seed: seed ^ 0xCE11)
            let cellCount = Int32.random(in: 1...4, using: &random)
            let cells = (0..<world.window.platformCount).map { _ in
                Int32.random(in: 0..<cellCount, using: &random)
            }
            world.network.cells = cells
            let bounds = LowerBounds(world.window, world.network)
            guard !bounds.isVoid, !cells.isEmpty else { continue }
            for platform in Set(cells).compactMap({ cells.firstIndex(of: $0) }) {
                let expected = world.slowBounds(to: cells[platform])
                #expect(bounds.row(platform) == expected, "seed \(seed), to \(platform)")
                proved += expected.filter { $0 > 0 && $0 < Raptor.never }.count
            }
        }
        #expect(proved > 0)
    }

    @Test("however many platforms a city has, a few cells hold them, and near ones share a cell")
    func fewCells() throws {
        for count in [0, 1, 63, 64, 65, 1_000, 4_010] {
            let places = (0..<count).map {
                Coordinate(latitude: Int32($0 % 7) * 10, longitude: Int32($0) * 1_000)
            }
            let cells = ChangeNetwork.dividedIntoCells(places)
            let sizes = Dictionary(grouping: cells) { $0 }.mapValues { $0.count }
            #expect(cells.count == count)
            #expect(sizes.count <= 64)
            #expect(sizes.values.allSatisfy { $0 <= (count + 63) / 64 })
            #expect(Set(sizes.keys) == Set(0..<Int32(sizes.count)))
            // All lie along a line, so a cell is a stretch of it.
            #expect(zip(cells, cells.dropFirst()).count { $0 != $1 } == max(0, sizes.count - 1))
        }
    }

    @Test("rows are the same again after they made room for others, and never take more")
    func rowsMakeRoom() throws {
        let world = try World(seed: 3)
        let count = world.window.platformCount
        let roomy = LowerBounds(world.window, world.network)
        let bytes = 2 * 4 * roomy.rowLength
        let narrow = LowerBounds(world.window, world.network, bytes: bytes)
        let none = LowerBounds(world.window, world.network, bytes: 0)
        for platform in Array(0..<count) + Array((0..<count).reversed()) {
            let row = roomy.row(platform)
            #expect(narrow.row(platform) == row)
            #expect(none.row(platform) == row)
            #expect(narrow.rowCount <= 2)
            #expect(none.rowCount == 1)
        }
        #expect(roomy.rowCount == count)
    }
}
