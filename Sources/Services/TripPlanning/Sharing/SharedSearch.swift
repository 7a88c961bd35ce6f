package import Chronology
import CityData
import Geo
import Journeys
import LiveFeeds
import OpenData
import Transit

/// Finds trips by shared vehicles: a walk to one that is there, a ride on the streets, and a walk
/// from where it may be returned.
///
/// The nearest vehicles and places of return are combined, at most eight at each end of a system;
/// the times on the streets decide among them.
struct SharedSearch {
    let kind: TripKind
    let question: TripQuestion
    let conditions: TripConditions
    let names: TransitNames

    /// How long renting takes before the ride, and returning after it, in seconds: an assumption.
    static let handlingSeconds: Int64 = 60
    /// For how long from now on the state of a system is believed, in minutes.
    static let aheadMinutes: Int64 = 60
    /// The speed at which kick scooters and bicycles ride is that of the bicycle on the map.
    private var rides: TripKind { kind == .carshare ? .car : .bicycle }
    /// How many of the best combinations are looked at in full.
    private static let fullLimit = 8

    /// What came of the search.
    enum Result {
        /// The trip that arrives first, or leaves last if it must arrive by a time.
        case found(TripOption)
        /// Why there is none.
        case nothing(TripMissing.Reason)
    }

    /// Finds the best trip.
    func result(_ planner: inout Planner) -> Result {
        guard !question.wheelchair else { return .nothing(.notAccessible) }
        guard let from = question.from.coordinate, let to = question.to.coordinate else {
            return .nothing(.noWay)
        }
        var best: TripOption?
        var reason: (rank: Int, reason: TripMissing.Sharing) = (0, .noSystem)
        for live in conditions.world.systems {
            let places = RentalPlaces(
                live: live,
                kind: kind,
                moment: question.time,
                zone: planner.city.timetable.zone,
                count: kind == .carshare ? 1 : question.party
            )
            guard places.mayServe else { continue }
            switch option(places, from, to, &planner) {
            case .success(let option):
                if best.map({ isBetter(option, than: $0) }) ?? true { best = option }
            case .failure(let why):
                if why.rank > reason.rank { reason = (why.rank, why.reason) }
            }
        }
        return best.map(Result.found) ?? .nothing(.sharing(reason.reason))
    }

    /// Why a system has no trip, and how far the search came.
    private struct Obstacle: Error {
        let rank: Int
        let reason: TripMissing.Sharing

        init(_ rank: Int, _ reason: TripMissing.Sharing) {
            self.rank = rank
            self.reason = reason
        }
    }

    private func isBetter(_ one: TripOption, than other: TripOption) -> Bool {
        question.isArriveBy ? one.departure > other.departure : one.arrival < other.arrival
    }

    /// The best trip in one system.
    private func option(
        _ places: RentalPlaces,
        _ from: Coordinate,
        _ to: Coordinate,
        _ planner: inout Planner
    ) -> Swift.Result<TripOption, Obstacle> {
        let live = places.live
        guard live.isFresh(conditions.now) else {
            return .failure(Obstacle(1, .silent(system: live.name, since: live.knownSince)))
        }
        let ahead = question.time.seconds - conditions.now.seconds
        guard (-LiveSystem.freshSeconds...Self.aheadMinutes * 60).contains(ahead) else {
            return .failure(Obstacle(2, .notKnownAhead(minutes: Self.aheadMinutes)))
        }
        guard !places.isClosed else { return .failure(Obstacle(3, .closed(system: live.name))) }
        let around = Int64(RentalPlaces.aroundMetres)
        let pickups = places.pickups(near: from)
        guard !pickups.isEmpty else { return .failure(Obstacle(4, .noVehicle(metres: around))) }
        var pairs = pickups.flatMap { pickup in
            places.returns(of: pickup, near: to).map { Pair(pickup: pickup, end: $0) }
        }
        guard !pairs.isEmpty else {
            let isRound = pickups.allSatisfy(places.isRoundTrip)
            return .failure(Obstacle(5, isRound ? .roundTripsOnly : .noReturn(metres: around)))
        }
        pairs = ranked(pairs, from, to, planner)
        let reachable = pairs.filter { $0.isInRange }
        guard !reachable.isEmpty else {
            return .failure(
                pairs.isEmpty ? Obstacle(6, .noVehicle(metres: around)) : Obstacle(7, .range)
            )
        }
        var obstacle = Obstacle(6, .noVehicle(metres: around))
        for pair in reachable.prefix(Self.fullLimit) {
            guard let option = option(pair, &planner) else { continue }
            let ride = option.steps.first { $0.rental != nil }?.geometry ?? []
            guard places.mayRide(pair.pickup, along: ride) else {
                obstacle = Obstacle(8, .forbiddenArea)
                continue
            }
            return .success(option)
        }
        return .failure(obstacle)
    }

    // MARK: Combinations

    /// A vehicle and where it is returned, with the times of the ways.
    private struct Pair {
        let pickup: RentalPickup
        let end: RentalReturn
        var seconds = Int64.max
        var rideMetres: UInt32 = 0

        /// Whether the vehicle goes that far.
        var isInRange: Bool {
            pickup.rangeMetres.map { Double(rideMetres) <= $0 } ?? true
        }
    }

    /// The combinations that streets connect, the quickest first, as the streets are in their best
    /// hours.
    private func ranked(
        _ pairs: [Pair],
        _ from: Coordinate,
        _ to: Coordinate,
        _ planner: Planner
    ) -> [Pair] {
        func distinct(_ all: [Coordinate]) -> [Coordinate] {
            var seen: Set<Coordinate> = []
            return all.filter { seen.insert($0).inserted }
        }
        let starts = distinct(pairs.map(\.pickup.place))
        let ends = distinct(pairs.map(\.end.place))
        func table(_ from: [Coordinate], _ to: [Coordinate], _ kind: TripKind) -> [[Walk?]] {
            let query = JourneyQuery(
                from: .place(from[0]),
                to: .place(to[0]),
                time: question.time,
                modes: TripModes(walk: false, transit: 0).with([kind]).vehicles
            )
            return planner.directWays(
                from: from.map { .place($0) },
                to: to.map { .place($0) },
                query
            )
        }
        let there = table([from], starts, .walk)
        let ride = table(starts, ends, rides)
        let away = table(ends, [to], .walk)
        let limit = question.maxWalkMetres ?? .max
        return pairs.compactMap { pair -> Pair? in
            guard let start = starts.firstIndex(of: pair.pickup.place),
                let end = ends.firstIndex(of: pair.end.place), let first = there[0][start],
                let middle = ride[start][end], let last = away[end][0], middle.metres > 0,
                first.metres &+ last.metres <= limit
            else { return nil }
            var pair = pair
            pair.seconds = Int64(first.seconds) + Int64(middle.seconds) + Int64(last.seconds)
            pair.rideMetres = middle.metres
            return pair
        }
        .enumerated()
        .sorted { ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset) }
        .map(\.element)
    }

    // MARK: A trip in full

    /// The trip with all that is shown of it; nil if there is no way at its hours.
    private func option(_ pair: Pair, _ planner: inout Planner) -> TripOption? {
        let language = question.language ?? ""
        let start = ResolvedPlace(
            name: pair.pickup.name(in: language),
            kind: .coordinate,
            coordinate: pair.pickup.place
        )
        let end = ResolvedPlace(
            name: pair.end.station?.name.text(in: language) ?? question.to.name,
            kind: .coordinate,
            coordinate: pair.end.place
        )
        var legs: [(from: ResolvedPlace, to: ResolvedPlace, kind: TripKind)] = [
            (question.from, start, .walk), (start, end, rides), (end, question.to, .walk),
        ]
        if question.isArriveBy { legs.reverse() }
        let handling = question.isArriveBy ? -Self.handlingSeconds : Self.handlingSeconds
        var time = question.time
        var steps: [TripStep] = []
        for leg in legs where leg.from.coordinate != leg.to.coordinate {
            if leg.kind != .walk { time = time.adding(seconds: handling) }
            guard var part = way(leg.from, leg.to, leg.kind, time, &planner) else { return nil }
            time = question.isArriveBy ? part.departure : part.arrival
            if leg.kind != .walk {
                time = time.adding(seconds: handling)
                for index in part.steps.indices where part.steps[index].kind == rides {
                    let step = part.steps[index]
                    part.steps[index].kind = kind
                    part.steps[index].rental = TripRental(
                        pair.pickup,
                        to: pair.end,
                        metres: step.metres,
                        seconds: step.seconds
                    )
                }
            }
            steps = question.isArriveBy ? part.steps + steps : steps + part.steps
        }
        return whole(steps)
    }

    /// A way by one means.
    private func way(
        _ from: ResolvedPlace,
        _ to: ResolvedPlace,
        _ kind: TripKind,
        _ time: Instant,
        _ planner: inout Planner
    ) -> TripOption? {
        var part = question
        (part.from, part.to, part.time) = (from, to, time)
        part.modes = TripModes(walk: false, transit: 0).with([kind])
        part.windowSeconds = nil
        guard let start = from.coordinate, let end = to.coordinate else { return nil }
        let query = part.query(from: .place(start), to: .place(end), part.modes.vehicles)
        guard let journey = planner.journeys(query).first else { return nil }
        return TripBuilder(planner: planner, query: query, question: part, names: names)
            .option(journey, kind)
    }

    /// The steps as one trip, if it has a ride and keeps to the limit on walking.
    private func whole(_ steps: [TripStep]) -> TripOption? {
        guard let first = steps.first, let last = steps.last,
            steps.contains(where: { $0.rental != nil })
        else { return nil }
        let walk = steps.reduce(UInt32(0)) { $0 &+ ($1.kind == .walk ? $1.metres : 0) }
        guard walk <= question.maxWalkMetres ?? .max else { return nil }
        return TripOption(
            id: kind.rawValue,
            kind: kind,
            steps: steps,
            departure: first.kind == .walk
                ? first.departure : first.departure.adding(seconds: -Self.handlingSeconds),
            arrival: last.kind == .walk
                ? last.arrival : last.arrival.adding(seconds: Self.handlingSeconds),
            walkMetres: walk,
            metres: steps.reduce(0) { $0 &+ $1.metres },
            transfers: 0
        )
    }
}

extension TripConditions {
    /// Whether there is any system of shared vehicles.
    package var knowsRentals: Bool { !world.systems.isEmpty }

    /// The departures for which the state of systems of shared vehicles is believed.
    package var rentalDepartures: ClosedRange<Instant> {
        now...now.adding(seconds: SharedSearch.aheadMinutes * 60)
    }
}

extension RentalPickup {
    /// The name of the station, or else of the kind of vehicle, or of the system.
    func name(in language: String) -> String {
        station?.name.text(in: language) ?? type?.name?.text(in: language) ?? live.name
    }
}
