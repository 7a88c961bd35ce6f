/// Searches that may not ride everything, by the same code.
///
/// Most of the time of a search passes in `scan`, which waits for memory at three places for each
/// call: the call itself, the time of arrival, and what is known of the platform. So conditions
/// cost nothing there. Which routes may be ridden is decided once for each touched route, from the
/// record that is read there anyway; which calls, by flags beside the platform's number; which
/// departures, after the search for the first one. A search that may ride everything pays for one
/// comparison for each touched route and each boarding, which always comes out alike.
extension RaptorScan {
    /// The calls of a route at which it is ridden.
    struct Reach {
        /// The first call where riders may board.
        var start: Int
        /// The last call where riders may board.
        var lastBoarding: Int
        /// The call after the last one where they may alight.
        var end: Int

        /// The same between two calls; nobody boards at the second one.
        func within(_ first: Int, _ last: Int) -> Reach {
            Reach(
                start: max(start, first),
                lastBoarding: min(lastBoarding, last - 1),
                end: last + 1
            )
        }
    }

    /// Whether the conditions allow some departure of a route on some of its parts.
    @inline(__always)
    func isAllowed(traits: Int32) -> Bool {
        guard isLimited else { return true }
        return traits & modes != 0 && (!wheelchair || traits & SearchTables.takesWheelchairs != 0)
    }

    /// Rides along a touched route, as far as the conditions allow it.
    @inline(__always)
    mutating func ride(_ route: Int) {
        let record = route * SearchTables.routeWidth
        let firstCall = Int(rows.routes[record])
        let traits = rows.routes[record + 4]
        let reach = Reach(
            start: Int(routeStarts[route]),
            lastBoarding: Int(routeEnds[route]),
            end: firstCall &+ Int(rows.routes[record + 1])
        )
        routeStarts[route] = Int32.max
        guard isAllowed(traits: traits) else { return }
        if isLimited, traits & SearchTables.hasParts != 0 {
            rideParts(of: route, from: firstCall, reach)
        } else {
            scan(route, reach)
        }
    }

    /// Rides along the allowed parts of a route: riders stay seated from one of them to the next.
    private mutating func rideParts(of route: Int, from firstCall: Int, _ reach: Reach) {
        var stretch: (first: Int, last: Int)?
        for number in Int(rows.partOffsets[route])..<Int(rows.partOffsets[route + 1]) {
            let part = number * SearchTables.partWidth
            let isAllowed =
                rows.parts[part + 2] & modes != 0 && (!wheelchair || rows.parts[part + 3] != 0)
            if isAllowed {
                stretch = (stretch?.first ?? Int(rows.parts[part]), Int(rows.parts[part + 1]))
            } else if let known = stretch {
                scan(route, reach.within(firstCall + known.first, firstCall + known.last))
                stretch = nil
            }
        }
        if let stretch {
            scan(route, reach.within(firstCall + stretch.first, firstCall + stretch.last))
        }
    }
}
