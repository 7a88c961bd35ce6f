import Chronology
import Transit

/// The ways by rented vehicles between one end of a journey and the platforms around it.
///
/// ``Planner/rentalPaths(_:at:isOrigin:)`` finds them, for queries in the same city.
public struct RentalPaths: Sendable {
    /// The vehicles, and where they may be returned.
    public let offer: RentalOffer
    /// Whether journeys begin with them rather than end.
    let isOrigin: Bool
    /// The walk from the origin to each vehicle, or from each place of return to the destination;
    /// nil where it is too far.
    var nearWalks: [Walk?]
    /// The platforms around each place of return with the walks there, or those around each vehicle
    /// with the walks from them.
    var farWalks: [[(platform: PlatformIndex, walk: Walk)]]
    /// The ride of each vehicle to each place of return, vehicle by vehicle; nil where there is
    /// none.
    private var rides: [Walk?]

    /// No ways yet.
    init(_ offer: RentalOffer, isOrigin: Bool) {
        self.offer = offer
        self.isOrigin = isOrigin
        let (near, far) =
            isOrigin
            ? (offer.vehicles.count, offer.ends.count) : (offer.ends.count, offer.vehicles.count)
        nearWalks = Array(repeating: nil, count: near)
        farWalks = Array(repeating: [], count: far)
        rides = Array(repeating: nil, count: offer.vehicles.count * offer.ends.count)
    }

    /// Whether no vehicle leads to a platform, or from one.
    public var isEmpty: Bool {
        !farWalks.indices.contains { place in
            !farWalks[place].isEmpty
                && nearWalks.indices.contains { nearWalks[$0] != nil && ride($0, place) != nil }
        }
    }

    /// Leaves out the ride of a vehicle to a place of return.
    public mutating func removeRide(of vehicle: Int, to end: Int) {
        rides[row(vehicle, end)] = nil
    }

    /// The ride between a place near the end of the journey and one near platforms.
    func ride(_ near: Int, _ far: Int) -> Walk? {
        isOrigin ? rides[row(near, far)] : rides[row(far, near)]
    }

    /// Sets the ride between a place near the end of the journey and one near platforms.
    mutating func setRide(_ near: Int, _ far: Int, _ ride: Walk) {
        rides[isOrigin ? row(near, far) : row(far, near)] = ride
    }

    private func row(_ vehicle: Int, _ end: Int) -> Int {
        precondition(
            offer.vehicles.indices.contains(vehicle) && offer.ends.indices.contains(end),
            "a rental has a vehicle and a place of return of its offer"
        )
        return vehicle * offer.ends.count + end
    }

    /// Adds the ways to and from platforms.
    func add(to paths: inout AccessEgressPaths) {
        let closures = offer.closures.sorted { $0.lowerBound < $1.lowerBound }
        for far in farWalks.indices where !farWalks[far].isEmpty {
            let ways = ways(to: far, within: paths.vehicleLimit, counts: paths.rates != nil)
            for (platform, walk) in farWalks[far] {
                for way in ways {
                    for part in parts(of: completed(way, walk), besides: closures) {
                        paths.add(platform, part)
                    }
                }
            }
        }
    }

    /// The ways between the end of the journey and a place near platforms, without those that
    /// others beat at each moment.
    private func ways(
        to far: Int,
        within limit: VehicleLimit,
        counts countsEmissions: Bool
    ) -> [EndWay] {
        var ways: [EndWay] = []
        for near in nearWalks.indices {
            guard let walk = nearWalks[near], let ride = ride(near, far), limit.allows(ride)
            else { continue }
            let (vehicle, end) = isOrigin ? (near, far) : (far, near)
            let (own, none) = (RentalRoute.Part(walk), RentalRoute.Part())
            var way = EndWay(
                walk: Walk(
                    seconds: walk.seconds &+ ride.seconds &+ 2 &* offer.handlingSeconds,
                    metres: walk.metres
                ),
                first: offer.moments.lowerBound.seconds,
                last: offer.moments.upperBound.seconds,
                rental: RentalRoute(
                    vehicle: Int32(truncatingIfNeeded: vehicle),
                    end: Int32(truncatingIfNeeded: end),
                    before: isOrigin ? own : none,
                    ride: RentalRoute.Part(ride),
                    after: isOrigin ? none : own
                )
            )
            if isOrigin { way.setOut(earlierBy: walk.seconds) }
            if countsEmissions {
                let rate = offer.vehicles[vehicle].microgramsPerMetre
                way.micrograms = Emissions.micrograms(ride.metres, at: rate)
            }
            // Which of two ways avoids a closure depends on the moment.
            if offer.closures.isEmpty {
                guard !ways.contains(where: { $0.beats(way) }) else { continue }
                ways.removeAll { way.beats($0) }
            }
            ways.append(way)
        }
        return ways
    }

    /// A way with the walk between its far place and a platform.
    private func completed(_ way: EndWay, _ walk: Walk) -> EndWay {
        var way = way
        way.walk.seconds &+= walk.seconds
        way.walk.metres &+= walk.metres
        if isOrigin {
            way.rental?.after = RentalRoute.Part(walk)
        } else {
            way.rental?.before = RentalRoute.Part(walk)
            way.setOut(earlierBy: walk.seconds)
        }
        return way
    }

    /// A way at the moments at which its ride touches no span in which nobody rides.
    private func parts(of way: EndWay, besides closures: [Range<Instant>]) -> [EndWay] {
        guard let route = way.rental else { return [] }
        let ridden = Int64(route.before.seconds &+ offer.handlingSeconds)
        return way.parts(outside: closures, from: ridden, to: ridden + Int64(route.ride.seconds))
    }

    /// The legs of a way: a walk, the rental and a walk; walks of no length are left out.
    ///
    /// - Parameters:
    ///   - route: the way.
    ///   - stop: the stop to which it leads, or from which.
    ///   - departure: when it begins.
    ///   - arrival: when it ends.
    /// - Returns: the legs.
    func legs(
        _ route: RentalRoute,
        at stop: StopIndex,
        from departure: Instant,
        until arrival: Instant
    ) -> [Leg] {
        let (number, end) = (Int(route.vehicle), Int(route.end))
        let vehicle = offer.vehicles[number]
        let (first, last) = isOrigin ? (nil, stop) : (stop, nil)
        let returned = arrival.adding(seconds: -Int64(route.after.seconds))
        let taken = Int64(route.ride.seconds) + 2 * Int64(offer.handlingSeconds)
        let rented = returned.adding(seconds: -taken)
        func leg(_ part: RentalRoute.Part, _ departure: Instant, _ arrival: Instant) -> Leg {
            Leg(
                departure: departure,
                arrival: arrival,
                from: nil,
                to: nil,
                metres: part.metres,
                means: .walk
            )
        }
        var walk = leg(route.before, departure, rented)
        (walk.from, walk.toPlace) = (first, vehicle.place)
        var rental = leg(route.ride, rented, returned)
        rental.means = .rental(
            RentalLeg(
                kind: offer.kind,
                profile: offer.profile,
                vehicle: number,
                end: end,
                handlingSeconds: offer.handlingSeconds,
                microgramsPerMetre: vehicle.microgramsPerMetre
            )
        )
        (rental.fromPlace, rental.toPlace) = (vehicle.place, offer.ends[end])
        var further = leg(route.after, returned, arrival)
        (further.fromPlace, further.to) = (offer.ends[end], last)
        if route.before.isNone { (rental.departure, rental.from) = (departure, first) }
        if route.after.isNone { (rental.arrival, rental.to) = (arrival, last) }
        return (route.before.isNone ? [] : [walk]) + [rental]
            + (route.after.isNone ? [] : [further])
    }
}

/// A way by a rented vehicle between an end of a journey and a platform.
struct RentalRoute: Sendable, Equatable {
    /// The vehicle, as a position in ``RentalOffer/vehicles``.
    let vehicle: Int32
    /// Where it is returned, as a position in ``RentalOffer/ends``.
    let end: Int32
    /// The walk to the vehicle.
    var before: Part
    /// The ride, without renting and returning.
    let ride: Part
    /// The walk from where it is returned.
    var after: Part

    /// A walk or a ride, in little memory.
    struct Part: Sendable, Equatable {
        var seconds: Int32 = 0
        var metres: UInt32 = 0

        /// Whether there is nothing of it.
        var isNone: Bool { seconds == 0 && metres == 0 }

        /// No walk.
        init() {}

        /// The same as a way.
        init(_ way: Walk) { (seconds, metres) = (way.seconds, way.metres) }
    }
}

extension EndWay {
    /// Moves the moments at which one may set out, for a walk before the way.
    fileprivate mutating func setOut(earlierBy seconds: Int32) {
        first -= Int64(seconds)
        last -= Int64(seconds)
    }
}
