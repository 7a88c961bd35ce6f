package import Chronology
package import Geo
package import SeededRandom

/// The requests of a day, drawn from a pattern that the seed determines.
///
/// The hourly weights below have a low at night, peaks at 8 and 18 o'clock and a small one at
/// midnight. Each zone has a popularity that is higher towards the centre, times a random factor.
/// Origins and destinations are drawn by popularity, with a preference for near destinations. One
/// in thirty rides leads up to 3 km out of the city.
///
/// 15% of the requests come from stations, an airport and a stadium, where many people call at once
/// and go the same way (``Gathering``).
///
/// The shares (spec/taxi.md 5.1) are 5% reservations, 3% shared rides and 2% no-shows; moreover 3%
/// cancellations, 1% wheelchair users, 3% groups of 5 or 6, 20% guests, and 60% with a destination.
package struct DemandPattern: Sendable {
    /// The relative number of requests in each hour, from midnight.
    static let hours: [Double] = [
        3.0, 2.2, 1.6, 1.2, 1.2, 1.8, 3.0, 5.4, 6.6, 5.6, 4.8, 4.4,
        4.6, 4.8, 4.6, 4.6, 4.8, 5.6, 6.4, 6.0, 5.2, 4.6, 4.4, 4.0,
    ]
    /// The distance scale on which popularity and attraction decrease, in metres.
    static let reachMetres = 4_000.0

    private let city: SimulatedCity
    private let middles: [Coordinate]
    private let popularity: [Double]
    private(set) var gatherings: [Gathering] = []
    private var random: SeededRandom

    /// Creates the pattern of a city; another seed gives other popularities.
    package init(_ city: SimulatedCity, random: SeededRandom) {
        var random = random
        self.city = city
        middles = city.areas.map(Self.middle)
        let heart = Self.heart(of: middles)
        popularity = middles.map { place in
            let far = place.distanceMetres(to: heart) / Self.reachMetres
            return (0.3 + random.unit()) / (1 + far * far)
        }
        self.random = random
        gatherings = drawnGatherings(heart)
    }

    /// Draws passengers for a period, in the order of their requests.
    package mutating func customers(_ count: Int, from start: Moment, hours: Int) -> [Customer] {
        let weights = (0..<hours).map { Self.hours[$0 % 24] }
        var customers: [Customer] = []
        let arrivals = arrivals(hours: hours)
        for _ in 0..<count {
            let isGathering = random.happens(Gathering.share) && !arrivals.isEmpty
            let way = isGathering ? way(from: arrivals) : ordinaryWay(weights)
            let at = start.adding(milliseconds: Int64(way.hour * 3_600_000))
            var customer = Customer(
                at: at,
                origin: way.origin,
                destination: way.destination,
                passengers: random.happens(0.03) ? UInt8(5 + random.below(2)) : partySize()
            )
            // These shares result in 5% and 3% of all requests.
            let books = random.happens(isGathering ? 0 : 0.059)
            if books, at.milliseconds - start.milliseconds > 9_000_000 {
                customer.bookedAhead = Int64(random.between(2.1, 12) * 3_600)
            }
            let shares = random.happens(isGathering ? Gathering.sharing : 0.008)
            customer.isSharing = shares && customer.bookedAhead == nil
            customer.staysAway = random.happens(0.02)
            customer.inWheelchair = random.happens(0.01)
            let mayBeGuest = !customer.isSharing && customer.bookedAhead == nil
            customer.isGuest = random.happens(0.2) && mayBeGuest
            customer.namesDestination = random.happens(0.6)
            if random.happens(0.03) { customer.patience = Int64(random.between(20, 900)) }
            customers.append(customer)
        }
        return customers.enumerated().sorted { left, right in
            left.element.at != right.element.at
                ? left.element.at < right.element.at : left.offset < right.offset
        }.map { $0.element }
    }

    /// Draws a place where a driver likes to wait.
    package mutating func waitingPlace() -> Coordinate {
        if random.happens(Gathering.waiting) { return random.pick(gatherings).place }
        return place(in: draw(popularity))
    }

    /// Draws a place in a zone where a driver waits.
    package mutating func waitingPlace(in zone: Int) -> Coordinate { place(in: zone) }

    // MARK: Origins and destinations

    /// A request: hours since the start, origin and destination.
    private typealias Way = (hour: Double, origin: Coordinate, destination: Coordinate)

    private mutating func ordinaryWay(_ weights: [Double]) -> Way {
        let hour = Double(draw(weights)) + random.unit()
        let from = draw(popularity)
        return (hour, place(in: from), destination(from: middles[from]))
    }

    /// Lists all arrivals at gatherings, in hours since the start.
    private func arrivals(hours: Int) -> [(gathering: Int, arrival: Gathering.Arrival)] {
        var all: [(gathering: Int, arrival: Gathering.Arrival)] = []
        for day in 0...(hours / 24) {
            for (index, gathering) in gatherings.enumerated() {
                for var arrival in gathering.arrivals {
                    arrival.hour += Double(day * 24)
                    guard arrival.hour + Gathering.lastsHours < Double(hours) else { continue }
                    all.append((index, arrival))
                }
            }
        }
        return all
    }

    private mutating func way(
        from arrivals: [(gathering: Int, arrival: Gathering.Arrival)]
    ) -> Way {
        let (index, arrival) = arrivals[draw(arrivals.map { $0.arrival.weight })]
        let gathering = gatherings[index]
        let hour = arrival.hour + (1 + random.bell()) / 2 * Gathering.lastsHours
        let origin = place(around: gathering.place, Gathering.widthMetres)
        guard random.happens(Gathering.together) else {
            return (hour, origin, destination(from: gathering.place))
        }
        let goal = random.pick(gathering.goals)
        return (hour, origin, place(around: goal, Gathering.goalMetres))
    }

    private mutating func drawnGatherings(_ heart: Coordinate) -> [Gathering] {
        func far(_ zone: Int) -> Double { middles[zone].distanceMetres(to: heart) }
        let outermost = middles.indices.max { far($0) < far($1) } ?? 0
        let minutes = [random.unit(), random.unit()]
        var gatherings = minutes.map { minute in
            Gathering(
                place: place(in: draw(popularity)),
                goals: [],
                arrivals: Gathering.trains.map { .init(hour: Double($0) + minute, weight: 1) }
            )
        }
        var flights: [Gathering.Arrival] = []
        for _ in 0..<Gathering.flights {
            flights.append(.init(hour: random.between(7, 23), weight: Gathering.flight.weight))
        }
        let airport = place(in: outermost)
        gatherings.append(Gathering(place: airport, goals: [], arrivals: flights))
        let stadium = place(in: draw(popularity))
        gatherings.append(Gathering(place: stadium, goals: [], arrivals: [Gathering.match]))
        for index in gatherings.indices {
            gatherings[index].goals = (0..<3).map { _ in place(in: draw(popularity)) }
        }
        return gatherings
    }

    /// Draws a place near another within the city; returns that place itself at the border.
    private mutating func place(around place: Coordinate, _ metres: Double) -> Coordinate {
        let near = LocalPlane(at: place).place(
            east: random.bell() * metres,
            north: random.bell() * metres
        )
        return city.index.first(containing: near) == nil ? place : near
    }

    private mutating func partySize() -> UInt8 {
        random.happens(0.7) ? 1 : UInt8(2 + random.below(3))
    }

    private mutating func destination(from origin: Coordinate) -> Coordinate {
        let wishes = zip(middles, popularity).map { middle, popularity in
            let far = origin.distanceMetres(to: middle) / Self.reachMetres
            return popularity / (1 + far * far)
        }
        let inside = place(in: draw(wishes))
        guard random.happens(1.0 / 30) else {
            return inside
        }
        return outside(near: inside)
    }

    /// Draws a place outside all zones, moving outwards from one inside.
    private mutating func outside(near inside: Coordinate) -> Coordinate {
        let plane = LocalPlane(at: inside)
        let east = random.between(-1, 1)
        let north = random.between(-1, 1)
        for step in 1...60 {
            let far = Double(step) * 1_000
            let place = plane.place(east: east * far, north: north * far)
            if city.index.first(containing: place) == nil { return place }
        }
        return inside
    }

    /// Draws a place in a zone, uniformly over its area.
    private mutating func place(in zone: Int) -> Coordinate {
        guard let box = city.areas[zone].bounds else { return middles[zone] }
        for _ in 0..<200 {
            let latitude = random.between(Double(box.south), Double(box.north))
            let longitude = random.between(Double(box.west), Double(box.east))
            let place = Coordinate(latitude: Int32(latitude), longitude: Int32(longitude))
            if city.index.first(containing: place) == zone { return place }
        }
        return middles[zone]
    }

    private mutating func draw(_ weights: [Double]) -> Int {
        var rest = random.unit() * weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            rest -= weight
            if rest < 0 { return index }
        }
        return weights.count - 1
    }

    private static func middle(of area: MultiPolygon) -> Coordinate {
        guard let box = area.bounds else { return Coordinate(latitude: 0, longitude: 0) }
        return Coordinate(
            latitude: box.south + (box.north - box.south) / 2,
            longitude: box.west + (box.east - box.west) / 2
        )
    }

    private static func heart(of middles: [Coordinate]) -> Coordinate {
        let count = Int64(max(1, middles.count))
        return Coordinate(
            latitude: Int32(middles.reduce(0) { $0 + Int64($1.latitude) } / count),
            longitude: Int32(middles.reduce(0) { $0 + Int64($1.longitude) } / count)
        )
    }
}
