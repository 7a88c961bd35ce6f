import Columns

/// The inner loops of a search, on rows of raw memory; ``Raptor`` describes the algorithm.
///
/// All indices are raw integers here, as in the memory that they address; a *route* is one of
/// RAPTOR (see ``ServiceWindow``), not of the feed.
///
/// A platform is *fresh* if it became ready earlier in the previous round. Along a route only fresh
/// platforms can offer a departure that is an improvement: what the others offer was followed in
/// the round in which they were fresh.
///
/// In each round, routes that lead to the destination are ridden first: the sooner an arrival there
/// is known, the more of the later search is pruned. Of equally early arrivals at a platform in one
/// round the first one found is kept.
///
/// Nothing is followed that cannot arrive before the best arrival known even with a perfect
/// connection (see ``LowerBounds``): no platform is made ready, no route boarded and no ride
/// continued. Along a path, none of the three bounds decreases by more than the path takes, so
/// pruning never removes an optimal journey, and answers are the same as without bounds.
///
/// Vehicles bring riders to the destination only at certain times. So whatever cannot arrive in
/// time for the last of these before the best arrival known is not followed either; if no vehicle
/// arrives there before it, the search is over. In the evening, and where a line runs twice a day,
/// this avoids searching most of the network.
struct RaptorScan<Carried: Criterion> {
    /// Stands for the origin in place of a platform.
    private static var origin: Int { -1 }

    let layout: SearchLayout
    /// What the search reads.
    let rows: WindowRows

    let memory: Row
    /// The earliest arrivals: one row for all rounds or, in a search for a range, one for each.
    var arrivals: Row
    let egress: Row
    let fresh: Row
    let isImproved: Row
    let marked: Row
    let improved: Row
    let remainingArrived: Row
    let remainingReady: Row
    let remainingAboard: Row
    let routeStarts: Row
    let routeEnds: Row
    let touched: Row
    let leadsThere: Row
    let hints: Row

    /// The criterion besides time and trips.
    let criterion: Carried
    /// The riders' labels, if the criterion has an amount.
    var bags: LabelBags<Carried>
    /// The memory of the search from the other end that gives the limits; nil without limits.
    let opposite: ReadRow?
    /// The labels of that search, if the criterion has an amount.
    let oppositeBags: LabelBags<Carried>
    /// The number of trips of the whole journey.
    let oppositeTrips: Int
    private let oppositeLayout: SearchLayout
    /// Where in `opposite` this round's limits begin.
    private var limitStart = 0

    /// Whether some vehicles or stops must not be used.
    let isLimited: Bool
    /// Whether riders need room for a wheelchair.
    let wheelchair: Bool
    /// The modes that may be ridden.
    let modes: Int32
    /// Which vehicles and stops may be used.
    let conditions: RideConditions
    /// The modes that are not ridden at some times.
    let avoidedModes: UInt32
    /// When the search begins.
    let start: Int32

    var ready: Row
    var readyFrom: Row
    var rides: Row
    var markedCount = 0
    var improvedCount = 0
    var touchedCount = 0
    var bound: Int32
    /// The ways from the last platforms, in the order of platforms; empty where all of them can be
    /// begun at any moment.
    let timedEgress: [Raptor.AccessEgress]
    /// The last platform of the best arrival of this round so far.
    private var reached: Int?
    /// The result of the search so far.
    private(set) var outcome = Raptor.Outcome()

    /// Creates inner loops over rows that outlive them.
    ///
    /// - Parameters:
    ///   - rows: what the search reads.
    ///   - memory: its workspace, in a layout with room for the window.
    ///   - layout: the layout.
    ///   - opposite: the workspace of the search that gives the limits; nil without limits.
    ///   - limits: the limits.
    ///   - query: the question.
    ///   - criterion: what riders carry besides time and trips.
    ///   - bags: the workspace for their labels.
    init(
        _ rows: WindowRows,
        memory: Row,
        layout: SearchLayout,
        opposite: ReadRow?,
        limits: Raptor.Limits<Carried>?,
        _ query: Raptor.Query,
        _ criterion: Carried,
        _ bags: LabelBags<Carried>
    ) {
        let (platforms, routeCount) = (rows.platformCount, rows.routeCount)
        self.rows = rows
        self.layout = layout
        self.memory = memory
        arrivals = memory.part(layout.arrivals, count: platforms)
        egress = memory.part(layout.egress, count: platforms)
        fresh = memory.part(layout.fresh, count: platforms)
        isImproved = memory.part(layout.isImproved, count: platforms)
        marked = memory.part(layout.marked, count: platforms)
        improved = memory.part(layout.improved, count: platforms)
        let remaining = memory.part(layout.remaining, count: layout.remainingCount)
        remainingArrived = remaining.part(0, count: platforms)
        remainingReady = remaining.part(platforms, count: platforms)
        remainingAboard = remaining.part(2 * platforms, count: layout.callCount)
        routeStarts = memory.part(layout.routeStarts, count: routeCount)
        routeEnds = memory.part(layout.routeEnds, count: routeCount)
        touched = memory.part(layout.touched, count: routeCount + 1)
        leadsThere = memory.part(layout.leadsThere, count: routeCount)
        hints = memory.part(layout.hints, count: routeCount)
        self.criterion = criterion
        self.bags = bags
        self.opposite = opposite
        oppositeBags = limits?.bags ?? LabelBags()
        oppositeTrips = limits?.trips ?? query.maxTrips
        oppositeLayout = limits?.search.layout ?? layout
        isLimited = !query.conditions.acceptEverything
        wheelchair = query.conditions.wheelchair
        modes = Int32(truncatingIfNeeded: query.conditions.modes & TransitMode.all)
        conditions = query.conditions
        avoidedModes = query.conditions.avoidedModes
        start = query.start
        ready = memory.part(layout.ready(0), count: platforms)
        readyFrom = memory.part(layout.readyFrom(0), count: platforms)
        rides = memory.part(layout.rides(0), count: platforms * SearchLayout.rideWidth)
        bound = min(query.bound, Raptor.never)
        timedEgress =
            query.egress.contains { $0.isTimed }
            ? query.egress.sorted { $0.platform < $1.platform } : []
    }

    /// Searches round after round.
    mutating func run(_ query: Raptor.Query) {
        begin(query)
        var round = 1
        while round <= query.maxTrips, markedCount > 0 {
            enter(round)
            collectRoutes()
            let known = bound
            scanRoutes(isLast: round == query.maxTrips)
            note(round)
            if bound < known { lowerBound(query) }
            for place in 0..<markedCount { fresh[Int(marked[place])] = Raptor.never }
            markedCount = 0
            relaxChanges(isLast: round == query.maxTrips)
            round += 1
        }
        for place in 0..<markedCount { fresh[Int(marked[place])] = Raptor.never }
        for path in query.egress {
            egress[path.platform.row] = SearchLayout.noEgress
            setLeadsThere(path.platform.row, 0)
        }
    }

    private mutating func begin(_ query: Raptor.Query) {
        if Carried.isCarried { return beginLabels(query) }
        arrivals.fill(Raptor.never)
        ready.fill(Raptor.never)
        for path in query.egress {
            let platform = path.platform.row
            let known = egress[platform]
            if known < 0 || path.seconds < known { egress[platform] = path.seconds }
            setLeadsThere(platform, 1)
        }
        lowerBound(query)
        for path in query.access {
            become(path.platform.row, readyAt: path.end(leavingAt: query.start), from: Self.origin)
        }
    }

    /// Starts the rows of a round: each platform is ready as it was before.
    private mutating func enter(_ round: Int) {
        if Carried.isCarried {
            bags.round = Int32(truncatingIfNeeded: round)
            return
        }
        let platforms = layout.platformCount
        let next = memory.part(layout.ready(round), count: platforms)
        next.copy(ready)
        ready = next
        readyFrom = memory.part(layout.readyFrom(round), count: platforms)
        rides = memory.part(layout.rides(round), count: platforms * SearchLayout.rideWidth)
        limitStart = oppositeLayout.ready(oppositeTrips - round)
        outcome.appendRound()
    }

    /// Finds the routes that pass fresh platforms, and where to begin and to end on each.
    mutating func collectRoutes() {
        touchedCount = 0
        for place in 0..<markedCount {
            let platform = Int(marked[place])
            let time = fresh[platform]
            for boarding in Int(
                rows.boardingOffsets[platform]
            )..<Int(rows.boardingOffsets[platform + 1]) {
                let number = rows.boardings[2 * boarding]
                let call = rows.boardings[2 * boarding + 1]
                let route = Int(number)
                // Without branches, which are unpredictable here and took most of the time.
                let isUseful = isHopeful(time, remainingAboard[Int(call)])
                let start = routeStarts[route]
                touched[touchedCount] = number
                touchedCount += isUseful && start == Int32.max ? 1 : 0
                routeStarts[route] = min(start, isUseful ? call : Int32.max)
                let end = start == Int32.max ? 0 : routeEnds[route]
                routeEnds[route] = max(end, isUseful ? call : 0)
            }
        }
    }

    /// Rides along the touched routes, those that lead to the destination first; in the last round
    /// the others are useless.
    mutating func scanRoutes(isLast: Bool) {
        for place in 0..<touchedCount where leadsThere[Int(touched[place])] != 0 {
            ride(Int(touched[place]))
        }
        for place in 0..<touchedCount where leadsThere[Int(touched[place])] == 0 {
            if isLast {
                routeStarts[Int(touched[place])] = Int32.max
            } else {
                ride(Int(touched[place]))
            }
        }
    }

    /// Records the best arrival of a round at the destination.
    private mutating func note(_ round: Int) {
        guard let reached else { return }
        outcome.arrivals[round] = bound
        outcome.lastPlatforms[round] = PlatformIndex(row: reached)
        self.reached = nil
    }

    /// Rides along a route, always on the earliest departure that can be caught.
    mutating func scan(_ route: Int, _ range: CallRange) {
        if Carried.isCarried { return scanLabels(route, range) }
        let line = RouteRows(rows, route)
        let (firstCall, stopCount, count) = (line.firstCall, line.stopCount, line.count)
        let (firstTime, times, stride) = (line.firstTime, line.times, line.stride)
        let boards = wheelchair ? SearchTables.boardsWheelchair : SearchTables.boards
        let alights = wheelchair ? SearchTables.alightsWheelchair : SearchTables.alights
        var departure = count
        var isAboard = false
        var timesStart = 0
        var board = 0
        let lastBoarding = range.lastBoarding
        let (earliest, latest) = (range.earliest, range.latest)
        var next = range.start
        while next < range.end {
            let call = next
            next &+= 1
            let platform = Int(rows.calls[call] >> SearchTables.callShift)
            if isAboard {
                let time = rows.arrivalTimes[timesStart &+ call]
                if time < arrivals[platform], isHopeful(time, remainingArrived[platform]),
                    rows.calls[call] & alights != 0, time <= latest,
                    isWithinLimits(platform, time)
                {
                    let ride = platform &* SearchLayout.rideWidth
                    rides[ride] = Int32(truncatingIfNeeded: route)
                    rides[ride &+ 1] = Int32(truncatingIfNeeded: departure)
                    rides[ride &+ 2] =
                        Int32(truncatingIfNeeded: board &- firstCall) << SearchLayout.positionBits
                        | Int32(truncatingIfNeeded: call &- firstCall)
                    arrive(platform, time)
                }
                isAboard = time <= latest && isHopeful(time, remainingAboard[call])
            }
            if call > lastBoarding {
                if isAboard { continue }
                break
            }
            let time = max(fresh[platform], earliest)
            guard isHopeful(time, remainingAboard[call]), rows.calls[call] & boards != 0 else {
                continue
            }
            let column = line.column(call)
            // Skip this stop if the departure before the one ridden has already left it.
            if departure < count {
                guard departure > 0, times[column &+ (departure &- 1) &* stride] >= time else {
                    continue
                }
            }
            let near = departure < count ? departure &- 1 : Int(hints[route])
            var caught = times.search(column, stride, departure, near: near, notBelow: time)
            if wheelchair, caught < departure {
                caught = Int(rows.accessible[line.firstDeparture &+ caught])
            }
            guard caught < departure else { continue }
            departure = caught
            isAboard = isHopeful(times[column &+ caught &* stride], remainingAboard[call])
            timesStart = firstTime &+ caught &* stopCount &- firstCall
            board = call
            hints[route] = Int32(truncatingIfNeeded: caught)
        }
    }

    /// Whether a rider who still needs that much time can improve the result.
    @inline(__always)
    func isHopeful(_ time: Int32, _ remaining: Int32) -> Bool {
        time &+ remaining < bound
    }

    @inline(__always)
    private func isWithinLimits(_ platform: Int, _ time: Int32) -> Bool {
        guard let opposite else { return true }
        return time <= 0 &- opposite[limitStart &+ platform]
    }

    /// Records an arrival, and whether it is one at the destination.
    @inline(__always)
    private mutating func arrive(_ platform: Int, _ time: Int32) {
        arrivals[platform] = time
        if isImproved[platform] == 0 {
            isImproved[platform] = 1
            improved[improvedCount] = Int32(truncatingIfNeeded: platform)
            improvedCount &+= 1
        }
        let seconds = egress[platform]
        guard seconds >= 0, time &+ seconds < bound else { return }
        let end = timedEgress.isEmpty ? time &+ seconds : timedEnd(platform, time)
        guard end < bound else { return }
        bound = end
        reached = platform
    }

    /// Lets riders who arrived in this round change; not needed after the last round.
    mutating func relaxChanges(isLast: Bool) {
        if Carried.isCarried { return relaxLabels(isLast: isLast) }
        for place in 0..<improvedCount {
            let platform = Int(improved[place])
            isImproved[platform] = 0
            if isLast { continue }
            let arrival = arrivals[platform]
            let change = rows.changes[platform]
            if change >= 0 {
                become(platform, readyAt: arrival &+ change, from: platform)
            }
            for way in Int(rows.wayOffsets[platform])..<Int(rows.wayOffsets[platform + 1]) {
                let time = arrival &+ rows.ways[2 * way + 1]
                if time >= bound { break }
                become(Int(rows.ways[2 * way]), readyAt: time, from: platform)
            }
        }
        improvedCount = 0
    }

    @inline(__always)
    mutating func become(
        _ platform: Int,
        readyAt time: Int32,
        from origin: Int
    ) {
        guard time < ready[platform], isHopeful(time, remainingReady[platform]) else { return }
        ready[platform] = time
        readyFrom[platform] = Int32(truncatingIfNeeded: origin)
        if fresh[platform] == Raptor.never {
            marked[markedCount] = Int32(truncatingIfNeeded: platform)
            markedCount &+= 1
        }
        fresh[platform] = time
    }
}
