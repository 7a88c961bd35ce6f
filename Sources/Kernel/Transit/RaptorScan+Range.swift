import Columns

/// Searches for a range of moments: moment after moment, from the latest to the earliest, each
/// keeping what those before it found (rRAPTOR: Delling, Pajor, Werneck, "Round-Based Public
/// Transit Routing", Transportation Science 49(3), 2015, section 4.2).
///
/// A journey that starts earlier can wait and continue as one that starts later. So an arrival that
/// a later moment reached as early, with as few trips, is not searched again; only improvements
/// are. Only those moments count at which some vehicle can just be caught, and in the first round
/// only the routes of these vehicles.
///
/// A platform keeps its times for each number of trips, never later with more trips than with
/// fewer: a better time is carried on to later rounds as far as it is better there. That costs time
/// for improvements only, while copying whole rows would cost as much as a small search at each
/// moment.
extension RaptorScan where Carried == NoCriterion {
    /// Marks the routes that lead to one of the ends, or removes the marks.
    func mark(_ labels: RangeLabels, _ value: Int32) {
        for platform in labels.endPlatforms { setLeadsThere(platform, value) }
    }

    /// Searches the moment after the range.
    ///
    /// Journeys of the range have to beat those that start later, and of these the ones that start
    /// at this moment arrive earliest.
    mutating func seed(at moment: Int32, _ labels: inout RangeLabels) {
        bound = labels.bound(1, at: moment)
        for way in labels.access {
            become(way.platform.row, readyAt: way.end(leavingAt: moment), from: -1)
        }
        carryReady(after: 0, labels.maxTrips)
        collectRoutes()
        run(at: moment, &labels)
    }

    /// Searches a moment of the range with its events.
    mutating func step(_ events: ArraySlice<RangeLabels.Event>, _ labels: inout RangeLabels) {
        guard let moment = events.first?.moment else { return }
        touchedCount = 0
        for event in events {
            let platform = Int(event.platform)
            if fresh[platform] == Raptor.never {
                marked[markedCount] = event.platform
                markedCount &+= 1
            }
            fresh[platform] = min(fresh[platform], event.ready)
            ready[platform] = min(ready[platform], event.ready)
            let route = Int(event.route)
            if routeStarts[route] == Int32.max {
                touched[touchedCount] = event.route
                touchedCount &+= 1
                routeEnds[route] = event.call
            }
            routeStarts[route] = min(routeStarts[route], event.call)
            routeEnds[route] = max(routeEnds[route], event.call)
        }
        carryReady(after: 0, labels.maxTrips)
        run(at: moment, &labels)
    }

    /// Searches round after round, starting with the touched routes.
    private mutating func run(at moment: Int32, _ labels: inout RangeLabels) {
        let rounds = labels.maxTrips
        var round = 1
        while round <= rounds, markedCount > 0 {
            enter(round, rounds: rounds)
            bound = labels.bound(round, at: moment)
            if round > 1 { collectRoutes() }
            scanRoutes(isLast: round == rounds)
            clearMarks()
            for place in 0..<improvedCount {
                let platform = Int(improved[place])
                let time = arrivals[platform]
                labels.arrive(platform, at: time, round: round, since: moment)
                for later in round..<rounds {
                    let place = layout.arrivals(after: later + 1, rounds: rounds) + platform
                    if memory[place] <= time { break }
                    memory[place] = time
                }
            }
            labels.collect(round: round)
            relaxChanges(isLast: round == rounds)
            carryReady(after: round, rounds)
            round += 1
        }
        clearMarks()
    }
    /// Turns to the rows of a round; unlike those of a search for one moment they are kept.
    private mutating func enter(_ round: Int, rounds: Int) {
        let platforms = layout.platformCount
        ready = memory.part(layout.ready(round), count: platforms)
        readyFrom = memory.part(layout.readyFrom(round), count: platforms)
        rides = memory.part(layout.rides(round), count: platforms * SearchLayout.rideWidth)
        arrivals = memory.part(layout.arrivals(after: round, rounds: rounds), count: platforms)
    }

    /// Carries the times of the fresh platforms on to the rounds after one.
    private func carryReady(after round: Int, _ rounds: Int) {
        for place in 0..<markedCount {
            let platform = Int(marked[place])
            let time = fresh[platform]
            for later in round..<rounds {
                let place = layout.ready(later + 1) + platform
                if memory[place] <= time { break }
                memory[place] = time
            }
        }
    }

    private mutating func clearMarks() {
        for place in 0..<markedCount { fresh[Int(marked[place])] = Raptor.never }
        markedCount = 0
    }
}
