/// Searches with conditions on what may be ridden (modes, hours of modes, wheelchairs), by the same
/// code as searches without.
///
/// Most of the time of a search passes in `scan`, which waits for memory at three places for each
/// call: the call itself, the time of arrival, and what is known of the platform. So conditions
/// cost nothing there. Which routes may be ridden is decided once for each touched route, from the
/// record that is read there anyway; which calls, by flags beside the platform's number; which
/// departures, after the search for the first one. A search that may ride everything pays for one
/// comparison for each touched route and each boarding, with always the same result.
///
/// Where a mode is not ridden at some times, its routes are ridden once for each time between them:
/// riders board after it begins and alight before it ends. Within such a time the first departure
/// that is caught is the best one, as on any route; across several it need not be, since riders of
/// the first one must alight when its time ends, and those of a later one need not.
extension RaptorScan {
    /// The calls of a route at which it is ridden.
    struct CallRange {
        /// The first call where riders may board.
        var start: Int
        /// The last call where riders may board.
        var lastBoarding: Int
        /// The call after the last one where they may alight.
        var end: Int
        /// The time from which riders may board.
        var earliest = Int32.min
        /// The time until which they may alight.
        var latest = Int32.max

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
            ride(route, in: UInt32(bitPattern: traits), range)
        }
    }

    /// Rides along a stretch of a route at all times at which its modes may be ridden.
    @inline(__always)
    private mutating func ride(_ route: Int, in modes: UInt32, _ range: CallRange) {
        guard modes & avoidedModes != 0 else { return scan(route, range) }
        let conditions = conditions
        conditions.forEachTime(of: modes, since: start, before: bound) { first, last in
            var timed = range
            (timed.earliest, timed.latest) = (first, last)
            scan(route, timed)
        }
    }

    /// Rides along the allowed parts of a route: riders stay seated from one of them to the next.
    private mutating func rideParts(of route: Int, from firstCall: Int, _ range: CallRange) {
        var stretch: Range<Int>?
        for number in Int(rows.partOffsets[route])..<Int(rows.partOffsets[route + 1]) {
            let part = number * SearchTables.partWidth
            let isAllowed =
                rows.parts[part + 2] & modes != 0 && (!wheelchair || rows.parts[part + 3] != 0)
            if isAllowed {
                stretch = (stretch?.lowerBound ?? number)..<(number + 1)
            } else if let known = stretch {
                ride(route, along: known, from: firstCall, range)
                stretch = nil
            }
        }
        if let stretch { ride(route, along: stretch, from: firstCall, range) }
    }

    /// Rides along parts that follow each other: without modes that are avoided at some times, all
    /// of them at once; otherwise each longest stretch with the same set of such modes.
    private mutating func ride(
        _ route: Int,
        along parts: Range<Int>,
        from firstCall: Int,
        _ range: CallRange
    ) {
        for first in parts {
            let isFirst = first == parts.lowerBound
            let before = isFirst ? UInt32.max : avoidedModes(ofPart: first - 1)
            var modes = avoidedModes(ofPart: first)
            var end = first + 1
            // A stretch that could begin earlier with the same modes is ridden from there.
            while before & ~modes != 0 {
                while end < parts.upperBound, avoidedModes(ofPart: end) & ~modes == 0 { end += 1 }
                let start = Int(rows.parts[first * SearchTables.partWidth])
                let last = Int(rows.parts[(end - 1) * SearchTables.partWidth + 1])
                ride(route, in: modes, range.within(firstCall + start, firstCall + last))
                guard end < parts.upperBound else { break }
                modes |= avoidedModes(ofPart: end)
            }
        }
    }

    /// The modes of a part that are not ridden at some times.
    private func avoidedModes(ofPart number: Int) -> UInt32 {
        UInt32(bitPattern: rows.parts[number * SearchTables.partWidth + 2]) & avoidedModes
    }
}
