import Geo
import Streets
import Transit

/// Rented vehicles on the way to the first stop or from the last one.
///
/// The streets are those that are open at any hour, at their slowest speeds, so a rental is never
/// quicker on paper than it is in the street.
extension Planner {
    /// How many metres people walk at most between a stop and a rented vehicle.
    public static let rentalWalkMetres = 500.0

    /// The ways by the vehicles of an offer between an endpoint and the platforms around it.
    ///
    /// - Parameters:
    ///   - offer: the vehicles, and where they may be returned.
    ///   - endpoint: where journeys begin or end.
    ///   - isOrigin: whether they begin there.
    /// - Returns: the ways, to be used by queries from or to the endpoint.
    /// - Complexity: for each place near the endpoint one search for everything that a ride
    ///   reaches, and for each place near platforms one for everything within
    ///   ``rentalWalkMetres``.
    public func rentalPaths(
        _ offer: RentalOffer,
        at endpoint: Endpoint,
        isOrigin: Bool
    ) -> RentalPaths {
        var paths = RentalPaths(offer, isOrigin: isOrigin)
        guard city.hasStreets else { return paths }
        let vehicles = offer.vehicles.map { $0.place }
        let (near, far) = isOrigin ? (vehicles, offer.ends) : (offer.ends, vehicles)
        let endpoint = onStreets(endpoint)
        for (number, place) in near.enumerated() {
            paths.nearWalks[number] = walk(between: endpoint, place, offer, isOrigin)
        }
        addRides(near, far, &paths)
        var known: [Coordinate: [(platform: PlatformIndex, walk: Walk)]] = [:]
        let means = EndMeans(profile: .foot, means: .walk, limit: Self.rentalWalkMetres)
        for (number, place) in far.enumerated()
        where near.indices.contains(where: { paths.ride($0, number) != nil }) {
            let walks =
                known[place] ?? platforms(around: place, means, isOrigin, at: nil).walks
            known[place] = walks
            paths.farWalks[number] = walks
        }
        return paths
    }

    /// The walk from the origin to a vehicle, or from a place of return to the destination; nil
    /// where there is none, or a longer one than people walk to a stop.
    private func walk(
        between endpoint: Endpoint,
        _ place: Coordinate,
        _ offer: RentalOffer,
        _ isOrigin: Bool
    ) -> Walk? {
        if endpoint == .place(place) { return Walk(seconds: 0, metres: 0) }
        let (from, to) = isOrigin ? (endpoint, .place(place)) : (.place(place), endpoint)
        let query = JourneyQuery(
            from: from,
            to: to,
            time: offer.moments.lowerBound,
            maxWalkMetres: Self.walkMetresLimit
        )
        return streetWay(from, to, .foot, .walk, query, isChange: true)?.walk
    }

    /// Adds the rides between the places near the endpoint and those near platforms.
    private func addRides(_ near: [Coordinate], _ far: [Coordinate], _ paths: inout RentalPaths) {
        let (offer, isOrigin) = (paths.offer, paths.isOrigin)
        var isAllowed = Array(repeating: false, count: near.count * far.count)
        for (number, vehicle) in offer.vehicles.enumerated() {
            for end in vehicle.ends where offer.ends[end] != vehicle.place {
                isAllowed[isOrigin ? number * far.count + end : end * far.count + number] = true
            }
        }
        func joined(_ place: Coordinate) -> StreetPlace? {
            city.streets.snap(place, for: offer.profile, at: .always).first
        }
        let means: Means = offer.profile == .car ? .car : .bicycle
        let others = far.map { place in joined(place).map { (place: $0, aside: aside($0)) } }
        let limit = Double(offer.rideMetresLimit)
        // Several types of vehicles may stand at one place.
        for (first, place) in near.enumerated() where near.firstIndex(of: place) == first {
            guard let start = joined(place), start.distanceMetres <= limit else { continue }
            let own = aside(start)
            let tree = city.streets.shortestPathTree(
                start,
                within: SearchLimit(metres: limit - start.distanceMetres),
                isOrigin ? .forward : .backward,
                by: snapshot.metric(offer.profile),
                at: .always,
                using: workspace
            )
            for (number, other) in others.enumerated() {
                guard let other else { continue }
                let cost = tree.cost(other.place)
                guard cost.isPossible else { continue }
                let ride = Self.sum(own, cost, other.aside, means)
                for same in first..<near.count
                where near[same] == place && isAllowed[same * far.count + number] {
                    let vehicle = offer.vehicles[isOrigin ? same : number]
                    guard ride.metres > 0,
                        ride.metres <= min(offer.rideMetresLimit, vehicle.rangeMetres ?? .max)
                    else { continue }
                    paths.setRide(same, number, ride)
                }
            }
        }
    }
}
