import Chronology
public import Journeys

/// A day's places in a city, and how its traveller gets from one to another.
public struct CityDay: Sendable {
    /// Where the places of the day are, by their numbers.
    public var places: [Endpoint]
    /// Whether the traveller uses a wheelchair.
    public var wheelchair = false
    /// How many times the traveller changes vehicles at the most.
    public var maxTransfers = JourneyQuery.defaultMaxTransfers
    /// How long a taxi takes to come, in seconds; nil without taxis.
    public var taxiWaitSeconds: Int32?

    /// The places of a day.
    public init(places: [Endpoint]) { self.places = places }
}

extension DayPlan {
    /// How many times a day is planned again because journeys of the plan turned out to walk.
    private static let refinementLimit = 60

    /// Plans a day in a city.
    ///
    /// One search for each place finds the rides of the whole day to all others (decision 0031).
    /// It does not know how far they walk, so at first they are taken to walk nowhere. Then each
    /// ride of the plan is looked up with its walk, or all those with more and less walking, and
    /// the day is planned again until the plan has only such rides. Since a ride never walks less
    /// than nothing, no better plan can have been overlooked.
    ///
    /// - Parameters:
    ///   - day: the day.
    ///   - city: where its places are.
    ///   - planner: what finds journeys.
    ///   - effort: as in ``solve(_:by:effort:)``.
    /// - Returns: the answer.
    /// - Throws: what is wrong with the day.
    public static func solve(
        _ day: Day,
        in city: CityDay,
        by planner: inout Planner,
        effort: Int = defaultEffort
    ) throws(DayFailure) -> DayAnswer {
        var table = TravelTable(day, city, &planner)
        var known = Set<PlannedLeg>()
        var answer = try solve(day, by: table, effort: effort)
        for _ in 0..<refinementLimit {
            let unknown = (answer.plan?.legs ?? []).filter { leg in
                leg.mode == .transit && !known.contains { $0.isSameRide(as: leg) }
            }
            if unknown.isEmpty { return answer }
            for leg in unknown {
                var found: [TravelOption] = []
                for ride in Self.rides(leg, day, city, &planner) {
                    known.insert(ride)
                    found.append(ride.option)
                }
                table.replace(leg.option, with: found, from: leg.from, to: leg.to)
            }
            answer = try solve(day, by: table, effort: effort)
        }
        answer.isExact = false
        return answer
    }

    /// The rides that leave no earlier than a ride of a plan and arrive no later, or walk less.
    private static func rides(
        _ leg: PlannedLeg,
        _ day: Day,
        _ city: CityDay,
        _ planner: inout Planner
    ) -> [PlannedLeg] {
        var query = JourneyQuery(
            from: city.places[Int(leg.from.rawValue)],
            to: city.places[Int(leg.to.rawValue)],
            time: leg.departure,
            maxTransfers: city.maxTransfers,
            maxWalkMetres: day.limits.legWalkMetres.map { UInt32(clamping: $0) },
            modes: TravelModes(walk: false),
            wheelchair: city.wheelchair
        )
        query.comparesWalking = true
        return planner.journeys(query).map { journey in
            var ride = leg
            ride.departure = journey.departure
            ride.arrival = journey.arrival
            ride.walkMetres = Int32(clamping: journey.walkMetres)
            return ride
        }
    }
}

extension PlannedLeg {
    /// Whether two journeys are one ride, wherever it leads afterwards.
    fileprivate func isSameRide(as other: PlannedLeg) -> Bool {
        from == other.from && to == other.to && departure == other.departure
            && arrival == other.arrival && walkMetres == other.walkMetres
    }

    /// The ride as an option.
    fileprivate var option: TravelOption {
        TravelOption(
            mode,
            departure: departure,
            seconds: Int32(clamping: arrival.seconds &- departure.seconds),
            walkMetres: walkMetres
        )
    }
}

extension TravelTable {
    /// The table of a day in a city.
    ///
    /// Rides are taken to walk nowhere; see ``DayPlan/solve(_:in:by:effort:)``.
    init(_ day: Day, _ city: CityDay, _ planner: inout Planner) {
        self.init(placeCount: city.places.count)
        for origin in city.places.indices {
            let others = city.places.indices.filter { $0 != origin }
            if day.modes.contains(.transit) {
                let query = ProfileQuery(
                    city.places[origin],
                    others.map { city.places[$0] },
                    time: day.from,
                    windowSeconds: Int32(clamping: day.until.seconds &- day.from.seconds),
                    maxTransfers: city.maxTransfers,
                    modes: TravelModes(walk: false),
                    wheelchair: city.wheelchair
                )
                for (destination, profile) in zip(others, planner.profiles(query)) {
                    for journey in profile.journeys {
                        let option = TravelOption(
                            .transit,
                            departure: journey.departure,
                            seconds: Int32(
                                clamping: journey.arrival.seconds &- journey.departure.seconds
                            )
                        )
                        add(option, from: Self.place(origin), to: Self.place(destination))
                    }
                }
            }
            for destination in others { addDirect(origin, destination, day, city, &planner) }
        }
    }

    private static func place(_ number: Int) -> PlaceIndex {
        PlaceIndex(rawValue: UInt16(truncatingIfNeeded: number))
    }

    /// Adds the ways without rides, which can begin at any time.
    private mutating func addDirect(
        _ origin: Int,
        _ destination: Int,
        _ day: Day,
        _ city: CityDay,
        _ planner: inout Planner
    ) {
        for mode in TravelMode.allCases where mode != .transit {
            var wait: Int32 = 0
            if mode == .taxi {
                guard let seconds = city.taxiWaitSeconds else { continue }
                wait = seconds
            }
            guard day.modes.contains(TravelModeSet(mode)) else { continue }
            let query = JourneyQuery(
                from: city.places[origin],
                to: city.places[destination],
                time: day.from,
                modes: TravelModes(
                    walk: mode == .walk,
                    bicycle: mode == .bicycle,
                    car: mode == .car || mode == .taxi,
                    transit: 0
                ),
                wheelchair: city.wheelchair
            )
            for way in planner.journeys(query) {
                let seconds = way.arrival.seconds &- way.departure.seconds
                let option = TravelOption(
                    mode,
                    first: day.from,
                    last: day.until,
                    seconds: Int32(clamping: seconds) + wait,
                    walkMetres: Int32(clamping: way.walkMetres)
                )
                add(option, from: Self.place(origin), to: Self.place(destination))
            }
        }
    }
}
