/// Searches with conditions on what may be ridden (modes, wheelchairs, closures), by the same code
/// as searches without.
///
/// Most of the time of a search passes in `scan`, which waits for memory at three places for each
/// call: the call itself, the time of arrival, and what is known of the platform. So conditions
/// cost nothing there. Which routes may be ridden is decided once for each touched route, from the
/// record that is read there anyway; which calls, by flags beside the platform's number; which
/// departures, after the search for the first one. A search that may ride everything pays for one
/// comparison for each touched route and each boarding, with always the same result.
extension RaptorScan {
    /// The calls of a route at which it is ridden.
    struct CallRange {
        /// The first call where riders may board.
        var start: Int
        /// The last call where riders may board.
        var lastBoarding: Int
        /// The call after the last one where they may alight.
        var end: Int

        /// The same between two calls; nobody boards at the second one.
        func within(_ first: Int, _ last: Int) -> CallRange {
            CallRange(
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
        let range = CallRange(
            start: Int(routeStarts[route]),
            lastBoarding: Int(routeEnds[route]),
            end: firstCall &+ Int(rows.routes[record + 1])
        )
        routeStarts[route] = Int32.max
        guard isAllowed(traits: traits) else { return }
        if isLimited, traits & SearchTables.hasParts != 0 {
            rideParts(of: route, from: firstCall, range)
        } else {
            scan(route, range)
        }
    }

    /// Rides along the allowed parts of a route: riders stay seated from one of them to the next.
    private mutating func rideParts(of route: Int, from firstCall: Int, _ range: CallRange) {
        var stretch: (first: Int, last: Int)?
        for number in Int(rows.partOffsets[route])..<Int(rows.partOffsets[route + 1]) {
            let part = number * SearchTables.partWidth
            let isAllowed =
                rows.parts[part + 2] & modes != 0 && (!wheelchair || rows.parts[part + 3] != 0)
            if isAllowed {
                stretch = (stretch?.first ?? Int(rows.parts[part]), Int(rows.parts[part + 1]))
            } else if let known = stretch {
                scan(route, range.within(firstCall + known.first, firstCall + known.last))
                stretch = nil
            }
        }
        if let stretch {
            scan(route, range.within(firstCall + stretch.first, firstCall + stretch.last))
        }
    }
}
