import Columns

/// Round-based search for the earliest arrivals by number of trips, among the journeys that walk no
/// more than a limit in all.
///
/// The quickest path to a platform may use up too much of the walking limit, so each platform
/// keeps a set of Pareto-optimal labels of time and walking (McRAPTOR: Delling, Pajor, Werneck
/// 2015, section 4.1). It is slower than ``Raptor`` and used only when a limit is set.
///
/// A workspace for one thread and all days.
struct WalkLimitedRaptor {
    /// The label of a rider at a platform: after alighting, or ready to board.
    private struct Label {
        let platform: PlatformIndex
        let time: Int32
        let metres: UInt32
        /// The number of the label before this one; nil at the origin.
        let origin: Int32?
        /// The ride that ended here; nil where the label is one of readiness.
        var ride: Raptor.Ride?
    }

    /// A rider on a departure of the route that is being scanned.
    private struct Rider {
        let instance: Int
        let metres: UInt32
        let board: Int
        let label: Int32
    }

    private var labels: [Label] = []
    /// For each platform the labels of arrival that no other beats, of all rounds.
    private var arrived: [[Int32]] = []
    /// For each platform the labels of readiness that no other beats, of all rounds.
    private var ready: [[Int32]] = []
    /// Platforms with labels of readiness that are new in this round.
    private var marked: Set<PlatformIndex> = []
    private var alighted: [Int32] = []
    private var egress: [PlatformIndex: [Raptor.AccessEgress]] = [:]
    private var bound: Int32 = 0
    private var maxMetres: UInt32 = 0
    private var conditions = RideConditions()
    /// For each round the best arrival at the destination: the label and its egress.
    private var best: [(label: Int32, egress: Raptor.AccessEgress)?] = []

    /// A workspace; it gets its memory at the first search.
    init() {}

    /// Searches among the journeys that walk at most `maxMetres` in all; returns, for each number
    /// of trips with which one arrives earlier than with fewer, the arrival.
    mutating func search(
        _ query: Raptor.Query,
        in space: LaidOutWindow,
        maxMetres: UInt32
    ) -> [(trips: Int, arrival: Int32)] {
        let window = space.window
        let network = space.network(stepFree: query.conditions.wheelchair)
        begin(query, maxMetres, platformCount: window.platformCount)
        var result: [(trips: Int, arrival: Int32)] = []
        var round = 1
        while round <= query.maxTrips, !marked.isEmpty {
            best.append(nil)
            alighted.removeAll(keepingCapacity: true)
            for (route, start) in touchedRoutes(window) {
                for stretch in window.stretches(of: route, conditions)
                where start < stretch.upperBound {
                    scan(window, route, max(stretch.lowerBound, start)..<stretch.upperBound)
                }
            }
            relaxChanges(network)
            if best[round] != nil { result.append((round, bound)) }
            round += 1
        }
        return result
    }

    private mutating func begin(
        _ query: Raptor.Query,
        _ maxMetres: UInt32,
        platformCount: Int
    ) {
        labels.removeAll(keepingCapacity: true)
        if arrived.count != platformCount {
            arrived = Array(repeating: [], count: platformCount)
            ready = arrived
        }
        for platform in arrived.indices {
            arrived[platform].removeAll(keepingCapacity: true)
            ready[platform].removeAll(keepingCapacity: true)
        }
        marked = []
        best = [nil]
        bound = min(query.bound, Raptor.never)
        self.maxMetres = maxMetres
        conditions = query.conditions
        egress = Dictionary(grouping: query.egress, by: { $0.platform })
        for path in query.access where path.metres <= maxMetres {
            addReady(
                Label(
                    platform: path.platform,
                    time: query.start &+ path.seconds,
                    metres: path.metres,
                    origin: nil
                )
            )
        }
    }

    /// The routes that pass marked platforms, ascending, and where to begin on each.
    private mutating func touchedRoutes(
        _ window: ServiceWindow
    ) -> [(route: RaptorRouteIndex, start: Int)] {
        var starts: [RaptorRouteIndex: Int32] = [:]
        for platform in marked {
            for place in window.boardings(platform) {
                starts[place.route] = min(starts[place.route] ?? .max, place.position)
            }
        }
        marked = []
        return starts.map { ($0.key, Int($0.value)) }.sorted { $0.route < $1.route }
    }

    private mutating func scan(
        _ window: ServiceWindow,
        _ number: RaptorRouteIndex,
        _ positions: Range<Int>
    ) {
        let route = window.routes[number.row]
        var riders: [Rider] = []
        for position in positions {
            let platform = window.stops[Int(route.firstStop) + position]
            var flags = window.flags[Int(route.firstStop) + position]
            if conditions.wheelchair { flags >>= 2 }
            if flags & 2 != 0 {
                for rider in riders {
                    let time = window.arrival(number, instance: rider.instance, position: position)
                    guard time < bound else { continue }
                    arrive(
                        Label(
                            platform: platform,
                            time: time,
                            metres: rider.metres,
                            origin: rider.label,
                            ride: Raptor.Ride(
                                route: number,
                                instance: Int32(rider.instance),
                                board: Int32(rider.board),
                                alight: Int32(position)
                            )
                        )
                    )
                }
            }
            if flags & 1 != 0, position + 1 < positions.upperBound {
                board(window, platform, route, position, &riders)
            }
        }
    }

    /// Lets each rider who is ready board the earliest departure, unless a rider on it or on an
    /// earlier one has walked as little.
    private func board(
        _ window: ServiceWindow,
        _ platform: PlatformIndex,
        _ route: ServiceWindow.RaptorRoute,
        _ position: Int,
        _ riders: inout [Rider]
    ) {
        for index in ready[platform.row] {
            let label = labels[Int(index)]
            var low = 0
            var high = Int(route.instanceCount)
            while low < high {
                let middle = (low + high) / 2
                let departure = window.departure(
                    of: route,
                    instance: middle,
                    position: position
                )
                if departure < label.time {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            while conditions.wheelchair, low < Int(route.instanceCount),
                !window.takesWheelchairs[Int(route.firstInstance) + low]
            {
                low += 1
            }
            guard low < Int(route.instanceCount) else { continue }
            let isBeaten = riders.contains { $0.instance <= low && $0.metres <= label.metres }
            if isBeaten { continue }
            riders.removeAll { $0.instance >= low && $0.metres >= label.metres }
            riders.append(
                Rider(instance: low, metres: label.metres, board: position, label: index)
            )
        }
    }

    private mutating func arrive(_ label: Label) {
        let platform = label.platform.row
        guard !isBeaten(label, by: arrived[platform]) else { return }
        let index = Int32(labels.count)
        labels.append(label)
        arrived[platform] = arrived[platform].filter { !beats(label, labels[Int($0)]) } + [index]
        alighted.append(index)
        for path in egress[label.platform] ?? [] {
            let time = label.time &+ path.seconds
            guard label.metres &+ path.metres <= maxMetres, time < bound else { continue }
            bound = time
            best[best.count - 1] = (index, path)
        }
    }

    private mutating func relaxChanges(_ changes: ChangeNetwork) {
        for index in alighted {
            let label = labels[Int(index)]
            // One that was beaten later in the round leads nowhere better.
            guard arrived[label.platform.row].contains(index) else { continue }
            if let change = changes.change(label.platform) {
                addReady(
                    Label(
                        platform: label.platform,
                        time: label.time &+ change,
                        metres: label.metres,
                        origin: index
                    )
                )
            }
            for number in changes.ways(label.platform) {
                let way = changes.way(number)
                let time = label.time &+ way.seconds
                if time >= bound { break }
                guard way.metres <= maxMetres - label.metres else { continue }
                addReady(
                    Label(
                        platform: way.platform,
                        time: time,
                        metres: label.metres + way.metres,
                        origin: index
                    )
                )
            }
        }
    }

    private mutating func addReady(_ label: Label) {
        let platform = label.platform.row
        guard label.time < bound, !isBeaten(label, by: ready[platform]) else { return }
        let index = Int32(labels.count)
        labels.append(label)
        ready[platform] = ready[platform].filter { !beats(label, labels[Int($0)]) } + [index]
        marked.insert(label.platform)
    }

    private func isBeaten(_ label: Label, by others: [Int32]) -> Bool {
        others.contains { beats(labels[Int($0)], label) }
    }

    private func beats(_ one: Label, _ other: Label) -> Bool {
        one.time <= other.time && one.metres <= other.metres
    }

    /// The journey that the last search found with a number of trips, as
    /// ``Raptor/journey(round:start:in:isMirrored:)`` gives it.
    func journey(
        round: Int,
        start: Int32,
        in window: ServiceWindow,
        isMirrored: Bool
    ) -> TransitJourney? {
        guard round < best.count, let last = best[round] else { return nil }
        var rides: [Raptor.Ride] = []
        var label = labels[Int(last.label)]
        while let ride = label.ride, let origin = label.origin {
            rides.append(ride)
            let boarding = labels[Int(origin)]
            guard let before = boarding.origin else {
                let access = Raptor.AccessEgress(
                    platform: boarding.platform,
                    seconds: boarding.time &- start,
                    metres: boarding.metres
                )
                return window.journey(
                    rides: rides.reversed(),
                    access: access,
                    egress: last.egress,
                    isMirrored: isMirrored
                )
            }
            label = labels[Int(before)]
        }
        return nil
    }
}
