import Columns

/// A journey by public transport: the rides, and the walks before, between and after them.
///
/// Times are seconds from the window's epoch.
public struct TransitJourney: Sendable, Equatable {
    /// When it leaves the origin.
    public var departure: Int32
    /// When it arrives at the destination.
    public var arrival: Int32
    /// The first platform, and the way from the origin to it, which begins at the departure.
    public var access: Raptor.AccessEgress
    /// The last platform, and the way from it to the destination, which ends at the arrival.
    public var egress: Raptor.AccessEgress
    /// The rides in order; at least one.
    public var rides: [Ride]

    /// One trip's share of the journey.
    public struct Ride: Sendable, Equatable {
        /// The timetable's pattern.
        public var pattern: PatternIndex
        /// The run that is ridden.
        public var run: RunIndex
        /// The service day, in days since 1970-01-01.
        public var day: Int32
        /// The pattern's position where riders board.
        public var boardPosition: Int32
        /// The pattern's position where riders alight.
        public var alightPosition: Int32
        /// The platform where riders board.
        public var boardPlatform: PlatformIndex
        /// The platform where riders alight.
        public var alightPlatform: PlatformIndex
        /// When it leaves the first platform.
        public var departure: Int32
        /// When it arrives at the last platform.
        public var arrival: Int32
    }
}

extension Raptor {
    /// The times of a journey that a search found, and its amount.
    struct Found<Amount> {
        let trips: Int
        let arrival: Int32
        let amount: Amount
    }

    /// The journeys that the last search found, fewest trips first, then the earliest.
    func found<Carried: Criterion>(_ bags: LabelBags<Carried>) -> [Found<Carried.Amount>] {
        if Carried.isCarried {
            return bags.ends.sorted { ($0.trips, $0.arrival) < ($1.trips, $1.arrival) }
                .map { Found(trips: $0.trips, arrival: $0.arrival, amount: $0.amount) }
        }
        return (1..<max(1, roundCount)).filter { destinationArrivals[$0] < Self.never }
            .map { Found(trips: $0, arrival: destinationArrivals[$0], amount: Carried.none) }
    }

    /// The journey that the last search found with a number of trips, from labels or from rows.
    func journey<Carried: Criterion>(
        _ bags: LabelBags<Carried>,
        round: Int,
        of query: Query,
        in window: ServiceWindow,
        isMirrored: Bool
    ) -> TransitJourney? {
        guard Carried.isCarried else {
            return journey(round: round, of: query, in: window, isMirrored: isMirrored)
        }
        return bags.ends.last { $0.trips == round }.flatMap {
            bags.journey(of: $0, in: window, isMirrored: isMirrored)
        }
    }

    /// The journey that the last search found with a number of trips.
    ///
    /// - Parameters:
    ///   - round: the number of trips; the search must have found an arrival for it.
    ///   - query: the query of the search.
    ///   - window: the window of the search.
    ///   - isMirrored: whether the window is mirrored; the journey is then turned around.
    /// - Returns: the journey; nil if none was found.
    func journey(
        round: Int,
        of query: Query,
        in window: ServiceWindow,
        isMirrored: Bool
    ) -> TransitJourney? {
        guard round < destinationArrivals.count, let last = lastPlatforms[round] else {
            return nil
        }
        var rides: [Ride] = []
        var platform = last
        var trips = round
        var access: AccessEgress?
        while trips > 0 {
            let ride = self.ride(trips, platform)
            rides.append(ride)
            let route = window.routes[ride.route.row]
            let board = window.stops[Int(route.firstStop + ride.board)]
            trips -= 1
            let time = ready(trips, board)
            // A platform that was ready earlier with fewer trips kept its time in later rounds.
            while trips > 0, ready(trips - 1, board) == time { trips -= 1 }
            if trips == 0 {
                access = query.access.way(board, from: query.start, to: time)
            } else if let origin = readyFrom(trips, board) {
                platform = origin
            } else {
                return nil
            }
        }
        guard let access, let ride = rides.first,
            let egress = query.egress.way(
                last,
                from: window.arrival(
                    ride.route,
                    instance: Int(ride.instance),
                    position: Int(ride.alight)
                ),
                to: destinationArrivals[round]
            )
        else { return nil }
        return window.journey(
            rides: rides.reversed(),
            access: access,
            egress: egress,
            isMirrored: isMirrored
        )
    }
}

extension ServiceWindow {
    /// Builds a journey from the result of a search.
    ///
    /// - Parameters:
    ///   - rides: its rides in the order of the search.
    ///   - access: where the search began.
    ///   - egress: where it ended.
    ///   - isMirrored: whether this window is mirrored; the journey is then reversed.
    /// - Returns: the journey; nil without rides.
    func journey(
        rides: [Raptor.Ride],
        access: Raptor.AccessEgress,
        egress: Raptor.AccessEgress,
        isMirrored: Bool
    ) -> TransitJourney? {
        let found = rides.map { described($0, isMirrored: isMirrored) }
        let ordered = isMirrored ? found.reversed() : found
        let first = isMirrored ? egress.mirrored : access
        let last = isMirrored ? access.mirrored : egress
        guard let boarding = ordered.first, let alighting = ordered.last else { return nil }
        return TransitJourney(
            departure: first.start(arrivingBy: boarding.departure),
            arrival: last.end(leavingAt: alighting.arrival),
            access: first,
            egress: last,
            rides: ordered
        )
    }

    /// A ride with its run, stops and times.
    func described(_ ride: Raptor.Ride, isMirrored: Bool) -> TransitJourney.Ride {
        let route = routes[ride.route.row]
        let instance = instances[Int(route.firstInstance + ride.instance)]
        let departure = self.departure(
            ride.route,
            instance: Int(ride.instance),
            position: Int(ride.board)
        )
        let arrival = self.arrival(
            ride.route,
            instance: Int(ride.instance),
            position: Int(ride.alight)
        )
        let board = stops[Int(route.firstStop + ride.board)]
        let alight = stops[Int(route.firstStop + ride.alight)]
        let end = route.stopCount - 1
        return TransitJourney.Ride(
            pattern: route.pattern,
            run: instance.run,
            day: instance.day,
            boardPosition: isMirrored ? end - ride.alight : ride.board,
            alightPosition: isMirrored ? end - ride.board : ride.alight,
            boardPlatform: isMirrored ? alight : board,
            alightPlatform: isMirrored ? board : alight,
            departure: isMirrored ? 0 &- arrival : departure,
            arrival: isMirrored ? 0 &- departure : arrival
        )
    }
}
