import Chance
import Chronology
import Geo

/// The requests of a day, drawn from a pattern that the seed fixes.
///
/// Hours: few calls at night, a morning peak at 8, an evening peak at 18 and a small one at
/// midnight, as the weights below state. Zones: each has a popularity, higher towards the middle
/// of the city, times a random factor; origins and destinations are drawn by it, nearer
/// destinations more often. One in thirty rides leads out of the city, up to 3 km beyond.
///
/// Shares (spec/taxi.md 5.1): 5% reservations, 3% shared, 2% who do not come; besides 3% who
/// cancel, 1% in wheelchairs, 3% groups of 5 or 6, 20% guests, 60% who name their destination.
struct DemandPattern {
    /// The share of a day's calls in each hour, from midnight.
    static let hours: [Double] = [
        3.0, 2.2, 1.6, 1.2, 1.2, 1.8, 3.0, 5.4, 6.6, 5.6, 4.8, 4.4,
        4.6, 4.8, 4.6, 4.6, 4.8, 5.6, 6.4, 6.0, 5.2, 4.6, 4.4, 4.0,
    ]
    /// How fast popularity and the wish to go somewhere fall with distance, in metres.
    static let reachMetres = 4_000.0

    private let city: SimulatedCity
    private let middles: [Coordinate]
    private let popularity: [Double]
    private var random: SplitMix

    /// The pattern of a city; another seed gives other popularities.
    init(_ city: SimulatedCity, random: SplitMix) {
        var random = random
        self.city = city
        middles = city.areas.map(Self.middle)
        let heart = Self.heart(of: middles)
        popularity = middles.map { place in
            let far = place.distanceMetres(to: heart) / Self.reachMetres
            return (0.3 + random.unit()) / (1 + far * far)
        }
        self.random = random
    }

    /// So many customers from a moment on, in the order in which they ask.
    mutating func customers(_ count: Int, from start: Moment, hours: Int) -> [Customer] {
        let weights = (0..<hours).map { Self.hours[$0 % 24] }
        var customers: [Customer] = []
        for _ in 0..<count {
            let hour = draw(weights)
            let at = start.adding(
                milliseconds: Int64((Double(hour) + random.unit()) * 3_600_000)
            )
            let from = draw(popularity)
            let origin = place(in: from)
            var customer = Customer(
                at: at,
                origin: origin,
                destination: destination(from: middles[from]),
                passengers: random.happens(0.03) ? UInt8(5 + random.below(2)) : partySize()
            )
            if random.happens(0.05), at.milliseconds - start.milliseconds > 9_000_000 {
                customer.bookedAhead = Int64(random.between(2.1, 12) * 3_600)
            }
            customer.isSharing = random.happens(0.03) && customer.bookedAhead == nil
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

    /// A place where a driver likes to wait.
    mutating func waitingPlace() -> Coordinate {
        place(in: draw(popularity))
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

    /// A place beyond the border: from one inside, outwards until no zone holds it.
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

    /// A place in a zone, evenly over its area.
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
