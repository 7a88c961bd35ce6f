import Columns

/// The bound of a search: arrivals at or after it are useless.
extension RaptorScan {
    /// The least gap, in seconds, for which the bound is lowered; for shorter ones the look-up
    /// costs more than it saves.
    private static var leastGap: Int32 { 60 }

    /// Lowers the bound to just after the last time before it at which any vehicle arrives at the
    /// destination: no later arrival comes before the bound.
    ///
    /// If vehicles arrive all the time there is nothing to gain, and the look-up ends at once.
    mutating func lowerBound(_ query: Raptor.Query) {
        guard opposite == nil, !query.egress.isEmpty else { return }
        var latest = Int32.min
        for path in query.egress {
            let platform = path.platform.row
            let last = path.start(arrivingBy: bound &- 1)
            if last == 0 &- Raptor.never { continue }
            for place in Int(
                rows.alightingOffsets[platform]
            )..<Int(rows.alightingOffsets[platform + 1]) {
                let route = Int(rows.alightings[2 * place])
                let record = route * SearchTables.routeWidth
                guard isAllowed(traits: rows.routes[record + 4]) else { continue }
                let position = Int(rows.alightings[2 * place + 1] &- rows.routes[record])
                let stopCount = Int(rows.routes[record + 1])
                let column = Int(rows.routes[record + 3]) + position
                let late = rows.arrivalTimes.search(
                    column,
                    stopCount,
                    Int(rows.routes[record + 2]),
                    near: Int(hints[route]),
                    notBelow: last &+ 1
                )
                guard late > 0 else { continue }
                let time = rows.arrivalTimes[column + (late - 1) * stopCount]
                latest = max(latest, path.end(leavingAt: time))
                if bound &- latest <= Self.leastGap { return }
            }
        }
        bound = min(bound, latest &+ 1)
    }

    /// When a journey ends whose last vehicle arrives at a platform, where some ways cannot be
    /// begun at any moment.
    func timedEnd(_ platform: Int, _ time: Int32) -> Int32 {
        var (low, high) = (0, timedEgress.count)
        while low < high {
            let middle = (low + high) / 2
            if timedEgress[middle].platform.row < platform {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var end = Raptor.never
        while low < timedEgress.count, timedEgress[low].platform.row == platform {
            end = min(end, timedEgress[low].end(leavingAt: time))
            low += 1
        }
        return end
    }

    func setLeadsThere(_ platform: Int, _ value: Int32) {
        for place in Int(rows.alightingOffsets[platform])..<Int(rows.alightingOffsets[platform + 1])
        {
            leadsThere[Int(rows.alightings[2 * place])] = value
        }
    }
}
