public import Chronology
public import Journeys
import Streets

/// A day's places in a city, and how its traveller gets from one to another.
public struct CityDay: Sendable {
    /// Where the places of the day are, by their numbers.
    public var places: [Endpoint]
    /// Whether the traveller uses a wheelchair.
    public var wheelchair = false
    /// The vehicles of public transport that the traveller takes, as a set of `TransitMode.bit`.
    public var transit = TravelModes().transit
    /// How many times the traveller changes vehicles at the most.
    public var maxTransfers = JourneyQuery.defaultMaxTransfers
    /// How long a taxi takes to come, in seconds; nil without taxis.
    public var taxiWaitSeconds: Int32?

    /// When a means must not be used, such as a bicycle in the rain: a journey may end at the
    /// moment at which a span begins, and begin at the one at which it ends.
    public var closed: [TravelMode: [Range<Instant>]] = [:]

    /// The places of a day.
    public init(places: [Endpoint]) { self.places = places }

    /// Where a place is.
    subscript(place: PlaceIndex) -> Endpoint { places[Int(place.rawValue)] }

    /// How a means uses the streets; nil for public transport and shared vehicles.
    func profile(_ mode: TravelMode) -> Profile? {
        switch mode {
        case .walk: wheelchair ? .wheelchair : .foot
        case .transit, .bikeshare, .scooter, .carshare: nil
        case .bicycle: .bicycle
        case .car: .car
        case .taxi: .taxi
        }
    }
}

/// The travel times of a day in a city.
///
/// Rides are those that no other beats in departure, arrival and number of changes. Direct ways are
/// at first as in the best hours of their streets, so that they promise no less than there is. What
/// a plan uses of them is looked up, and the day is planned again until everything that a plan uses
/// is known; so no better plan is overlooked. (Where the street of a place itself closes, the place
/// is joined to another one, and a way may even be shorter than promised.)
public struct CityTravel: TravelTimes {
    private let city: CityDay
    /// The ways by shared vehicles; nil without any.
    let rentals: RentalWays?
    /// The options found so far, for each pair of places.
    var table: TravelTable
    private var knownSpans = Set<KnownSpan>()
    /// The moments at which streets change, by mode.
    private var changes: [TravelMode: [Instant]] = [:]

    /// A direct way that was looked up, and the departures for which that counts.
    private struct KnownSpan: Hashable {
        let from: PlaceIndex
        let to: PlaceIndex
        let mode: TravelMode
        let first: Instant
    }

    /// How many places there are.
    public var placeCount: Int { table.placeCount }

    /// The options from a place to another.
    public func options(from origin: PlaceIndex, to destination: PlaceIndex) -> [TravelOption] {
        table.options(from: origin, to: destination)
    }

    /// The travel times of a day.
    ///
    /// One search for each place finds the rides of the whole day to all others (decision 0031),
    /// and one for each means of transport the direct ways between all of them.
    ///
    /// - Parameters:
    ///   - day: the day.
    ///   - city: its places.
    ///   - planner: what finds journeys.
    ///   - rentals: the ways by shared vehicles; nil without any.
    public init(
        _ day: Day,
        _ city: CityDay,
        _ planner: inout Planner,
        rentals: RentalWays? = nil
    ) {
        self.city = city
        self.rentals = rentals
        table = TravelTable(placeCount: city.places.count)
        if day.modes.contains(.transit) { addRides(day, &planner) }
        for mode in TravelMode.allCases where day.modes.contains(TravelModeSet(mode)) {
            addDirect(mode, day, planner)
        }
        addRentals(day)
    }

    private mutating func addRides(_ day: Day, _ planner: inout Planner) {
        guard let any = city.places.first else { return }
        let spans = city.places.indices.map { day.span(at: Self.place($0)) }
        let last = spans.map({ $0.upperBound }).max() ?? day.until
        let query = ProfileQuery(
            any,
            [],
            time: day.from,
            windowSeconds: 0,
            maxTransfers: city.maxTransfers,
            modes: TravelModes(walk: false, transit: city.transit),
            wheelchair: city.wheelchair
        )
        let profiles = planner.profiles(
            between: city.places,
            leaving: spans.map { $0.lowerBound...max($0.lowerBound, last) },
            query
        )
        for (origin, row) in profiles.enumerated() {
            let others = city.places.indices.filter { $0 != origin }
            for (destination, profile) in zip(others, row) {
                for journey in profile.journeys
                where journey.arrival <= spans[destination].upperBound {
                    let seconds = journey.arrival.seconds &- journey.departure.seconds
                    add(
                        TravelOption(
                            .transit,
                            departure: journey.departure,
                            seconds: Int32(clamping: seconds),
                            walkMetres: Int32(clamping: journey.walkMetres)
                        ),
                        from: Self.place(origin),
                        to: Self.place(destination)
                    )
                }
            }
        }
    }

    static func place(_ number: Int) -> PlaceIndex {
        PlaceIndex(rawValue: UInt16(truncatingIfNeeded: number))
    }

    /// Adds the ways without rides, which can begin at any time.
    private mutating func addDirect(_ mode: TravelMode, _ day: Day, _ planner: Planner) {
        guard let profile = city.profile(mode), mode != .taxi || city.taxiWaitSeconds != nil
        else { return }
        let ways: [[Walk?]]
        if mode == .taxi {
            ways = planner.taxiWays(from: city.places, to: city.places)
        } else {
            guard let place = city.places.first else { return }
            let query = JourneyQuery(
                from: place,
                to: place,
                time: day.from,
                modes: TravelModes(
                    walk: mode == .walk,
                    bicycle: mode == .bicycle,
                    car: mode == .car,
                    transit: 0
                ),
                wheelchair: city.wheelchair
            )
            ways = planner.directWays(from: city.places, to: city.places, query)
        }
        for (origin, row) in ways.enumerated() {
            for (destination, way) in row.enumerated() where origin != destination {
                guard let way else { continue }
                add(
                    option(mode, way, day.from...day.until),
                    from: Self.place(origin),
                    to: Self.place(destination)
                )
            }
        }
        let changes = planner.changesOfStreets(for: profile, during: day.from...day.until)
        if !changes.isEmpty { self.changes[mode] = changes }
    }

    /// Adds an option, as far as its means may be used.
    mutating func add(
        _ option: TravelOption,
        from origin: PlaceIndex,
        to destination: PlaceIndex
    ) {
        for open in open(option) { table.add(open, from: origin, to: destination) }
    }

    /// The departures of an option with which one is not under way while its means is closed.
    func open(_ option: TravelOption) -> [TravelOption] {
        var left = [option]
        for span in city.closed[option.mode] ?? [] {
            // A traveller who leaves later than this is under way when the span begins.
            let before = span.lowerBound.adding(seconds: -Int64(option.seconds))
            left = left.flatMap { part -> [TravelOption] in
                guard part.first < span.upperBound, part.last > before else { return [part] }
                var (early, late) = (part, part)
                early.last = before
                late.first = max(part.first, span.upperBound)
                return [early, late].filter { $0.first <= $0.last }
            }
        }
        return left
    }

    private func option(
        _ mode: TravelMode,
        _ way: Walk,
        _ departures: ClosedRange<Instant>
    ) -> TravelOption {
        TravelOption(
            mode,
            first: departures.lowerBound,
            last: departures.upperBound,
            seconds: way.seconds + (mode == .taxi ? city.taxiWaitSeconds ?? 0 : 0),
            walkMetres: mode == .walk ? Int32(clamping: way.metres) : 0
        )
    }

    /// Looks up what a plan uses.
    ///
    /// - Returns: whether anything was not known before, so that the day must be planned again.
    mutating func lookUp(_ plan: DayPlan, _ planner: Planner) -> Bool {
        var isChanged = false
        for leg in plan.legs where leg.mode != .transit {
            let isNew = leg.mode.isRental ? lookUpRental(leg) : lookUpDirect(leg, planner)
            isChanged = isChanged || isNew
        }
        return isChanged
    }

    /// Replaces a direct way by how it is until streets change; nothing is done where they do not.
    ///
    /// A way begun later in that time may come to a street after the change, so of all that were
    /// looked up the longest counts.
    private mutating func lookUpDirect(_ leg: PlannedLeg, _ planner: Planner) -> Bool {
        guard let changes = changes[leg.mode], let profile = city.profile(leg.mode),
            let option = table.options(from: leg.from, to: leg.to).first(where: { option in
                option.mode == leg.mode && option.first <= leg.departure
                    && leg.departure <= option.last && option.seconds == leg.seconds
            })
        else { return false }
        let begin = changes.last { $0 <= leg.departure }
        let span = KnownSpan(
            from: leg.from,
            to: leg.to,
            mode: leg.mode,
            first: begin ?? option.first
        )
        let first = max(option.first, span.first)
        let next = changes.first { $0 > leg.departure }
        let last = next.map { min($0.adding(seconds: -1), option.last) } ?? option.last
        let wait = leg.mode == .taxi ? city.taxiWaitSeconds ?? 0 : 0
        let way = planner.directWay(
            city[leg.from],
            city[leg.to],
            by: profile,
            at: leg.departure.adding(seconds: Int64(wait))
        )
        let isKnown = knownSpans.contains(span)
        if isKnown, let way, way.seconds + wait <= leg.seconds { return false }
        knownSpans.insert(span)
        var pieces: [TravelOption] = []
        if option.first < first {
            var before = option
            before.last = first.adding(seconds: -1)
            pieces.append(before)
        }
        if let way { pieces += open(self.option(leg.mode, way, first...last)) }
        if last < option.last {
            var after = option
            after.first = last.adding(seconds: 1)
            pieces.append(after)
        }
        table.replace(option, with: pieces, from: leg.from, to: leg.to)
        return pieces != [option]
    }
}

extension DayPlan {
    /// Plans a day in a city.
    ///
    /// - Parameters:
    ///   - day: the day.
    ///   - travel: the travel times, in which what plans use is looked up.
    ///   - planner: what finds journeys.
    ///   - effort: as in ``solve(_:by:effort:)``, for all times that the day is planned.
    /// - Returns: the answer.
    /// - Throws: what is wrong with the day.
    public static func solve(
        _ day: Day,
        in travel: inout CityTravel,
        by planner: Planner,
        effort: Int = defaultEffort
    ) throws(DayFailure) -> DayAnswer {
        var left = effort
        var answer: DayAnswer
        repeat {
            answer = try solve(day, by: travel, effort: left)
            left -= answer.tries
            guard let plan = answer.plan, travel.lookUp(plan, planner) else { return answer }
        } while left > 0
        answer.isExact = false
        return answer
    }
}

extension Day {
    /// From when a traveller may leave a place, and by when it is of use to come there.
    func span(at place: PlaceIndex) -> ClosedRange<Instant> {
        let starts = [origin, car?.place, bicycle?.place]
        // A vehicle may be left anywhere, and fetched at any time.
        let isOpenEnded = place == destination || car != nil || bicycle != nil
        var first = starts.contains(place) ? from : until
        var last = isOpenEnded ? until : from
        for task in tasks {
            let least = Int64(task.leastSeconds) / Int64(max(1, task.pieces))
            // A task without a place may be done here.
            for slot in task.slots where slot.place == place || slot.place == nil {
                let end = task.isOverlappable ? slot.from : slot.from.adding(seconds: least)
                first = min(first, max(from, end))
                last = max(last, min(until, slot.until))
            }
        }
        return first...max(first, last)
    }
}

extension PlannedLeg {
    /// How long it takes.
    var seconds: Int32 { Int32(clamping: arrival.seconds &- departure.seconds) }
}
