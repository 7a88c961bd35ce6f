import Columns

extension Raptor {
    /// The metres walked on a journey that a search for a range of moments has just found.
    ///
    /// The labels that led to it are still there: it is followed from its end to its beginning.
    ///
    /// - Parameters:
    ///   - found: the journey.
    ///   - moment: when it begins.
    ///   - query: the query of the search.
    ///   - space: the window of the search.
    /// - Returns: the metres to, from and between stops.
    func walkMetres(
        of found: RangeLabels.Found,
        at moment: Int32,
        _ query: RangeQuery,
        in space: LaidOutWindow
    ) -> UInt32 {
        let network = space.network(stepFree: query.conditions.wheelchair)
        var metres = found.egress.metres
        var platform = found.egress.platform
        var trips = found.trips
        while trips > 0 {
            let ride = self.ride(trips, platform)
            let route = space.window.routes[ride.route.row]
            let board = space.window.stops[Int(route.firstStop + ride.board)]
            trips -= 1
            let time = ready(trips, board)
            // A platform that was ready earlier with fewer trips kept its time in later rounds.
            while trips > 0, ready(trips - 1, board) == time { trips -= 1 }
            if trips == 0 {
                let access = query.access.way(board, from: moment, to: time)
                return Walking.sum(metres, access?.metres ?? 0)
            }
            guard let origin = readyFrom(trips, board) else { return metres }
            if origin != board {
                let seconds = time &- arrival(after: trips, origin, rounds: query.maxTrips)
                let ways = network.ways(origin).lazy.map { network.way($0) }
                let change = ways.first { $0.platform == board && $0.seconds == seconds }
                metres = Walking.sum(metres, change?.metres ?? 0)
            }
            platform = origin
        }
        return metres
    }
}
